import { isIPv6 } from 'node:net'
import { LRUCache } from 'lru-cache'
import { atMost } from '../lib/atMost.ts'

const windowMs = 60_000
/** Beyond this number, the least recently used keys are dropped, so that memory is bounded. */
const maxKeys = 100_000

export interface RateLimiter {
  /** Count one request and return what is left. */
  count(key: string): RateLimitStatus
}

export interface RateLimitStatus {
  readonly exceeded: boolean
  /** The header fields RateLimit and RateLimit-Policy. */
  readonly headers: Readonly<Record<'RateLimit' | 'RateLimit-Policy', string>>
  readonly resetSeconds: number
}

/**
 * A rate limit bounds the requests of a minute, however few of them are in flight at the same time. The minute of a key
 * begins with its first request.
 * @param name the name of the limit in the header fields
 * @param limit requests of one key in a minute
 * @param clock milliseconds that never run backwards
 */
export function createRateLimiter(name: string, limit: number, clock: () => number): RateLimiter {
  const windows = new LRUCache<string, { used: number; endsAt: number }>(atMost(maxKeys))
  const policy = `"${name}";q=${limit};w=${windowMs / 1_000}`

  return {
    count(key) {
      const now = clock()
      let window = windows.get(key)
      if (!window || window.endsAt <= now) {
        window = { used: 0, endsAt: now + windowMs }
        windows.set(key, window)
      }
      window.used += 1
      const left = Math.max(0, limit - window.used)
      const resetSeconds = Math.max(1, Math.ceil((window.endsAt - now) / 1_000))
      return {
        exceeded: window.used > limit,
        headers: { RateLimit: `"${name}";r=${left};t=${resetSeconds}`, 'RateLimit-Policy': policy },
        resetSeconds,
      }
    },
  }
}

/**
 * Group addresses that one client may hold: an IPv6 client usually has a whole /64 network. An IPv4 address may
 * be written as IPv6.
 */
export function addressGroup(address: string): string {
  const [, mapped] = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address) ?? []
  if (mapped) return mapped
  if (!isIPv6(address)) return address
  const [before = '', after] = address.split('%')[0]!.split('::')
  const head = before === '' ? [] : before.split(':')
  const tail = after ? after.split(':') : []
  // An IPv4 address at the end stands for two groups, both beyond the first four.
  const length = head.length + tail.length + (tail.at(-1)?.includes('.') ? 1 : 0)
  const groups = after === undefined ? head : [...head, ...Array(Math.max(0, 8 - length)).fill('0'), ...tail]
  return groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')
}
