import { runsSql } from '../stores/leading/lease.ts'
import type { Queries } from '../stores/postgres/postgres.ts'

/** Policies as every process sees them, whatever its process roles. */

export interface PolicyStatus {
  readonly name: string
  /** Whether any process holds the lease. */
  readonly held: boolean
  /** The condition that keeps the holder, or the last one, from its work; null for none. */
  readonly condition: string | null
  /** No job up to this position is open, except those of parked companies. 0 before the first event. */
  readonly position: number
  /** Position of the first event that has an open job; null while there are none. */
  readonly since: number | null
  /** Open jobs, without those of parked companies. */
  readonly jobs: number
  /** A text that changes whenever a portion of a job has been served; null while there are no jobs. */
  readonly servedAt: string | null
  /** Companies that could not be served, and are tried again. */
  readonly parked: number
}

/** @throws PostgresUnavailable */
export function readPolicyStatuses(
  postgres: Queries,
  storeId: string,
  names: readonly string[],
): Promise<PolicyStatus[]> {
  return postgres.query<PolicyStatus>(
    `SELECT policy.name, coalesce(${runsSql}, false) AS held, l.condition,
       least(coalesce(c.position, 0), open.since - 1) AS position, open.since,
       open.jobs, open.served_at AS "servedAt", parked.companies AS parked
     FROM unnest($2::text[]) AS policy(name)
     LEFT JOIN heatmark_local.lease l ON l.name = policy.name || '/' || $1
     LEFT JOIN heatmark_local.policy_cursor c ON c.store_id = $1::uuid AND c.policy = policy.name
     CROSS JOIN LATERAL (
       SELECT count(*) AS companies FROM heatmark_local.policy_parked p
       WHERE p.store_id = $1::uuid AND p.policy = policy.name) parked
     CROSS JOIN LATERAL (
       SELECT count(*) AS jobs, min(since) AS since, max(updated_at)::text AS served_at
       FROM heatmark_local.policy_job j
       WHERE j.store_id = $1::uuid AND j.policy = policy.name AND NOT EXISTS (
         SELECT FROM heatmark_local.policy_parked p
         WHERE p.store_id = j.store_id AND p.policy = j.policy AND p.company_id = j.company_id)) open`,
    [storeId, names],
  )
}

export interface ParkedCompany {
  readonly companyId: string
  readonly reason: string
  /** RFC 3339. */
  readonly parkedAt: string
}

/** List at most `most` companies, in the order in which they were parked. @throws PostgresUnavailable */
export function listParked(
  postgres: Queries,
  { storeId, policy, most }: { storeId: string; policy: string; most: number },
): Promise<ParkedCompany[]> {
  return postgres.query<ParkedCompany>(
    `SELECT company_id AS "companyId", reason, parked_at AS "parkedAt" FROM heatmark_local.policy_parked
     WHERE store_id = $1 AND policy = $2 ORDER BY parked_at, company_id LIMIT $3`,
    [storeId, policy, most],
  )
}

export function leaseNameOf(policy: string, storeId: string): string {
  return `${policy}/${storeId}`
}
