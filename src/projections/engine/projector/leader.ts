import { once } from 'node:events'
import type { Recorded } from '../../../domain/kernel/event.ts'
import { Failure } from '../../../lib/failure.ts'
import type { EventStore } from '../../../stores/eventStore.ts'
import type { LeadingObserver, Term } from '../../../stores/leading/leading.ts'
import { type Connection, type Postgres, PostgresUnavailable } from '../../../stores/postgres/postgres.ts'
import { checkHistories } from '../../../stores/subscription/checkpoint.ts'
import type { Intake } from '../../../stores/subscription/intake.ts'
import { openTermSubscription } from '../../../stores/subscription/termSubscription.ts'
import type { FoldFailure } from '../rows/fold.ts'
import { claimCheckpoints, isOutpaced, storeStates } from '../schema/checkpoints.ts'
import type { ReadModels } from '../schema/readModels.ts'
import { type ProjectionState, readStates } from '../schema/schema.ts'
import { readSkips } from '../schema/skips.ts'
import type { ExpiredRows } from '../storage/retention.ts'
import type { Statistics } from '../storage/statistics.ts'
import { type BatchContext, RowsRefused, writeBatch } from './batch.ts'
import { type LiveProjection, type LiveProjections, liveProjections } from './liveProjections.ts'
import type { Notice } from './notice.ts'
import type { RetiredTables } from './retired.ts'

/** The work of the leader: follow the store, batch by batch. */

export interface ProjectorObserver extends LeadingObserver {
  /** After each commit: events, milliseconds, and the last event. */
  batch?(events: number, milliseconds: number, last: Recorded): void
  /** A projection stopped. */
  onStopped?(projection: string, code: string, message: string): void
}

interface LeaderOptions {
  readonly eventStore: EventStore
  readonly intake: Intake
  /** Reads and cleans up while the term's connection writes. */
  readonly postgres: Postgres
  readonly readModels: ReadModels
  readonly retired: RetiredTables
  readonly expired: ExpiredRows
  readonly statistics: Statistics
  readonly now: () => Date
  /** Milliseconds that never run backwards. */
  readonly clock: () => number
  readonly observe: ProjectorObserver
  /** Called about once a second while projections have stopped, to let them skip the event if an operator allows it. */
  readonly passOverFaults?: () => Promise<void>
  /** Called with the notice of each batch that was committed. */
  readonly onNotice?: (notice: Notice) => void
}

/** The most weight of the events in one transaction. An event weighs 1, and a large event more. */
const batchWeight = 5_000
/**
 * The pause between two looks for projections that a rebuild has switched. Before that, the next batch shows it. While
 * projections have stopped, every renewal of the lease looks.
 */
const lookEveryMs = 5_000

/**
 * Follows the store with all projections that are running, until the lease is lost, a rebuild has switched a
 * projection, or it is told to stop; in the last case the batch under way is finished.
 * @throws Failure `event-store-went-back`, `term-over`, PostgresUnavailable, StoreUnavailable
 */
export async function lead(options: LeaderOptions, term: Term): Promise<void> {
  const { eventStore, intake, readModels, retired, statistics, now, clock, observe, onNotice } = options
  const { connection, over, underWay, note } = term
  const { fencing } = term.lease
  await claimCheckpoints(connection, readModels, fencing)
  const all = await readStates(connection, readModels)
  await retired.note(all)
  const states = all.filter(({ status }) => status === 'running')
  // Read after the states, because a skip and the status `running` are written in one transaction.
  const skips = await readSkips(connection, readModels)
  const running = liveProjections(readModels, states, skips)
  const lowest = states.toSorted((a, b) => a.position - b.position)[0]
  // The leader before may have written.
  statistics.noteWritten()
  let lookedAt = clock()
  term.checkOnRenewal(async () => {
    const mustLook = hasStopped(options, running) || clock() - lookedAt >= lookEveryMs
    if (mustLook) lookedAt = clock()
    return keepHouse(options, running, mustLook)
  })
  // When every projection has stopped, there is nothing to follow. A rebuild ends the term.
  if (!lowest) {
    underWay()
    if (!over.aborted) await once(over, 'abort')
    return
  }

  // The subscription checks the checkpoint that it begins with.
  const { position, eventId } = lowest
  await checkHistories(
    eventStore,
    states.filter((state) => state.position !== position || state.eventId !== eventId),
  )
  await store(connection, readModels, states, fencing)
  const subscription = openTermSubscription(term, intake, { position, eventId })
  let from = position
  try {
    for (
      let events = await subscription.take(batchWeight);
      events.length > 0;
      events = await subscription.take(batchWeight)
    ) {
      const started = clock()
      const context = {
        connection,
        readModels,
        fencing,
        now,
        from,
        ...(onNotice && { onNotice }),
      }
      await advance(context, running, events, observe).catch((error: Error) => {
        // The note stays until the events are written, also over a new term. After a lost connection the events
        // may be written.
        if (error instanceof PostgresUnavailable && !error.lost) note('events', error.message)
        throw error
      })
      note('events')
      statistics.noteWritten()
      const last = events.at(-1)!
      from = last.position
      observe.batch?.(events.length, clock() - started, last)
      if (running.all().length === 0) return
    }
  } finally {
    await subscription.close()
  }
}

/** Store the states as this leader moves them on. @throws Failure `term-over`, PostgresUnavailable */
async function store(
  connection: Connection,
  readModels: ReadModels,
  states: readonly ProjectionState[],
  fencing: number,
): Promise<void> {
  const { text, values } = storeStates(readModels, states, fencing)
  await connection.query(text, values).catch((error: unknown) => {
    throw isOutpaced(error) ? new Failure('term-over', 'a projection was switched meanwhile') : error
  })
}

/**
 * Write the batch. If PostgreSQL refuses it, write its halves, until the refused event and its projection are known.
 */
async function advance(
  context: BatchContext,
  running: LiveProjections,
  events: readonly Recorded[],
  observe: ProjectorObserver,
  refused: ReadonlyMap<LiveProjection, FoldFailure> = new Map(),
): Promise<void> {
  try {
    for (const { live, failure } of await writeBatch(context, running, events, refused))
      observe.onStopped?.(live.projection.name, failure.code, failure.message)
  } catch (error) {
    if (!(error instanceof RowsRefused)) throw error
    if (events.length === 1) {
      const failure = { event: events[0]!, error: error.cause, ofFold: false }
      return advance(context, running, events, observe, new Map([...refused, [error.live, failure]]))
    }
    const half = events.length >> 1
    await advance(context, running, events.slice(0, half), observe)
    await advance({ ...context, from: events[half - 1]!.position }, running, events.slice(half), observe)
  }
}

function hasStopped({ readModels }: Pick<LeaderOptions, 'readModels'>, running: LiveProjections): boolean {
  return running.all().length < readModels.projections.length
}

/**
 * Pass over events that stopped a projection, drop retired tables and expired rows, and analyse tables that have grown.
 * Return false when the term must begin anew, because a look shows a projection that was switched, or resumed after
 * `running` was read.
 */
async function keepHouse(
  { postgres, readModels, retired, expired, statistics, passOverFaults }: LeaderOptions,
  running: LiveProjections,
  mustLook: boolean,
): Promise<boolean> {
  if (hasStopped({ readModels }, running)) await passOverFaults?.()
  const generations = new Map(running.all().map((live) => [live.projection.name, live.generation]))
  if (mustLook)
    for (const { name, status, generation } of await readStates(postgres, readModels))
      if (status === 'running' && generations.get(name) !== generation) return false
  await retired.drop()
  await expired.drop(generations)
  await statistics.gather()
  return true
}
