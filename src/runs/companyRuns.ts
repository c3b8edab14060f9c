import type { Actor } from '../domain/event.ts'
import type { Postgres } from '../postgres.ts'
import { type ListQuery, listQuery, type Page, singleQuery } from '../projections/reading/listQuery.ts'

/** The runs of companies: long work that somebody of a company has asked for, one row each in `heatmark_local`. */

export const runKinds = ['orderPack', 'companyExport'] as const
export type RunKind = (typeof runKinds)[number]

export const runStatuses = ['waiting', 'running', 'succeeded', 'failed'] as const
export type RunStatus = (typeof runStatuses)[number]

/** The person or program that asked. A name is kept nowhere but in the memory of the process. */
export type Starter = Pick<Actor, 'id' | 'kind'>

export interface NewRun {
  readonly companyId: string
  readonly runId: string
  readonly kind: RunKind
  readonly input: object
  /** Tells a repeat under one Idempotency-Key from another request. */
  readonly contentHash: string
  readonly startedBy: Starter
}

/** A run as it is answered. */
export interface CompanyRun {
  readonly runId: string
  readonly kind: RunKind
  readonly status: RunStatus
  /** From 0 to 1. */
  readonly progress: number
  readonly result: object | null
  readonly error: RunError | null
  readonly startedBy: string
  readonly createdAt: string
  readonly updatedAt: string
}

export interface RunError {
  readonly code: string
  readonly detail: string
}

/** A run that this process works on. */
export interface ClaimedRun extends Pick<NewRun, 'companyId' | 'runId' | 'kind' | 'input' | 'startedBy'> {
  readonly attempt: number
}

export type Ending =
  | { readonly status: 'succeeded'; readonly result: object }
  | { readonly status: 'failed'; readonly error: RunError }

export interface RunRows {
  /** Keep a new run, and return it. Return the run that has this id already, with the hash of its request. */
  keep(run: NewRun): Promise<CompanyRun & Pick<NewRun, 'contentHash'> & { readonly isNew: boolean }>
  /** Return the number of runs of the same company and kind that have not ended, without this one. */
  countOthersOpen(run: Pick<NewRun, 'companyId' | 'kind' | 'runId'>): Promise<number>
  /** Take the oldest run that waits, or whose process has ended. */
  claim(): Promise<ClaimedRun | undefined>
  /** Say that the process still works on the run. */
  progress(run: ClaimedRun, progress: number): Promise<void>
  end(run: ClaimedRun, ending: Ending): Promise<void>
  /** Let another process take the run at once. */
  release(run: ClaimedRun): Promise<void>
  /** End the runs whose processes have ended too often, and delete those that are too old. */
  tidy(): Promise<void>
}

/** A run is kept for this many days. What it has made is kept for ever. */
export const keptDays = 90
/** A process that has reported nothing for so long counts as ended. */
const silentFor = "interval '30 seconds'"
const mostAttempts = 3

const fields = {
  runId: 'r.run_id',
  kind: 'r.kind',
  status: 'r.status',
  progress: 'r.progress',
  result: 'r.result',
  error: 'r.error',
  startedBy: "r.started_by->>'id'",
  createdAt: 'r.created_at',
  updatedAt: 'r.updated_at',
} satisfies Record<keyof CompanyRun, string>

const columns = Object.entries(fields)
  .map(([name, column]) => `${column} AS "${name}"`)
  .join(', ')

const ofStore = { from: 'heatmark_local.company_run r', where: 'r.store_id = $1 AND r.company_id = $2' }

/** The runs of a company, oldest first. */
export function listCompanyRuns(storeId: string, companyId: string, page?: Page): ListQuery {
  const order = ['r.created_at', 'r.run_id']
  return listQuery({ select: fields, ...ofStore, values: [storeId, companyId], order }, page)
}

export function findCompanyRun(storeId: string, companyId: string, runId: string): ListQuery {
  const where = `${ofStore.where} AND r.run_id = $3`
  return singleQuery({ select: fields, ...ofStore, where, values: [storeId, companyId, runId] })
}

export function createRunRows({ query }: Pick<Postgres, 'query'>, storeId: string): RunRows {
  /** A process whose attempt is over must not overwrite the next one. */
  const write = async ({ runId, attempt }: ClaimedRun, set: string, ...values: unknown[]) => {
    await query(
      `UPDATE heatmark_local.company_run SET ${set}, updated_at = clock_timestamp()
       WHERE store_id = $1 AND run_id = $2 AND attempt = $3 AND status = 'running'`,
      [storeId, runId, attempt, ...values],
    )
  }
  return {
    async keep({ companyId, runId, kind, input, contentHash, startedBy }) {
      const [row] = await query<CompanyRun & { contentHash: string; isNew: boolean }>(
        `WITH kept AS (
           INSERT INTO heatmark_local.company_run AS r
             (store_id, company_id, run_id, kind, input, content_hash, started_by)
           VALUES ($1, $2, $3, $4, $5, $6, $7)
           ON CONFLICT (store_id, run_id) DO UPDATE SET run_id = r.run_id
           RETURNING r.*, xmax = 0 AS is_new)
         SELECT ${columns}, r.content_hash AS "contentHash", r.is_new AS "isNew" FROM kept r`,
        [
          ...[storeId, companyId, runId, kind, JSON.stringify(input), contentHash],
          JSON.stringify({ id: startedBy.id, kind: startedBy.kind }),
        ],
      )
      return row!
    },
    async countOthersOpen({ companyId, kind, runId }) {
      const [row] = await query<{ open: number }>(
        `SELECT count(*)::int AS open FROM heatmark_local.company_run
         WHERE store_id = $1 AND company_id = $2 AND kind = $3 AND run_id <> $4
           AND status IN ('waiting', 'running')`,
        [storeId, companyId, kind, runId],
      )
      return row!.open
    },
    async claim() {
      const [run] = await query<ClaimedRun>(
        `UPDATE heatmark_local.company_run
         SET status = 'running', attempt = attempt + 1, progress = 0, updated_at = clock_timestamp()
         WHERE (store_id, run_id) = (
           SELECT store_id, run_id FROM heatmark_local.company_run
           WHERE store_id = $1 AND kind = ANY($2) AND attempt < $3
             AND (status = 'waiting'
               OR status = 'running' AND updated_at < clock_timestamp() - ${silentFor})
           ORDER BY created_at LIMIT 1 FOR UPDATE SKIP LOCKED)
         RETURNING company_id AS "companyId", run_id AS "runId", kind, input,
           started_by AS "startedBy", attempt`,
        [storeId, runKinds, mostAttempts],
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

const gaveUp: RunError = {
  code: 'internal-error',
  detail: `The run broke off ${mostAttempts} times, because its process ended. Ask the operator why, then begin it again.`,
}
