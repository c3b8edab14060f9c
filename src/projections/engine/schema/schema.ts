import { lockSchemas } from '../../../stores/localSchema/migrate.ts'
import {
  type Connection,
  literalOf,
  type Postgres,
  type Queries,
  quoteIdentifier,
} from '../../../stores/postgres/postgres.ts'
import type { Projection } from '../projection.ts'
import { type ReadModels, readModelsOf } from './readModels.ts'
import { addPrimaryKey, createIndexes, createTable, snakeCase } from './sql.ts'

/**
 * The schema of the read models. Its view `projection` shows the checkpoint of each, and which tables hold its rows.
 */

/** Why a projection stopped. */
export interface ProjectionFailure {
  /** The code of the error that stopped it, such as `undeclared-row` or an SQLSTATE; `error` for one without a code. */
  readonly code: string
  readonly message: string
  readonly stack?: string
  /** Whether the fold of the event threw, and not the writing of its rows. */
  readonly ofFold: boolean
  /** The event that it stopped before. */
  readonly event: {
    readonly id: string
    readonly type: string
    readonly streamName: string
    readonly revision: number
    readonly position: number
    readonly schemaVersion: number
    readonly companyIds: readonly string[]
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
  readonly failure: ProjectionFailure | null
}

/** The note in a schema whose read models have never shown everything. */
export const underConstruction = 'under construction'

/**
 * Make the schema of these projections over that store with empty tables, unless it is there, and return the read
 * models. Several processes may do so at once. @throws PostgresUnavailable
 */
export async function ensureSchema(
  postgres: Postgres,
  storeId: string,
  projections: readonly Projection[],
): Promise<ReadModels> {
  checkNames(projections)
  const readModels = readModelsOf(storeId, projections)
  if (await exists(postgres, readModels.schema)) return readModels
  await postgres.transaction(async (connection) => {
    await lockSchemas(connection)
    if (!(await exists(connection, readModels.schema))) await createSchema(connection, readModels)
  })
  return readModels
}

/** The name of the lease that the projector of that schema holds. */
export function projectorLease(schema: string): string {
  return `projector/${schema}`
}

/** Read the state of every projection of the schema. @throws PostgresUnavailable */
export function readStates(queries: Queries, readModels: ReadModels): Promise<ProjectionState[]> {
  return queries.query<ProjectionState>(`SELECT ${stateColumns} FROM ${readModels.states} ORDER BY name`, [])
}

export const stateColumns = 'name, version, status, position, event_id AS "eventId", generation, failure'

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
  const schemas = await queries.query(`SELECT 1 FROM pg_namespace WHERE nspname = ${literalOf(schema)}`)
  return schemas.length > 0
}

async function createSchema(
  connection: Connection,
  { schema, states, stateTable, checkpointTable, projections, tablesOf }: ReadModels,
): Promise<void> {
  await connection.query(
    `CREATE SCHEMA ${quoteIdentifier(schema)};
     COMMENT ON SCHEMA ${quoteIdentifier(schema)} IS ${literalOf(underConstruction)};
     CREATE TABLE ${checkpointTable} (position bigint NOT NULL, event_id text, fencing bigint);
     INSERT INTO ${checkpointTable} VALUES (0, NULL, NULL);
     CREATE TABLE ${stateTable} (
       name text PRIMARY KEY,
       version integer NOT NULL,
       status text NOT NULL DEFAULT 'running',
       position bigint,
       event_id text,
       generation integer NOT NULL DEFAULT 1,
       failure jsonb
     );
     CREATE VIEW ${states} AS
       SELECT s.name, s.version, s.status, coalesce(s.position, c.position) AS position,
         CASE WHEN s.position IS NULL THEN c.event_id ELSE s.event_id END AS event_id, s.generation, s.failure
       FROM ${stateTable} s CROSS JOIN ${checkpointTable} c`,
  )
  for (const { name, version } of projections) {
    const tables = tablesOf(name, 1)
    const statements = tables.flatMap(({ sqlName, table }) => [
      createTable(sqlName, table),
      addPrimaryKey(sqlName, table),
      ...createIndexes(sqlName, table),
    ])
    await connection.query(statements.join(';\n'))
    await connection.query(`INSERT INTO ${stateTable} (name, version) VALUES ($1, $2)`, [name, version])
  }
}
