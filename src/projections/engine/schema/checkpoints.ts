import type { Queries, Statement } from '../../../stores/postgres/postgres.ts'
import type { Checkpoint } from '../../../stores/subscription/checkpoint.ts'
import type { ReadModels } from './readModels.ts'
import type { ProjectionState } from './schema.ts'

/**
 * The checkpoints of the projections. All that are level share one row, so that a batch moves one row. A projection that
 * lags or has stopped has a checkpoint of its own. The shared row names the leader that may move it, by the fencing token
 * of its lease: another leader, or a rebuild that has switched a projection, takes the right away.
 */

/** A projection as it is stored. */
export interface StoredState extends Pick<ProjectionState, 'name' | 'generation' | 'status' | 'failure'> {
  /** Undefined while it is level with the shared checkpoint. */
  readonly own: Checkpoint | undefined
}

/** A move of the shared checkpoint. */
export interface Move {
  /** The fencing token of the leader that makes it. */
  readonly fencing: number
  /** The shared position before. */
  readonly from: number
  readonly to: Checkpoint
  /** The projections whose own checkpoint, status or generation changes with it. */
  readonly states: readonly StoredState[]
}

type Tables = Pick<ReadModels, 'checkpointTable' | 'stateTable'>

/** Let no leader before this one move a checkpoint. @throws PostgresUnavailable */
export async function claimCheckpoints(
  queries: Queries,
  { checkpointTable }: Tables,
  fencing: number,
): Promise<void> {
  await queries.query(`UPDATE ${checkpointTable} SET fencing = $1`, [fencing])
}

/** Return the place of the running projections that are farthest, and the states as they are stored beside it. */
export function shareCheckpoint(states: readonly ProjectionState[]): {
  readonly shared: Checkpoint
  readonly stored: readonly StoredState[]
} {
  const running = states.filter(({ status }) => status === 'running')
  const farthest = running.reduce<Checkpoint>(
    (most, state) => (state.position > most.position ? state : most),
    { position: 0, eventId: null },
  )
  const isLevel = (state: ProjectionState) =>
    state.status === 'running' && state.position === farthest.position && state.eventId === farthest.eventId
  return {
    shared: { position: farthest.position, eventId: farthest.eventId },
    stored: states.map((state) => ({
      ...state,
      own: isLevel(state) ? undefined : { position: state.position, eventId: state.eventId },
    })),
  }
}

/** The statement that stores the states anew. It divides by zero if `fencing` names a leader that has lost the right to. */
export function storeStates(
  { checkpointTable, stateTable }: Tables,
  states: readonly ProjectionState[],
  fencing: number | null,
): Statement {
  const { shared, stored } = shareCheckpoint(states)
  return {
    text: `WITH moved AS (
       UPDATE ${checkpointTable} SET position = $1, event_id = $2, fencing = $3
       WHERE $3::bigint IS NULL OR fencing = $3 RETURNING 1),
     stored AS (${storedSql(stateTable, '$4')})
     SELECT 1 / (SELECT count(*) FROM moved)`,
    values: [shared.position, shared.eventId, fencing, toJson(stored)],
  }
}

/**
 * The statement that moves the checkpoints and notifies every node. It divides by zero, which undoes the whole batch,
 * unless the shared checkpoint is where the leader knows it, and the leader may still move it.
 */
export function moveCheckpoints(
  { checkpointTable, stateTable }: Tables,
  { fencing, from, to, states }: Move,
  { channel, payload }: { readonly channel: string; readonly payload: string },
  mustLast: boolean,
): Statement {
  // Without waiting for the disk: a crash of PostgreSQL takes rows and checkpoints back together.
  const commit = mustLast ? '' : `, set_config('synchronous_commit', 'off', true)`
  const stored = states.length > 0 ? `, stored AS (${storedSql(stateTable, '$7')})` : ''
  const values = [to.position, to.eventId, fencing, from, channel, payload]
  return {
    text: `WITH moved AS (
       UPDATE ${checkpointTable} SET position = $1, event_id = $2 WHERE fencing = $3 AND position = $4 RETURNING 1)
       ${stored}
     SELECT 1 / (SELECT count(*) FROM moved), pg_notify($5, $6)${commit}`,
    values: states.length > 0 ? [...values, toJson(states)] : values,
  }
}

/** SQLSTATE `division_by_zero`. */
const divisionByZero = '22012'

/** Whether the error is that of a leader that has lost the right to move the checkpoints. */
export function isOutpaced(error: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === divisionByZero
}

function toJson(states: readonly StoredState[]): string {
  return JSON.stringify(
    states.map(({ name, generation, status, failure, own }) => ({
      name,
      generation,
      status,
      failure,
      position: own?.position,
      event_id: own?.eventId,
    })),
  )
}

function storedSql(stateTable: string, states: string): string {
  return `UPDATE ${stateTable} s
    SET generation = n.generation, status = n.status, failure = n.failure, position = n.position, event_id = n.event_id
    FROM jsonb_to_recordset(${states}::jsonb)
      AS n (name text, generation integer, status text, failure jsonb, position bigint, event_id text)
    WHERE s.name = n.name`
}
