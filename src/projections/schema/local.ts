import type { Connection, Postgres } from '../../postgres.ts'

/**
 * The schema `heatmark_local`: what is neither an event nor derivable from events. It is migrated in place:
 * a released step is never changed, only followed by another.
 */
const steps: readonly string[] = [
  `CREATE TABLE heatmark_local.lease (
     name text PRIMARY KEY,
     owner text NOT NULL,
     backend_pid integer NOT NULL,
     backend_start timestamptz NOT NULL,
     fencing bigint NOT NULL,
     expires_at timestamptz NOT NULL,
     trouble text
   );
   COMMENT ON TABLE heatmark_local.lease IS
     'Who leads: projectors by schema, policies by store and name. Expiry is by this server''s clock.';

   CREATE TABLE heatmark_local.policy_cursor (
     store_id uuid NOT NULL,
     policy text NOT NULL,
     position bigint NOT NULL,
     event_id uuid NOT NULL,
     PRIMARY KEY (store_id, policy)
   );

   CREATE TABLE heatmark_local.run (
     run_id uuid PRIMARY KEY,
     schema text NOT NULL,
     kind text NOT NULL,
     projection text NOT NULL,
     status text NOT NULL,
     started_at timestamptz NOT NULL DEFAULT now(),
     updated_at timestamptz NOT NULL DEFAULT now(),
     detail jsonb NOT NULL
   );
   CREATE INDEX ON heatmark_local.run (schema, projection, started_at);

   CREATE TABLE heatmark_local.last_used (
     key_id text PRIMARY KEY,
     last_used_at timestamptz NOT NULL
   );`,
  `CREATE TABLE heatmark_local.rule_evaluation (
     event_id uuid PRIMARY KEY,
     company_id uuid NOT NULL,
     rule_pack_id text NOT NULL,
     family text NOT NULL,
     after uuid,
     done integer NOT NULL,
     total integer NOT NULL,
     finished boolean NOT NULL,
     updated_at timestamptz NOT NULL DEFAULT now()
   );
   CREATE INDEX ON heatmark_local.rule_evaluation (company_id, rule_pack_id);
   COMMENT ON TABLE heatmark_local.rule_evaluation IS
     'How far the subjects are evaluated that a subscription, upgrade or unsubscription (event_id) concerns.';`,
]

/** The version of `heatmark_local` that this release works with. */
export const localVersion = steps.length

/** Any number: it keeps two processes from making schemas at the same time. */
const schemaLock = 4_172_553_190

/** Holds, until the transaction ends, the right to make and drop schemas. */
export const lockSchemas = (connection: Connection): Promise<unknown> =>
  connection.query(`SELECT pg_advisory_xact_lock(${schemaLock})`)

/**
 * Brings `heatmark_local` to this release's version.
 * @throws PostgresUnavailable, or Error when a newer release has been here
 */
export const migrateLocal = (postgres: Postgres): Promise<void> =>
  postgres.transaction(async (connection) => {
    await lockSchemas(connection)
    await connection.query(
      `CREATE SCHEMA IF NOT EXISTS heatmark_local;
       CREATE TABLE IF NOT EXISTS heatmark_local.version (version integer NOT NULL)`,
    )
    const [row] = await connection.query<{ version: number }>('SELECT version FROM heatmark_local.version')
    const version = row?.version ?? 0
    if (version > steps.length)
      throw new Error(
        `schema heatmark_local is at version ${version}, of a newer release; this one knows ${steps.length}`,
      )
    for (const step of steps.slice(version)) await connection.query(step)
    await connection.query(
      `DELETE FROM heatmark_local.version; INSERT INTO heatmark_local.version VALUES (${steps.length})`,
    )
  })
