import { type Connection, identifier, literal, type Postgres, type Queries } from '../../postgres.ts'
import type { Projection } from '../projection.ts'
import { copyProjection, copyWithinMs, findSources } from './copy.ts'
import { type ReadModels, readModelsOf } from './readModels.ts'
import { addPrimaryKey, analyze, createIndexes, createTable, projectionHash, snakeCase } from './sql.ts'

/** The schema of the read models, with a row in `projection` for each: its checkpoint, and which tables hold its rows. */

/** Why a projection stopped. */
export interface Failure {
  /** The code of the error that stopped it, such as `undeclared-row` or an SQLSTATE; `error` for one without a code. */
  readonly code: string
  readonly message: string
  readonly stack?: string
  /** The event that it stopped before. */
  readonly event: {
    readonly id: string
    readonly type: string
    readonly streamName: string
    readonly revision: number
    readonly position: number
    readonly schemaVersion: number
  }
  /** RFC 3339. */
  readonly at: string
}

export interface ProjectionState {
  readonly name: string
  readonly version: number
  readonly status: 'running' | 'failed'
  /** The position of the last event that its rows show; 0 for none. */
  readonly position: number
  /** Id of that event. */
  readonly eventId: string | null
  /** The generation of the tables that hold its rows. */
  readonly generation: number
  readonly failure: Failure | null
}

/** The note in a schema whose read models have never shown everything. */
export const underConstruction = 'under construction'

export interface EnsureOptions {
  /** Told of each projection whose rows are copied from another schema. */
  readonly onCopied?: (projection: string, from: string) => void
  /** Ends a copy under way: then nothing has been made. */
  readonly signal?: AbortSignal
}

/**
 * Make the schema of these projections over that store unless it is there, and return the read models. Rows that
 * another release has folded in the same way are copied with their checkpoint, all of one snapshot; the other tables
 * are empty. Several processes may do so at once. @throws PostgresUnavailable
 */
export async function ensureSchema(
  postgres: Postgres,
  storeId: string,
  projections: readonly Projection[],
  options: EnsureOptions = {},
): Promise<ReadModels> {
  checkNames(projections)
  const readModels = readModelsOf(storeId, projections)
  const { schema } = readModels
  if (await exists(postgres, schema)) return readModels
  const connection = await postgres.connect()
  const end = () => connection.release(true)
  options.signal?.addEventListener('abort', end)
  let broken = true
  try {
    // The session holds the lock, because the snapshot must not be older than the lock.
    const lock = `hashtextextended(${literal(schema)}, 0)`
    await connection.query(`SELECT pg_advisory_lock(${lock})`, undefined, { withinMs: copyWithinMs })
    await connection.query('BEGIN ISOLATION LEVEL REPEATABLE READ')
    if (!(await exists(connection, schema))) await createSchema(connection, readModels, options)
    await connection.query('COMMIT')
    await connection.query(`SELECT pg_advisory_unlock(${lock})`)
    broken = false
  } finally {
    options.signal?.removeEventListener('abort', end)
    connection.release(broken)
  }
  return readModels
}

/** The name of the lease that the projector of that schema holds. */
export function projectorLease(schema: string): string {
  return `projector/${schema}`
}

/** How far every projection of the schema is. @throws PostgresUnavailable */
export function readStates(queries: Queries, { checkpointTable }: ReadModels): Promise<ProjectionState[]> {
  return queries.query<ProjectionState>(
    `SELECT name, version, status, position, event_id AS "eventId", generation, failure
     FROM ${checkpointTable} ORDER BY name`,
    [],
  )
}

/** @throws Error when two projections have a table of one name */
function checkNames(projections: readonly Projection[]): void {
  const owners = new Map([['projection', 'the engine']])
  for (const { name, tables } of projections)
    for (const table of Object.keys(tables)) {
      const owner = owners.get(snakeCase(table))
      if (owner) throw new Error(`projection ${name}: the table ${table} belongs to ${owner}`)
      owners.set(snakeCase(table), name)
    }
}

async function exists(queries: Queries, schema: string): Promise<boolean> {
  const found = await queries.query(`SELECT 1 FROM pg_namespace WHERE nspname = ${literal(schema)}`)
  return found.length > 0
}

async function createSchema(
  connection: Connection,
  readModels: ReadModels,
  { onCopied = () => {} }: EnsureOptions,
): Promise<void> {
  const { schema, checkpointTable } = readModels
  await connection.query(
    `CREATE SCHEMA ${identifier(schema)};
     COMMENT ON SCHEMA ${identifier(schema)} IS ${literal(underConstruction)};
     CREATE TABLE ${checkpointTable} (
       name text PRIMARY KEY,
       version integer NOT NULL,
       hash text NOT NULL,
       status text NOT NULL DEFAULT 'running',
       position bigint NOT NULL DEFAULT 0,
       event_id text,
       generation integer NOT NULL DEFAULT 1,
       failure jsonb
     );
     COMMENT ON COLUMN ${checkpointTable}.hash IS
       'Two projections of one hash fold the same events to the same rows.'`,
  )
  const sources = await findSources(connection, readModels)
  for (const projection of readModels.projections) {
    const source = sources.get(projection.name)
    const tables = readModels.tablesOf(projection.name, 1)
    await connection.query(tables.map(({ sqlName, table }) => createTable(sqlName, table)).join(';\n'))
    const isCopied =
      source !== undefined && (await copyProjection(connection, readModels, projection, source))
    if (isCopied) onCopied(projection.name, source.schema)
    else await insertProjection(connection, readModels, projection)
    for (const { sqlName, table } of tables) {
      const statements = [addPrimaryKey(sqlName, table), ...createIndexes(sqlName, table)]
      // An empty table grows: a plan that is right for few rows would then read all of it for a single one.
      if (isCopied) statements.push(analyze(sqlName))
      await connection.query(statements.join(';\n'), undefined, { withinMs: copyWithinMs })
    }
  }
}

async function insertProjection(
  connection: Connection,
  { checkpointTable }: ReadModels,
  projection: Projection,
): Promise<void> {
  await connection.query(`INSERT INTO ${checkpointTable} (name, version, hash) VALUES ($1, $2, $3)`, [
    projection.name,
    projection.version,
    projectionHash(projection),
  ])
}
