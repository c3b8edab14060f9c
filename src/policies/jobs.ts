import { Failure } from '../lib/failure.ts'
import { heldSql, type Lease } from '../stores/leading/lease.ts'
import type { Queries } from '../stores/postgres/postgres.ts'
import type { Checkpoint } from '../stores/subscription/checkpoint.ts'
import type { Job } from './policy.ts'

/** The checkpoint and the open jobs of a policy, as the holder of its lease reads and writes them. */
export interface Jobs {
  /** Undefined before the first one. */
  checkpoint(): Promise<Checkpoint | undefined>
  /** Moves the checkpoint and saves the jobs in one statement. An equal scope of a company begins again. */
  pass(checkpoint: Checkpoint, requests: readonly JobRequest[]): Promise<void>
  /** Saves jobs alone. A job of a later event stays as it is. */
  ask(requests: readonly JobRequest[]): Promise<void>
  /**
   * The companies that can be served. A job beyond `position` waits for read models; a parked company waits for its
   * next try.
   */
  companies(position: number): Promise<readonly string[]>
  /** List at most `most` jobs of a company, the oldest first. */
  ofCompany(companyId: string, position: number, most: number): Promise<readonly Job[]>
  /** Whether there is any job, and the least position that a job beyond `position` waits for. */
  countLeft(position: number): Promise<JobsLeft>
  /** Saves the portions of a company, deletes jobs that are finished, and ends its parking. */
  saveServed(companyId: string, jobs: readonly Served[]): Promise<void>
  /** Park the company for a while, longer each time. */
  park(companyId: string, reason: string): Promise<void>
}

/** A job as an event asks for it. */
export type JobRequest = Pick<Job, 'companyId' | 'scope' | 'position' | 'eventId'>

export interface Served extends Job {
  readonly finished: boolean
}

interface JobsLeft {
  readonly isAny: boolean
  readonly waiting: number | null
}

interface JobsOptions {
  readonly postgres: Queries
  readonly storeId: string
  readonly policy: string
  readonly lease: Lease
}

/** Every statement that writes names the lease. @throws Failure `term-over`, PostgresUnavailable */
export function openJobs({ postgres, storeId, policy, lease }: JobsOptions): Jobs {
  const write = async (text: string, values: readonly unknown[]): Promise<void> => {
    const held = await postgres.query(`WITH held AS (${heldSql('$1', '$2')}), ${text}`, [
      lease.name,
      lease.fencing,
      storeId,
      policy,
      ...values,
    ])
    if (held.length === 0) throw new Failure('term-over', `another process holds the lease ${lease.name}`)
  }
  return {
    checkpoint: () => loadCheckpoint(postgres, storeId, policy),
    pass: ({ position, eventId }, requests) => write(passSql, [...columnsOf(requests), position, eventId]),
    ask: (requests) => write(askSql, columnsOf(requests)),
    async companies(position) {
      const companies = await postgres.query<{ companyId: string }>(companiesSql, [storeId, policy, position])
      return companies.map(({ companyId }) => companyId)
    },
    ofCompany: (companyId, position, most) =>
      postgres.query<Job>(jobsSql, [storeId, policy, position, companyId, most]),
    async countLeft(position) {
      const [left] = await postgres.query<JobsLeft>(leftSql, [storeId, policy, position])
      return left!
    },
    saveServed: (companyId, jobs) =>
      write(servedSql, [
        companyId,
        ...valuesByColumn(jobs, ['scope', 'eventId', 'after', 'done', 'total', 'finished']),
      ]),
    park: (companyId, reason) => write(parkSql, [companyId, reason]),
  }
}

/** @throws PostgresUnavailable */
export async function loadCheckpoint(
  postgres: Queries,
  storeId: string,
  policy: string,
): Promise<Checkpoint | undefined> {
  const [row] = await postgres.query<Checkpoint>(
    'SELECT position, event_id AS "eventId" FROM heatmark_local.policy_cursor WHERE store_id = $1 AND policy = $2',
    [storeId, policy],
  )
  return row
}

interface MergedJob extends JobRequest {
  /** Position of the first event that asked for it. */
  readonly since: number
}

/** One statement can write a row only once, so equal scopes become one job, with the last event that asks for it. */
function columnsOf(requests: readonly JobRequest[]): unknown[][] {
  const jobs = new Map<string, MergedJob>()
  for (const one of requests) {
    const key = `${one.companyId} ${one.scope}`
    jobs.set(key, { ...one, since: jobs.get(key)?.since ?? one.position })
  }
  return valuesByColumn([...jobs.values()], ['companyId', 'scope', 'position', 'eventId', 'since'])
}

function valuesByColumn<Row>(rows: readonly Row[], names: readonly (keyof Row)[]): unknown[][] {
  return names.map((name) => rows.map((row) => row[name]))
}

/**
 * A scope that a later event has asked for already stays as it is: an event that is heard again, long after the others,
 * must not take its place.
 */
const askedSql = `
  asked AS (
    INSERT INTO heatmark_local.policy_job (store_id, policy, company_id, scope, position, event_id, since)
    SELECT $3, $4, a.* FROM unnest($5::uuid[], $6::text[], $7::bigint[], $8::uuid[], $9::bigint[]) AS a, held
    ON CONFLICT (store_id, policy, company_id, scope) DO UPDATE
    SET position = EXCLUDED.position, event_id = EXCLUDED.event_id,
        after = NULL, done = 0, total = 0, updated_at = clock_timestamp()
    WHERE EXCLUDED.position >= policy_job.position)`

const askSql = `${askedSql} SELECT 1 FROM held`

const passSql = `${askedSql}
  INSERT INTO heatmark_local.policy_cursor (store_id, policy, position, event_id)
  SELECT $3, $4, $10, $11 FROM held
  ON CONFLICT (store_id, policy) DO UPDATE SET position = $10, event_id = $11
  RETURNING 1`

/** SQL of the jobs of a company in their order. A job is never older than the first event that asked for it. */
function jobsOf(company: string): string {
  return `
    SELECT * FROM heatmark_local.policy_job j
    WHERE j.store_id = $1 AND j.policy = $2 AND j.company_id = ${company} AND j.since <= $3 AND j.position <= $3
    ORDER BY j.since, j.scope`
}

/** The query goes from company to company by the index, and skips their other jobs. */
const companiesSql = `
  WITH RECURSIVE walked (company_id) AS (
    SELECT ${leastCompany('true')}
    UNION ALL
    SELECT ${leastCompany('j.company_id > w.company_id')} FROM walked w WHERE w.company_id IS NOT NULL)
  SELECT w.company_id AS "companyId" FROM walked w
  WHERE NOT EXISTS (
      SELECT FROM heatmark_local.policy_parked p
      WHERE p.store_id = $1 AND p.policy = $2 AND p.company_id = w.company_id
        AND p.next_try_at > clock_timestamp())
    AND (SELECT true FROM (${jobsOf('w.company_id')} LIMIT 1) one)
  ORDER BY w.company_id`

function leastCompany(condition: string): string {
  return `(
    SELECT j.company_id FROM heatmark_local.policy_job j
    WHERE j.store_id = $1 AND j.policy = $2 AND ${condition}
    ORDER BY j.company_id LIMIT 1)`
}

const jobsSql = `
  SELECT company_id AS "companyId", scope, position, event_id AS "eventId", after, done, total
  FROM (${jobsOf('$4')} LIMIT $5) job`

const leftSql = `
  SELECT
    EXISTS (SELECT FROM heatmark_local.policy_job WHERE store_id = $1 AND policy = $2) AS "isAny",
    (SELECT min(position) FROM heatmark_local.policy_job
     WHERE store_id = $1 AND policy = $2 AND position > $3) AS waiting`

/** A job that a later event has asked for meanwhile stays as it is. */
const servedSql = `
  served AS (
    SELECT * FROM unnest($6::text[], $7::uuid[], $8::text[], $9::integer[], $10::integer[], $11::boolean[])
      AS s(scope, event_id, after, done, total, finished)),
  moved AS (
    UPDATE heatmark_local.policy_job j
    SET after = s.after, done = s.done, total = s.total, updated_at = clock_timestamp() FROM served s, held
    WHERE j.store_id = $3 AND j.policy = $4 AND j.company_id = $5
      AND j.scope = s.scope AND j.event_id = s.event_id AND NOT s.finished),
  finished AS (
    DELETE FROM heatmark_local.policy_job j USING served s, held
    WHERE j.store_id = $3 AND j.policy = $4 AND j.company_id = $5
      AND j.scope = s.scope AND j.event_id = s.event_id AND s.finished),
  unparked AS (
    DELETE FROM heatmark_local.policy_parked USING held
    WHERE store_id = $3 AND policy = $4 AND company_id = $5)
  SELECT 1 FROM held`

/** A company is tried again after 5 s, then after twice as long each time, and after 5 minutes at most. */
const parkSql = `
  parked AS (
    INSERT INTO heatmark_local.policy_parked AS p
      (store_id, policy, company_id, reason, tries, parked_at, next_try_at)
    SELECT $3, $4, $5::uuid, $6, 1, clock_timestamp(), clock_timestamp() + interval '5 seconds' FROM held
    ON CONFLICT (store_id, policy, company_id) DO UPDATE
    SET reason = EXCLUDED.reason, tries = p.tries + 1,
        next_try_at = clock_timestamp() + least(interval '5 minutes', interval '5 seconds' * 2 ^ least(p.tries, 10)))
  SELECT 1 FROM held`
