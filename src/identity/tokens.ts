import { createHash } from 'node:crypto'
import { errors, type JWTPayload, type JWTVerifyGetKey, type JWTVerifyOptions, jwtVerify } from 'jose'
import { LRUCache } from 'lru-cache'
import { type Caller, type CallerClaims, callerOf } from './caller.ts'

/** Access tokens (RFC 9068 in the v2.0 shape of Entra ID), verified once each. */

/** The token is no good; the message says why in words that may be shown. */
export class TokenRefused extends Error {
  override readonly name = 'TokenRefused'
}

/** Clocks may differ by this much. */
const leewaySeconds = 5
/** Verified tokens remembered. */
const maxTokens = 20_000
/** Longer than any token of a provider; keeps hashing and parsing cheap. */
const maxTokenLength = 16_384

export interface TokenRules extends CallerClaims {
  readonly issuer: string
  readonly audiences: readonly string[]
  /** The signature algorithms accepted. */
  readonly algorithms: readonly string[]
}

export interface Tokens {
  /** The caller of a token that was verified before and is still good; asks nobody. */
  known(token: string): Caller | undefined
  /** @throws TokenRefused, ProviderUnavailable */
  verify(token: string): Promise<Caller>
}

export const createTokens = (rules: TokenRules, keys: JWTVerifyGetKey, now: () => Date): Tokens => {
  const verified = new LRUCache<string, { caller: Caller; expiresAtSeconds: number }>({ max: maxTokens })
  // Never the token itself: memory ends up in core files.
  const digest = (token: string): string => createHash('sha256').update(token).digest('base64')

  return {
    known(token) {
      if (token.length > maxTokenLength) return undefined
      const entry = verified.get(digest(token))
      return entry && now().getTime() / 1_000 < entry.expiresAtSeconds ? entry.caller : undefined
    },

    async verify(token) {
      if (token.length > maxTokenLength) throw new TokenRefused('The token is too long.')
      if (!isCanonical(token)) throw new TokenRefused('The token is malformed.')
      const payload = await payloadOf(token, keys, {
        issuer: rules.issuer,
        audience: [...rules.audiences],
        algorithms: [...rules.algorithms],
        requiredClaims: ['exp'],
        clockTolerance: leewaySeconds,
        currentDate: now(),
      }).catch((error) => {
        throw refusalOf(error)
      })
      const caller = callerOf(payload, rules)
      if (!caller) throw new TokenRefused(`The token's claim "${rules.userClaim}" names no user.`)
      verified.set(digest(token), { caller, expiresAtSeconds: payload.exp! + leewaySeconds })
      return caller
    },
  }
}

/** The last character of a part has bits to spare: only one spelling of a token is the one that was signed. */
const isCanonical = (token: string): boolean =>
  token.split('.').every((part) => Buffer.from(part, 'base64url').toString('base64url') === part)

/** What a verified token says. One that names no key may be signed with any that the provider has. */
const payloadOf = async (
  token: string,
  keys: JWTVerifyGetKey,
  options: JWTVerifyOptions,
): Promise<JWTPayload> => {
  try {
    return (await jwtVerify(token, keys, options)).payload
  } catch (error) {
    if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error
    for await (const key of error) {
      try {
        return (await jwtVerify(token, key, options)).payload
      } catch (failure) {
        if (!(failure instanceof errors.JWSSignatureVerificationFailed)) throw failure
      }
    }
    throw new errors.JWSSignatureVerificationFailed()
  }
}

/** What jose finds wrong with a token, in words for its bearer; anything else is passed on. */
const refusalOf = (error: unknown): unknown => {
  if (!(error instanceof errors.JOSEError)) return error
  if (error instanceof errors.JWTExpired) return new TokenRefused('The token has expired.')
  if (error instanceof errors.JWTClaimValidationFailed)
    return new TokenRefused(`The token's claim "${error.claim}" is not what it must be.`)
  if (error instanceof errors.JWSSignatureVerificationFailed || error instanceof errors.JWKSNoMatchingKey)
    return new TokenRefused("The token's signature is not the identity provider's.")
  if (error instanceof errors.JOSEAlgNotAllowed)
    return new TokenRefused("The token's algorithm is not accepted.")
  return new TokenRefused('The token is malformed.')
}
