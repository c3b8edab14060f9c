import { setTimeout as sleep } from 'node:timers/promises'
import { type EventStore, StoreUnavailable } from '../../../stores/eventStore.ts'
import type { Connection } from '../../../stores/postgres/postgres.ts'
import { checkHistories, storeRewound } from '../../../stores/subscription/checkpoint.ts'
import { storeStates } from '../schema/checkpoints.ts'
import type { ReadModels } from '../schema/readModels.ts'
import { type ProjectionState, readStates } from '../schema/schema.ts'
import { type Replay, type ReplayOptions, replay, retryMs, type Targets } from './replay.ts'

/** Build projections again from the first event, while the present rows are read and updated. */

export interface Rebuilt {
  /** Events read. */
  readonly events: number
  readonly projections: readonly {
    readonly name: string
    readonly generation: number
    readonly position: number
  }[]
}

/** The last step folds at most this many events, so that it takes no longer than a batch. */
const nearlyThere = 5_000
const there = 200
const standStillMs = 10_000

/**
 * The target of each projection is its checkpoint, or for a stopped projection the checkpoint of the others. No projection
 * returns to an earlier position, because nodes rely on every position that they have heard of.
 */
export const liveTargets =
  (eventStore: EventStore): Targets =>
  async (states) => {
    const running = states.filter(({ status }) => status === 'running')
    const live =
      running.length > 0
        ? Math.max(...running.map(({ position }) => position))
        : ((await eventStore.last())?.position ?? 0)
    return new Map(
      states.map(({ name, status, position }) => [
        name,
        status === 'running' ? position : Math.max(position, live),
      ]),
    )
  }

/** Fill the shadows, with their keys and indexes, until they are close behind their targets. */
export async function fill({ shadows, follow }: Replay, targets: Targets): Promise<void> {
  await follow(targets, nearlyThere)
  for (const shadow of shadows) await shadow.index()
  await follow(targets, there)
}

/**
 * Check that a shadow at the position of its projection has the same event, so that two histories never mix. @throws
 * Failure `event-store-went-back`
 */
export function checkSameHistory({ shadows }: Replay, states: readonly ProjectionState[]): void {
  for (const { projection, checkpoint } of shadows) {
    const state = states.find(({ name }) => name === projection.name)!
    if (state.position === checkpoint.position && state.eventId !== checkpoint.eventId)
      throw storeRewound(
        `${projection.name} was folded up to event ${state.eventId} at position ` +
          `${state.position}; now the store has event ${checkpoint.eventId} there`,
      )
  }
}

/**
 * Rebuild projections from the first event on. Stopped projections run again afterwards. The live projector drops the old
 * tables once no read can still use them.
 * @throws Failure `fold-failed`, Failure `event-store-went-back`, ReplayUnderWay; then everything is as it was.
 * PostgresUnavailable; then it is, too, unless the connection was lost while it switched: it may have switched
 */
export function rebuild(options: ReplayOptions): Promise<Rebuilt> {
  return replay(options, async (run) => {
    const targets = liveTargets(options.eventStore)
    await fill(run, targets)
    while (!(await switchOver(options, run))) {
      await sleep(retryMs)
      await run.follow(targets, there)
    }
    const projections = run.shadows.map(({ projection, generation, checkpoint }) => ({
      name: projection.name,
      generation,
      position: checkpoint.position,
    }))
    return { result: { events: run.events, projections }, inUse: true }
  })
}

/** Hold all projections where they are until the transaction ends. A batch takes its locks in the same order. */
function lockStates(connection: Connection, { checkpointTable, stateTable }: ReadModels) {
  return connection.query(`LOCK TABLE ${checkpointTable}, ${stateTable} IN SHARE ROW EXCLUSIVE MODE`)
}

/** Make the generation of the shadows the present one. Every read that begins from now on sees it. */
async function present(
  { connection, shadows }: Replay,
  readModels: ReadModels,
  states: readonly ProjectionState[],
): Promise<void> {
  const switched = new Map(
    shadows.map(({ projection: { name }, generation, checkpoint }) => [name, { generation, ...checkpoint }]),
  )
  const { text, values } = storeStates(
    readModels,
    states.map((state) => {
      const shadow = switched.get(state.name)
      return shadow ? { ...state, ...shadow, status: 'running', failure: null } : state
    }),
    null,
  )
  await connection.query(text, values)
  // An empty notice tells the nodes that anything may have changed.
  await connection.query('SELECT pg_notify($1, $2)', [readModels.schema, ''])
}

/** Fold the missing events while the live rows stand still, and switch. Return false when that would take long. */
async function switchOver(options: ReplayOptions, run: Replay): Promise<boolean> {
  const { eventStore, readModels } = options
  const { connection, shadows } = run
  // Rows that are still being written must not be rolled back with this transaction.
  for (const shadow of shadows) await shadow.flush()
  await connection.query('BEGIN')
  try {
    // No projector can work meanwhile, so a process that hangs here must not hold the locks.
    await connection.query(`SET LOCAL idle_in_transaction_session_timeout = ${standStillMs}`)
    await lockStates(connection, readModels)
    const states = await readStates(connection, readModels)
    const targets = await liveTargets(eventStore)(states)
    const missing = await run.missing(targets)
    if (missing.length > nearlyThere) {
      await connection.query('ROLLBACK')
      return false
    }
    // This is the last question to the store. Once rows are written here, giving up would lose them.
    await checkHistories(eventStore, states)
    await run.fold(missing, targets)
    for (const shadow of shadows) await shadow.flush()
    checkSameHistory(run, states)
    await present(run, readModels, states)
    await connection.query('COMMIT')
    return true
  } catch (error) {
    await connection.query('ROLLBACK')
    if (error instanceof StoreUnavailable) return false
    throw error
  }
}
