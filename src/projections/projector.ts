import { setTimeout as sleep } from 'node:timers/promises'
import type { Recorded } from '../domain/event.ts'
import type { EventStore } from '../eventStore.ts'
import type { Connection, Postgres } from '../postgres.ts'
import { type BatchContext, type LiveProjection, Refused, Superseded, writeBatch } from './batch.ts'
import { checkHistory, type Feed, type KeptPosition, openFeed, WentBack } from './feed.ts'
import type { FoldFailure } from './fold.ts'
import { type Lease, releaseLease, renewEveryMs, renewLease, takeLease } from './lease.ts'
import type { Projection } from './projection.ts'
import { type ProjectionState, readStates } from './schema.ts'
import { tableName } from './sql.ts'
import { storedRows } from './storedRows.ts'

/** The one live projector: whoever holds the lease of the schema folds the store's events into its rows. */

export interface ProjectorStatus {
  /** Whether this process leads; if not, another does, or PostgreSQL cannot be reached. */
  readonly leading: boolean
  /** What keeps it from following the store, if anything does; it goes on trying. */
  readonly trouble: string | undefined
  /** Position of the last batch written. */
  readonly position: number
}

export interface Projector {
  status(): ProjectorStatus
  /** Lets the running batch finish, and the lease go. */
  stop(): Promise<void>
}

/** Called as things happen, for metrics and logs. */
export interface ProjectorObserver {
  /** After each commit: events, milliseconds, and the last event. */
  batch?(events: number, milliseconds: number, last: Recorded): void
  dropped?(reason: string): void
  leading?(leading: boolean): void
  /** A projection stopped. */
  stopped?(projection: string, code: string, message: string): void
  /** Something is wrong that is tried again. */
  trouble?(message: string): void
}

export interface ProjectorOptions {
  readonly eventStore: EventStore
  /** A pool of its own, of two connections: one writes, one renews the lease. */
  readonly postgres: Postgres
  readonly schema: string
  readonly projections: readonly Projection[]
  /** This process, among all that may lead; never the same twice. */
  readonly owner: string
  readonly now: () => Date
  readonly observe?: ProjectorObserver
}

/** Events in one transaction at most. */
const batchSize = 5_000
const queueCapacity = 10_000
/** Rows remembered of each projection: some 50 MB in all. */
const rememberedRows = 20_000
const retakeEveryMs = 500
const longestPauseMs = 2_000

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

const lowest = (running: readonly ProjectionState[]): KeptPosition =>
  running.reduce((least, state) => (state.position < least.position ? state : least))

export const startProjector = (options: ProjectorOptions): Projector => {
  const { eventStore, postgres, schema, projections, owner, now, observe = {} } = options
  const stopping = new AbortController()
  let leading = false
  let trouble: string | undefined
  let position = 0
  let feed: Feed | undefined

  const pause = (ms: number, signal: AbortSignal) => sleep(ms, undefined, { signal }).catch(() => {})
  const note = (message: string | undefined) => {
    if (message && message !== trouble) observe.trouble?.(message)
    trouble = message
  }

  /** The batch, or its halves where PostgreSQL refuses it, until it is known which event of which projection. */
  const advance = async (
    context: BatchContext,
    running: Set<LiveProjection>,
    events: readonly Recorded[],
    refused = new Map<LiveProjection, FoldFailure>(),
  ): Promise<void> => {
    try {
      for (const { live, failure } of await writeBatch(context, [...running], events, refused)) {
        running.delete(live)
        observe.stopped?.(live.projection.name, failure.code, failure.message)
      }
      position = events.at(-1)!.position
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      if (events.length === 1) {
        const failure = { event: events[0]!, error: error.cause }
        return advance(context, running, events, new Map(refused).set(error.live, failure))
      }
      const half = events.length >> 1
      await advance(context, running, events.slice(0, half))
      await advance({ ...context, from: events[half - 1]!.position }, running, events.slice(half))
    }
  }

  const liveProjection = ({ name, generation, position }: ProjectionState): LiveProjection => {
    const projection = projections.find((one) => one.name === name)!
    const stored = storedRows(projection, {
      tableName: (table) => tableName(schema, table, generation),
      remember: rememberedRows,
    })
    return { projection, generation, stored, position }
  }

  /** Keeps the lease, and looks whether a rebuild has changed a projection; ends the feed when either fails. */
  const keep = async (
    lease: Lease,
    unchanged: (states: readonly ProjectionState[]) => boolean,
    ended: AbortSignal,
  ) => {
    let failing = false
    while (!ended.aborted) {
      await pause(renewEveryMs, ended)
      if (ended.aborted) return
      try {
        if (!(await renewLease(postgres, lease, feed?.trouble ?? trouble ?? null))) return
        if (!unchanged(await readStates(postgres, schema))) return
        if (failing) note(undefined)
        failing = false
      } catch (error) {
        // The lease will expire by itself if this goes on.
        failing = true
        note(messageOf(error))
      }
    }
  }

  /** Follows the store until something ends it. */
  const lead = async (connection: Connection, lease: Lease) => {
    const running = new Set<LiveProjection>()
    const states = await readStates(connection, schema)
    const active = states.filter(({ status }) => status === 'running')
    for (const state of active) running.add(liveProjection(state))
    const ended = new AbortController()
    const unchanged = (now: readonly ProjectionState[]) =>
      now.every(({ name, status, generation }) => {
        const live = [...running].find((one) => one.projection.name === name)
        return status === 'running' ? live?.generation === generation : true
      })
    let from: KeptPosition | undefined = active.length > 0 ? lowest(active) : undefined
    for (const state of active) if (state.position !== from?.position) await checkHistory(eventStore, state)
    const events = from && openFeed({ eventStore, from, capacity: queueCapacity, onDropped: observe.dropped })
    feed = events
    void events?.checked.then(() => note(undefined))
    const over = AbortSignal.any([ended.signal, stopping.signal])
    const keeping = keep(lease, unchanged, over).then(() => events?.close())
    try {
      // With every projection stopped there is nothing to follow, but rebuilds to wait for.
      if (!events || !from) return await keeping
      for (let batch = await events.take(batchSize); batch.length > 0; batch = await events.take(batchSize)) {
        const started = performance.now()
        await advance({ connection, schema, lease, now, from: from.position }, running, batch)
        const last = batch.at(-1)!
        from = { position: last.position, eventId: last.id }
        observe.batch?.(batch.length, performance.now() - started, last)
        if (running.size === 0) return
      }
    } finally {
      ended.abort()
      await events?.close()
      await keeping
      feed = undefined
    }
  }

  /** Leads once, if it is this process's turn. */
  const turn = async () => {
    const connection = await postgres.connect()
    let lease: Lease | undefined
    try {
      lease = await takeLease(connection, `projector/${schema}`, owner)
      if (!lease) {
        note(undefined)
        return false
      }
      leading = true
      observe.leading?.(true)
      await lead(connection, lease)
      return true
    } catch (error) {
      if (lease && !(error instanceof Superseded))
        await renewLease(postgres, lease, messageOf(error)).catch(() => {})
      throw error
    } finally {
      connection.release(lease !== undefined)
      if (leading) observe.leading?.(false)
      leading = false
      if (lease && stopping.signal.aborted) await releaseLease(postgres, lease).catch(() => {})
    }
  }

  const run = async () => {
    let pauseMs = 0
    while (!stopping.signal.aborted) {
      try {
        const led = await turn()
        pauseMs = led ? 0 : retakeEveryMs
      } catch (error) {
        if (!(error instanceof Superseded)) note(messageOf(error))
        pauseMs =
          error instanceof WentBack ? longestPauseMs : Math.min(longestPauseMs, Math.max(100, pauseMs * 2))
      }
      await pause(pauseMs, stopping.signal)
    }
  }
  const running = run()

  return {
    status: () => ({ leading, trouble: feed?.trouble ?? trouble, position }),
    async stop() {
      stopping.abort()
      await running
    },
  }
}
