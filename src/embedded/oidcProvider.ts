import { randomBytes } from 'node:crypto'
import type {
  AccessToken,
  ClientMetadata,
  Configuration,
  JWKS,
  KoaContextWithOIDC,
  Provider,
} from 'oidc-provider'
import { failedPage, type Language, loggedOutPage, logoutPage, type Page } from './loginPages.ts'
import { createProviderStorage } from './providerStorage.ts'

/** A client that may ask for tokens, and the claims of its tokens. */
export interface IdentityClient {
  clientId: string
  clientSecret: string
  /** The user that a token of this client stands for. */
  oid: string
  name: string
  /** Platform roles, the `roles` claim. */
  roles: string[]
  /** The scopes that it may ask for; the API's own scope by default. */
  scopes?: string[]
}

/** The people who can log in. */
export interface People {
  /** The one password of all of them. */
  password: string
  accounts: readonly Account[]
}

interface Account extends Omit<IdentityClient, 'clientId' | 'clientSecret' | 'scopes'> {
  userName: string
}

/** The client by which people log in to the portal. */
export interface PortalClient {
  clientId: string
  clientSecret: string
  /** The address of the portal's service when it is not on loopback, without a slash at its end. */
  publicUrl?: string | undefined
}

interface OidcOptions {
  issuer: string
  tenant: string
  audience: string
  scope: string
  clients: IdentityClient[]
  people: People
  portal: PortalClient
  /** The present address of the portal's service; undefined until it listens. */
  portalUrl: () => string | undefined
  languageOf: (ctx: KoaContextWithOIDC) => Language
  jwks: JWKS
}

/** Paths under the tenant. */
export const tokenPath = '/oauth2/v2.0/token'
export const authorizePath = '/oauth2/v2.0/authorize'
export const logoutPath = '/oauth2/v2.0/logout'
export const jwksPath = '/discovery/v2.0/keys'
export const discoveryPath = '/.well-known/openid-configuration'
export const loginPath = '/login'

/**
 * Configure oidc-provider for one API: client credentials for programs, and for people the authorization code with
 * PKCE. Access tokens are JWTs with the claims of Entra's v2.0 tokens.
 */
export async function oidcProvider(options: OidcOptions): Promise<Provider> {
  const { Provider, errors, interactionPolicy } = await loadQuietly(() => import('oidc-provider'))
  const { issuer, tenant, people, portal } = options
  const clients = new Map(options.clients.map((client) => [client.clientId, client]))
  const accounts = new Map(people.accounts.map((account) => [account.oid, account]))
  const invalidScope = (why: string) => new errors.CustomOIDCProviderError('invalid_scope', why)
  const policy = interactionPolicy.base()
  // The portal is the provider's own application. Its people need not consent to it.
  policy.remove('consent')
  return new Provider(issuer, {
    jwks: options.jwks,
    // The portal's client is not a fixed one: its address is known only when the service listens.
    adapter: createProviderStorage((id) =>
      id === portal.clientId ? portalRegistration(options) : undefined,
    ),
    cookies: cookiesOf(issuer),
    clients: options.clients.map(registration),
    routes: { token: tokenPath, jwks: jwksPath, authorization: authorizePath, end_session: logoutPath },
    scopes: ['openid', 'profile'],
    claims: { openid: ['sub'], profile: ['name', 'preferred_username'] },
    conformIdTokenClaims: false,
    responseTypes: ['code'],
    pkce: { required: () => true },
    rotateRefreshToken: true,
    issueRefreshToken: async (_ctx, client) => client.grantTypeAllowed('refresh_token'),
    ttl: lifetimes,
    findAccount: (_ctx, oid) => accountOf(accounts.get(oid)),
    loadExistingGrant: (ctx) => wholeGrant(ctx, options),
    interactions: { policy, url: (_ctx, { uid }) => `/${tenant}${loginPath}/${uid}` },
    renderError: (ctx, out) => renderFault(ctx, options, out),
    // The page /docs of the service asks for tokens.
    clientBasedCORS: (_ctx, origin) => origin === options.portalUrl(),
    // The default refuses loopback, which is where the service is.
    fetch: (url, { dispatcher: _, ...request }: RequestInit = {}) => fetch(url, request),
    features: {
      clientCredentials: { enabled: true },
      devInteractions: { enabled: false },
      userinfo: { enabled: false },
      backchannelLogout: { enabled: true },
      rpInitiatedLogout: {
        enabled: true,
        logoutSource: (ctx, form) => renderLogout(ctx, options, form),
        postLogoutSuccessSource: (ctx) =>
          render(ctx, loggedOutPage(options.languageOf(ctx), options.portalUrl() ?? '')),
      },
      resourceIndicators: resourceOf(options, clients, invalidScope),
    },
    formats: { customizers: { jwt: claimsOf(options, clients, accounts) } },
  })
}

const hourSeconds = 3_600
const dayPartSeconds = 12 * hourSeconds

const lifetimes: Configuration['ttl'] = {
  AccessToken: hourSeconds,
  AuthorizationCode: 60,
  ClientCredentials: hourSeconds,
  Grant: dayPartSeconds,
  IdToken: hourSeconds,
  Interaction: 600,
  RefreshToken: dayPartSeconds,
  Session: dayPartSeconds,
}

type Clients = ReadonlyMap<string, IdentityClient>
type Accounts = ReadonlyMap<string, Account>
type Features = NonNullable<Configuration['features']>
type Customizers = NonNullable<NonNullable<Configuration['formats']>['customizers']>

function registration({ clientId, clientSecret }: IdentityClient): ClientMetadata {
  return {
    client_id: clientId,
    client_secret: clientSecret,
    grant_types: ['client_credentials'],
    response_types: [],
    redirect_uris: [],
    token_endpoint_auth_method: 'client_secret_post',
  }
}

/** A native client may use any port of the loopback addresses that it registers (RFC 8252, 7.3). */
function portalRegistration({ portal, portalUrl }: OidcOptions): ClientMetadata {
  const { clientId, clientSecret, publicUrl } = portal
  const addresses = [
    'http://127.0.0.1',
    'http://localhost',
    'http://[::1]',
    ...(publicUrl ? [publicUrl] : []),
  ]
  const present = portalUrl()
  return {
    client_id: clientId,
    client_secret: clientSecret,
    application_type: 'native',
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    redirect_uris: addresses.map((address) => `${address}/portal/callback`),
    post_logout_redirect_uris: addresses.map((address) => `${address}/portal`),
    token_endpoint_auth_method: 'client_secret_post',
    ...(present && {
      backchannel_logout_uri: `${present}/portal/backchannel-logout`,
      backchannel_logout_session_required: true,
    }),
  }
}

/** Cookies ignore ports, so the names hold the port: several providers may run on this machine. */
function cookiesOf(issuer: string): NonNullable<Configuration['cookies']> {
  const { port } = new URL(issuer)
  return {
    keys: [randomBytes(32).toString('hex')],
    names: {
      session: `heatmark_provider_${port}`,
      interaction: `heatmark_provider_login_${port}`,
      resume: `heatmark_provider_resume_${port}`,
    },
  }
}

function accountOf(account: Account | undefined) {
  if (!account) return undefined
  const { oid, name, userName } = account
  return { accountId: oid, claims: async () => ({ sub: oid, name, preferred_username: userName }) }
}

/** Let everybody who is logged in use the API: the service itself knows what each account may do. */
async function wholeGrant(ctx: KoaContextWithOIDC, { audience, scope }: OidcOptions) {
  const { client, session, provider } = ctx.oidc
  const grantId = session!.grantIdFor(client!.clientId)
  const grant = grantId ? await provider.Grant.find(grantId) : undefined
  if (grant) return grant
  const made = new provider.Grant({ clientId: client!.clientId, accountId: session!.accountId! })
  made.addOIDCScope('openid profile')
  made.addResourceScope(audience, scope)
  await made.save()
  return made
}

/** The one API that tokens are for, with its one scope. */
function resourceOf(
  { audience, scope, portal }: OidcOptions,
  clients: Clients,
  invalidScope: (why: string) => Error,
): NonNullable<Features['resourceIndicators']> {
  return {
    enabled: true,
    defaultResource: () => audience,
    useGrantedResource: () => true,
    getResourceServerInfo: (ctx, resource, { clientId }) => {
      if (clientId !== portal.clientId) {
        const granted = clients.get(clientId)?.scopes ?? [scope]
        const wanted = ctx.oidc.params?.scope
        if (!wanted) throw invalidScope('the scope parameter is missing')
        if (wanted !== scope || !granted.includes(scope))
          throw invalidScope('the requested scope is invalid or not granted to the client')
      }
      if (resource !== audience) throw invalidScope('there is no such resource')
      return {
        scope,
        audience,
        accessTokenTTL: hourSeconds,
        accessTokenFormat: 'jwt',
        jwt: { sign: { alg: 'RS256' } },
      }
    },
  }
}

/** As with Entra, a person's token has the delegated scope (`scp`), and a program's has none. */
function claimsOf(
  { tenant }: OidcOptions,
  clients: Clients,
  accounts: Accounts,
): NonNullable<Customizers['jwt']> {
  return (_ctx, token, jwt) => {
    const { client_id: clientId, iss, aud, iat, exp, jti } = jwt.payload
    const { accountId } = token as Partial<AccessToken>
    const person = accountId ? accounts.get(accountId)! : undefined
    const { oid, name, roles } = person ?? clients.get(String(clientId))!
    const who = { sub: oid, oid, tid: tenant, azp: clientId, name, roles }
    const email = person && { email: `${person.userName}@example.org`, email_verified: true }
    const delegated = person ? { scp: 'access_as_user', ...email } : {}
    jwt.payload = { iss, aud, iat, nbf: iat, exp, jti, ...who, ...delegated, ver: '2.0' }
  }
}

function renderLogout(ctx: KoaContextWithOIDC, { languageOf, portalUrl }: OidcOptions, form: string): void {
  const isAsked = ctx.oidc.entities.IdTokenHint !== undefined
  render(ctx, logoutPage(languageOf(ctx), { form, isAsked, portal: portalUrl() ?? '' }))
}

function renderFault(
  ctx: KoaContextWithOIDC,
  { languageOf, portalUrl }: OidcOptions,
  out: { error: string; error_description?: string | undefined },
): void {
  const isLost = out.error === 'invalid_request' && ctx.oidc?.route === 'resume'
  const fault = isLost ? undefined : (out.error_description ?? out.error)
  render(ctx, failedPage(languageOf(ctx), portalUrl() ?? '', fault))
}

function render(ctx: KoaContextWithOIDC, { html, headers }: Page): void {
  ctx.set(headers)
  ctx.body = html
}

/** Hide the warning of oidc-provider's import about a runtime that is not LTS yet: no user can act on it. */
async function loadQuietly<T>(load: () => Promise<T>): Promise<T> {
  const warn = console.warn
  console.warn = (...said: unknown[]) => {
    if (!String(said[0]).includes('Unsupported runtime')) warn(...said)
  }
  try {
    return await load()
  } finally {
    console.warn = warn
  }
}
