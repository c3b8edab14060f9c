import { Failure } from '../lib/failure.ts'
import { isLoopback } from '../lib/loopback.ts'

/** Requests to the identity provider are bounded in time and size, use HTTPS, and follow no redirects. */

export interface ProviderAddress {
  readonly issuer: string
  /** When undefined, the issuer's discovery document names it. */
  readonly jwksUrl: string | undefined
  /** Accept plain HTTP from hosts other than loopback. */
  readonly allowHttp: boolean
}

interface ProviderDocument {
  readonly content: unknown
  /** The header `Date` of the response. */
  readonly date: string | null
}

/** In bytes, after decompression. More than a hundred RSA keys with their certificates fit. */
const maxDocumentBytes = 262_144
const answerWithinMs = 5_000

/**
 * Requests that belong together share one time limit, so that a provider that hangs is waited for only once. The limit
 * is a signal, because it also ends the requests.
 */
export function answerInTime(withinMs = answerWithinMs): AbortSignal {
  return AbortSignal.timeout(withinMs)
}

/** Return why responses from this address cannot be trusted, or undefined when they can. */
export function addressFault(address: string, allowHttp: boolean): string | undefined {
  const { protocol, hostname } = new URL(address)
  if (protocol === 'https:') return undefined
  if (protocol !== 'http:') return 'the address must start with https://'
  if (allowHttp || isLoopback(hostname)) return undefined
  return (
    'the address must start with https://, because anyone who can alter plain HTTP in transit could forge tokens ' +
    '(OIDC_ALLOW_HTTP=true accepts this risk)'
  )
}

interface ProviderEndpoints {
  readonly keys: string
  /** Undefined when the address of the keys is configured, so that nobody has asked for the others. */
  readonly token: string | undefined
}

/**
 * Return the addresses of the provider: the configured one, else those in its discovery document (OpenID Connect
 * Discovery 1.0).
 * @throws Failure `provider-unavailable`
 */
export async function findEndpoints(
  { issuer, jwksUrl, allowHttp }: ProviderAddress,
  signal: AbortSignal,
): Promise<ProviderEndpoints> {
  if (jwksUrl) return { keys: jwksUrl, token: undefined }
  const where = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
  const { content } = await fetchDocument(where, allowHttp, signal)
  const { issuer: named, jwks_uri: keys, token_endpoint: token } = (content ?? {}) as Record<string, unknown>
  if (named !== issuer)
    throw unavailable(where, `its issuer is ${JSON.stringify(named)?.slice(0, 200)}, not ${issuer}`)
  if (!isUrl(keys)) throw unavailable(where, 'its jwks_uri is missing or is not a URL')
  return { keys, token: isUrl(token) ? token : undefined }
}

function isUrl(value: unknown): value is string {
  return typeof value === 'string' && URL.canParse(value)
}

/** @throws Failure `provider-unavailable` */
export async function fetchDocument(
  where: string,
  allowHttp: boolean,
  signal: AbortSignal,
): Promise<ProviderDocument> {
  const fault = addressFault(where, allowHttp)
  if (fault) throw unavailable(where, fault)
  try {
    const response = await fetch(where, { signal, redirect: 'manual' })
    if (!response.ok) {
      await response.body?.cancel()
      throw new Error(statusFault(response.status))
    }
    return { content: JSON.parse(await boundedText(response)), date: response.headers.get('date') }
  } catch (error) {
    throw unavailable(where, (error as Error).message, error)
  }
}

/** Fetch within the same bounds, for a library that makes its own requests. The caller limits the time. */
export function boundedFetch(allowHttp: boolean): (where: string, init: RequestInit) => Promise<Response> {
  return async (where, init) => {
    const fault = addressFault(where, allowHttp)
    if (fault) throw unavailable(where, fault)
    const response = await fetch(where, { ...init, redirect: 'manual' })
    const { status, headers } = response
    // A response without content must have no body, not even an empty one.
    return new Response((await boundedText(response)) || null, { status, headers })
  }
}

function statusFault(status: number): string {
  const isRedirect = status >= 300 && status < 400
  const advice = ', and redirects are not followed: configure the address that it redirects to'
  return `it answered ${status}${isRedirect ? advice : ''}`
}

async function boundedText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.length
    // Throwing out of the loop cancels the rest of the response.
    if (size > maxDocumentBytes) throw new Error(`its answer is larger than ${maxDocumentBytes} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

function unavailable(where: string, reason: string, cause?: unknown): Failure {
  return new Failure('provider-unavailable', `${where}: ${reason}`, { cause })
}
