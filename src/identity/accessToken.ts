import type { JWTHeaderParameters, JWTPayload } from 'jose'

/** Tells an access token from the other JWTs that an identity provider signs, ID tokens above all. */

/** The clients that a token may have been made for; undefined: any. */
export type AuthorizedParties = readonly string[] | undefined

/** Why a verified JWT is no access token for this service, in words that may be shown; undefined when it is one. */
export function accessTokenFault(
  header: Pick<JWTHeaderParameters, 'typ'>,
  claims: JWTPayload,
  authorizedParties: AuthorizedParties,
): string | undefined {
  if (!isAccessTokenType(header.typ)) return 'The token\'s header "typ" is neither "at+jwt" nor "JWT".'
  if (!isBearerToken(claims) || isForLogin(claims) || isSecurityEvent(claims))
    return 'The token is not an access token but, for example, an ID token: send the access token.'
  if (authorizedParties && !authorizedParties.includes(partyOf(claims)))
    return 'The token\'s claim "azp" is not what it must be.'
  return undefined
}

/**
 * RFC 9068 says at+jwt; Entra ID and Keycloak say JWT. Others leave it out, which says no more and no less than JWT.
 */
function isAccessTokenType(typ: unknown): boolean {
  if (typ === undefined) return true
  return typeof typ === 'string' && /^(application\/)?(at\+)?jwt$/i.test(typ)
}

/** Keycloak says in a claim what a token is for: Bearer, ID, Logout, Refresh, … */
function isBearerToken({ typ }: JWTPayload): boolean {
  return typ === undefined || typ === 'Bearer'
}

/**
 * A login's nonce, and hashes of what was issued beside the ID token (OpenID Connect Core 1.0, 3.3.2.11), without a
 * delegated scope. Roles do not make up for it: Entra ID puts them in ID tokens too.
 */
function isForLogin({ nonce, at_hash, c_hash, scp, scope }: JWTPayload): boolean {
  const isOfLogin = [nonce, at_hash, c_hash].some((claim) => claim !== undefined)
  return isOfLogin && scp === undefined && scope === undefined
}

/** Every security event token has this claim (RFC 8417), logout tokens among them. */
function isSecurityEvent({ events }: JWTPayload): boolean {
  return events !== undefined
}

/** RFC 9068 calls it `client_id`. */
function partyOf({ azp, client_id: clientId }: JWTPayload): string {
  const party = azp ?? clientId
  return typeof party === 'string' ? party : ''
}
