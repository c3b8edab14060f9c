import { literalOf, type Queries, quoteIdentifier } from '../../../stores/postgres/postgres.ts'
import type { ReadModels } from '../schema/readModels.ts'
import { type ProjectionState, readStates } from '../schema/schema.ts'
import { readSkips, type Skip } from '../schema/skips.ts'
import { type Condition, type ConditionsOptions, findConditions } from './conditions.ts'

/** The read models as operators see them, by command and by HTTP. */

export interface ProjectionStatus {
  readonly name: string
  readonly version: number
  readonly status: 'running' | Condition['status']
  readonly position: number
  /** Position of the store's last event. */
  readonly head: number
  /** Positions between the two. Some belong to events of the store itself, which nobody folds. */
  readonly lag: number
  /** The generation of the tables that hold its rows. A rebuild makes the next one. */
  readonly generation: number
  /** Its condition, and what to do; null while it is running. */
  readonly condition: Pick<Condition, 'what' | 'todo'> | null
  /** The position of the event that it stopped before. */
  readonly lastError: ProjectionState['failure']
  /** The events that an operator has let it skip. */
  readonly skipped: readonly Skip[]
}

export interface ProjectionReport extends ProjectionStatus {
  /** The rows of all its tables; null when a table is missing. */
  readonly rows: number | null
  /** Whether the number is an estimate from PostgreSQL's statistics, as for large tables. */
  readonly rowsAreEstimated: boolean
}

/** @throws StoreUnavailable, PostgresUnavailable */
export async function readProjectionStatuses(options: ConditionsOptions): Promise<ProjectionStatus[]> {
  const { eventStore, postgres, readModels } = options
  // The head of the store is read last, so that no projection seems to be ahead of it.
  const states = await readStates(postgres, readModels)
  const skips = await readSkips(postgres, readModels)
  const head = (await eventStore.last())?.position ?? 0
  const conditions = await findConditions(options, states)
  return states.map(({ name, version, position, generation, failure }) => {
    const condition = conditions.get(name)
    return {
      name,
      version,
      status: condition?.status ?? 'running',
      position,
      head,
      lag: Math.max(0, head - position),
      generation,
      condition: condition ? { what: condition.what, todo: condition.todo } : null,
      lastError: failure,
      skipped: skips.filter(({ projection }) => projection === name),
    }
  })
}

/** Tables up to this size are counted, row by row, in some milliseconds. */
const countedBytes = 32 * 1_048_576

interface Count {
  readonly name: string
  readonly rows: number
  readonly isCounted: boolean
}

/** @throws StoreUnavailable, PostgresUnavailable */
export async function reportOn(options: ConditionsOptions): Promise<ProjectionReport[]> {
  const { postgres, readModels } = options
  const statuses = await readProjectionStatuses(options)
  const tablesOf = ({ name, generation }: Pick<ProjectionStatus, 'name' | 'generation'>) =>
    readModels.tablesOf(name, generation).map((table) => table.name)
  const counts = await rowCounts(postgres, readModels, statuses.flatMap(tablesOf))
  return statuses.map(({ lastError, ...status }) => {
    const own = tablesOf(status).map((table) => counts.get(table))
    const whole = own.filter((count) => count !== undefined)
    return {
      ...status,
      rows: whole.length < own.length ? null : whole.reduce((sum, { rows }) => sum + rows, 0),
      rowsAreEstimated: whole.some(({ isCounted }) => !isCounted),
      lastError,
    }
  })
}

/** Return the number of rows of each table, by its name in the schema. For large tables it is from the last ANALYZE. */
async function rowCounts(
  queries: Queries,
  { schema }: ReadModels,
  names: readonly string[],
): Promise<ReadonlyMap<string, Count>> {
  const tables = await queries.query<Count>(
    `SELECT relname AS name, greatest(reltuples, 0)::bigint AS rows,
       pg_relation_size(oid) < ${countedBytes} AS "isCounted"
     FROM pg_class
     WHERE relkind = 'r' AND relnamespace = ${literalOf(schema)}::regnamespace AND relname = ANY($1)`,
    [names],
  )
  const counts = tables
    .filter(({ isCounted }) => isCounted)
    .map(({ name }) => {
      const table = `${quoteIdentifier(schema)}.${quoteIdentifier(name)}`
      return `SELECT ${literalOf(name)} AS name, count(*) AS rows, true AS "isCounted" FROM ${table}`
    })
  const counted = counts.length > 0 ? await queries.query<Count>(counts.join(' UNION ALL ')) : []
  return new Map([...tables, ...counted].map((count) => [count.name, count]))
}
