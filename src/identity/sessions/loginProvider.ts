import { decodeJwt, errors } from 'jose'
import * as client from 'openid-client'
import { Refusal } from '../../domain/kernel/refusal.ts'
import { Failure, isFailure } from '../../lib/failure.ts'
import { addressFault, boundedFetch, type ProviderAddress } from '../provider.ts'

/** The identity provider as people log in there: authorization code with PKCE, refresh and logout. */

/** The secrets of one login, from its beginning to the provider's answer. */
interface LoginSecrets {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
}

export interface ProviderTokens {
  readonly accessToken: string
  readonly refreshToken?: string | undefined
  readonly idToken?: string | undefined
}

export interface LoggedIn {
  readonly tokens: ProviderTokens
  /** The claim `sub` of the ID token. */
  readonly subject: string
  /** The provider's own name of the session, if it has one. */
  readonly sid: string | undefined
}

/** All throw Failure `provider-unavailable`. */
export interface LoginProvider {
  /** Return the address to send the browser to. */
  begin(callback: string): Promise<{ readonly url: string; readonly secrets: LoginSecrets }>
  /** @param answer the callback's address with the query that the provider added @throws Refusal `login-failed` */
  finish(answer: URL, secrets: LoginSecrets): Promise<LoggedIn>
  /** @throws Failure `grant-ended` */
  refresh(refreshToken: string): Promise<ProviderTokens>
  /** Return the address that ends the provider's session, too; undefined if the provider has none. */
  logoutUrl(idToken: string | undefined, returnTo: string): Promise<string | undefined>
}

interface LoginProviderOptions extends ProviderAddress {
  readonly clientId: string
  readonly clientSecret: string
  readonly scope: string
}

const answerWithinSeconds = 5

export function createLoginProvider(options: LoginProviderOptions): LoginProvider {
  const { clientId, scope } = options
  let discovered: Promise<client.Configuration> | undefined

  /** The discovery document is read at the first login, and again after a failure. */
  const configuration = (): Promise<client.Configuration> => {
    discovered ??= discover(options).catch((error) => {
      discovered = undefined
      throw unavailable(options.issuer, error)
    })
    return discovered
  }

  return {
    async begin(callback) {
      const provider = await configuration()
      const secrets = newSecrets()
      const url = client.buildAuthorizationUrl(provider, {
        redirect_uri: callback,
        scope,
        state: secrets.state,
        nonce: secrets.nonce,
        code_challenge: await client.calculatePKCECodeChallenge(secrets.verifier),
        code_challenge_method: 'S256',
      })
      return { url: url.href, secrets }
    },
    async finish(answer, { state, nonce, verifier }) {
      const provider = await configuration()
      const given = await client
        .authorizationCodeGrant(provider, answer, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        })
        .catch((error) => {
          if (isAway(error)) throw unavailable(options.issuer, error)
          throw new Refusal('login-failed', reasonOf(error))
        })
      const { sub, sid } = given.claims()!
      return { tokens: tokensOf(given), subject: sub, sid: typeof sid === 'string' ? sid : undefined }
    },
    async refresh(refreshToken) {
      const provider = await configuration()
      const given = await client.refreshTokenGrant(provider, refreshToken).catch((error) => {
        if (error instanceof client.ResponseBodyError && error.error === 'invalid_grant')
          throw new Failure('grant-ended', 'The identity provider has ended the session.')
        throw unavailable(options.issuer, error)
      })
      return { refreshToken, ...tokensOf(given) }
    },
    async logoutUrl(idToken, returnTo) {
      const provider = await configuration()
      if (!provider.serverMetadata().end_session_endpoint) return undefined
      const hint: Record<string, string> = idToken ? { id_token_hint: idToken } : { client_id: clientId }
      return client.buildEndSessionUrl(provider, { ...hint, post_logout_redirect_uri: returnTo }).href
    },
  }
}

/** Return when an access token expires. @throws jose's JWTInvalid for a token that is no JWT, or whose expiry is no time */
export function expiryOf({ accessToken }: ProviderTokens): Date {
  const { exp = 0 } = decodeJwt(accessToken)
  const expiry = new Date(exp * 1_000)
  if (Number.isNaN(expiry.getTime())) throw new errors.JWTInvalid('"exp" claim is no time')
  return expiry
}

function discover({
  issuer,
  clientId,
  clientSecret,
  allowHttp,
}: LoginProviderOptions): Promise<client.Configuration> {
  // The settings permit plain HTTP only where `addressFault` does, and every request is checked by it again.
  const isPlain = new URL(issuer).protocol === 'http:' && addressFault(issuer, allowHttp) === undefined
  const fetchBounded = boundedFetch(allowHttp)
  return client.discovery(new URL(issuer), clientId, clientSecret, undefined, {
    [client.customFetch]: (url, init) => fetchBounded(url, init as RequestInit),
    timeout: answerWithinSeconds,
    execute: isPlain ? [client.allowInsecureRequests] : [],
  })
}

function newSecrets(): LoginSecrets {
  return {
    state: client.randomState(),
    nonce: client.randomNonce(),
    verifier: client.randomPKCECodeVerifier(),
  }
}

/** A part that the provider leaves out is absent here, so that a refresh keeps the one before. */
function tokensOf(given: client.TokenEndpointResponse): ProviderTokens {
  return {
    accessToken: given.access_token,
    ...(given.refresh_token !== undefined && { refreshToken: given.refresh_token }),
    ...(given.id_token !== undefined && { idToken: given.id_token }),
  }
}

/** Whether the provider could not be asked, so that the same request may succeed later. */
function isAway(error: unknown): boolean {
  if (error instanceof client.ResponseBodyError) return error.status >= 500
  if (error instanceof client.AuthorizationResponseError) return error.error === 'temporarily_unavailable'
  const { code, cause } = error as { code?: string; cause?: unknown }
  if (code === 'OAUTH_TIMEOUT' || isFailure(error, 'provider-unavailable')) return true
  return cause instanceof Response ? cause.status >= 500 : !(error instanceof client.ClientError)
}

function reasonOf(error: unknown): string {
  if (error instanceof client.AuthorizationResponseError || error instanceof client.ResponseBodyError)
    return `The identity provider answered ${error.error}.`
  return 'The answer of the identity provider does not belong to this login.'
}

function unavailable(issuer: string, cause: unknown): Failure {
  if (isFailure(cause, 'provider-unavailable')) return cause
  return new Failure('provider-unavailable', `${issuer}: ${(cause as Error).message}`, { cause })
}
