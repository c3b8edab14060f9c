import { isRefusal } from '../../../domain/kernel/refusal.ts'
import type { Postgres, Queries } from '../../../stores/postgres/postgres.ts'
import type { ReadModels } from '../schema/readModels.ts'
import type { ReplayProgress } from './progress.ts'
import { rebuild } from './rebuild.ts'
import type { ReplayOptions } from './replay.ts'
import { type Verified, type VerifyOptions, verify } from './verify.ts'

/** Rebuilds and verifications that operators begin. `heatmark_local.run` keeps their progress for every process. */

export type RunKind = 'rebuild' | 'verify'

interface Detail {
  /** From 0 to 1. */
  readonly progress: number
  /** The positions of the last event folded, and of the last one to fold as it was known then. */
  readonly position: number
  readonly target: number
  readonly eventsPerSecond: number
  /** null before the first event, and after the end of the run. */
  readonly etaSeconds: number | null
  readonly differenceCount: number
  /** The first thousand differences. */
  readonly differences: Verified['differences']
  /** The positions up to which stopped projections were compared. */
  readonly stopped: Verified['stopped']
  /** The events that it passes over. */
  readonly skipped: Verified['skipped']
  /** Why it failed. */
  readonly error: string | null
}

export interface Run extends Detail {
  readonly runId: string
  readonly kind: RunKind
  /** The names of the projections, with commas between them. */
  readonly projection: string
  readonly status: 'running' | 'succeeded' | 'failed' | 'stalled'
  readonly startedAt: string
  readonly updatedAt: string
}

export interface RunOptions extends VerifyOptions {
  readonly runId: string
  readonly kind: RunKind
}

/** SQL: the run is under way. A run that has reported nothing for this long has lost its process. */
const isUnderWay = `status IN ('running', 'stalled')`
const isHeardOf = `updated_at > clock_timestamp() - interval '15 seconds'`
const keptDays = 90

const unstarted: Detail = {
  progress: 0,
  position: 0,
  target: 0,
  eventsPerSecond: 0,
  etaSeconds: null,
  differenceCount: 0,
  differences: [],
  stopped: [],
  skipped: [],
  error: null,
}

interface RunRow {
  /** Resolves when the row was written or could not be written. The next report repeats what this one said. */
  progress(progress: ReplayProgress): Promise<void>
  end(status: 'succeeded' | 'failed', more: Partial<Detail>): Promise<void>
}

/**
 * Rebuilds or verifies, and keeps the run's row meanwhile. A rebuild finds no differences.
 * @throws Refusal `run-under-way`, and then there is no row; Failure `fold-failed`, `event-store-went-back`,
 * StoreUnavailable, PostgresUnavailable
 */
export async function performRun(options: RunOptions): Promise<Verified> {
  const { postgres, readModels, runId, kind, onProgress } = options
  const projection = readModels.projections.map(({ name }) => name).join(',')
  // If the old rows could not be deleted now, the next run deletes them.
  await forgetOldRuns(postgres).catch(() => {})
  const row = keepRow(postgres, readModels, { runId, kind, projection })
  const watched: ReplayOptions = {
    ...options,
    onProgress(progress) {
      void row.progress(progress).then(() => onProgress?.(progress))
    },
  }
  try {
    const {
      events,
      differences = [],
      differenceCount = 0,
      differing = [],
      stopped = [],
      skipped = [],
    }: Partial<Verified> & { events: number } = kind === 'rebuild'
      ? await rebuild(watched)
      : await verify(watched)
    await row.end('succeeded', { progress: 1, differenceCount, differences, stopped, skipped })
    return { events, differenceCount, differences, differing, stopped, skipped }
  } catch (error) {
    // If this statement is lost, the silence of the run tells the same.
    if (!isRefusal(error, 'run-under-way'))
      await row.end('failed', { error: (error as Error).message }).catch(() => {})
    throw error
  }
}

/** Columns of a `StoredRun`. */
const runColumns = `run_id AS "runId", kind, projection, status, started_at AS "startedAt",
  updated_at AS "updatedAt", ${isUnderWay} AND NOT ${isHeardOf} AS silent`

type StoredRun = Omit<Run, keyof Detail> & { readonly silent: boolean; readonly detail: Partial<Detail> }

/** @throws PostgresUnavailable */
export async function findRun(
  postgres: Postgres,
  { schema }: ReadModels,
  runId: string,
): Promise<Run | undefined> {
  const [row] = await postgres.query<StoredRun>(
    `SELECT ${runColumns}, detail FROM heatmark_local.run WHERE schema = $1 AND run_id = $2`,
    [schema, runId],
  )
  return row && asRun(row)
}

/** A run without its differences: a hundred runs may have a thousand each. */
export type RunSummary = Omit<Run, 'differences'>

const listedRuns = 100

/** The last 100 runs, newest first. @throws PostgresUnavailable */
export async function listRuns(postgres: Queries, { schema }: ReadModels): Promise<RunSummary[]> {
  const rows = await postgres.query<StoredRun>(
    // The inner query keeps PostgreSQL from reading the details of runs that are not listed.
    `SELECT ${runColumns}, detail - 'differences' AS detail
     FROM (SELECT * FROM heatmark_local.run WHERE schema = $1
           ORDER BY started_at DESC, run_id LIMIT ${listedRuns}) listed
     ORDER BY started_at DESC, run_id`,
    [schema],
  )
  return rows.map(asRun).map(({ differences: _, ...summary }) => summary)
}

export type RunningRun = Pick<Run, 'kind' | 'projection' | 'progress' | 'eventsPerSecond'>

/** The runs under way, in any process: the last one of each kind and projection. @throws PostgresUnavailable */
export function listRunningRuns(queries: Queries, { schema }: ReadModels): Promise<RunningRun[]> {
  return queries.query(
    `SELECT DISTINCT ON (kind, projection) kind, projection,
       (detail->>'progress')::float8 AS progress, (detail->>'eventsPerSecond')::float8 AS "eventsPerSecond"
     FROM heatmark_local.run WHERE schema = $1 AND ${isUnderWay} AND ${isHeardOf}
     ORDER BY kind, projection, started_at DESC`,
    [schema],
  )
}

function detailOf({
  progress,
  position,
  target,
  eventsPerSecond,
  etaSeconds,
}: ReplayProgress): Partial<Detail> {
  return { progress, position, target, eventsPerSecond, etaSeconds: etaSeconds ?? null }
}

function keepRow(
  postgres: Postgres,
  { schema }: ReadModels,
  run: Pick<Run, 'runId' | 'kind' | 'projection'>,
): RunRow {
  let detail = unstarted
  let writing: Promise<void> | undefined
  const write = async (status: Run['status']) => {
    await postgres.query(
      `INSERT INTO heatmark_local.run (run_id, schema, kind, projection, status, detail)
       VALUES ($1, $2, $3, $4, $5, $6)
       ON CONFLICT (run_id) DO UPDATE SET status = $5, detail = $6, updated_at = clock_timestamp()`,
      [run.runId, schema, run.kind, run.projection, status, JSON.stringify(detail)],
    )
  }
  return {
    progress(progress) {
      detail = { ...detail, ...detailOf(progress) }
      writing ??= write(progress.status)
        .catch(() => {})
        .finally(() => {
          writing = undefined
        })
      return writing
    },
    async end(status, more) {
      await writing
      detail = { ...detail, ...more, etaSeconds: null }
      await write(status)
    },
  }
}

/** Delete old runs. */
function forgetOldRuns(postgres: Postgres): Promise<unknown> {
  return postgres.query(
    `DELETE FROM heatmark_local.run WHERE started_at < clock_timestamp() - interval '${keptDays} days'`,
    [],
  )
}

/** Return the run as its process last reported it. A run whose process has gone silent has failed. */
function asRun({ silent, detail, ...run }: StoredRun): Run {
  const shown = { ...run, ...unstarted, ...detail }
  return silent ? { ...shown, status: 'failed', etaSeconds: null, error: 'its process has gone' } : shown
}
