import { availableUntil } from '../companyExports/rows.ts'
import type { Actor } from '../domain/event.ts'
import type { Permission } from '../identity/permissions.ts'
import type { Postgres } from '../postgres.ts'
import {
  type Asked,
  binder,
  type FilterSql,
  type Filters,
  matchesOf,
  wantedOf,
} from '../projections/reading/filters.ts'
import { type ListQuery, listQuery, type Page, singleQuery } from '../projections/reading/listQuery.ts'
import type { Reading } from '../projections/reading/reader.ts'

/** The runs of companies: long work that somebody of a company has asked for, one row each in `heatmark_local`. */

export const runKinds = ['orderPack', 'companyExport'] as const
export type RunKind = (typeof runKinds)[number]

export const runStatuses = ['waiting', 'running', 'succeeded', 'failed'] as const
export type RunStatus = (typeof runStatuses)[number]

/** The person or program that asked, and by what right. A name is kept nowhere but in the memory of the process. */
export interface Starter extends Pick<Actor, 'id' | 'kind'> {
  /** The API key of the request; undefined for a token. */
  readonly keyId?: string | undefined
  /** The permission that the run needs. Runs that an older release began have none. */
  readonly permission?: Permission | undefined
}

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
  /** The order whose pack the run makes; null for other kinds. */
  readonly orderId: string | null
  readonly status: RunStatus
  /** From 0 to 1. */
  readonly progress: number
  readonly result: object | null
  readonly error: RunError | null
  /** Until when the export that the run has written can be downloaded; null if there is none, or it was replaced. */
  readonly availableUntil: string | null
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

/** A run as it is kept, with the hash of its request. */
export interface KeptRun extends CompanyRun, Pick<NewRun, 'contentHash'> {
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

/** A run is kept for this many days. What it has made is kept for ever. */
export const keptDays = 90
/** A process that has reported nothing for so long counts as ended. */
const silentFor = "interval '30 seconds'"
const mostAttempts = 3

/** The store is $1, and the company is $2. */
const fields = {
  runId: 'r.run_id',
  kind: 'r.kind',
  orderId: "r.input->>'orderId'",
  status: 'r.status',
  progress: 'r.progress',
  result: 'r.result',
  error: 'r.error',
  availableUntil,
  startedBy: "r.started_by->>'id'",
  createdAt: 'r.created_at',
  updatedAt: 'r.updated_at',
} satisfies Record<keyof CompanyRun, string>

const columns = Object.entries(fields)
  .map(([name, column]) => `${column} AS "${name}"`)
  .join(', ')

const table = 'heatmark_local.company_run'
const ofStore = { from: `${table} r`, where: 'r.store_id = $1 AND r.company_id = $2' }

/** The filters of the list. A company has few enough runs that each is looked at. */
export const runFilters = {
  kind: {
    ...{ parameter: { kind: 'oneOf', values: runKinds }, description: 'Runs of this kind.' },
    matches: ({ bind }: FilterSql, kind: string) => `${fields.kind} = ${bind(kind)}`,
  },
  orderId: {
    ...{ parameter: { kind: 'id' }, description: 'Runs that make a pack of this order.' },
    matches: ({ bind }: FilterSql, orderId: string) => `${fields.orderId} = ${bind(orderId)}`,
  },
  status: {
    ...{ parameter: { kind: 'oneOf', values: runStatuses }, repeatable: true },
    description: 'Runs that have one of these statuses.',
    matches: ({ bind }: FilterSql, statuses: readonly string[]) =>
      `${fields.status} = ANY(${bind(statuses)}::text[])`,
  },
} as const satisfies Filters

/** The runs of a company that match the filters, oldest first. */
export function listCompanyRuns(
  reading: Reading,
  { companyId, asked }: { readonly companyId: string; readonly asked: Asked },
  page?: Page,
): ListQuery {
  const sql = binder({ reading, table, row: 'r' }, [reading.storeId, companyId])
  const where = [ofStore.where, ...matchesOf(sql, wantedOf(runFilters, asked))].join(' AND ')
  const order = ['r.created_at', 'r.run_id']
  return listQuery({ select: fields, from: ofStore.from, where, values: sql.values, order }, page)
}

export function findCompanyRun(storeId: string, companyId: string, runId: string): ListQuery {
  const where = `${ofStore.where} AND r.run_id = $3`
  return singleQuery({ select: fields, ...ofStore, where, values: [storeId, companyId, runId] })
}

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
    keep: ({ companyId, runId, kind, input, contentHash, startedBy }, most) =>
      transaction(async (connection) => {
        // Each request counts the runs of those before it. The lock ends with the transaction.
        const lock = `company_run ${storeId} ${companyId} ${kind}`
        await connection.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [lock])
        const [row] = await connection.query<KeptRun>(
          `WITH open AS (
             SELECT count(*) AS others FROM heatmark_local.company_run
             WHERE store_id = $1 AND company_id = $2 AND kind = $4 AND run_id <> $3
               AND status IN ('waiting', 'running')),
           kept AS (
             INSERT INTO heatmark_local.company_run AS r
               (store_id, company_id, run_id, kind, input, content_hash, started_by)
             SELECT $1, $2, $3, $4, $5, $6, $7 FROM open
             WHERE others < $8
               OR EXISTS (SELECT FROM heatmark_local.company_run WHERE store_id = $1 AND run_id = $3)
             ON CONFLICT (store_id, run_id) DO UPDATE SET run_id = r.run_id
             RETURNING r.*, xmax = 0 AS is_new)
           SELECT ${columns}, r.content_hash AS "contentHash", r.is_new AS "isNew" FROM kept r`,
          [
            ...[storeId, companyId, runId, kind, JSON.stringify(input), contentHash],
            ...[JSON.stringify(startedBy), most],
          ],
        )
        return row
      }),
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

const gaveUp: RunError = {
  code: 'internal-error',
  detail: `The run broke off ${mostAttempts} times, because its process ended. Ask the operator why, then begin it again.`,
}
