import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP } from 'node:net'
import { cloudEventsBatch } from '../changes/cloudEvents.ts'
import { guardedLookup, type MayReach, mayReach, notAllowed } from './publicNetworks.ts'

/** One request to an endpoint. Nothing is followed, and nothing of the answer counts but its status. */

export interface Answer {
  /** Undefined without an answer. */
  readonly status?: number | undefined
  /** The header Retry-After. */
  readonly retryAfter?: string | undefined
  /** Why there is no answer. */
  readonly error?: string
}

/** @param over ends the request, without an answer */
export type Post = (
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string,
  over: AbortSignal,
) => Promise<Answer>

const usualTimeoutMs = 15_000

/** @param networks the networks besides public ones that the operator allows. Plain HTTP leaves only to these. */
export function createPost(networks: readonly string[], timeoutMs = usualTimeoutMs): Post {
  const { any, ours } = mayReach(networks)
  return async (url, headers, body, over) => {
    const late = AbortSignal.timeout(timeoutMs)
    try {
      const may = url.startsWith('https:') ? any : ours
      return await send(url, headers, body, may, AbortSignal.any([over, late]))
    } catch (error) {
      if (late.aborted) return { error: `no answer within ${timeoutMs / 1_000} seconds` }
      return { error: (error as Error).message }
    }
  }
}

function send(
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string,
  may: MayReach,
  signal: AbortSignal,
): Promise<Answer> {
  const { protocol, hostname } = new URL(url)
  const host = hostname.replace(/^\[|\]$/g, '')
  // An address is not looked up.
  if (isIP(host) && !may(host)) throw notAllowed(host)
  const request = protocol === 'https:' ? requestHttps : requestHttp
  return new Promise((resolve, reject) => {
    const sent = request(url, {
      method: 'POST',
      agent: false,
      lookup: guardedLookup(may),
      signal,
      headers: {
        ...headers,
        'Content-Type': cloudEventsBatch,
        'Content-Length': Buffer.byteLength(body),
        'User-Agent': 'Heatmark',
      },
    })
    sent.on('error', reject)
    // An answer 101 is no response, and ends without an error.
    sent.once('close', () => reject(new Error('the connection ended without an answer')))
    sent.once('response', (response) => {
      response.once('error', () => {})
      response.destroy()
      resolve({ status: response.statusCode, retryAfter: response.headers['retry-after'] })
    })
    sent.end(body)
  })
}
