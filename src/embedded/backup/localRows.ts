import { identifier, type Postgres } from '../../postgres.ts'
import { migrateLocal } from '../../projections/schema/local.ts'

/**
 * What PostgreSQL holds that is not built again from the events. Last uses of API keys are nowhere else;
 * cursors and progress of the rule packs could be found again, by evaluating everything once more. Leases are
 * of processes that have ended by the time of a restore, and operators' runs tell of read models that are
 * built anew: they stay behind.
 */
const tables = ['last_used', 'policy_cursor', 'rule_evaluation'] as const

export interface LocalRows {
  readonly version: number
  readonly rows: Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>
}

/**
 * All as of one moment; undefined before the first start of a service. To be taken before the events: a
 * cursor must not be ahead of what is saved.
 * @throws PostgresUnavailable
 */
export const takeLocalRows = async (postgres: Postgres): Promise<LocalRows | undefined> => {
  const [there] = await postgres.query<{ there: boolean }>(
    "SELECT to_regclass('heatmark_local.version') IS NOT NULL AS there",
  )
  if (!there!.there) return undefined
  const columns = tables.map(
    (table) => `(SELECT coalesce(jsonb_agg(t), '[]') FROM heatmark_local.${identifier(table)} t) AS ${table}`,
  )
  const [taken] = await postgres.query<LocalRows['rows'] & { version: number }>(
    `SELECT version, ${columns.join(', ')} FROM heatmark_local.version`,
  )
  const { version, ...rows } = taken!
  return { version, rows }
}

/** Into a database that has none yet. @throws PostgresUnavailable */
export const loadLocalRows = async (postgres: Postgres, { rows }: LocalRows): Promise<void> => {
  await migrateLocal(postgres)
  await postgres.transaction(async (connection) => {
    for (const table of tables) {
      const saved = rows[table] ?? []
      if (saved.length === 0) continue
      // Named, so that a column which a later version adds gets its default.
      const columns = Object.keys(saved[0]!).map(identifier).join(', ')
      const name = `heatmark_local.${identifier(table)}`
      await connection.query(
        `INSERT INTO ${name} (${columns}) SELECT ${columns} FROM jsonb_populate_recordset(NULL::${name}, $1::jsonb)`,
        [JSON.stringify(saved)],
      )
    }
  })
}

export const countRows = ({ rows }: LocalRows): number =>
  Object.values(rows).reduce((sum, { length }) => sum + length, 0)
