import { errorOf, HeatmarkError, temporary } from './errors.ts'

/** Sends requests: with credentials, with one Idempotency-Key for all attempts, and again while that may help. */

export interface ClientOptions {
  /** Such as `https://heatmark.example`. */
  readonly baseUrl: string
  /** The company of every operation that names no other. */
  readonly companyId?: string
  /** An access token, or a function that returns one. It is called with `true` when the service refused the last one. */
  readonly token?: string | ((isRefused: boolean) => string | Promise<string>)
  /** An API key, instead of a token. */
  readonly key?: string
  /** How often a request is sent at most; 6 by default. */
  readonly attempts?: number
  /** A longer `Retry-After` is not waited for; 60,000 by default. */
  readonly longestPauseMs?: number
  /** Without the beginning of an answer for this long, a request counts as unanswered; 60,000 by default. */
  readonly timeoutMs?: number
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>
  /** Wait between two attempts. */
  readonly pause?: (ms: number, signal?: AbortSignal) => Promise<void>
}

export interface Message {
  readonly query?: object | undefined
  /** A Blob and lines are sent as they are, anything else as JSON. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal | undefined
  /** The Idempotency-Key; false for a request that takes none. A new one by default. */
  readonly idempotencyKey?: string | false
}

export interface Sender {
  /** @throws HeatmarkError when the status is not 2xx, and whatever the signal was aborted with */
  send(method: string, path: string, message?: Message): Promise<Response>
  /** Reads wait until they show this position. */
  note(commitPosition: string | number | null): void
  /** Wait before an attempt: about twice `firstMs`, and twice as long before each further one. */
  pause(attempt: number, signal?: AbortSignal, firstMs?: number): Promise<void>
}

/** Records as lines of JSON, the body of a bulk request. */
export class Lines {
  static readonly type = 'application/x-ndjson'
  readonly text: string
  constructor(records: readonly unknown[]) {
    this.text = records.map((record) => `${JSON.stringify(record)}\n`).join('')
  }
}

export function createSender(options: ClientOptions): Sender {
  const { attempts = 6, longestPauseMs = 60_000, timeoutMs = 60_000, pause = sleep } = options
  if (!URL.canParse(options.baseUrl))
    throw new TypeError(
      `baseUrl is ${options.baseUrl}, and must be an address such as https://heatmark.example`,
    )
  const send = options.fetch ?? ((url: string, init: RequestInit) => fetch(url, init))
  let lastCommit = -1n

  const note: Sender['note'] = (position) => {
    const commit = BigInt(position ?? -1)
    if (commit > lastCommit) lastCommit = commit
  }

  async function attempt(request: Request, signal: AbortSignal | undefined): Promise<Response> {
    const silence = new AbortController()
    const timer = setTimeout(() => silence.abort(new Error(`nothing came in ${timeoutMs} ms`)), timeoutMs)
    try {
      return await send(request.url, {
        ...request.init,
        signal: signal ? AbortSignal.any([signal, silence.signal]) : silence.signal,
      })
    } catch (cause) {
      signal?.throwIfAborted()
      const message = `${request.name}: no answer (${cause instanceof Error ? cause.message : cause})`
      throw new HeatmarkError(message, { code: 'no-answer', cause })
    } finally {
      // A long answer may take longer than its beginning.
      clearTimeout(timer)
    }
  }

  return {
    note,
    pause: (number, signal, firstMs) => pause(growing(number, firstMs), signal),
    async send(method, path, message = {}) {
      const { signal } = message
      const request = requestOf(method, path, message, options.baseUrl)
      if (method === 'GET' && lastCommit >= 0n) request.headers['Min-Position'] ??= String(lastCommit)
      Object.assign(request.headers, await credentialsOf(options, false))
      let isRenewed = false
      for (let number = 1; ; number += 1) {
        const last = number >= attempts
        const answer = await attempt(request, signal).catch((error: HeatmarkError) => {
          if (last || !error.isTemporary) throw error
          return undefined
        })
        if (answer?.ok) {
          note(answer.headers.get('Commit-Position'))
          return answer
        }
        if (answer?.status === 401 && typeof options.token === 'function' && !isRenewed) {
          isRenewed = true
          Object.assign(request.headers, await credentialsOf(options, true))
          await answer.body?.cancel()
          continue
        }
        const waitMs = Math.max(askedPause(answer), growing(number))
        if (answer && (last || !temporary.has(answer.status) || waitMs > longestPauseMs))
          throw await errorOf(request.name, answer)
        await answer?.body?.cancel()
        await pause(waitMs, signal)
      }
    },
  }
}

interface Request {
  /** For messages. */
  readonly name: string
  readonly url: string
  readonly headers: Record<string, string>
  readonly init: RequestInit
}

function requestOf(method: string, path: string, message: Message, baseUrl: string): Request {
  const { query = {}, body, idempotencyKey, headers: more } = message
  const url = new URL(path, baseUrl)
  for (const [name, value] of Object.entries(query))
    for (const one of [value].flat()) if (one !== undefined) url.searchParams.append(name, String(one))
  const takesKey = method !== 'GET' && idempotencyKey !== false
  const headers = {
    ...(body !== undefined && { 'Content-Type': typeOf(body) }),
    ...(takesKey && { 'Idempotency-Key': idempotencyKey ?? crypto.randomUUID() }),
    ...more,
  }
  const sent = body === undefined ? null : contentOf(body)
  return { name: `${method} ${path}`, url: url.href, headers, init: { method, headers, body: sent } }
}

function typeOf(body: unknown): string {
  if (body instanceof Lines) return Lines.type
  return body instanceof Blob ? body.type : 'application/json'
}

function contentOf(body: unknown): Blob | string {
  if (body instanceof Lines) return body.text
  return body instanceof Blob ? body : JSON.stringify(body)
}

async function credentialsOf(
  { token, key }: ClientOptions,
  isRefused: boolean,
): Promise<Record<string, string>> {
  if (key !== undefined) return { 'Service-Api-Key': key }
  if (token === undefined) return {}
  return { Authorization: `Bearer ${typeof token === 'function' ? await token(isRefused) : token}` }
}

/** `Retry-After` in milliseconds; 0 without one. */
function askedPause(answer: Response | undefined): number {
  return 1_000 * Number(answer?.headers.get('Retry-After') ?? 0) || 0
}

/** The programs of a company do not all come back at the same moment. */
function growing(attempt: number, firstMs = 250): number {
  return Math.min(30_000, firstMs * 2 ** attempt) * (0.5 + Math.random() / 2)
}

function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const stop = () => {
      clearTimeout(timer)
      reject(signal!.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    signal?.addEventListener('abort', stop, { once: true })
  })
}
