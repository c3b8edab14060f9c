import { setTimeout as sleep } from 'node:timers/promises'
import type { Recorded } from '../../domain/event.ts'
import { type EventStore, StoreUnavailable } from '../../eventStore.ts'
import { type Connection, literal, type Postgres } from '../../postgres.ts'
import { checkHistories, Rewound } from '../../subscription/checkpoint.ts'
import { weightOf } from '../../subscription/weight.ts'
import type { Projection } from '../projection.ts'
import { type ProjectionState, readStates } from '../schema/schema.ts'
import { readSkips, skippedBy } from '../schema/skips.ts'
import { type ReplayProgress, trackProgress } from './progress.ts'
import { readAhead } from './readAhead.ts'
import { createShadow, type Shadow } from './shadow.ts'

/** Folding the store's whole history once more, beside the live rows: what rebuild and verify share. */

export interface ReplayOptions {
  readonly eventStore: EventStore
  readonly postgres: Postgres
  readonly schema: string
  /** Those to fold again, in one pass. */
  readonly projections: readonly Projection[]
  /** Called when it has begun, every second, and at its end. */
  readonly onProgress?: (progress: ReplayProgress) => void
  /** Milliseconds that never run backwards. */
  readonly clock: () => number
  /** Ends it; nothing is left behind. */
  readonly signal?: AbortSignal
}

/** Which position each of the projections is to be folded to. */
export type Targets = (states: readonly ProjectionState[]) => Promise<ReadonlyMap<string, number>>

const endOf = (targets: ReadonlyMap<string, number>, { name }: Projection): number => targets.get(name) ?? 0

/** SQL of the advisory lock that whoever folds the projection again holds. */
export const replayLock = (schema: string, projection: string): string =>
  `hashtextextended(${literal(`${schema}/${projection}`)}, 0)`

/** A projection is folded again by one at a time. */
export class ReplayUnderWay extends Error {
  override readonly name = 'ReplayUnderWay'
  constructor(projection: string) {
    super(`a rebuild or verify of ${projection} is already under way`)
  }
}

/** Weight of the events that are folded at once. */
const batchWeight = 2_500
/** After a hiccup of the event store. */
export const retryMs = 500

/** Carries statements out one after the other, whoever sends them. */
const inTurn = (connection: Connection): Connection => {
  let last: Promise<unknown> = Promise.resolve()
  const next = <T>(work: () => Promise<T>): Promise<T> => {
    const result = last.then(work)
    last = result.catch(() => {})
    return result
  }
  return {
    query: (text, values) => next(() => connection.query(text, values)),
    copy: (text, chunks) => next(() => connection.copy(text, chunks)),
    release: (broken) => connection.release(broken),
  }
}

export interface Replay {
  readonly connection: Connection
  readonly shadows: readonly Shadow[]
  readonly events: number
  /**
   * Folds up to where the targets stand when it begins; again and again, until it had at most `few` events to
   * fold. It waits for an event store that is away, and begins with a look whether the store still has what the read
   * models show. @throws FoldFailed, Rewound, PostgresUnavailable
   */
  follow(targets: Targets, few: number): Promise<void>
  /** The events that are missing to the targets; there had better be few. @throws StoreUnavailable */
  missing(targets: ReadonlyMap<string, number>): Promise<readonly Recorded[]>
  /** Folds them, and sees that every shadow is at its target. @throws FoldFailed, Rewound, PostgresUnavailable */
  fold(events: readonly Recorded[], targets: ReadonlyMap<string, number>): Promise<void>
}

/**
 * Makes shadows of the projections, beside their present tables, for `work` to fill: one replay of a
 * projection at a time. They are dropped again unless `work` says that it has put them to use.
 * @throws ReplayUnderWay; what `work` throws
 */
export const replay = async <Result>(
  options: ReplayOptions,
  work: (replay: Replay) => Promise<{ readonly result: Result; readonly inUse: boolean }>,
): Promise<Result> => {
  const { eventStore, postgres, schema, projections, clock, onProgress = () => {}, signal } = options
  const connection = inTurn(await postgres.connect())
  let lookUps: Connection | undefined
  const shadows: Shadow[] = []
  const progress = trackProgress(clock, onProgress)

  const foldBatch = async (batch: readonly Recorded[], targets: ReadonlyMap<string, number>) => {
    signal?.throwIfAborted()
    // While one looks rows up, another folds.
    const folding = shadows.map((shadow) => {
      const end = endOf(targets, shadow.projection)
      const start = shadow.checkpoint.position
      const whole = batch[0]!.position > start && batch.at(-1)!.position <= end
      return shadow.fold(whole ? batch : batch.filter(({ position }) => position > start && position <= end))
    })
    for (const folded of await Promise.allSettled(folding))
      if (folded.status === 'rejected') throw folded.reason
    progress.folded(batch)
  }

  const batches = async function* (targets: ReadonlyMap<string, number>): AsyncIterable<Recorded[]> {
    const behind = shadows.filter(
      ({ projection, checkpoint }) => checkpoint.position < endOf(targets, projection),
    )
    if (behind.length === 0) return
    const target = Math.max(...behind.map(({ projection }) => endOf(targets, projection)))
    progress.aimAt(target)
    const from = Math.min(...behind.map(({ checkpoint }) => checkpoint.position))
    let batch: Recorded[] = []
    let weight = 0
    for await (const portion of eventStore.readAllInPortions(from)) {
      for (const event of portion) {
        if (event.position > target) break
        batch.push(event)
        weight += weightOf(event)
        if (weight < batchWeight) continue
        yield batch
        batch = []
        weight = 0
      }
      if (portion.at(-1)!.position >= target) break
    }
    if (batch.length > 0) yield batch
  }

  const checkReached = (targets: ReadonlyMap<string, number>) => {
    for (const { projection, checkpoint } of shadows) {
      const end = endOf(targets, projection)
      if (checkpoint.position !== end)
        throw new Rewound(`${projection.name} is at position ${end}, where the store has no event`)
    }
  }

  const pass = async (states: readonly ProjectionState[], targets: ReadonlyMap<string, number>) => {
    for (;;) {
      try {
        // All of them, also those that are not folded again: they are shown together.
        await checkHistories(eventStore, states)
        for await (const batch of readAhead(batches(targets))) await foldBatch(batch, targets)
        return checkReached(targets)
      } catch (error) {
        // The store may be back in a moment, and nothing need be folded twice.
        if (!(error instanceof StoreUnavailable)) throw error
        signal?.throwIfAborted()
        await sleep(retryMs)
      }
    }
  }

  const names = projections.map(({ name }) => name)
  const locks = names.map((name) => replayLock(schema, name))
  let endWatch = () => {}
  let broken = true
  let inUse = false
  try {
    for (const [index, lock] of locks.entries()) {
      const [row] = await connection.query<{ free: boolean }>(`SELECT pg_try_advisory_lock(${lock}) AS free`)
      if (!row!.free) throw new ReplayUnderWay(names[index]!)
    }
    const [own] = await connection.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
    const beside = inTurn(await postgres.connect())
    lookUps = beside
    // The tables grow from nothing: a plan that was right for an empty one reads all of it for a single row.
    await beside.query('SET plan_cache_mode = force_custom_plan')
    const skips = await readSkips(connection, schema)
    for (const { name, generation } of await readStates(connection, schema)) {
      const projection = projections.find((one) => one.name === name)
      if (!projection) continue
      const how = { lookUps: beside, skipped: skippedBy(skips, name) }
      shadows.push(await createShadow(connection, schema, projection, generation + 1, how))
    }
    endWatch = progress.watch(beside, own!.pid)
    const done = await work({
      connection,
      shadows,
      get events() {
        return progress.events
      },
      async follow(targets, few) {
        let before: number
        do {
          before = progress.events
          const states = await readStates(connection, schema)
          await pass(states, await targets(states))
        } while (progress.events - before > few)
      },
      missing: async (targets) => (await Array.fromAsync(batches(targets))).flat(),
      async fold(missing, targets) {
        if (missing.length > 0) await foldBatch(missing, targets)
        checkReached(targets)
      },
    })
    inUse = done.inUse
    progress.report()
    return done.result
  } finally {
    endWatch()
    lookUps?.release(true)
    try {
      if (!inUse) for (const shadow of shadows) await shadow.drop()
      for (const lock of locks) await connection.query(`SELECT pg_advisory_unlock(${lock})`)
      broken = false
    } catch {
      // A connection that is lost has let its locks go; the next replay drops the tables.
    }
    connection.release(broken)
  }
}
