import type { Connection, Postgres, Queries } from '../postgres/postgres.ts'
import { type Migration, migrations } from './migrations.ts'

/** Migrate the schema `heatmark_local` in place, while other processes use it. */

/** The version of `heatmark_local` that this release works with. */
export const localVersion = migrations.length

export interface LocalSchemaStatus {
  /** How many migrations have been applied. */
  readonly version: number
  /** The lowest version that a release must know to start. */
  readonly startableFrom: number
}

/**
 * Migrate `heatmark_local` to this release's version. A newer version stays as it is.
 * @throws PostgresUnavailable; Error when a newer release has changed the schema so that this one cannot start
 */
export async function migrateLocal(
  postgres: Postgres,
  steps: readonly Migration[] = migrations,
): Promise<void> {
  await postgres.transaction(async (connection) => {
    await lockSchemas(connection)
    await connection.query(bookkeeping)
    const before = (await readLocalSchemaStatus(connection)) ?? { version: 0, startableFrom: 0 }
    if (steps.length < before.startableFrom)
      throw new Error(
        `schema heatmark_local is at version ${before.version}, of a newer release, and a release must know ` +
          `version ${before.startableFrom} to start on it; this one knows ${steps.length}: run the newer release`,
      )
    for (const [index, { sql, startableFrom }] of steps.entries()) {
      const version = index + 1
      if (version <= before.version) continue
      await connection.query(sql)
      await connection.query(
        'INSERT INTO heatmark_local.migration (version, startable_from) VALUES ($1, $2)',
        [version, startableFrom],
      )
    }
  })
}

/** Read the version of the schema; undefined before the first start of a service. @throws PostgresUnavailable */
export async function readLocalSchemaStatus(queries: Queries): Promise<LocalSchemaStatus | undefined> {
  const [table] = await queries.query<{ exists: boolean }>(
    `SELECT to_regclass('heatmark_local.migration') IS NOT NULL AS exists`,
  )
  if (!table!.exists) return undefined
  const [applied] = await queries.query<LocalSchemaStatus>(
    `SELECT version, startable_from AS "startableFrom" FROM heatmark_local.migration
     ORDER BY version DESC LIMIT 1`,
  )
  return applied
}

/** The key of a lock that keeps two processes from creating schemas at the same time. */
const schemaLock = 4_172_553_190

/** Take, until the transaction ends, the lock for creating and dropping schemas. */
export function lockSchemas(connection: Connection): Promise<unknown> {
  return connection.query(`SELECT pg_advisory_xact_lock(${schemaLock})`)
}

/** The table lists the migrations that have been applied. */
const bookkeeping = `
  CREATE SCHEMA IF NOT EXISTS heatmark_local;
  CREATE TABLE IF NOT EXISTS heatmark_local.migration (
    version integer PRIMARY KEY,
    startable_from integer NOT NULL,
    applied_at timestamptz NOT NULL DEFAULT now()
  );
  COMMENT ON COLUMN heatmark_local.migration.startable_from IS
    'The lowest version that a release must know to start.'`
