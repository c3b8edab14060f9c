import { setTimeout as sleep } from 'node:timers/promises'
import { listen } from '../../notifications.ts'
import { connectPostgres } from '../../postgres.ts'
import { wentBackCode } from '../projector/feed.ts'
import { leaseTrouble, projectorLease } from '../projector/lease.ts'
import { type Changed, decodeNotice } from '../projector/notice.ts'
import { type ProjectionState, readStates } from '../schema/schema.ts'

/**
 * How far the read models are, as this node has heard: by notification as a rule, by looking in case one is
 * lost. Commands wait here for what they recorded.
 */

/** What changed, or `*` when that is not known: then anything may have. */
export type Changes = readonly Changed[] | '*'

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
  wentBack(): boolean
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
  /** Told when looking fails; it goes on trying. */
  readonly onError?: (error: Error) => void
}

const lookEveryMs = 500
/** A notification comes this much later than its commit, at most, or is taken for lost. */
const graceMs = 50

interface Waiter {
  readonly projections: readonly Named[]
  readonly position: number
  readonly resolve: (reached: boolean) => void
}

export const followPositions = ({ url, schema, clock, onError = () => {} }: PositionsOptions): Positions => {
  // A connection of its own: requests that queue for theirs must not make this node deaf.
  const postgres = connectPostgres({ url, name: 'heatmark positions', size: 1, queryTimeoutMs: 2_000 })
  const closing = new AbortController()
  const closed = closing.signal
  const listeners = new Set<(changes: Changes) => void>()
  const waiters = new Set<Waiter>()
  let states = new Map<string, ProjectionState>()
  let wentBack = false
  let lastHeardAt = Number.NEGATIVE_INFINITY
  let lastLookedAt = Number.NEGATIVE_INFINITY
  let lookNow = Promise.withResolvers<void>()

  const reachedBy = ({ name }: Named): number => states.get(name)?.position ?? -1
  const outcome = (projections: readonly Named[], position: number): boolean | undefined => {
    const missing = projections.filter((projection) => reachedBy(projection) < position)
    if (missing.length === 0) return true
    return missing.some(({ name }) => states.get(name)?.status === 'failed') ? false : undefined
  }

  /** The one way on: first whoever keeps something drops it, then the positions move, then waiters go. */
  const moveTo = (next: Map<string, ProjectionState>, changes: Changes) => {
    if (changes.length > 0) for (const listener of listeners) listener(changes)
    states = next
    for (const waiter of waiters) {
      const reached = outcome(waiter.projections, waiter.position)
      if (reached !== undefined) waiter.resolve(reached)
    }
  }

  const onPayload = (payload: string) => {
    const notice = decodeNotice(payload)
    lastHeardAt = clock()
    if (!notice || states.size === 0) {
      moveTo(states, '*')
      return lookNow.resolve()
    }
    const running = [...states.values()].filter(({ status }) => status === 'running')
    const complete = running.every(({ position }) => notice.from <= position)
    const next = new Map(states)
    for (const state of running)
      next.set(
        state.name,
        notice.stopped.includes(state.name)
          ? { ...state, status: 'failed' }
          : { ...state, position: Math.max(state.position, notice.to) },
      )
    moveTo(next, complete ? notice.changed : '*')
    if (notice.stopped.length > 0) lookNow.resolve()
  }

  const notifications = listen({ url, channel: schema, onPayload, onListening: () => lookNow.resolve() })

  /** Whether the rows say what no notification has told. */
  const isNews = (row: ProjectionState): boolean => {
    const known = states.get(row.name)
    return !known || row.generation !== known.generation || row.position > known.position
  }

  const look = async () => {
    const startedAt = clock()
    const before = states
    const rows = await readStates(postgres, schema)
    wentBack = (await leaseTrouble(postgres, projectorLease(schema)))?.startsWith(wentBackCode) ?? false
    lastHeardAt = Math.max(lastHeardAt, startedAt)
    // As a rule the notification is just on its way, and names what changed.
    if (notifications.listening && rows.some(isNews)) await sleep(graceMs, undefined, { signal: closed })
    const backwards = rows.some(({ name, position }) => position < (before.get(name)?.position ?? 0))
    const news = backwards || rows.some(isNews)
    const next = new Map(states)
    for (const row of rows) {
      const known = states.get(row.name)
      const behind = known && known.status === row.status && row.position < known.position && !backwards
      if (!behind) next.set(row.name, row)
    }
    moveTo(next, news ? '*' : [])
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
    heard: (projections) => Math.min(...projections.map((projection) => Math.max(0, reachedBy(projection)))),
    waitFor(projections, position, timeoutMs) {
      const reached = outcome(projections, position)
      if (reached !== undefined) return Promise.resolve(reached)
      return new Promise((resolve) => {
        const end = (result: boolean) => {
          clearTimeout(timer)
          waiters.delete(waiter)
          resolve(result)
        }
        const waiter: Waiter = { projections, position, resolve: end }
        const timer = setTimeout(end, timeoutMs, false)
        waiters.add(waiter)
      })
    },
    onChange(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    wentBack: () => wentBack,
    statuses: () => [...states.values()],
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
