import { hash } from 'node:crypto'
import {
  type CryptoKey,
  calculateJwkThumbprint,
  errors,
  type JWTVerifyOptions,
  type JWTVerifyResult,
  jwtVerify,
} from 'jose'
import { LRUCache } from 'lru-cache'
import { Refusal } from '../domain/kernel/refusal.ts'
import { atMost } from '../lib/atMost.ts'
import { type AuthorizedParties, accessTokenFault } from './accessToken.ts'
import { type Caller, type CallerClaims, callerOf } from './caller.ts'
import type { ProviderKeys } from './providerKeys.ts'

/** Access tokens (RFC 9068, or Entra ID's v2.0) are verified once; the result is remembered. */

/** The provider's clock and ours may differ by this much. */
const leewaySeconds = 5
const maxTokens = 20_000
const rememberedSeconds = 86_400
/** In characters. It is longer than any real token, and bounds the work of hashing and parsing. */
const maxTokenLength = 16_384

export interface TokenRules extends CallerClaims {
  readonly issuer: string
  readonly audiences: readonly string[]
  readonly algorithms: readonly string[]
  readonly authorizedParties: AuthorizedParties
}

export interface Tokens {
  /** @throws Refusal `invalid-token`; Failure `provider-unavailable` */
  verify(token: string): Promise<Caller>
  /** Return the caller of a token that was verified before and is still valid. */
  recall(token: string): Caller | undefined
}

interface Verified {
  readonly caller: Caller
  /** The thumbprint of the signing key. When the provider withdraws the key, the token is no longer valid. */
  readonly signedBy: string
  readonly untilSeconds: number
}

/** @param onRefusedClaim hears of a token that the provider has signed, and whose claim has a wrong value */
export function createTokens(
  rules: TokenRules,
  keys: Pick<ProviderKeys, 'find' | 'holds'>,
  now: () => Date,
  onRefusedClaim: (claim: string) => void = () => {},
): Tokens {
  const remembered = new LRUCache<string, Verified>(atMost(maxTokens))
  const seconds = () => now().getTime() / 1_000

  const recallDigest = (digest: string): Caller | undefined => {
    const verified = remembered.get(digest)
    if (!verified) return undefined
    if (seconds() < verified.untilSeconds && keys.holds(verified.signedBy)) return verified.caller
    remembered.delete(digest)
    return undefined
  }

  const check = async (token: string): Promise<Verified> => {
    if (!isCanonical(token)) throw invalidToken('The token is malformed.')
    const { payload, protectedHeader, key } = await verifySignature(token, keys.find, {
      issuer: rules.issuer,
      audience: [...rules.audiences],
      algorithms: [...rules.algorithms],
      requiredClaims: ['exp'],
      clockTolerance: leewaySeconds,
      currentDate: now(),
    }).catch((error) => {
      if (error instanceof errors.JWTClaimValidationFailed) onRefusedClaim(error.claim)
      throw refusalOf(error)
    })
    const fault = accessTokenFault(protectedHeader, payload, rules.authorizedParties)
    if (fault) throw invalidToken(fault)
    const caller = callerOf(payload, rules)
    if (!caller) throw invalidToken(`The token's claim "${rules.userClaim}" names no user.`)
    const untilSeconds = Math.min(payload.exp! + leewaySeconds, seconds() + rememberedSeconds)
    return { caller, signedBy: await calculateJwkThumbprint(key), untilSeconds }
  }

  return {
    async verify(token) {
      if (token.length > maxTokenLength) throw invalidToken('The token is too long.')
      const digest = digestOf(token)
      const recalled = recallDigest(digest)
      if (recalled) return recalled
      const verified = await check(token)
      remembered.set(digest, verified)
      return verified.caller
    },
    recall: (token) => (token.length > maxTokenLength ? undefined : recallDigest(digestOf(token))),
  }
}

/** The token itself is not kept, because memory can end up in a core file. */
function digestOf(token: string): string {
  return hash('sha256', token, 'base64')
}

/** The last character of a base64url part has spare bits. Accept only the spelling that the provider wrote. */
function isCanonical(token: string): boolean {
  return token.split('.').every((part) => Buffer.from(part, 'base64url').toString('base64url') === part)
}

type VerifiedJwt = JWTVerifyResult & { readonly key: CryptoKey }

/** A token that names no key may be signed with any of the provider's keys. */
export async function verifySignature(
  token: string,
  find: ProviderKeys['find'],
  options: JWTVerifyOptions,
): Promise<VerifiedJwt> {
  try {
    // The keys of a key set are never byte arrays, which the type allows.
    return (await jwtVerify(token, find, options)) as VerifiedJwt
  } catch (error) {
    if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error
    for await (const key of error) {
      try {
        return { ...(await jwtVerify(token, key, options)), key }
      } catch (failure) {
        if (!(failure instanceof errors.JWSSignatureVerificationFailed)) throw failure
      }
    }
    throw new errors.JWSSignatureVerificationFailed()
  }
}

/** Turn an error of jose about the token into a message for the caller; pass on any other error. */
function refusalOf(error: unknown): unknown {
  if (!(error instanceof errors.JOSEError)) return error
  if (error instanceof errors.JWTExpired) return invalidToken('The token has expired.')
  if (error instanceof errors.JWTClaimValidationFailed)
    return invalidToken(`The token's claim "${error.claim}" is missing or its value is not accepted.`)
  if (error instanceof errors.JWSSignatureVerificationFailed || error instanceof errors.JWKSNoMatchingKey)
    return invalidToken("The token's signature is not from a key of the identity provider.")
  if (error instanceof errors.JOSEAlgNotAllowed)
    return invalidToken("The token's signature algorithm is not accepted.")
  return invalidToken('The token is malformed.')
}

function invalidToken(message: string): Refusal {
  return new Refusal('invalid-token', message)
}
