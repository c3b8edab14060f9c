import { hasHolderSql, isFromFutureSql } from '../../../stores/leading/lease.ts'
import { lockSchemas } from '../../../stores/localSchema/migrate.ts'
import {
  type Connection,
  literalOf,
  type Postgres,
  quoteIdentifier,
} from '../../../stores/postgres/postgres.ts'
import type { ReadModels } from '../schema/readModels.ts'
import { projectorLease, readStates } from '../schema/schema.ts'
import { storePrefixOf } from '../schema/sql.ts'
import { replayLock } from './replay.ts'

/** Drop unused schemas of other releases, and tables that a killed rebuild or verify has left. */
interface Pruned {
  /** By their names. */
  readonly dropped: readonly string[]
  /** Schemas that stay, because a projector of that release leads, or was lost a moment ago. */
  readonly inUse: readonly string[]
}

/** A projector that stopped in order has given its lease back. One that was lost may be started again. */
const lostFor = '10 minutes'

/**
 * Drop the schemas of this store that other releases have left, unless a live lease uses them. In the present schema,
 * drop the tables that a killed rebuild or verify has left. An old release that is started again afterwards creates its
 * schema anew, from the first event on.
 * @throws PostgresUnavailable
 */
export function prune(postgres: Postgres, readModels: ReadModels): Promise<Pruned> {
  const { schema: present, projections } = readModels
  return postgres.transaction(async (connection) => {
    await lockSchemas(connection)
    const unfinished: string[] = []
    for (const { name } of projections)
      unfinished.push(...(await dropUnfinished(connection, readModels, name)))
    const schemas = await connection.query<{ schema: string; leased: boolean }>(
      `SELECT nspname AS schema, EXISTS (
         SELECT FROM heatmark_local.lease l
         WHERE name = ${literalOf(projectorLease(''))} || nspname AND expires_at > clock_timestamp() - interval '${lostFor}'
           AND (NOT ${isFromFutureSql} OR ${hasHolderSql})
       ) AS leased
       FROM pg_namespace WHERE starts_with(nspname, ${literalOf(storePrefixOf(present))}) AND nspname <> ${literalOf(present)}
       ORDER BY nspname`,
    )
    const unused = schemas.filter(({ leased }) => !leased)
    for (const { schema } of unused) {
      await connection.query(`DROP SCHEMA ${quoteIdentifier(schema)} CASCADE`)
      await connection.query('DELETE FROM heatmark_local.lease WHERE name = $1', [projectorLease(schema)])
      await connection.query('DELETE FROM heatmark_local.projection_skip WHERE schema = $1', [schema])
    }
    return {
      dropped: [...unused.map(({ schema }) => schema), ...unfinished],
      inUse: schemas.filter(({ leased }) => leased).map(({ schema }) => schema),
    }
  })
}

/** Drop tables of a next generation that nobody is filling, and return their names. */
async function dropUnfinished(
  connection: Connection,
  readModels: ReadModels,
  name: string,
): Promise<string[]> {
  const [lock] = await connection.query<{ free: boolean }>(
    `SELECT pg_try_advisory_xact_lock(${replayLock(readModels, name)}) AS free`,
  )
  if (!lock!.free) return []
  // Not earlier: a rebuild that has just let the lock go has raised it.
  const { generation } = (await readStates(connection, readModels)).find((state) => state.name === name)!
  const { schema } = readModels
  const next = readModels.tablesOf(name, generation + 1).map((table) => table.name)
  const left = await connection.query<{ relname: string }>(
    `SELECT relname FROM pg_class WHERE relnamespace = ${literalOf(schema)}::regnamespace AND relkind = 'r'
     AND relname IN (${next.map(literalOf).join(', ')}) ORDER BY relname`,
  )
  for (const { relname } of left)
    await connection.query(`DROP TABLE ${quoteIdentifier(schema)}.${quoteIdentifier(relname)}`)
  return left.map(({ relname }) => `${schema}.${relname}`)
}
