import { discover } from '../../../identity/jwks.ts'
import { reachProvider } from '../advice.ts'
import { httpClock } from './clocks.ts'
import { type Finding, ok, problem, unknown } from './finding.ts'

/** Whether the provider that signs tokens can be asked for its keys, and has some. */

export interface ProviderAddress {
  readonly issuer: string
  /** undefined: as the issuer's discovery document says. */
  readonly jwksUrl: string | undefined
  readonly isEmbedded: boolean
}

/** What `dev.json` says of the embedded stack's own provider. */
interface DevProvider {
  readonly authUrl?: string
  readonly tenant?: string
}

/** As the service has it: OIDC_ISSUER and OIDC_JWKS_URL, else the embedded stack's. */
export const providerAddress = (
  { OIDC_ISSUER, OIDC_JWKS_URL }: NodeJS.ProcessEnv,
  dev: DevProvider | undefined,
): ProviderAddress | undefined => {
  const embedded = dev?.authUrl && dev.tenant ? `${dev.authUrl}/${dev.tenant}` : undefined
  const issuer = OIDC_ISSUER || embedded
  return issuer ? { issuer, jwksUrl: OIDC_JWKS_URL || undefined, isEmbedded: !OIDC_ISSUER } : undefined
}

const check = 'identity provider'
const answerWithinMs = 5_000
const consequence = 'no new token is accepted until it answers (tokens seen before are, for a while)'

interface Key {
  readonly use?: string
  readonly kty?: string
}

/** Keys that may have signed a token: public ones, and not for encryption. */
const signingKeys = (document: unknown): Key[] => {
  const { keys } = (document ?? {}) as { keys?: unknown }
  return Array.isArray(keys) ? keys.filter((key: Key) => key.use !== 'enc' && key.kty !== 'oct') : []
}

export const checkProvider = async (
  address: ProviderAddress | undefined,
  now: () => number,
): Promise<Finding[]> => {
  if (!address) return [unknown(check, 'none is named here: set OIDC_ISSUER as the service has it')]
  try {
    const where = address.jwksUrl ?? (await discover(address.issuer))
    const asked = now()
    const response = await fetch(where, { signal: AbortSignal.timeout(answerWithinMs) })
    const heard = now()
    if (!response.ok) throw new Error(`${where} answered ${response.status}`)
    const keys = signingKeys(await response.json())
    if (keys.length === 0)
      return [
        problem(check, `${where} has no key that could have signed a token`, 'publish its signing keys'),
      ]
    return [
      ok(check, `${address.issuer}, ${keys.length} signing key${keys.length === 1 ? '' : 's'}`),
      httpClock('the identity provider', response.headers.get('date'), { asked, heard }),
    ]
  } catch (error) {
    const { message, cause } = error as Error
    const reason = (cause as { cause?: { code?: string }; code?: string } | undefined)?.cause?.code
    const found = `${address.issuer}: ${message}${reason ? ` (${reason})` : ''}`
    return [problem(check, found, `${consequence}; ${reachProvider(address.isEmbedded)}`)]
  }
}
