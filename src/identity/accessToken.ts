import type { JWTHeaderParameters, JWTPayload } from 'jose'

/** The same keys sign other JWTs, above all ID tokens. Only access tokens are accepted. */

/** The clients whose tokens are accepted; undefined accepts any client. */
export type AuthorizedParties = readonly string[] | undefined

/**
 * Return why this service does not accept a verified JWT as an access token, as a sentence for the caller, or
 * undefined when it does.
 */
export function accessTokenFault(
  header: Pick<JWTHeaderParameters, 'typ'>,
  claims: JWTPayload,
  authorizedParties: AuthorizedParties,
): string | undefined {
  if (!isAccessTokenType(header.typ)) return 'The token\'s header "typ" is neither "at+jwt" nor "JWT".'
  if (!isBearerToken(claims) || isForLogin(claims) || isSecurityEvent(claims))
    return 'The token is not an access token but, for example, an ID token. Send the access token.'
  if (authorizedParties && !authorizedParties.includes(partyOf(claims)))
    return 'The token\'s claim "azp" names a client that this service does not accept.'
  return undefined
}

/** RFC 9068 requires at+jwt. Entra ID and Keycloak send JWT. Other providers omit it, which is no weaker than JWT. */
function isAccessTokenType(typ: unknown): boolean {
  if (typ === undefined) return true
  return typeof typ === 'string' && /^(application\/)?(at\+)?jwt$/i.test(typ)
}

/** Keycloak names the purpose of a token in the claim `typ`: Bearer, ID, Logout, Refresh, … */
function isBearerToken({ typ }: JWTPayload): boolean {
  return typ === undefined || typ === 'Bearer'
}

/**
 * An ID token has the nonce of its login, or hashes of the code and the access token that were issued with it (OpenID
 * Connect Core 1.0, 3.3.2.11). An access token may have these too, but then it also has a delegated scope. Roles do
 * not replace the scope, because Entra ID puts them in ID tokens too.
 */
function isForLogin({ nonce, at_hash, c_hash, scp, scope }: JWTPayload): boolean {
  const comesFromLogin = [nonce, at_hash, c_hash].some((claim) => claim !== undefined)
  return comesFromLogin && scp === undefined && scope === undefined
}

/** Every security event token has the claim `events` (RFC 8417). A logout token is one of them. */
function isSecurityEvent({ events }: JWTPayload): boolean {
  return events !== undefined
}

/** The client is in `azp` or, by RFC 9068, in `client_id`. */
function partyOf({ azp, client_id: clientId }: JWTPayload): string {
  const party = azp ?? clientId
  return typeof party === 'string' ? party : ''
}
