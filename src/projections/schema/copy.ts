import { type Connection, isMissing, isRefused, literal } from '../../postgres.ts'
import type { Projection } from '../projection.ts'
import type { ReadModels } from './readModels.ts'
import { checkpointTable, columnNames, projectionHash, storePrefixOf, tableName } from './sql.ts'

/** Rows that another release has folded already, taken over into a new schema instead of being folded again. */

/** A projection's rows in the schema of another release. */
export interface Source {
  readonly schema: string
  readonly name: string
  readonly hash: string
  readonly position: number
  readonly eventId: string
  readonly generation: number
}

/** Copying a table takes as long as it takes; this is for a server that has died without a word. */
export const copyWithinMs = 6 * 3_600_000

/**
 * Where each projection can be copied from: the furthest of those that fold the same events to the same rows and are
 * running, by name. @throws PostgresUnavailable
 */
export async function findSources(
  connection: Connection,
  { schema, projections }: ReadModels,
): Promise<ReadonlyMap<string, Source>> {
  const hashes = new Set(projections.map(projectionHash))
  const found: Source[] = []
  for (const other of await otherSchemas(connection, schema))
    found.push(...((await ifReadable(connection, () => runningIn(connection, other))) ?? []))
  const usable = found.filter(({ hash }) => hashes.has(hash)).sort((a, b) => a.position - b.position)
  return new Map(usable.map((source) => [source.name, source]))
}

/**
 * Copy rows and checkpoint from `source` into the tables of the first generation, which are empty; false when the
 * source cannot be read, and then nothing is copied. @throws PostgresUnavailable
 */
export async function copyProjection(
  connection: Connection,
  { checkpointTable, tablesOf }: ReadModels,
  { name, version }: Projection,
  source: Source,
): Promise<boolean> {
  const copied = await ifReadable(connection, async () => {
    for (const { key, table, sqlName } of tablesOf(name, 1)) {
      const columns = columnNames(Object.keys(table.columns))
      await connection.query(
        `INSERT INTO ${sqlName} (${columns})
         SELECT ${columns} FROM ${tableName(source.schema, key, source.generation)}`,
        undefined,
        { withinMs: copyWithinMs },
      )
    }
    await connection.query(
      `INSERT INTO ${checkpointTable} (name, version, hash, position, event_id)
       VALUES ($1, $2, $3, $4, $5)`,
      [name, version, source.hash, source.position, source.eventId],
    )
    return true
  })
  return copied ?? false
}

/** The schemas of the same store that say what their projections were folded by. */
async function otherSchemas(connection: Connection, schema: string): Promise<string[]> {
  const rows = await connection.query<{ name: string }>(
    `SELECT nspname AS name FROM pg_namespace n
     JOIN pg_class c ON c.relnamespace = n.oid AND relname = 'projection'
     JOIN pg_attribute a ON a.attrelid = c.oid AND attname = 'hash'
     WHERE starts_with(nspname, ${literal(storePrefixOf(schema))}) AND nspname <> ${literal(schema)}`,
  )
  return rows.map(({ name }) => name)
}

function runningIn(connection: Connection, schema: string): Promise<Source[]> {
  return connection.query<Source>(
    `SELECT ${literal(schema)} AS schema, name, hash, position, event_id AS "eventId", generation
     FROM ${checkpointTable(schema)} WHERE status = 'running' AND position > 0`,
  )
}

/**
 * Do `work`, or nothing of it where a table or column is missing, because somebody has dropped it by hand or by
 * pruning, or may not be read by this role.
 */
async function ifReadable<Result>(
  connection: Connection,
  work: () => Promise<Result>,
): Promise<Result | undefined> {
  await connection.query('SAVEPOINT work')
  try {
    return await work()
  } catch (error) {
    if (!isMissing(error) && !isRefused(error)) throw error
    await connection.query('ROLLBACK TO SAVEPOINT work')
    return undefined
  }
}
