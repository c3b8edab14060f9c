import { randomBytes } from 'node:crypto'
import type { ClientMetadata, Configuration, JWKS, Provider } from 'oidc-provider'

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

export interface OidcOptions {
  issuer: string
  tenant: string
  audience: string
  scope: string
  clients: IdentityClient[]
  jwks: JWKS
}

/** Paths under the tenant. */
export const tokenPath = '/oauth2/v2.0/token'
export const jwksPath = '/discovery/v2.0/keys'
export const discoveryPath = '/.well-known/openid-configuration'

/**
 * Configures oidc-provider for client credentials and one API. Access tokens are JWTs with the claims of Entra's
 * v2.0 tokens. Nothing is stored but keys and clients, because such a token needs no storage.
 */
export async function oidcProvider(options: OidcOptions): Promise<Provider> {
  const { Provider, errors } = await quietly(() => import('oidc-provider'))
  const clients = new Map(options.clients.map((client) => [client.clientId, client]))
  const invalidScope = (why: string) => new errors.CustomOIDCProviderError('invalid_scope', why)
  return new Provider(options.issuer, {
    jwks: options.jwks,
    adapter: StoresNothing,
    cookies: { keys: [randomBytes(32).toString('hex')] },
    clients: options.clients.map(registration),
    routes: { token: tokenPath, jwks: jwksPath },
    scopes: [],
    responseTypes: [],
    ttl: { ClientCredentials: hourSeconds },
    features: {
      clientCredentials: { enabled: true },
      devInteractions: { enabled: false },
      userinfo: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      resourceIndicators: resourceOf(options, clients, invalidScope),
    },
    formats: { customizers: { jwt: claimsOf(options, clients) } },
  })
}

const hourSeconds = 3600

type Clients = ReadonlyMap<string, IdentityClient>
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

/** The one API that tokens are for, with its one scope. */
function resourceOf(
  { audience, scope }: OidcOptions,
  clients: Clients,
  invalidScope: (why: string) => Error,
): NonNullable<Features['resourceIndicators']> {
  return {
    enabled: true,
    defaultResource: () => audience,
    getResourceServerInfo: (ctx, resource, client) => {
      const granted = clients.get(client.clientId)?.scopes ?? [scope]
      const wanted = ctx.oidc.params?.scope
      if (!wanted) throw invalidScope('the scope parameter is missing')
      if (resource !== audience || wanted !== scope || !granted.includes(scope))
        throw invalidScope('the requested scope is invalid or not granted to the client')
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

function claimsOf({ tenant }: OidcOptions, clients: Clients): NonNullable<Customizers['jwt']> {
  return (_ctx, _token, jwt) => {
    const { client_id: clientId, iss, aud, iat, exp, jti } = jwt.payload
    const { oid, name, roles } = clients.get(String(clientId))!
    const who = { sub: oid, oid, tid: tenant, azp: clientId, name, roles }
    jwt.payload = { iss, aud, iat, nbf: iat, exp, jti, ...who, ver: '2.0' }
  }
}

/** Hides the warning of oidc-provider's import about a runtime that is not LTS yet: no user can act on it. */
async function quietly<T>(load: () => Promise<T>): Promise<T> {
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

class StoresNothing {
  async find(): Promise<undefined> {}
  async findByUid(): Promise<undefined> {}
  async findByUserCode(): Promise<undefined> {}
  async upsert(): Promise<void> {}
  async consume(): Promise<void> {}
  async destroy(): Promise<void> {}
  async revokeByGrantId(): Promise<void> {}
}
