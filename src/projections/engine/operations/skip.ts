import type { EventStore } from '../../../stores/eventStore.ts'
import type { Postgres } from '../../../stores/postgres/postgres.ts'
import { checkHistory } from '../../../stores/subscription/checkpoint.ts'
import type { Projection } from '../projection.ts'
import type { ReadModels } from '../schema/readModels.ts'
import { type ProjectionState, readStates } from '../schema/schema.ts'
import { recordSkip, type Skip } from '../schema/skips.ts'
import { ReplayUnderWay, replayLock } from './replay.ts'

/** A projection that has stopped may pass over the event that it stopped at, when an operator says so. */

export interface SkipOptions {
  readonly eventStore: EventStore
  readonly postgres: Postgres
  readonly readModels: ReadModels
}

/** There is no event that this projection may pass over. */
export class NothingToSkip extends Error {
  override readonly name = 'NothingToSkip'
}

/** Whether the projection is right enough without one event of that type. */
export function maySkip({ skippable }: Pick<Projection, 'skippable'>, eventType: string): boolean {
  return skippable === undefined || skippable.includes(eventType)
}

/**
 * Record that the projection passes over the event at which it has stopped, and let it run again where it is: its
 * leader takes it up within a second.
 * @throws NothingToSkip, ReplayUnderWay, Rewound, StoreUnavailable, PostgresUnavailable; then nothing has changed
 */
export async function skipEvent(
  { eventStore, postgres, readModels }: SkipOptions,
  projection: Projection,
  reason: string,
): Promise<Omit<Skip, 'skippedAt'>> {
  const skip = skipOf(projection, await stateOf(postgres, readModels, projection), reason)
  await checkHistory(eventStore, skip)
  await postgres.transaction(async (connection) => {
    // A rebuild that has begun goes by what was to be passed over then.
    const [lock] = await connection.query<{ free: boolean }>(
      `SELECT pg_try_advisory_xact_lock(${replayLock(readModels, projection.name)}) AS free`,
    )
    if (!lock!.free) throw new ReplayUnderWay(projection.name)
    const resumed = await connection.query(
      `UPDATE ${readModels.checkpointTable} SET status = 'running', failure = NULL
       WHERE name = $1 AND status = 'failed' AND failure->'event'->>'id' = $2 RETURNING 1`,
      [projection.name, skip.eventId],
    )
    if (resumed.length === 0)
      throw new NothingToSkip(`${projection.name} has been brought back meanwhile: nothing was skipped`)
    await recordSkip(connection, readModels, skip)
    // A notice that says nothing: nodes look at once.
    await connection.query('SELECT pg_notify($1, $2)', [readModels.schema, ''])
  })
  return skip
}

async function stateOf(
  postgres: Postgres,
  readModels: ReadModels,
  { name }: Projection,
): Promise<ProjectionState> {
  return (await readStates(postgres, readModels)).find((state) => state.name === name)!
}

/** @throws NothingToSkip */
function skipOf(
  projection: Projection,
  { status, failure }: ProjectionState,
  reason: string,
): Omit<Skip, 'skippedAt'> {
  const { name } = projection
  if (status !== 'failed' || !failure)
    throw new NothingToSkip(`${name} has not stopped at an event: there is nothing to skip`)
  const { id, type, streamName, position } = failure.event
  if (!maySkip(projection, type))
    throw new NothingToSkip(
      `${name} has stopped at ${type}, which may take access away: without it somebody would get in who must not. ` +
        `Run a release that can fold this event, then "heatmark projections rebuild ${name}"`,
    )
  return { projection: name, eventId: id, eventType: type, streamName, position, reason }
}
