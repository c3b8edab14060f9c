import { randomBytes } from 'node:crypto'
import type { Configuration, JWKS, Provider } from 'oidc-provider'

/** Who may ask for tokens, and what the tokens say of it. */
export interface IdentityClient {
  clientId: string
  clientSecret: string
  /** The user that a token of this client stands for. */
  oid: string
  name: string
  /** Platform roles, the `roles` claim. */
  roles: string[]
  /** Scopes granted; the API's own when absent. */
  scopes?: string[]
}

const hourSeconds = 3600

/**
 * Configures oidc-provider: client credentials for one API, access tokens as JWTs that carry what Entra's
 * v2.0 tokens carry. Nothing is stored but keys and clients: such a token needs no storage.
 */
export async function oidcProvider(options: {
  issuer: string
  tenant: string
  audience: string
  scope: string
  clients: IdentityClient[]
  jwks: JWKS
}): Promise<Provider> {
  const { issuer, tenant, audience, scope, jwks } = options
  const { Provider, errors } = await quietly(() => import('oidc-provider'))
  const clients = new Map(options.clients.map((client) => [client.clientId, client]))
  const configuration: Configuration = {
    jwks,
    adapter: StoresNothing,
    cookies: { keys: [randomBytes(32).toString('hex')] },
    clients: options.clients.map(({ clientId, clientSecret }) => ({
      client_id: clientId,
      client_secret: clientSecret,
      grant_types: ['client_credentials'],
      response_types: [],
      redirect_uris: [],
      token_endpoint_auth_method: 'client_secret_post',
    })),
    routes: { token: tokenPath, jwks: jwksPath },
    scopes: [],
    responseTypes: [],
    ttl: { ClientCredentials: hourSeconds },
    features: {
      clientCredentials: { enabled: true },
      devInteractions: { enabled: false },
      userinfo: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => audience,
        getResourceServerInfo: (ctx, resource, client) => {
          const granted = clients.get(client.clientId)?.scopes ?? [scope]
          const wanted = ctx.oidc.params?.scope
          if (resource !== audience || wanted !== scope || !granted.includes(scope)) {
            throw new errors.CustomOIDCProviderError(
              'invalid_scope',
              wanted
                ? 'the requested scope is invalid or not granted to the client'
                : 'the scope parameter is missing',
            )
          }
          return {
            scope,
            audience,
            accessTokenTTL: hourSeconds,
            accessTokenFormat: 'jwt',
            jwt: { sign: { alg: 'RS256' } },
          }
        },
      },
    },
    formats: {
      customizers: {
        jwt: (_ctx, _token, jwt) => {
          const { client_id: clientId, iss, aud, iat, exp, jti } = jwt.payload
          const { oid, name, roles } = clients.get(String(clientId))!
          const who = { sub: oid, oid, tid: tenant, azp: clientId, name, roles }
          jwt.payload = { iss, aud, iat, nbf: iat, exp, jti, ...who, ver: '2.0' }
        },
      },
    },
  }
  return new Provider(issuer, configuration)
}

/** Paths under the tenant. */
export const tokenPath = '/oauth2/v2.0/token'
export const jwksPath = '/discovery/v2.0/keys'
export const discoveryPath = '/.well-known/openid-configuration'

/** Its import warns of every runtime that is not called LTS yet; nobody who runs this can act on that. */
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
