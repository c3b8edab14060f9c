import { errors, type JWTPayload } from 'jose'
import { Refusal } from '../../domain/kernel/refusal.ts'
import type { ProviderKeys } from '../providerKeys.ts'
import { verifySignature } from '../tokens.ts'

/** Logout tokens, by which the provider reports a logout (OpenID Connect Back-Channel Logout 1.0). */

/** The token is not valid. The message may be shown to the sender. */
interface LogoutTokenRules {
  readonly issuer: string
  readonly clientId: string
  readonly algorithms: readonly string[]
}

const event = 'http://schemas.openid.net/event/backchannel-logout'
const maxAgeSeconds = 300
const leewaySeconds = 5
const maxLength = 16_384

/** Return the ended session or person. @throws Refusal `invalid-logout-token`; Failure `provider-unavailable` */
export async function verifyLogoutToken(
  token: string,
  { issuer, clientId, algorithms }: LogoutTokenRules,
  keys: Pick<ProviderKeys, 'find'>,
  now: () => Date,
): Promise<{ sid?: string; subject?: string }> {
  if (token.length > maxLength) throw new Refusal('invalid-logout-token', 'The logout token is too long.')
  const { payload } = await verifySignature(token, keys.find, {
    issuer,
    audience: clientId,
    algorithms: [...algorithms],
    requiredClaims: ['iat'],
    maxTokenAge: maxAgeSeconds,
    clockTolerance: leewaySeconds,
    currentDate: now(),
  }).catch((error) => {
    throw error instanceof errors.JOSEError
      ? new Refusal(
          'invalid-logout-token',
          'The logout token is malformed, wrongly signed, too old or for another client.',
        )
      : error
  })
  if (!isLogout(payload)) throw new Refusal('invalid-logout-token', 'The token does not report a logout.')
  const { sid, sub } = payload
  if (typeof sid === 'string') return { sid, ...(sub !== undefined && { subject: sub }) }
  if (sub === undefined)
    throw new Refusal('invalid-logout-token', 'The logout token names neither a session nor a person.')
  return { subject: sub }
}

/** An ID token is signed by the same keys for the same client. It has a nonce, and never this event. */
function isLogout({ events, nonce }: JWTPayload): boolean {
  return typeof events === 'object' && events !== null && event in events && nonce === undefined
}
