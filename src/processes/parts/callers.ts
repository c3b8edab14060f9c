import type { Logger } from 'pino'
import { addressGroup, createRateLimiter } from '../../admission/rateLimit.ts'
import { createSharedLookUps } from '../../admission/sharedLookUps.ts'
import type { Config } from '../../config/config.ts'
import { type Authentication, createAuthentication } from '../../http/kit/authentication/authenticate.ts'
import { cookieNames } from '../../http/kit/authentication/cookies.ts'
import type { Portal } from '../../http/kit/portal/portalRoutes.ts'
import { tooManyRequests } from '../../http/kit/problem.ts'
import type { Services } from '../../http/kit/services.ts'
import { createApiKeys } from '../../identity/apiKeys.ts'
import { createSettings } from '../../identity/companySettings.ts'
import { createLastUsed } from '../../identity/lastUsed.ts'
import { createMemberships, type Memberships } from '../../identity/memberships.ts'
import { createProviderKeys, type ProviderKeys } from '../../identity/providerKeys.ts'
import { createIdleLimits } from '../../identity/sessions/idleLimit.ts'
import { createLoginProvider } from '../../identity/sessions/loginProvider.ts'
import { createLogins, loginState } from '../../identity/sessions/logins.ts'
import { verifyLogoutToken } from '../../identity/sessions/logoutToken.ts'
import { createSealing } from '../../identity/sessions/sealing.ts'
import { createSessionRows } from '../../identity/sessions/sessionRows.ts'
import { createSessions, providerTokens, type SessionsOptions } from '../../identity/sessions/sessions.ts'
import { createTokens, type Tokens } from '../../identity/tokens.ts'
import { access } from '../../projections/company/access.ts'
import { type FoundKey, findApiKeys } from '../../projections/company/apiKeyQueries.ts'
import { createLookUp } from '../../projections/engine/reading/lookUp.ts'
import type { Runtime } from './runtime.ts'
import type { Stores } from './stores.ts'

/** Identifies the callers of a process that serves HTTP, by token, API key or session. */
interface Callers extends Pick<Services, 'settingsOf'> {
  readonly authentication: Authentication
  /** Undefined without a portal. */
  readonly portal: Portal | undefined
  readonly providerKeys: ProviderKeys
  readonly memberships: Memberships
}

/** @param address returns the address by which browsers know the service */
export function openCallers(runtime: Runtime, stores: Stores, address: () => string): Callers {
  const { config, log, clock, now } = runtime
  if (config.identity.allowHttp) log.warn(plainHttpWarning)
  const providerKeys = openProviderKeys(runtime)
  const tokens = createTokens(config.identity, providerKeys, now, tellOnce(config.identity, log))
  const memberships = openMemberships(runtime, stores)
  const settingsOf = createSettings({ ...stores, clock })
  const idleLimits = createIdleLimits({ memberships, settingsOf })
  const portal = openPortal(runtime, stores, providerKeys, { tokens, idleLimits, address })
  const authentication = openAuthentication(runtime, stores, { tokens, memberships, portal })
  return { authentication, settingsOf, portal, providerKeys, memberships }
}

/**
 * Say which tokens the service accepts, and once for each claim that the provider gives tokens with another value: the
 * caller alone would learn it from its 401. The line has nothing of the token.
 */
function tellOnce({ issuer, audiences }: Config['identity'], log: Logger): (claim: string) => void {
  const expected: Readonly<Record<string, unknown>> = { iss: issuer, aud: audiences }
  log.info(expected, 'accepts tokens')
  const logged = new Set<string>()
  return (claim) => {
    if (logged.has(claim)) return
    logged.add(claim)
    log.warn({ claim, expected: expected[claim] }, 'a token of the provider has another value in this claim')
  }
}

const plainHttpWarning =
  'OIDC_ALLOW_HTTP=true: the service fetches the keys of the identity provider over plain HTTP, so anyone who alters ' +
  'that traffic can sign in as any user. Give the provider https:// addresses, and remove this setting.'

function openProviderKeys({ config, clock, shutdown }: Runtime): ProviderKeys {
  const providerKeys = createProviderKeys({ ...config.identity, clock })
  shutdown.add('provider keys', async () => providerKeys.close())
  return providerKeys
}

/** Find out who calls, by token, API key or session, and what the caller may do. */
function openAuthentication(
  runtime: Runtime,
  stores: Stores,
  {
    tokens,
    memberships,
    portal,
  }: { readonly tokens: Tokens; readonly memberships: Memberships; readonly portal: Portal | undefined },
): Authentication {
  const { config, clock } = runtime
  return createAuthentication({
    tokens,
    memberships,
    portal: portal && {
      sessions: portal.sessions,
      sessionCookie: () => cookieNames(portal.address()).session,
    },
    apiKeys: openApiKeys(runtime, stores),
    failureLimit: config.http.authFailureLimit,
    apiRateLimit: config.http.apiRateLimit,
    clock,
  })
}

/** The limit of logins from one address. All people of a plant may begin their shift behind the same address. */
const loginsPerMinute = 300

/** Return undefined unless the settings name the service as a client of the identity provider. */
function openPortal(
  { config, log, now, clock }: Runtime,
  { requests }: Stores,
  providerKeys: ProviderKeys,
  { address, ...checks }: Pick<SessionsOptions, 'tokens' | 'idleLimits'> & { readonly address: () => string },
): Portal | undefined {
  if (!config.portal) return undefined
  const { clientId, clientSecret } = config.portal
  const { issuer, algorithms } = config.identity
  const provider = createLoginProvider({ ...config.identity, ...config.portal })
  const sessions = createSessions({
    issuer,
    provider,
    now,
    ...checks,
    onUnmarkedToken: once(() => log.warn(unmarkedTokenWarning)),
    rows: createSessionRows(requests),
    sealing: createSealing(clientSecret, 'tokens of a session', providerTokens, now),
  })
  const sealing = createSealing(clientSecret, 'state of a login', loginState, now)
  const attempts = createRateLimiter('logins', loginsPerMinute, clock)
  return {
    address,
    provider,
    sessions,
    logins: createLogins({ provider, sessions, sealing, now }),
    countLogin(address) {
      const rateLimit = attempts.count(addressGroup(address))
      if (rateLimit.exceeded) throw tooManyRequests(rateLimit, 'Too many logins from this address.')
    },
    verifyLogoutToken: (token) =>
      verifyLogoutToken(token, { issuer, clientId, algorithms }, providerKeys, now),
  }
}

const unmarkedTokenWarning =
  'the access token of a login has neither "idtyp", "scp" nor "sid", so people who call the API with such a token, and ' +
  'not by the portal, are recorded as applications. Let the provider add "sid" to tokens of people.'

function once(work: () => void): () => void {
  let isDone = false
  return () => {
    if (!isDone) work()
    isDone = true
  }
}

function openApiKeys(
  { log, now, shutdown }: Runtime,
  { requests: postgres, readModels }: Stores,
): ReturnType<typeof createApiKeys> {
  const lastUsed = createLastUsed({
    postgres,
    onError: (error) => log.warn(`last use of API keys: ${error.message}`),
  })
  shutdown.add('last use of API keys', () => lastUsed.close())
  const lookUp = createLookUp(postgres, readModels, access)
  const findKeys = (hashes: readonly string[]) => lookUp<FoundKey>((tables) => findApiKeys(tables, hashes))
  return createApiKeys({
    find: createSharedLookUps(findKeys, ({ hash }) => hash),
    now,
    onUsed: lastUsed.note,
  })
}

function openMemberships({ metrics, clock }: Runtime, { reader, positions }: Stores): Memberships {
  const { onLookUp } = metrics.cache('memberships')
  return createMemberships({ reader, positions, clock, observe: { onLookUp } })
}
