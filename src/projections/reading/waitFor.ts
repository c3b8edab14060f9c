import { setTimeout as sleep } from 'node:timers/promises'
import { readPostgresClock, type Skew, skewOf } from '../../clockSkew.ts'
import { leaseTrouble } from '../../leading/lease.ts'
import { listen } from '../../notifications.ts'
import { connectPostgres } from '../../postgres.ts'
import { rewoundCode } from '../../subscription/checkpoint.ts'
import { decodeNotice } from '../projector/notice.ts'
import { type ProjectionState, projectorLease, readStates } from '../schema/schema.ts'
import {
  type Changes,
  heard,
  isNews,
  type News,
  positionOf,
  reaches,
  type Standings,
  seen,
} from './standings.ts'

/**
 * How far the read models are, as this node has heard: by notification as a rule, by looking in case one is
 * lost. Commands wait here for what they recorded.
 */

export interface Positions {
  /** The position that all of these projections have reached, as heard. */
  heard(projections: readonly Named[]): number
  /**
   * True once all of these projections show the position; false when that took longer than `timeoutMs`, or
   * one of them has stopped before it.
   */
  waitFor(projections: readonly Named[], position: number, timeoutMs: number): Promise<boolean>
  /**
   * Calls back with what changed, before anybody who waits for it goes on: what is kept in memory is dropped
   * here. Answers a function that ends it.
   */
  onChange(listener: (changes: Changes) => void): () => void
  /** Whether the store was seen to lack an event that these read models show: they are not of its history. */
  isRewound(): boolean
  /** How far PostgreSQL's clock is from this node's, as last seen; undefined until the first look. */
  clockSkew(): Skew | undefined
  /** Every projection as last heard; none until the first look. */
  statuses(): readonly ProjectionState[]
  /** When, by `clock`, anything was heard last: what is kept in memory is only as good as this is recent. */
  readonly lastHeardAt: number
  /**
   * By `clock`: whatever was committed before this has been heard of. A notification may be under way for any
   * length of time; this is when the last look began that has dropped what it found changed.
   */
  readonly lastLookedAt: number
  close(): Promise<void>
}

export interface Named {
  readonly name: string
}

export interface PositionsOptions {
  readonly url: string
  readonly schema: string
  /** Milliseconds that never run backwards. */
  readonly clock: () => number
  /** This node's clock. */
  readonly now: () => Date
  /** Told when looking fails; it goes on trying. */
  readonly onError?: (error: Error) => void
}

const lookEveryMs = 500
/** A notification comes this much later than its commit, at most, or is taken for lost. */
const graceMs = 50

interface Waiter {
  readonly names: readonly string[]
  readonly position: number
  readonly resolve: (reached: boolean) => void
}

export function followPositions({
  url,
  schema,
  clock,
  now,
  onError = () => {},
}: PositionsOptions): Positions {
  // A connection of its own: requests that queue for theirs must not make this node deaf.
  const postgres = connectPostgres({ url, name: 'heatmark positions', size: 1, queryTimeoutMs: 2_000 })
  const closing = new AbortController()
  const closed = closing.signal
  const listeners = new Set<(changes: Changes) => void>()
  const waiters = new Set<Waiter>()
  let standings: Standings = new Map()
  let isRewound = false
  let clockSkew: Skew | undefined
  let lastHeardAt = Number.NEGATIVE_INFINITY
  let lastLookedAt = Number.NEGATIVE_INFINITY
  let lookNow = Promise.withResolvers<void>()

  /** The one way on: first whoever keeps something drops it, then the positions move, then waiters go. */
  const moveTo = ({ standings: next, changes }: News) => {
    if (changes.length > 0) for (const listener of listeners) listener(changes)
    standings = next
    for (const { names, position, resolve } of waiters) {
      const reached = reaches(standings, names, position)
      if (reached !== undefined) resolve(reached)
    }
  }

  const onPayload = (payload: string) => {
    const notice = decodeNotice(payload)
    lastHeardAt = clock()
    if (!notice || standings.size === 0) {
      moveTo({ standings, changes: '*' })
      return lookNow.resolve()
    }
    moveTo(heard(standings, notice))
    if (notice.stopped.length > 0) lookNow.resolve()
  }

  const notifications = listen({ url, channel: schema, onPayload, onListening: () => lookNow.resolve() })

  const look = async () => {
    const startedAt = clock()
    const before = standings
    const rows = await readStates(postgres, schema)
    isRewound = (await leaseTrouble(postgres, projectorLease(schema)))?.startsWith(rewoundCode) ?? false
    clockSkew = skewOf(await readPostgresClock(postgres, () => now().getTime()))
    lastHeardAt = Math.max(lastHeardAt, startedAt)
    // As a rule the notification is just on its way, and names what changed.
    if (notifications.listening && rows.some((row) => isNews(standings, row)))
      await sleep(graceMs, undefined, { signal: closed })
    moveTo(seen(standings, rows, before))
    lastLookedAt = startedAt
  }

  const follow = async () => {
    while (!closed.aborted) {
      lookNow = Promise.withResolvers()
      await look().catch((error) => {
        if (!closed.aborted) onError(error as Error)
      })
      const pause = new AbortController()
      await Promise.race([
        sleep(lookEveryMs, undefined, { signal: AbortSignal.any([closed, pause.signal]) }).catch(() => {}),
        lookNow.promise,
      ])
      pause.abort()
    }
  }
  const following = follow()

  return {
    heard: (projections) =>
      Math.min(...projections.map(({ name }) => Math.max(0, positionOf(standings, name)))),
    waitFor(projections, position, timeoutMs) {
      const names = projections.map(({ name }) => name)
      const reached = reaches(standings, names, position)
      if (reached !== undefined) return Promise.resolve(reached)
      return new Promise((resolve) => {
        const end = (result: boolean) => {
          clearTimeout(timer)
          waiters.delete(waiter)
          resolve(result)
        }
        const waiter: Waiter = { names, position, resolve: end }
        const timer = setTimeout(end, timeoutMs, false)
        waiters.add(waiter)
      })
    },
    onChange(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    isRewound: () => isRewound,
    clockSkew: () => clockSkew,
    statuses: () => [...standings.values()],
    get lastHeardAt() {
      return lastHeardAt
    },
    get lastLookedAt() {
      return lastLookedAt
    },
    async close() {
      closing.abort()
      for (const waiter of waiters) waiter.resolve(false)
      await notifications.close()
      await following
      await postgres.close()
    },
  }
}
