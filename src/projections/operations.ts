import type { EventStore } from '../eventStore.ts'
import { identifier, literal, type Postgres, PostgresUnavailable } from '../postgres.ts'
import type { Projection } from './projection.ts'
import { carryOut, findRun, type Run, type RunKind } from './runs.ts'
import { type ProjectionState, readStates } from './schema.ts'
import { generationName } from './sql.ts'

/** What operators see of the read models, and have a running service do with them. */
export interface Operations {
  /** @throws StoreUnavailable, PostgresUnavailable */
  report(): Promise<readonly ProjectionReport[]>
  /**
   * Begins a run in this process, which has room for one at a time. Answers its id once it is under way.
   * @throws BusyWith, ReplayUnderWay, FoldFailed, WentBack, StoreUnavailable, PostgresUnavailable
   */
  start(kind: RunKind, projection: Projection): Promise<string>
  /** @throws PostgresUnavailable */
  find(runId: string): Promise<Run | undefined>
  /** Breaks off the run under way; nothing of it is left behind but its row. */
  close(): Promise<void>
}

export interface ProjectionReport {
  readonly name: string
  readonly version: number
  readonly status: 'running' | 'failed'
  readonly position: number
  /** Position of the store's last event. */
  readonly head: number
  /** Positions between them: those of the events, and of the store's own, which nobody folds. */
  readonly lag: number
  /** In all its tables; of large ones about how many, as PostgreSQL's statistics have it. */
  readonly rows: number
  readonly lastError: ProjectionState['failure']
}

/** This process carries out another run. */
export class BusyWith extends Error {
  override readonly name = 'BusyWith'
  readonly runId: string
  constructor(runId: string) {
    super(`this process is busy with run ${runId}`)
    this.runId = runId
  }
}

export interface OperationsOptions {
  readonly eventStore: EventStore
  /** A pool of its own, of three connections: two for the fold, one for all else. */
  readonly postgres: Postgres
  /** What requests wait for is asked here: it has a time limit, which a fold cannot have. */
  readonly requests: Postgres
  readonly schema: string
  readonly projections: readonly Projection[]
  readonly newId: () => string
  readonly clock: () => number
}

/** As a rule a run begins at once. */
const beginWithinMs = 20_000

/** Tables up to this size are counted, row by row, in some milliseconds. */
const countedBytes = 32 * 1_048_576

/**
 * How many rows each table has, by the name that it has in the schema; of large ones about how many, as they
 * were last analysed.
 */
const rowCounts = async (
  postgres: Postgres,
  schema: string,
  names: readonly string[],
): Promise<ReadonlyMap<string, number>> => {
  const tables = await postgres.query<{ name: string; rows: number; small: boolean }>(
    `SELECT relname AS name, greatest(reltuples, 0)::bigint AS rows,
       pg_relation_size(oid) < ${countedBytes} AS small
     FROM pg_class
     WHERE relkind = 'r' AND relnamespace = ${literal(schema)}::regnamespace AND relname = ANY($1)`,
    [names],
  )
  const counts = tables
    .filter(({ small }) => small)
    .map(({ name }) => {
      const table = `${identifier(schema)}.${identifier(name)}`
      return `SELECT ${literal(name)} AS name, count(*) AS rows FROM ${table}`
    })
  const counted =
    counts.length > 0 ? await postgres.query<{ name: string; rows: number }>(counts.join(' UNION ALL ')) : []
  return new Map([...tables, ...counted].map(({ name, rows }) => [name, rows]))
}

/** @throws StoreUnavailable, PostgresUnavailable */
export const reportOn = async ({
  eventStore,
  postgres,
  schema,
  projections,
}: Pick<OperationsOptions, 'eventStore' | 'postgres' | 'schema' | 'projections'>): Promise<
  ProjectionReport[]
> => {
  // In this order, so that nothing seems to be ahead of the store.
  const states = await readStates(postgres, schema)
  const head = (await eventStore.last())?.position ?? 0
  const tablesOf = ({ name, generation }: ProjectionState): string[] =>
    Object.keys(projections.find((one) => one.name === name)?.tables ?? {}).map((table) =>
      generationName(table, generation),
    )
  const counts = await rowCounts(postgres, schema, states.flatMap(tablesOf))
  return states.map((state) => {
    const { name, version, status, position, failure } = state
    const rows = tablesOf(state).map((table) => counts.get(table) ?? 0)
    return {
      name,
      version,
      status,
      position,
      head,
      lag: Math.max(0, head - position),
      rows: rows.reduce((sum, count) => sum + count, 0),
      lastError: failure,
    }
  })
}

/** @throws PostgresUnavailable when a run has not begun in time; it may still begin */
const inGoodTime = async (begun: Promise<unknown>): Promise<void> => {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => late.reject(new PostgresUnavailable(new Error('timeout: the run has not begun'), false)),
    beginWithinMs,
  )
  await Promise.race([begun, late.promise]).finally(() => clearTimeout(timer))
}

export const createOperations = (options: OperationsOptions): Operations => {
  const { requests, schema, newId } = options
  const closing = new AbortController()
  let under: { readonly runId: string; readonly ended: Promise<unknown> } | undefined

  return {
    report: () => reportOn({ ...options, postgres: requests }),
    async start(kind, projection) {
      if (under) throw new BusyWith(under.runId)
      const runId = newId()
      const begun = Promise.withResolvers<void>()
      const run = carryOut({
        ...options,
        ...{ runId, kind, projections: [projection], signal: closing.signal },
        onProgress: () => begun.resolve(),
      })
      const ended = run.finally(() => {
        under = undefined
      })
      under = { runId, ended: ended.catch(() => {}) }
      await inGoodTime(Promise.race([begun.promise, ended]))
      return runId
    },
    find: (runId) => findRun(requests, schema, runId),
    async close() {
      closing.abort(new Error('broken off: the service was stopped'))
      await under?.ended
    },
  }
}
