import type { Postgres, Queries } from '../../stores/postgres/postgres.ts'
import { columns } from './companyRunQueries.ts'
import type { ClaimedRun, CompanyRun, Ending, NewRun, RunError, RunKind } from './companyRuns.ts'

/** The rows of runs in PostgreSQL: processes insert, claim and end them. */

/** A run as it is kept, with the hash of its request. */
interface KeptRun extends CompanyRun, Pick<NewRun, 'requestHash'> {
  readonly isNew: boolean
}

export interface RunRows {
  /**
   * Keep a new run, and return it. Return the run that has this id already. Return undefined when the company has `most`
   * other runs of the kind that have not ended; requests at the same moment do not exceed this number.
   */
  keep(run: NewRun, most: number): Promise<KeptRun | undefined>
  /**
   * Take a run of this kind that waits, or whose process has ended: of the waiting companies, the one that was served
   * longest ago is next.
   */
  claim(kind: RunKind): Promise<ClaimedRun | undefined>
  /** Say that the process still works on the run. */
  progress(run: ClaimedRun, progress: number): Promise<void>
  end(run: ClaimedRun, ending: Ending): Promise<void>
  /** Let another process take the run at once. */
  release(run: ClaimedRun): Promise<void>
  /** End the runs whose processes have ended too often, and delete those that are too old. */
  tidy(): Promise<void>
}

/** A run is kept for this many days. Its outcome is kept for ever. */
export const keptDays = 90
/** A process that has reported nothing for so long counts as ended. */
const silentFor = "interval '30 seconds'"
const mostAttempts = 3

export function createRunRows(
  { query, transaction }: Pick<Postgres, 'query' | 'transaction'>,
  storeId: string,
): RunRows {
  /** A process whose attempt is over must not overwrite the next one. */
  const write = async ({ runId, attempt }: ClaimedRun, set: string, ...values: unknown[]) => {
    await query(
      `UPDATE heatmark_local.company_run SET ${set}, updated_at = clock_timestamp()
       WHERE store_id = $1 AND run_id = $2 AND attempt = $3 AND status = 'running'`,
      [storeId, runId, attempt, ...values],
    )
  }
  return {
    keep: (run, most) => transaction((connection) => insertRun(connection, storeId, run, most)),
    async claim(kind) {
      const [run] = await query<ClaimedRun>(
        `UPDATE heatmark_local.company_run
         SET status = 'running', attempt = attempt + 1, progress = 0, updated_at = clock_timestamp()
         WHERE (store_id, run_id) = (
           SELECT r.store_id, r.run_id FROM heatmark_local.company_run r
           WHERE r.store_id = $1 AND r.kind = $2 AND r.attempt < $3
             AND (r.status = 'waiting'
               OR r.status = 'running' AND r.updated_at < clock_timestamp() - ${silentFor})
           ORDER BY (
             SELECT max(served.updated_at) FROM heatmark_local.company_run served
             WHERE served.store_id = r.store_id AND served.company_id = r.company_id AND served.kind = r.kind
               AND served.attempt > 0) NULLS FIRST, r.created_at
           LIMIT 1 FOR UPDATE OF r SKIP LOCKED)
         RETURNING company_id AS "companyId", run_id AS "runId", kind, input,
           started_by AS "startedBy", attempt`,
        [storeId, kind, mostAttempts],
      )
      return run
    },
    progress: (run, progress) => write(run, 'progress = $4', progress),
    end: (run, ending) =>
      ending.status === 'succeeded'
        ? write(run, "status = 'succeeded', progress = 1, result = $4", JSON.stringify(ending.result))
        : write(run, "status = 'failed', error = $4", JSON.stringify(ending.error)),
    release: (run) => write(run, "status = 'waiting', attempt = attempt - 1"),
    async tidy() {
      await query(
        `UPDATE heatmark_local.company_run SET status = 'failed', error = $3, updated_at = clock_timestamp()
         WHERE store_id = $1 AND status = 'running' AND attempt >= $2
           AND updated_at < clock_timestamp() - ${silentFor}`,
        [storeId, mostAttempts, JSON.stringify(gaveUp)],
      )
      await query(
        `DELETE FROM heatmark_local.company_run
         WHERE store_id = $1 AND updated_at < clock_timestamp() - interval '${keptDays} days'`,
        [storeId],
      )
    },
  }
}

async function insertRun({ query }: Queries, storeId: string, run: NewRun, most: number) {
  const { companyId, runId, kind, input, requestHash, startedBy } = run
  // Each request counts the runs of those before it. The lock ends with the transaction.
  const lock = `company_run ${storeId} ${companyId} ${kind}`
  await query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [lock])
  const identity = [storeId, companyId, runId, kind]
  const [row] = await query<KeptRun>(
    `WITH open AS (
       SELECT count(*) AS others FROM heatmark_local.company_run
       WHERE store_id = $1 AND company_id = $2 AND kind = $4 AND run_id <> $3
         AND status IN ('waiting', 'running')),
     kept AS (
       INSERT INTO heatmark_local.company_run AS r
         (store_id, company_id, run_id, kind, input, request_hash, started_by)
       SELECT $1, $2, $3, $4, $5, $6, $7 FROM open
       WHERE others < $8
         OR EXISTS (SELECT FROM heatmark_local.company_run WHERE store_id = $1 AND run_id = $3)
       ON CONFLICT (store_id, run_id) DO UPDATE SET run_id = r.run_id
       RETURNING r.*, xmax = 0 AS is_new)
     SELECT ${columns}, r.request_hash AS "requestHash", r.is_new AS "isNew" FROM kept r`,
    [...identity, JSON.stringify(input), requestHash, JSON.stringify(startedBy), most],
  )
  return row
}

const gaveUp: RunError = {
  code: 'internal-error',
  detail: `The run broke off ${mostAttempts} times, because its process ended. Ask the operator why, then begin it again.`,
}
