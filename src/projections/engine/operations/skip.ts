import { isRefusal } from '../../../domain/kernel/refusal.ts'
import { Failure, isFailure } from '../../../lib/failure.ts'
import type { EventStore } from '../../../stores/eventStore.ts'
import type { Postgres, Queries } from '../../../stores/postgres/postgres.ts'
import { checkHistory } from '../../../stores/subscription/checkpoint.ts'
import type { Projection } from '../projection.ts'
import type { ReadModels } from '../schema/readModels.ts'
import { type ProjectionFailure, type ProjectionState, readStates } from '../schema/schema.ts'
import { dropAutomaticSkip, readSkips, recordSkip, type Skip } from '../schema/skips.ts'
import { replayLock, replayUnderWay } from './replay.ts'

/** A projection that has stopped passes over the event that it stopped at: by itself, or when an operator says so. */

interface SkipOptions {
  readonly eventStore: EventStore
  readonly postgres: Postgres
  readonly readModels: ReadModels
}

/** Whether the projection is right enough without one event of that type. */
export function maySkip({ skippable }: Pick<Projection, 'skippable'>, eventType: string): boolean {
  return skippable === undefined || skippable.includes(eventType)
}

/**
 * Record that the projection passes over the event at which it has stopped, and let it run again where it is: its
 * leader takes it up within a second. If it has not stopped, confirm the first event that it passes over by itself, so
 * that decisions rely on its rows again.
 * @throws Failure `nothing-to-skip`, Refusal `run-under-way`, Failure `event-store-went-back`, StoreUnavailable,
 * PostgresUnavailable; then nothing has changed
 */
export async function skipEvent(
  options: SkipOptions,
  projection: Projection,
  reason: string,
): Promise<Omit<Skip, 'skippedAt'>> {
  const { postgres, readModels } = options
  const state = await stateOf(postgres, readModels, projection)
  const passed = (await readSkips(postgres, readModels)).find(
    (skip) => skip.projection === projection.name && skip.automatic,
  )
  if (state.status === 'running' && passed) return confirm(options, { ...passed, reason, automatic: false })
  return resume(options, { ...skipOf(projection, state), reason, automatic: false })
}

/**
 * Let the projections that have stopped at an event that this release can never fold pass over it, unless an operator
 * must decide. @throws Failure `event-store-went-back`, StoreUnavailable, PostgresUnavailable
 */
export async function passOverFaults(options: SkipOptions, most = mostPassedOver): Promise<void> {
  const { postgres, readModels } = options
  const stopped = (await readStates(postgres, readModels)).filter(({ failure }) => failure)
  if (stopped.length === 0) return
  const skips = (await readSkips(postgres, readModels)).filter(({ automatic }) => automatic)
  for (const state of stopped) {
    const projection = readModels.find(state.name)
    const { code, message, event } = state.failure!
    if (!projection || !isFaultOfEvent(state.failure!) || !maySkip(projection, event.type)) continue
    if (skips.filter((skip) => skip.projection === state.name).length >= most) continue
    const skip = { ...skipOf(projection, state), reason: `${code}: ${message}`, automatic: true }
    await resume(options, skip).catch((error: unknown) => {
      // A rebuild under way folds the event itself. The next look decides.
      if (!(isRefusal(error, 'run-under-way') || isFailure(error, 'nothing-to-skip'))) throw error
    })
  }
}

/** A projection that cannot fold so many events has a fault of its own: it stops, so that somebody looks at it. */
const mostPassedOver = 100

/**
 * Whether the event would stop the projection whenever it is folded: its fold threw, or PostgreSQL refused the values
 * (SQLSTATE class 22) or missed one (23502). Other errors may be the fault of the tables, of the engine or of the
 * machine.
 */
function isFaultOfEvent({ code, ofFold }: ProjectionFailure): boolean {
  if (ofFold) return code !== 'newer-release-running'
  return /^22[0-9A-Z]{3}$/.test(code) || code === '23502' || code === 'unstorable-text'
}

/** Record the skip as an operator's. */
async function confirm({ postgres, readModels }: SkipOptions, skip: Skip): Promise<Skip> {
  await postgres.transaction(async (connection) => {
    await recordSkip(connection, readModels, skip)
    await dropAutomaticSkip(connection, readModels, skip)
    await announce(connection, readModels)
  })
  return skip
}

/** Record the skip, and let the projection run again from where it stopped. */
async function resume<Passed extends Omit<Skip, 'skippedAt'>>(
  { eventStore, postgres, readModels }: SkipOptions,
  skip: Passed,
): Promise<Passed> {
  const { projection, eventId } = skip
  await checkHistory(eventStore, skip)
  await postgres.transaction(async (connection) => {
    // A rebuild that has begun goes by what was to be passed over then.
    const [lock] = await connection.query<{ free: boolean }>(
      `SELECT pg_try_advisory_xact_lock(${replayLock(readModels, projection)}) AS free`,
    )
    if (!lock!.free) throw replayUnderWay(projection)
    const resumed = await connection.query(
      `UPDATE ${readModels.stateTable} SET status = 'running', failure = NULL
       WHERE name = $1 AND status = 'failed' AND failure->'event'->>'id' = $2 RETURNING 1`,
      [projection, eventId],
    )
    if (resumed.length === 0)
      throw new Failure(
        'nothing-to-skip',
        `${projection} has been brought back meanwhile: nothing was skipped`,
      )
    await recordSkip(connection, readModels, skip)
    await announce(connection, readModels)
  })
  return skip
}

/** Send a notice that says nothing: nodes look at once, and drop the lists that they keep. */
async function announce(queries: Queries, { schema }: ReadModels): Promise<void> {
  await queries.query('SELECT pg_notify($1, $2)', [schema, ''])
}

async function stateOf(
  postgres: Postgres,
  readModels: ReadModels,
  { name }: Projection,
): Promise<ProjectionState> {
  return (await readStates(postgres, readModels)).find((state) => state.name === name)!
}

/** @throws Failure `nothing-to-skip` */
function skipOf(
  projection: Projection,
  { status, failure }: ProjectionState,
): Omit<Skip, 'skippedAt' | 'reason' | 'automatic'> {
  const { name } = projection
  if (status !== 'failed' || !failure)
    throw new Failure('nothing-to-skip', `${name} has not stopped at an event: there is nothing to skip`)
  const { id, type, streamName, position, companyIds } = failure.event
  if (!maySkip(projection, type))
    throw new Failure(
      'nothing-to-skip',
      `${name} has stopped at ${type}, which may take access away: without it somebody would get in who must not. ` +
        `Run a release that can fold this event, then "heatmark projections rebuild ${name}"`,
    )
  return { projection: name, eventId: id, eventType: type, streamName, position, companyIds }
}
