import type { Connection, Queries } from '../postgres/postgres.ts'

/**
 * Leadership as a lease: one row with an expiry by the database's clock and a fencing token that grows with
 * every holder. The holder names its token in each transaction that writes, so a holder that was paused
 * finds on waking that it has lost the lease.
 */
export interface Lease {
  readonly name: string
  readonly owner: string
  readonly fencing: number
}

/** Time without a renewal until another may take the lease. */
const leaseLastsMs = 4_000

const expiry = `clock_timestamp() + interval '${leaseLastsMs} milliseconds'`

/** A database's clock may be set back by this much, as time servers do, before a lease counts as from the future. */
const clockStepMs = 2_000

/**
 * SQL that tells whether the lease `l` expires later than a renewal could have made it. Such a lease was written before
 * the database's clock was set back, perhaps by a holder that is gone, and counts as expired.
 */
export const isFromFutureSql = `(l.expires_at > ${expiry} + interval '${clockStepMs} milliseconds')`

/** SQL that tells whether the lease `l` runs. */
export const runsSql = `(l.expires_at > clock_timestamp() AND NOT ${isFromFutureSql})`

/**
 * SQL that tells whether the backend of the holder of the lease `l` is there, and the holder with it. Another role's
 * backends are listed without their start times.
 */
export const hasHolderSql = `EXISTS (
  SELECT FROM pg_stat_activity a
  WHERE a.pid = l.backend_pid AND coalesce(a.backend_start, l.backend_start) = l.backend_start)`

/** SQL that tells whether any owner may take the lease `l`. */
const freeSql = `(NOT ${runsSql} OR NOT ${hasHolderSql})`

/**
 * Takes the lease for this connection when nobody holds it, or it has expired, or its holder's backend is gone, or this
 * same owner holds it on an earlier connection; undefined when another owner holds it. Ends the connection of the holder before,
 * and with it the transaction that it was about to commit.
 */
export async function takeLease(
  connection: Connection,
  name: string,
  owner: string,
): Promise<Lease | undefined> {
  // Read without a lock: a holder that was stopped in the middle of a batch may have the row locked.
  const [before] = await connection.query<{ fencing: number; free: boolean }>(
    `SELECT fencing, owner = $2 OR ${freeSql} AS free FROM heatmark_local.lease l WHERE name = $1`,
    [name, owner],
  )
  if (before && !before.free) return undefined
  // The start time tells the holder's backend from a later one that was given the same pid.
  await connection.query(
    `SELECT pg_terminate_backend(a.pid) FROM heatmark_local.lease l
     JOIN pg_stat_activity a ON a.pid = l.backend_pid AND a.backend_start = l.backend_start
     WHERE l.name = $1 AND l.fencing = $2 AND a.pid <> pg_backend_pid()`,
    [name, before?.fencing ?? 0],
  )
  const [taken] = await connection.query<{ fencing: number }>(
    `INSERT INTO heatmark_local.lease AS l (name, owner, backend_pid, backend_start, fencing, expires_at)
     SELECT $1, $2, pid, backend_start, 1, ${expiry} FROM pg_stat_activity WHERE pid = pg_backend_pid()
     ON CONFLICT (name) DO UPDATE
     SET owner = $2, backend_pid = EXCLUDED.backend_pid, backend_start = EXCLUDED.backend_start,
         fencing = l.fencing + 1, expires_at = ${expiry}
     WHERE l.fencing = $3 AND (l.owner = $2 OR ${freeSql})
     RETURNING fencing`,
    [name, owner, before?.fencing ?? 0],
  )
  return taken && { name, owner, fencing: taken.fencing }
}

/** A lease with its holder's present condition. */
export interface Renewal extends Lease {
  readonly condition: string | undefined
}

/**
 * Extend the leases and store the conditions beside them. Return the names of those that are still held. A crash of
 * PostgreSQL ends the holders' backends anyway, so no renewal waits for the disk.
 */
export async function renewLeases(
  queries: Queries,
  renewals: readonly Renewal[],
): Promise<ReadonlySet<string>> {
  const held = await queries.query<{ name: string }>(
    `UPDATE heatmark_local.lease l SET expires_at = ${expiry}, condition = r.condition
     FROM unnest($1::text[], $2::bigint[], $3::text[]) AS r (name, fencing, condition)
     WHERE l.name = r.name AND l.fencing = r.fencing
     RETURNING l.name, set_config('synchronous_commit', 'off', true)`,
    [
      renewals.map(({ name }) => name),
      renewals.map(({ fencing }) => fencing),
      renewals.map(({ condition }) => condition ?? null),
    ],
  )
  return new Set(held.map(({ name }) => name))
}

/** SQL of the condition of the present or the last holder; null for none. `name` is a placeholder. */
export function leaseConditionSql(name: string): string {
  return `(SELECT condition FROM heatmark_local.lease WHERE name = ${name})`
}

/**
 * SQL that renews the lease and returns a row if it is still held: part of every statement that only the
 * holder may carry out. `name` and `fencing` are placeholders.
 */
export function heldSql(name: string, fencing: string): string {
  return `UPDATE heatmark_local.lease SET expires_at = ${expiry} WHERE name = ${name} AND fencing = ${fencing} RETURNING 1`
}

/** Lets the lease expire at once, so that others need not wait. */
export async function releaseLease(queries: Queries, lease: Lease): Promise<void> {
  await queries.query(
    `UPDATE heatmark_local.lease SET expires_at = '-infinity' WHERE name = $1 AND fencing = $2`,
    [lease.name, lease.fencing],
  )
}
