import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { LookupFunction } from 'node:net'
import { cloudEventsBatch } from '../changes/cloudEvents.ts'
import { type Told, tell } from '../domain/verdict/sentence.ts'
import type { Reach } from './publicNetworks.ts'

/** One request to an endpoint. Nothing is followed, and nothing of the answer counts but its status. */

export interface Answer {
  /** Undefined without an answer. */
  readonly status?: number | undefined
  /** The header Retry-After. */
  readonly retryAfter?: string | undefined
  /** Why there is no answer. */
  readonly error?: Told
}

/** @param over ends the request, without an answer */
export type Post = (
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string,
  over: AbortSignal,
) => Promise<Answer>

const usualTimeoutMs = 15_000

export function createPost(reach: Reach, timeoutMs = usualTimeoutMs): Post {
  return async (url, headers, body, over) => {
    const late = AbortSignal.timeout(timeoutMs)
    // An address is not looked up.
    const fault = reach.faultOf(url)
    if (fault !== undefined) return { error: tell('WebhookUnreachable', { why: `the address ${fault}` }) }
    try {
      return await send(url, headers, body, reach.lookupFor(url), AbortSignal.any([over, late]))
    } catch (error) {
      if (late.aborted) return { error: tell('WebhookLate', { seconds: timeoutMs / 1_000 }) }
      // Certificates of endpoints stand in messages.
      return { error: tell('WebhookUnreachable', { why: (error as Error).message.slice(0, 500) }) }
    }
  }
}

function send(
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string,
  lookup: LookupFunction,
  signal: AbortSignal,
): Promise<Answer> {
  const request = url.startsWith('https:') ? requestHttps : requestHttp
  return new Promise((resolve, reject) => {
    const sent = request(url, {
      method: 'POST',
      agent: false,
      lookup,
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
