import { setTimeout as sleep } from 'node:timers/promises'
import type { Recorded } from '../../../domain/kernel/event.ts'
import { withMetadata } from '../../../domain/kernel/metadata.ts'
import { Refusal } from '../../../domain/kernel/refusal.ts'
import { readAhead } from '../../../lib/readAhead.ts'
import { type EventStore, StoreUnavailable } from '../../../stores/eventStore.ts'
import { type Connection, literalOf, type Postgres } from '../../../stores/postgres/postgres.ts'
import { checkHistories, storeRewound } from '../../../stores/subscription/checkpoint.ts'
import { weightOf } from '../../../stores/subscription/weight.ts'
import type { Projection } from '../projection.ts'
import type { ReadModels } from '../schema/readModels.ts'
import { type ProjectionState, readStates } from '../schema/schema.ts'
import { readSkips, skippedBy } from '../schema/skips.ts'
import { type ProgressTracker, type ReplayProgress, trackProgress } from './progress.ts'
import { createShadow, type Shadow } from './shadow.ts'

/** Fold the whole history once more, beside the live rows: rebuild and verify share this. */

export interface ReplayOptions {
  readonly eventStore: EventStore
  readonly postgres: Postgres
  /** The read models to fold again, in one pass. */
  readonly readModels: ReadModels
  /** Called when it has begun, every second, and at its end. */
  readonly onProgress?: (progress: ReplayProgress) => void
  /** By default 1 s. */
  readonly reportEveryMs?: number
  /** Milliseconds that never run backwards. */
  readonly clock: () => number
  /** Ends the replay, and removes everything that it has written. */
  readonly signal?: AbortSignal
}

/** The position that each projection is folded to. */
export type Targets = (states: readonly ProjectionState[]) => Promise<ReadonlyMap<string, number>>

/** The SQL of the advisory lock that a replay of the projection holds. */
export function replayLock({ schema }: ReadModels, projection: string): string {
  return `hashtextextended(${literalOf(`${schema}/${projection}`)}, 0)`
}

/** A rebuild or verify takes the locks of its projections, so that two of them never work on one projection. */
export function replayUnderWay(projection: string): Refusal<'run-under-way'> {
  return new Refusal(
    'run-under-way',
    `A rebuild or verify of ${projection} is under way, so this was not started. Start it when that has ended.`,
  )
}

/** Weight of the events that are folded at once. */
const batchWeight = 2_500
/** The pause before another attempt, when the event store was away. */
export const retryMs = 500

export interface Replay {
  readonly connection: Connection
  readonly shadows: readonly Shadow[]
  readonly events: number
  /**
   * Fold up to the present targets, round after round, until a round had at most `few` events to fold. Each round first
   * checks the history, and waits for an event store that is away. @throws Failure `fold-failed`,
   * `event-store-went-back`, PostgresUnavailable
   */
  follow(targets: Targets, few: number): Promise<void>
  /** Return the events between the shadows and the targets: all in memory, so there should be few. @throws StoreUnavailable */
  missing(targets: ReadonlyMap<string, number>): Promise<readonly Recorded[]>
  /**
   * Folds these events, and checks that every shadow is at its target. @throws Failure `fold-failed`,
   * `event-store-went-back`, PostgresUnavailable
   */
  fold(events: readonly Recorded[], targets: ReadonlyMap<string, number>): Promise<void>
}

/**
 * Create shadow tables beside the present ones, and let `work` fill them. A projection has one replay at a time. The
 * shadows are dropped afterwards, unless `work` returns that they are in use.
 * @throws Refusal `run-under-way`; the errors of `work`
 */
export async function replay<Result>(
  options: ReplayOptions,
  work: (replay: Replay) => Promise<{ readonly result: Result; readonly inUse: boolean }>,
): Promise<Result> {
  const { postgres, readModels, clock, onProgress = () => {}, reportEveryMs = 1_000 } = options
  const connection = inTurn(await postgres.connect())
  const locks = readModels.projections.map(({ name }) => ({ name, lock: replayLock(readModels, name) }))
  const progress = trackProgress(clock, onProgress, reportEveryMs)
  const run: Run = { options, connection, progress, shadows: [] }
  let lookUps: Connection | undefined
  let endWatch = () => {}
  let broken = true
  let inUse = false
  try {
    await takeLocks(connection, locks)
    const [own] = await connection.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
    lookUps = inTurn(await postgres.connect())
    await createShadows(run, lookUps)
    endWatch = progress.watch(lookUps, own!.pid)
    const done = await work(replayOf(run))
    inUse = done.inUse
    progress.report()
    return done.result
  } finally {
    endWatch()
    lookUps?.release(true)
    try {
      if (!inUse) for (const shadow of run.shadows) await shadow.drop()
      for (const { lock } of locks) await connection.query(`SELECT pg_advisory_unlock(${lock})`)
      broken = false
    } catch {
      // A lost connection has released its locks; the next replay drops the tables.
    }
    connection.release(broken)
  }
}

/** A replay under way. */
interface Run {
  readonly options: ReplayOptions
  readonly connection: Connection
  readonly progress: ProgressTracker
  readonly shadows: Shadow[]
}

type Ends = ReadonlyMap<string, number>

/** @throws Refusal `run-under-way` */
async function takeLocks(
  connection: Connection,
  locks: readonly { readonly name: string; readonly lock: string }[],
): Promise<void> {
  for (const { name, lock } of locks) {
    const [row] = await connection.query<{ free: boolean }>(`SELECT pg_try_advisory_lock(${lock}) AS free`)
    if (!row!.free) throw replayUnderWay(name)
  }
}

async function createShadows(
  { options: { readModels }, connection, shadows }: Run,
  lookUps: Connection,
): Promise<void> {
  // The tables grow from nothing. A plan that PostgreSQL made for an empty table would later read all of it for one row.
  await lookUps.query('SET plan_cache_mode = force_custom_plan')
  const skips = await readSkips(connection, readModels)
  for (const { name, generation } of await readStates(connection, readModels)) {
    const projection = readModels.find(name)
    if (!projection) continue
    const how = { lookUps, skipped: skippedBy(skips, name) }
    shadows.push(await createShadow(connection, readModels, projection, generation + 1, how))
  }
}

function replayOf(run: Run): Replay {
  const { options, connection, shadows, progress } = run
  return {
    connection,
    shadows,
    get events() {
      return progress.events
    },
    async follow(targets, few) {
      let before: number
      do {
        before = progress.events
        const states = await readStates(connection, options.readModels)
        await foldTo(run, states, await targets(states))
      } while (progress.events - before > few)
    },
    missing: async (targets) => (await Array.fromAsync(readBatches(run, targets))).flat(),
    async fold(missing, targets) {
      if (missing.length > 0) await foldBatch(run, missing, targets)
      checkReached(shadows, targets)
    },
  }
}

/** @throws Failure `fold-failed`, `event-store-went-back`, PostgresUnavailable */
async function foldTo(run: Run, states: readonly ProjectionState[], targets: Ends): Promise<void> {
  const { eventStore, signal } = run.options
  for (;;) {
    try {
      // The checkpoints of all projections: reads combine these read models with others that are not folded again.
      await checkHistories(eventStore, states)
      for await (const batch of readAhead(readBatches(run, targets))) await foldBatch(run, batch, targets)
      return checkReached(run.shadows, targets)
    } catch (error) {
      // The next round continues where this one ended, once the store is back.
      if (!(error instanceof StoreUnavailable)) throw error
      signal?.throwIfAborted()
      await sleep(retryMs)
    }
  }
}

/** The events between the shadows and their targets. @throws StoreUnavailable */
async function* readBatches(
  { options: { eventStore }, shadows, progress }: Run,
  targets: Ends,
): AsyncIterable<Recorded[]> {
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

async function foldBatch(
  { options: { signal }, shadows, progress }: Run,
  batch: readonly Recorded[],
  targets: Ends,
): Promise<void> {
  signal?.throwIfAborted()
  const readable = batch.map((event) => withMetadata(event))
  // While one shadow waits for its look-ups, another folds.
  const folding = shadows.map((shadow) => {
    const end = endOf(targets, shadow.projection)
    const start = shadow.checkpoint.position
    const whole = batch[0]!.position > start && batch.at(-1)!.position <= end
    return shadow.fold(
      whole ? readable : readable.filter(({ position }) => position > start && position <= end),
    )
  })
  for (const folded of await Promise.allSettled(folding))
    if (folded.status === 'rejected') throw folded.reason
  progress.noteFolded(batch)
}

/** @throws Failure `event-store-went-back` when a shadow has not reached its target */
function checkReached(shadows: readonly Shadow[], targets: Ends): void {
  for (const { projection, checkpoint } of shadows) {
    const end = endOf(targets, projection)
    if (checkpoint.position !== end)
      throw storeRewound(`${projection.name} is at position ${end}, where the store has no event`)
  }
}

function endOf(targets: Ends, { name }: Projection): number {
  return targets.get(name) ?? 0
}

/** Share the connection: it runs the statements of its users one after the other. */
function inTurn(connection: Connection): Connection {
  let last: Promise<unknown> = Promise.resolve()
  const next = <T>(work: () => Promise<T>): Promise<T> => {
    const result = last.then(work)
    last = result.catch(() => {})
    return result
  }
  return {
    query: (text, values) => next(() => connection.query(text, values)),
    batch: (statements) => next(() => connection.batch(statements)),
    copy: (text, chunks) => next(() => connection.copy(text, chunks)),
    release: (broken) => connection.release(broken),
  }
}
