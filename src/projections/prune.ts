import { identifier, literal, type Postgres } from '../postgres.ts'
import { projectorLease } from './lease.ts'
import { lockSchemas } from './local.ts'

/** Schemas of releases that nobody runs any more. */
export interface Pruned {
  readonly dropped: readonly string[]
  /** Left alone: a projector of that release leads, or was lost a moment ago. */
  readonly inUse: readonly string[]
}

/** A projector that was stopped in order has given its lease back; one that was lost may be started again. */
const lostFor = '10 minutes'

/**
 * Drops the schemas of this store that other releases have left, but for those that a live lease uses. An old
 * release that is started again afterwards makes its schema anew, from the first event on.
 * @throws PostgresUnavailable
 */
export const prune = (postgres: Postgres, present: string): Promise<Pruned> =>
  postgres.transaction(async (connection) => {
    await lockSchemas(connection)
    const ofStore = present.slice(0, present.lastIndexOf('_') + 1)
    const schemas = await connection.query<{ schema: string; leased: boolean }>(
      `SELECT nspname AS schema, EXISTS (
         SELECT FROM heatmark_local.lease
         WHERE name = ${literal(projectorLease(''))} || nspname AND expires_at > clock_timestamp() - interval '${lostFor}'
       ) AS leased
       FROM pg_namespace WHERE starts_with(nspname, ${literal(ofStore)}) AND nspname <> ${literal(present)}
       ORDER BY nspname`,
    )
    const unused = schemas.filter(({ leased }) => !leased)
    for (const { schema } of unused) {
      await connection.query(`DROP SCHEMA ${identifier(schema)} CASCADE`)
      await connection.query('DELETE FROM heatmark_local.lease WHERE name = $1', [projectorLease(schema)])
    }
    return {
      dropped: unused.map(({ schema }) => schema),
      inUse: schemas.filter(({ leased }) => leased).map(({ schema }) => schema),
    }
  })
