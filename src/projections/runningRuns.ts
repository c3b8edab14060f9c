import type { Queries } from '../postgres.ts'

/** A rebuild or verification that is under way, in whichever process. */
export interface RunningRun {
  readonly kind: string
  /** By name; between several there is a comma. */
  readonly projection: string
  /** From 0 to 1. */
  readonly progress: number
  readonly eventsPerSecond: number
}

/** One that has been silent for longer has lost its process. */
const silentSeconds = 15

/** @throws PostgresUnavailable */
export const listRunningRuns = (postgres: Queries, schema: string): Promise<RunningRun[]> =>
  postgres.query<RunningRun>(
    `SELECT DISTINCT ON (kind, projection) kind, projection,
       coalesce((detail->>'progress')::float8, 0) AS progress,
       coalesce((detail->>'eventsPerSecond')::float8, 0) AS "eventsPerSecond"
     FROM heatmark_local.run
     WHERE schema = $1 AND status IN ('running', 'stalled')
       AND updated_at > clock_timestamp() - interval '${silentSeconds} seconds'
     ORDER BY kind, projection, started_at DESC`,
    [schema],
  )
