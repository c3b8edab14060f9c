import packageJson from '../../package.json' with { type: 'json' }
import { createDryRuns } from '../commands/dryRun.ts'
import { createApp, createMetricsApp } from '../http/kit/app.ts'
import { createAuthenticate } from '../http/kit/authentication/authenticate.ts'
import { cookieNames } from '../http/kit/authentication/cookies.ts'
import { createChecks } from '../http/kit/limits/checks.ts'
import { createInFlight } from '../http/kit/limits/inFlight.ts'
import { addressGroup, createRateLimiter, tooManyRequests } from '../http/kit/limits/rateLimit.ts'
import { createUnread } from '../http/kit/limits/unread.ts'
import { readPages } from '../http/kit/portal/pages.ts'
import type { Portal } from '../http/kit/portal/portalRoutes.ts'
import { gaugeConnections, gaugeHeld, gaugeUnread } from '../http/kit/server/metrics.ts'
import { type Listening, listen } from '../http/kit/server/server.ts'
import type { Authenticate, Services } from '../http/kit/services.ts'
import { routes } from '../http/routes.ts'
import { createApiKeys } from '../identity/apiKeys.ts'
import { createSettings } from '../identity/companySettings.ts'
import { createLastUsed } from '../identity/lastUsed.ts'
import { createMemberships, type Memberships } from '../identity/memberships.ts'
import { createProviderKeys, type ProviderKeys } from '../identity/providerKeys.ts'
import { createIdleLimits } from '../identity/sessions/idleLimit.ts'
import { createLoginProvider } from '../identity/sessions/loginProvider.ts'
import { createLogins, loginState } from '../identity/sessions/logins.ts'
import { verifyLogoutToken } from '../identity/sessions/logoutToken.ts'
import { createSealing } from '../identity/sessions/sealing.ts'
import { createSessionRows } from '../identity/sessions/sessionRows.ts'
import { createSessions, providerTokens, type SessionsOptions } from '../identity/sessions/sessions.ts'
import { createStillMay } from '../identity/stillMay.ts'
import { createTokens, type Tokens } from '../identity/tokens.ts'
import { createImportRows } from '../imports/importRows.ts'
import { createImportReader } from '../imports/reader.ts'
import { createHealth, type Health, sharedHealth } from '../monitoring/health.ts'
import { policyNames } from '../policies/all.ts'
import { lookAtPolicies } from '../policies/standing.ts'
import { pagesFolder } from '../portalBuild/paths.ts'
import { access, type FoundKey, findApiKeys } from '../projections/access.ts'
import { findMissingTables } from '../projections/operations/missingTables.ts'
import { createOperations, type Operations } from '../projections/operations/operations.ts'
import { type FirstBuild, watchFirstBuild } from '../projections/reading/firstBuild.ts'
import { gathered } from '../projections/reading/gathered.ts'
import { createLookUp } from '../projections/reading/lookUp.ts'
import { createCompanyLog } from '../record/companyLog.ts'
import { createExports } from '../record/exports.ts'
import { lookAtSigner } from '../record/signerStanding.ts'
import type { Commands } from './commands.ts'
import { openDocuments } from './documents.ts'
import { openKeys } from './keys.ts'
import { startRuns } from './runs.ts'
import type { Runtime } from './runtime.ts'
import type { Shutdown } from './shutdown.ts'
import type { Stores } from './stores.ts'

export interface Serving {
  readonly url: string
  readonly health: Health
}

/** Start the role `http`: the interface. @throws Error when its address cannot be listened at */
export async function startServing(
  runtime: Runtime,
  stores: Stores,
  { executor, persons }: Commands,
  { rules, ownRules }: Pick<Services, 'rules' | 'ownRules'>,
): Promise<Serving> {
  const { config, log, metrics, shutdown, clock, now, newId } = runtime
  const { eventStore, positions, reader, readModels } = stores
  if (config.identity.allowHttp) log.warn(plainHttpWarning)
  const providerKeys = openProviderKeys(runtime)
  const health = watchHealth(clock, stores, providerKeys)
  const tokens = createTokens(config.identity, providerKeys, now)
  let listensAt = ''
  const memberships = openMemberships(runtime, stores)
  const settingsOf = createSettings({ ...stores, clock })
  const idleLimits = createIdleLimits({ memberships, settingsOf })
  const address = () => config.http.publicUrl ?? listensAt
  const portal = openPortal(runtime, stores, providerKeys, { tokens, idleLimits, address })
  const inFlight = createInFlight(config.http.inFlightBytes)
  const unread = createUnread(unreadBytes)
  gaugeHeld(metrics.registry, inFlight)
  gaugeUnread(metrics.registry, unread)
  const documents = await openDocuments(runtime, stores)
  const record = openRecord(runtime, stores)
  const app = createApp({
    ...{
      executor,
      persons,
      rules,
      ownRules,
      eventStore,
      positions,
      reader,
      readModels,
      routes,
      inFlight,
      unread,
      checks: createChecks(clock),
      log,
    },
    ...{ clock, now, newId },
    beginDryRun: createDryRuns(config.commandCacheBytes / 4),
    documents,
    imports: createImportRows(stores.requests, stores.storeId, config.importsOfCompany),
    importReader: createImportReader(clock),
    runs: startRuns(runtime, stores, {
      ...{ executor, documents, rules, ...record },
      stillMay: createStillMay({ memberships, reader }),
    }),
    operations: openOperations(runtime, stores),
    ...record,
    firstBuild: openFirstBuild(shutdown, stores),
    authenticate: openAuthentication(runtime, stores, { tokens, memberships, portal }),
    tokenUrl: providerKeys.tokenUrl,
    settingsOf,
    portal,
    pages: portal && readPages(pagesFolder),
    listCacheBytes: config.http.listCacheBytes,
    observeLists: metrics.cache,
    health: sharedHealth(health, clock),
    metrics: metrics.registry,
    version: packageJson.version,
    trustProxy: config.http.trustProxy,
    publicUrl: config.http.publicUrl,
    corsOrigins: config.http.corsOrigins,
  })
  const { url, connections } = await serve(shutdown, 'HTTP', app, config.http)
  listensAt = url
  gaugeConnections(metrics.registry, connections)
  return { url, health }
}

/** The most bytes of answers that clients have not read. The largest answer has a quarter of them. */
const unreadBytes = 268_435_456

/** Serve `/metrics` at a port of its own, if one is named: for processes without HTTP, too. */
export async function serveMetrics({ config, log, metrics, shutdown, newId }: Runtime): Promise<void> {
  const { metricsPort: port, ...options } = config.http
  if (port === undefined) return
  const app = createMetricsApp({ metrics: metrics.registry, log, newId, publicUrl: options.publicUrl })
  await serve(shutdown, 'metrics', app, { ...options, port })
}

/** Limit for the requests that a shutdown finds under way. */
const finishWithinMs = 2_000

const plainHttpWarning =
  'OIDC_ALLOW_HTTP=true: the service fetches the keys of the identity provider over plain HTTP, so anyone who alters ' +
  'that traffic can sign in as any user. Give the provider https:// addresses, and remove this setting.'

async function serve(
  shutdown: Shutdown,
  name: string,
  ...args: Parameters<typeof listen>
): Promise<Listening> {
  const listening = await listen(...args)
  shutdown.add(name, () => listening.close(finishWithinMs))
  return listening
}

function openProviderKeys({ config, clock, shutdown }: Runtime): ProviderKeys {
  const providerKeys = createProviderKeys({ ...config.identity, clock })
  shutdown.add('provider keys', async () => providerKeys.close())
  return providerKeys
}

/** Requests and health have pools of their own, so that neither waits for the other. */
function watchHealth(
  clock: () => number,
  { eventStore, storeId, readModels, positions, openPool }: Stores,
  providerKeys: ProviderKeys,
): Health {
  const postgres = openPool('health')
  return createHealth({
    ...{ eventStore, positions, policyNames, clock },
    projections: readModels.projections,
    lookAtPolicies: () => lookAtPolicies(postgres, storeId, policyNames),
    lookAtSigner: () => lookAtSigner(postgres, storeId),
    findMissing: (states) => findMissingTables(postgres, readModels, states),
    askProvider: providerKeys.ask,
  })
}

/** The exports of the history, and its log. */
function openRecord(runtime: Runtime, stores: Stores): Pick<Services, 'exports' | 'companyLog'> {
  const { eventStore, requests: postgres, storeId, reader, positions } = stores
  const options = { eventStore, postgres, storeId, reader, keys: openKeys(runtime, stores) }
  return { exports: createExports(options), companyLog: createCompanyLog({ ...options, positions }) }
}

function openOperations(
  { clock, newId, shutdown }: Runtime,
  { eventStore, requests, readModels, openPool }: Stores,
): Operations {
  const operations = createOperations({
    ...{ eventStore, requests, readModels, clock, newId },
    postgres: openPool('operations', { size: 3 }),
  })
  shutdown.add('operations', () => operations.close())
  return operations
}

function openFirstBuild(
  shutdown: Shutdown,
  { eventStore, requests: postgres, readModels, positions }: Stores,
): FirstBuild {
  const firstBuild = watchFirstBuild({ eventStore, postgres, readModels, positions })
  shutdown.add('first build', () => firstBuild.close())
  return firstBuild
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
): Authenticate {
  const { config, clock } = runtime
  return createAuthenticate({
    ...{ tokens, memberships },
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

/** Logins from one address. Everybody in a plant may begin a shift behind the same address. */
const loginsPerMinute = 300

/** Return undefined unless the settings name the service as a client of the identity provider. */
function openPortal(
  { config, now, clock }: Runtime,
  { requests }: Stores,
  providerKeys: ProviderKeys,
  { address, ...checks }: Pick<SessionsOptions, 'tokens' | 'idleLimits'> & { readonly address: () => string },
): Portal | undefined {
  if (!config.portal) return undefined
  const { clientId, clientSecret } = config.portal
  const { issuer, algorithms } = config.identity
  const provider = createLoginProvider({ ...config.identity, ...config.portal })
  const sessions = createSessions({
    ...{ issuer, provider, now, ...checks },
    rows: createSessionRows(requests),
    sealing: createSealing(clientSecret, 'tokens of a session', providerTokens, now),
  })
  const sealing = createSealing(clientSecret, 'state of a login', loginState, now)
  const attempts = createRateLimiter('logins', loginsPerMinute, clock)
  return {
    ...{ address, provider, sessions },
    logins: createLogins({ provider, sessions, sealing, now }),
    countLogin(address) {
      const standing = attempts.count(addressGroup(address))
      if (standing.exceeded) throw tooManyRequests(standing, 'Too many logins from this address.')
    },
    verifyLogoutToken: (token) =>
      verifyLogoutToken(token, { issuer, clientId, algorithms }, providerKeys, now),
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
  return createApiKeys({ find: gathered(findKeys, ({ hash }) => hash), now, used: lastUsed.note })
}

function openMemberships({ metrics, clock }: Runtime, { reader, positions }: Stores): Memberships {
  const { asked } = metrics.cache('memberships')
  return createMemberships({ reader, positions, clock, observe: { asked } })
}
