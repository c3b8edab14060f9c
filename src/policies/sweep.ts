import type { Queries } from '../stores/postgres/postgres.ts'

/** A sweep asks for one job in every company, even without an event. The job covers all targets of the policy there. */

export interface Sweep {
  readonly storeId: string
  readonly policy: string
  /** The scope of all targets of the policy in a company. */
  readonly scope: string
  /** The last event of the store: the jobs wait until the read models show it. */
  readonly position: number
  readonly eventId: string
}

/**
 * Save a job for each company, for the process that leads the policy. A job of a later event stays unchanged.
 * @throws PostgresUnavailable
 */
export async function askForSweep(
  postgres: Queries,
  { storeId, policy, scope, position, eventId }: Sweep,
  companyIds: readonly string[],
): Promise<void> {
  await postgres.query(
    `INSERT INTO heatmark_local.policy_job AS j (store_id, policy, company_id, scope, position, event_id, since)
     SELECT $1, $2, company_id, $3, $4, $5, $4 FROM unnest($6::uuid[]) AS company_id
     ON CONFLICT (store_id, policy, company_id, scope) DO UPDATE
     SET position = EXCLUDED.position, event_id = EXCLUDED.event_id,
         after = NULL, done = 0, total = 0, updated_at = clock_timestamp()
     WHERE EXCLUDED.position >= j.position`,
    [storeId, policy, scope, position, eventId, companyIds],
  )
}

/** Count the companies that the sweep has not finished. @throws PostgresUnavailable */
export async function companiesLeft(
  postgres: Queries,
  { storeId, policy, scope, position }: Sweep,
): Promise<{ readonly waiting: number; readonly parked: number }> {
  const [left] = await postgres.query<{ waiting: number; parked: number }>(
    `SELECT count(*) FILTER (WHERE p.company_id IS NULL)::integer AS waiting, count(p.company_id)::integer AS parked
     FROM heatmark_local.policy_job j
     LEFT JOIN heatmark_local.policy_parked p USING (store_id, policy, company_id)
     WHERE j.store_id = $1 AND j.policy = $2 AND j.scope = $3 AND j.since <= $4`,
    [storeId, policy, scope, position],
  )
  return left!
}
