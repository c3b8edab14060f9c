import { setTimeout as sleep } from 'node:timers/promises'
import { leaseConditionSql } from '../../../stores/leading/lease.ts'
import { postgresTimeSql, type Skew, skewOf } from '../../../stores/postgres/clockSkew.ts'
import { listen, type Notifications } from '../../../stores/postgres/notifications.ts'
import { connectPostgres, type Postgres } from '../../../stores/postgres/postgres.ts'
import { rewoundCode } from '../../../stores/subscription/checkpoint.ts'
import { decodeNotice, type Notice } from '../projector/notice.ts'
import type { ReadModels } from '../schema/readModels.ts'
import { type ProjectionState, projectorLease, stateColumns } from '../schema/schema.ts'
import {
  applyNotice,
  applyRows,
  type Changes,
  isBehind,
  isNews,
  type KnownStates,
  leastPosition,
  type News,
  reaches,
} from './knownStates.ts'
import { createWaiters, type Waiters } from './waiters.ts'

/**
 * How far the read models are, as this node has heard: from the projector if it runs in this process, by notification
 * from another, and by looking in case one is lost. Commands wait here for what they recorded.
 */

export interface Positions {
  /** Take the notice of a batch that this process has committed, without waiting for its notification. */
  hear(notice: Notice): void
  /** The position that all of these projections have reached, as heard. */
  positionOf(projections: readonly Named[]): number
  /**
   * True once all of these projections show the position; false when that took longer than `timeoutMs`, or
   * one of them has stopped before it. With 0, it is answered at once.
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
  /** The same, by name. Rows that are read later are at least as new, unless PostgreSQL has lost its last commits. */
  readonly knownStates: KnownStates
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

interface PositionsOptions {
  readonly url: string
  readonly readModels: ReadModels
  /** Milliseconds that never run backwards. */
  readonly clock: () => number
  /** This node's clock. */
  readonly now: () => Date
  /**
   * After a crash of PostgreSQL the projector writes the rows again that were lost; by default it has 15 s for it. Until
   * then no position goes back. Rows that stay behind for longer are of another history.
   */
  readonly catchUpWithinMs?: number
  /** Pause between two looks at the positions in PostgreSQL, by default 500 ms. */
  readonly lookEveryMs?: number
  /** Called when looking fails. It is tried again. */
  readonly onError?: (error: Error) => void
}

const usualLookEveryMs = 500
/** A notification comes this much later than its commit, at most, or is taken for lost. */
const graceMs = 50
/** By default. */
export const catchUpWithinMs = 15_000

/** How far the read models are, as this node knows, and who is told of it. */
interface Following {
  readonly options: PositionsOptions
  readonly postgres: Postgres
  readonly closed: AbortSignal
  readonly listeners: Set<(changes: Changes) => void>
  readonly waiters: Waiters
  knownStates: KnownStates
  isRewound: boolean
  clockSkew: Skew | undefined
  lastHeardAt: number
  lastLookedAt: number
  /** By the clock: since when looks find rows that are behind what was heard. */
  behindSince: number | undefined
  /** Resolved when the next look cannot wait. */
  lookNow: PromiseWithResolvers<void>
}

function startFollowing(options: PositionsOptions, closed: AbortSignal): Following {
  return {
    options,
    // A connection of its own: requests that queue for theirs must not make this node deaf.
    postgres: connectPostgres({
      url: options.url,
      name: 'heatmark positions',
      size: 1,
      queryTimeoutMs: 2_000,
    }),
    closed,
    listeners: new Set(),
    waiters: createWaiters(),
    knownStates: new Map(),
    isRewound: false,
    clockSkew: undefined,
    lastHeardAt: Number.NEGATIVE_INFINITY,
    lastLookedAt: Number.NEGATIVE_INFINITY,
    behindSince: undefined,
    lookNow: Promise.withResolvers(),
  }
}

export function followPositions(options: PositionsOptions): Positions {
  const { url, readModels } = options
  const closing = new AbortController()
  const following = startFollowing(options, closing.signal)
  const { postgres, listeners, waiters } = following
  const notifications = listen({
    url,
    channel: readModels.schema,
    onPayload: (payload) => hear(following, decodeNotice(payload)),
    onListening: () => following.lookNow.resolve(),
  })
  const looking = keepLooking(following, notifications)

  return {
    hear: (notice) => hear(following, notice),
    positionOf: (projections) => leastPosition(following.knownStates, projections),
    async waitFor(projections, position, timeoutMs) {
      const names = projections.map(({ name }) => name)
      return (
        reaches(following.knownStates, names, position) ??
        (timeoutMs > 0 && waiters.wait(names, position, timeoutMs))
      )
    },
    onChange(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    isRewound: () => following.isRewound,
    clockSkew: () => following.clockSkew,
    statuses: () => [...following.knownStates.values()],
    get knownStates() {
      return following.knownStates
    },
    get lastHeardAt() {
      return following.lastHeardAt
    },
    get lastLookedAt() {
      return following.lastLookedAt
    },
    async close() {
      closing.abort()
      waiters.end()
      await notifications.close()
      await looking
      await postgres.close()
    },
  }
}

/** The one way on: listeners drop what they keep, then the positions move, then those who wait go on. */
function moveTo(following: Following, { knownStates, changes }: News): void {
  if (changes.length > 0) for (const listener of following.listeners) listener(changes)
  following.knownStates = knownStates
  following.waiters.release(knownStates)
}

function hear(following: Following, notice: Notice | undefined): void {
  const { options, knownStates, lookNow } = following
  following.lastHeardAt = options.clock()
  if (notice && knownStates.size > 0) moveTo(following, applyNotice(knownStates, notice))
  else moveTo(following, { knownStates, changes: '*' })
  if (!notice || knownStates.size === 0 || notice.stopped.length > 0) lookNow.resolve()
}

/** A projection, beside what all rows of a look have in common. */
interface Seen extends ProjectionState {
  /** The condition of the projector's lease. */
  readonly condition: string | null
  /** PostgreSQL's time in milliseconds since 1970. */
  readonly time: number
}

/** @throws PostgresUnavailable */
async function look(following: Following, notifications: Notifications): Promise<void> {
  const { options, postgres, closed, knownStates: before } = following
  const { readModels, clock, now } = options
  const startedAt = clock()
  const askedAt = now().getTime()
  const answer = await postgres.query<Seen>(
    `SELECT ${stateColumns}, ${leaseConditionSql('$1')} AS condition, ${postgresTimeSql} AS time
     FROM ${readModels.states}`,
    [projectorLease(readModels.schema)],
  )
  const heard = now().getTime()
  const rows = answer.map(({ condition: _condition, time: _time, ...state }) => state)
  following.isRewound = answer[0]?.condition?.startsWith(rewoundCode) ?? false
  following.clockSkew = answer[0] && skewOf({ askedAt, heard, time: answer[0].time })
  following.lastHeardAt = Math.max(following.lastHeardAt, startedAt)
  if (mayCatchUp(following, rows, before)) return
  // As a rule the notification is just on its way, and names what changed.
  if (notifications.listening && rows.some((row) => isNews(following.knownStates, row)))
    await sleep(graceMs, undefined, { signal: closed })
  moveTo(following, applyRows(following.knownStates, rows, before))
  following.lastLookedAt = startedAt
}

/** Whether rows are behind what was heard `before` they were read, and the projector may yet bring them up. */
function mayCatchUp(following: Following, rows: readonly ProjectionState[], before: KnownStates): boolean {
  if (!rows.some((row) => isBehind(row, before.get(row.name)))) {
    following.behindSince = undefined
    return false
  }
  const { clock, catchUpWithinMs: withinMs = catchUpWithinMs } = following.options
  following.behindSince ??= clock()
  return clock() - following.behindSince < withinMs
}

/** Look again and again, until it is closed. */
async function keepLooking(following: Following, notifications: Notifications): Promise<void> {
  const { options, closed } = following
  const { lookEveryMs = usualLookEveryMs } = options
  while (!closed.aborted) {
    following.lookNow = Promise.withResolvers()
    await look(following, notifications).catch((error) => {
      if (!closed.aborted) options.onError?.(error as Error)
    })
    const pause = new AbortController()
    await Promise.race([
      sleep(lookEveryMs, undefined, { signal: AbortSignal.any([closed, pause.signal]) }).catch(() => {}),
      following.lookNow.promise,
    ])
    pause.abort()
  }
}
