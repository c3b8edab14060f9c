import type { Queries } from '../postgres/postgres.ts'
import { runsSql } from './lease.ts'

/** The holder of a lease as every process sees it. */
export interface LeaseStatus {
  /** Whether any process holds the lease. */
  readonly isHeld: boolean
  /** The condition that keeps the holder, or the last one, from its work; null for none. */
  readonly condition: string | null
}

/** Return null if no process has ever held the lease. @throws PostgresUnavailable */
export async function readLeaseStatus(postgres: Queries, name: string): Promise<LeaseStatus | null> {
  const [status] = await postgres.query<LeaseStatus>(
    `SELECT ${runsSql} AS "isHeld", condition FROM heatmark_local.lease l WHERE name = $1`,
    [name],
  )
  return status ?? null
}
