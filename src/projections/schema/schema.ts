import { lockSchemas } from '../../localSchema/migrate.ts'
import { type Connection, identifier, literal, type Postgres, type Queries } from '../../postgres.ts'
import type { Projection } from '../projection.ts'
import {
  addPrimaryKey,
  createIndexes,
  createTable,
  generationName,
  schemaName,
  snakeCase,
  tableName,
} from './sql.ts'

/** The schema of the read models, with a row in `projection` for each: how far it is, and of which generation. */

/** The lease of whoever projects into that schema. */
export const projectorLease = (schema: string): string => `projector/${schema}`

/** Why a projection stopped. */
export interface Failure {
  /** Of the error that stopped it, such as `undeclared-row`, `newer-release-running` or an SQLSTATE; else `error`. */
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
  /** Of the last event that its rows show; 0 for none. */
  readonly position: number
  /** Id of that event. */
  readonly eventId: string | null
  /** Which tables hold its rows. */
  readonly generation: number
  readonly failure: Failure | null
}

/** The note in a schema whose read models have never shown everything. */
export const underConstruction = 'under construction'

const checkNames = (projections: readonly Projection[]): void => {
  const owners = new Map([['projection', 'the engine']])
  for (const { name, tables } of projections)
    for (const table of Object.keys(tables)) {
      const owner = owners.get(snakeCase(table))
      if (owner) throw new Error(`projection ${name}: the table ${table} belongs to ${owner}`)
      owners.set(snakeCase(table), name)
    }
}

const createProjection = async (
  connection: Connection,
  schema: string,
  { name, version, tables }: Projection,
): Promise<void> => {
  for (const [tableKey, table] of Object.entries(tables)) {
    const sqlName = tableName(schema, tableKey, 1)
    await connection.query(
      [createTable(sqlName, table), addPrimaryKey(sqlName, table), ...createIndexes(sqlName, table)].join(
        ';\n',
      ),
    )
  }
  await connection.query(`INSERT INTO ${identifier(schema)}.projection (name, version) VALUES ($1, $2)`, [
    name,
    version,
  ])
}

/**
 * Makes the schema of these projections over that store, with empty tables, unless it is there; answers its
 * name. Several processes may do so at once. @throws PostgresUnavailable
 */
export const ensureSchema = async (
  postgres: Postgres,
  storeId: string,
  projections: readonly Projection[],
): Promise<string> => {
  checkNames(projections)
  const schema = schemaName(storeId, projections)
  await postgres.transaction(async (connection) => {
    await lockSchemas(connection)
    const [there] = await connection.query(`SELECT 1 FROM pg_namespace WHERE nspname = ${literal(schema)}`)
    if (there) return
    await connection.query(
      `CREATE SCHEMA ${identifier(schema)};
       COMMENT ON SCHEMA ${identifier(schema)} IS ${literal(underConstruction)};
       CREATE TABLE ${identifier(schema)}.projection (
         name text PRIMARY KEY,
         version integer NOT NULL,
         status text NOT NULL DEFAULT 'running',
         position bigint NOT NULL DEFAULT 0,
         event_id text,
         generation integer NOT NULL DEFAULT 1,
         failure jsonb
       )`,
    )
    for (const projection of projections) await createProjection(connection, schema, projection)
  })
  return schema
}

/** The tables that hold a projection's present rows, as its schema names them. */
export const presentTables = (
  projections: readonly Projection[],
  { name, generation }: Pick<ProjectionState, 'name' | 'generation'>,
): string[] =>
  Object.keys(projections.find((one) => one.name === name)?.tables ?? {}).map((table) =>
    generationName(table, generation),
  )

/** How far every projection of the schema is. */
export const readStates = (queries: Queries, schema: string): Promise<ProjectionState[]> =>
  queries.query<ProjectionState>(
    `SELECT name, version, status, position, event_id AS "eventId", generation, failure
     FROM ${identifier(schema)}.projection ORDER BY name`,
    [],
  )
