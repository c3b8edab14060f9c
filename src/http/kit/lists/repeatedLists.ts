import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Response } from 'express'
import { LRUCache } from 'lru-cache'
import type { Unread } from '../../../admission/unread.ts'
import { mayDo, type Permission } from '../../../identity/permissions.ts'
import { atMost } from '../../../lib/atMost.ts'
import type { Route } from '../routing/route.ts'
import type { KeepsLists, ListPlace, RecallMember, SerialisedList } from '../services.ts'

declare module 'http' {
  interface OutgoingMessage {
    /** The types of Node declare it for requests alone. */
    getRawHeaderNames(): string[]
  }
}

/**
 * Answer a list again, before Express, when the same request comes again. Such a request need not be parsed: its list and
 * most headers of its answer are known. The token, the membership, the limit of requests and the list itself are looked at
 * each time, by the rules of the usual way, but in memory alone. A request that memory cannot answer takes the usual way.
 */
interface RepeatedLists extends KeepsLists {
  /** Answer the request. Return false if it has to take the usual way; then nothing was done. */
  answer(req: IncomingMessage, res: ServerResponse): boolean
}

interface Options {
  readonly recallMember: RecallMember
  readonly unread: Pick<Unread, 'note'>
  /** Log and measure an answer. */
  readonly observe: (req: IncomingMessage, res: Response, address?: string) => void
  readonly clock: () => number
}

/** How one request was answered. */
interface Kept {
  readonly route: Route
  readonly permission: Permission
  readonly place: ListPlace
  /** The cache of lists says how long the list stays in memory. */
  readonly list: WeakRef<SerialisedList>
  readonly status: number
  /** Names and values in turn. */
  readonly headers: readonly string[]
  readonly address: string | undefined
  readonly at: number
}

/** No kept answer becomes wrong. The bounds limit the harm if a later change overlooks something. */
const keptMs = 1_000
const maxKept = 1_000

/** Headers whose values are new in each answer. */
const newHeaders = new Set(['ratelimit', 'ratelimit-policy', 'read-position'])

export function createRepeatedLists({ recallMember, unread, observe, clock }: Options): RepeatedLists {
  const kept = new LRUCache<string, Kept>(atMost(maxKept))
  return {
    keep(res, place, list) {
      const { req } = res
      const route: Route = res.locals.route
      const key = keyOf(req, req.originalUrl)
      const permission = typeof route.access === 'object' && 'company' in route.access && route.access.company
      const hasSentAll = res.statusCode === 304 || res.getHeader('Content-Encoding') === list.coding
      if (key === undefined || !permission || !hasSentAll) return
      const headers = res.getRawHeaderNames().filter((name) => !newHeaders.has(name.toLowerCase()))
      kept.set(key, {
        route,
        permission,
        place,
        list: new WeakRef(list),
        status: res.statusCode,
        headers: headers.flatMap((name) => [name, String(res.getHeader(name))]),
        address: req.logged.address,
        at: clock(),
      })
    },
    answer(req, res) {
      const key = keyOf(req, req.url!)
      const known = key === undefined ? undefined : kept.get(key)
      if (!known || clock() - known.at > keptMs) return false
      const { route, permission, place, status, headers, address } = known
      const member = recallMember(req.headers, place.subject.companyId)
      if (!member || !mayDo(member.roles, permission)) return false
      const current = place.cache.recall(place.subject)
      const list = known.list.deref()
      if (!list || current?.value !== list) return false
      const rateLimit = member.countRequest()
      if (rateLimit.exceeded) return false
      const locals = { route, caller: member.caller.id }
      observe(req, Object.assign(res, { locals }) as unknown as Response, address)
      const own = ['Read-Position', String(current.position), ...Object.entries(rateLimit.headers).flat()]
      res.writeHead(status, headers.concat(own))
      res.end(status === 304 ? undefined : list.bytes)
      unread.note(res, member.caller.id)
      return true
    },
  }
}

/** Headers that change no answer. The token is verified for each request. */
const withoutEffect = new Set(['authorization', 'connection', 'traceparent', 'tracestate', 'user-agent'])
const secrets = new Set(['cookie', 'service-api-key'])
/** In characters. A longer value may be a secret, and secrets are not kept. */
const longestValue = 256
const longestKey = 2_048

/** Return all of a request that may change its answer; undefined for a request that is not kept. */
function keyOf({ method, rawHeaders, socket }: IncomingMessage, url: string): string | undefined {
  if (method !== 'GET') return undefined
  let key = `${url}\n${socket.remoteAddress}`
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!.toLowerCase()
    const value = rawHeaders[at + 1]!
    if (withoutEffect.has(name)) continue
    if (secrets.has(name) || value.length > longestValue) return undefined
    key += `\n${name}:${value}`
  }
  return key.length > longestKey ? undefined : key
}
