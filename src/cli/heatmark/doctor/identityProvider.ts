import {
  answerInTime,
  fetchDocument,
  findEndpoints,
  type ProviderAddress,
} from '../../../identity/provider.ts'
import { reachProvider } from '../advice.ts'
import { httpClock } from './clocks.ts'
import { type Finding, ok, problem, unknown } from './finding.ts'

/** Check that the identity provider returns its signing keys. */

interface NamedProvider extends ProviderAddress {
  readonly isEmbedded: boolean
}

/** The embedded stack's provider in `dev.json`. */
interface DevProvider {
  readonly authUrl?: string
  readonly tenant?: string
}

/** Return the provider of OIDC_ISSUER, OIDC_JWKS_URL and OIDC_ALLOW_HTTP, or else the embedded stack's. */
export function providerAddress(
  { OIDC_ISSUER, OIDC_JWKS_URL, OIDC_ALLOW_HTTP }: NodeJS.ProcessEnv,
  dev: DevProvider | undefined,
): NamedProvider | undefined {
  const embedded = dev?.authUrl && dev.tenant ? `${dev.authUrl}/${dev.tenant}` : undefined
  const issuer = OIDC_ISSUER || embedded
  if (!issuer) return undefined
  return {
    issuer,
    jwksUrl: OIDC_JWKS_URL || undefined,
    allowHttp: OIDC_ALLOW_HTTP === 'true',
    isEmbedded: !OIDC_ISSUER,
  }
}

const check = 'identity provider'
const consequence =
  'the service accepts no new token until it answers (tokens seen before are accepted for a while)'

interface Key {
  readonly use?: string
  readonly kty?: string
}

export async function checkProvider(address: NamedProvider | undefined, now: () => Date): Promise<Finding[]> {
  if (!address) return [unknown(check, 'none is named here: set OIDC_ISSUER as for the service')]
  try {
    const inTime = answerInTime()
    const { keys: where } = await findEndpoints(address, inTime)
    const askedAt = now().getTime()
    const { content, date } = await fetchDocument(where, address.allowHttp, inTime)
    const heard = now().getTime()
    const keys = signingKeys(content)
    if (keys.length === 0)
      return [problem(check, `${where} has no signing key`, 'publish the signing keys of the provider there')]
    return [
      ok(check, `${address.issuer}, ${keys.length} signing key${keys.length === 1 ? '' : 's'}`),
      httpClock('the identity provider', date, { askedAt, heard }),
    ]
  } catch (error) {
    const { message, cause } = error as Error
    const reason = (cause as { cause?: { code?: string }; code?: string } | undefined)?.cause?.code
    const found = `${message}${reason ? ` (${reason})` : ''}`
    return [problem(check, found, `${consequence}; ${reachProvider(address.isEmbedded)}`)]
  }
}

/** Return the keys that may have signed a token: public keys that are not for encryption. */
function signingKeys(document: unknown): Key[] {
  const { keys } = (document ?? {}) as { keys?: unknown }
  return Array.isArray(keys) ? keys.filter((key: Key) => key.use !== 'enc' && key.kty !== 'oct') : []
}
