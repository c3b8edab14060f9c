import { localVersion, migrateLocal, readLocalSchemaStatus } from '../../stores/localSchema/migrate.ts'
import { type Migration, migrations } from '../../stores/localSchema/migrations.ts'
import { localTablesThat } from '../../stores/localSchema/tables.ts'
import { type Connection, type Postgres, quoteIdentifier } from '../../stores/postgres/postgres.ts'

/** The rows of `heatmark_local` that a backup holds: those of the tables that the registry says. */
export interface LocalRows {
  /** The version of `heatmark_local` when the rows were taken. */
  readonly version: number
  readonly rows: Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>
}

/**
 * Take all as of one moment; undefined before the first start of a service. Take them before the events: a
 * checkpoint must not be ahead of what is saved.
 * @throws PostgresUnavailable; Error of one line when a newer release may have put rows elsewhere
 */
export async function takeLocalRows(postgres: Postgres): Promise<LocalRows | undefined> {
  return postgres.transaction(async (connection) => {
    await connection.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ')
    const status = await readLocalSchemaStatus(connection)
    if (!status) return undefined
    const { version } = status
    if (version > localVersion)
      throw new Error(
        `schema heatmark_local is at version ${version}, of a newer release, and this one knows ${localVersion}: back up with the newer release`,
      )
    const rows: Record<string, LocalRows['rows'][string]> = {}
    for (const table of localTablesThat(({ inBackups }) => inBackups)) {
      // The schema may lack tables of this release while it has not been migrated.
      if ((await columnsOf(connection, table)).length === 0) continue
      const [taken] = await connection.query<{ rows: LocalRows['rows'][string] }>(
        `SELECT coalesce(jsonb_agg(t), '[]') AS rows FROM heatmark_local.${quoteIdentifier(table)} t`,
      )
      rows[table] = taken!.rows
    }
    return { version, rows }
  })
}

/**
 * Put them into a database that has none yet. They go into the tables as they were when the rows were taken, so
 * that later migrations change the rows as they would have done. @throws PostgresUnavailable
 */
export async function loadLocalRows(
  postgres: Postgres,
  { version, rows }: LocalRows,
  steps: readonly Migration[] = migrations,
): Promise<void> {
  await migrateLocal(postgres, steps.slice(0, version))
  await postgres.transaction(async (connection) => {
    for (const [table, saved] of Object.entries(rows)) {
      if (saved.length === 0) continue
      const there = await columnsOf(connection, table)
      const columns = Object.keys(saved[0]!).filter((name) => there.includes(name))
      const names = columns.map(quoteIdentifier).join(', ')
      const sqlName = `heatmark_local.${quoteIdentifier(table)}`
      await connection.query(
        `INSERT INTO ${sqlName} (${names}) SELECT ${names} FROM jsonb_populate_recordset(NULL::${sqlName}, $1::jsonb)`,
        [JSON.stringify(saved)],
      )
    }
  })
  await migrateLocal(postgres, steps)
}

export function countRows({ rows }: LocalRows): number {
  return Object.values(rows).reduce((sum, { length }) => sum + length, 0)
}

/** The columns of one of its tables; none where there is no such table. */
async function columnsOf(connection: Connection, table: string): Promise<readonly string[]> {
  const rows = await connection.query<{ name: string }>(
    `SELECT attname AS name FROM pg_attribute
     WHERE attrelid = to_regclass($1) AND attnum > 0 AND NOT attisdropped`,
    [`heatmark_local.${quoteIdentifier(table)}`],
  )
  return rows.map(({ name }) => name)
}
