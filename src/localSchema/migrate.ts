import type { Connection, Postgres, Queries } from '../postgres.ts'
import { type Migration, migrations } from './migrations.ts'

/** Migrate the schema `heatmark_local` in place, while processes of older releases run. */

/** The version of `heatmark_local` that this release works with. */
export const localVersion = migrations.length

export interface LocalStanding {
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
  known: readonly Migration[] = migrations,
): Promise<void> {
  await postgres.transaction(async (connection) => {
    await lockSchemas(connection)
    await connection.query(bookkeeping)
    const before = (await localStanding(connection)) ?? { version: 0, startableFrom: 0 }
    if (known.length < before.startableFrom)
      throw new Error(
        `schema heatmark_local is at version ${before.version}, of a newer release, and a release must know ` +
          `version ${before.startableFrom} to start on it; this one knows ${known.length}: run the newer release`,
      )
    let { startableFrom } = before
    for (const [index, { sql, isAdditive }] of known.entries()) {
      const version = index + 1
      if (version <= before.version) continue
      await connection.query(sql)
      if (!isAdditive) startableFrom = version
      await connection.query(
        'INSERT INTO heatmark_local.migration (version, startable_from) VALUES ($1, $2)',
        [version, startableFrom],
      )
    }
    await connection.query(
      `DELETE FROM heatmark_local.version; INSERT INTO heatmark_local.version VALUES (${startableFrom})`,
    )
  })
}

/** Read the version of the schema; undefined before the first start of a service. @throws PostgresUnavailable */
export async function localStanding(queries: Queries): Promise<LocalStanding | undefined> {
  const [tables] = await queries.query<{ version: boolean; migration: boolean }>(
    `SELECT to_regclass('heatmark_local.version') IS NOT NULL AS version,
       to_regclass('heatmark_local.migration') IS NOT NULL AS migration`,
  )
  if (!tables!.version) return undefined
  const [applied] = tables!.migration
    ? await queries.query<LocalStanding>(
        `SELECT version, startable_from AS "startableFrom" FROM heatmark_local.migration
         ORDER BY version DESC LIMIT 1`,
      )
    : []
  if (applied) return applied
  const [first] = await queries.query<{ version: number }>('SELECT version FROM heatmark_local.version')
  const version = first?.version ?? 0
  return { version, startableFrom: version }
}

/** The key of a lock that keeps two processes from creating schemas at the same time. */
const schemaLock = 4_172_553_190

/** Take, until the transaction ends, the lock for creating and dropping schemas. */
export function lockSchemas(connection: Connection): Promise<unknown> {
  return connection.query(`SELECT pg_advisory_xact_lock(${schemaLock})`)
}

/**
 * The first releases know only the table `version`: they start when they know the version in it, and overwrite it.
 * So it holds the lowest version that a release must know, and `migration` holds the applied migrations.
 */
const bookkeeping = `
  CREATE SCHEMA IF NOT EXISTS heatmark_local;
  CREATE TABLE IF NOT EXISTS heatmark_local.version (version integer NOT NULL);
  COMMENT ON TABLE heatmark_local.version IS
    'The least version that a release must know to start. The table migration tells which were applied.';
  CREATE TABLE IF NOT EXISTS heatmark_local.migration (
    version integer PRIMARY KEY,
    startable_from integer NOT NULL,
    applied_at timestamptz NOT NULL DEFAULT now()
  )`
