import { createRemoteJWKSet, errors, type JWTVerifyGetKey } from 'jose'

/** The identity provider's public keys, fetched when a token first needs them and again when keys change. */

/** The provider cannot be asked: whether a token is good is not known. */
export class ProviderUnavailable extends Error {
  override readonly name = 'ProviderUnavailable'
}

/** How long keys count; an unknown key asks again before that, but no more often than the cooldown. */
const keysForMs = 600_000
const cooldownMs = 10_000
const answerWithinMs = 5_000

const unavailable = (where: string, cause: unknown): ProviderUnavailable =>
  new ProviderUnavailable(`identity provider at ${where}: ${(cause as Error).message}`, { cause })

/** What its discovery document (OpenID Connect Discovery 1.0) says of its keys. */
const discover = async (issuer: string): Promise<URL> => {
  const where = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
  try {
    const response = await fetch(where, { signal: AbortSignal.timeout(answerWithinMs) })
    if (!response.ok) throw new Error(`it answered ${response.status}`)
    const document = (await response.json()) as { issuer?: string; jwks_uri?: string }
    if (document.issuer !== issuer) throw new Error(`it calls itself ${document.issuer}`)
    return new URL(document.jwks_uri ?? '')
  } catch (error) {
    throw unavailable(where, error)
  }
}

/** @throws ProviderUnavailable; jose's JWKSNoMatchingKey when the provider has no such key */
export const remoteKeys = (issuer: string, jwksUrl: string | undefined): JWTVerifyGetKey => {
  let keys: JWTVerifyGetKey | undefined
  let where = jwksUrl ?? issuer

  const keySet = async (): Promise<JWTVerifyGetKey> => {
    if (keys) return keys
    const url = jwksUrl ? new URL(jwksUrl) : await discover(issuer)
    where = url.href
    keys = createRemoteJWKSet(url, {
      cacheMaxAge: keysForMs,
      cooldownDuration: cooldownMs,
      timeoutDuration: answerWithinMs,
    })
    return keys
  }

  return async (header, token) => {
    const known = await keySet()
    try {
      return await known(header, token)
    } catch (error) {
      if (error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWKSMultipleMatchingKeys)
        throw error
      throw unavailable(where, error)
    }
  }
}

/** Asks for what new tokens would need, to tell whether they can be verified. @throws ProviderUnavailable */
export const askProvider = async (issuer: string, jwksUrl: string | undefined): Promise<void> => {
  if (!jwksUrl) return void (await discover(issuer))
  try {
    const response = await fetch(jwksUrl, { signal: AbortSignal.timeout(answerWithinMs) })
    if (!response.ok) throw new Error(`it answered ${response.status}`)
  } catch (error) {
    throw unavailable(jwksUrl, error)
  }
}
