import { Refusal } from '../../../domain/kernel/refusal.ts'
import { inTime } from '../../../lib/inTime.ts'
import type { EventStore } from '../../../stores/eventStore.ts'
import { type Postgres, PostgresUnavailable } from '../../../stores/postgres/postgres.ts'
import type { Projection } from '../projection.ts'
import type { ReadModels } from '../schema/readModels.ts'
import { type ProjectionReport, reportOn } from './report.ts'
import { findRun, listRuns, performRun, type Run, type RunKind, type RunSummary } from './runs.ts'

/** Operators look at the read models of a running service here, and start runs over them. */
export interface Operations {
  /** @throws StoreUnavailable, PostgresUnavailable */
  report(): Promise<readonly ProjectionReport[]>
  /**
   * Begin a run in this process, which runs one at a time. Return its id once it is under way.
   * @throws Refusal `run-under-way`, Failure `fold-failed`, `event-store-went-back`, StoreUnavailable,
   * PostgresUnavailable
   */
  start(kind: RunKind, projection: Projection): Promise<string>
  /** @throws PostgresUnavailable */
  find(runId: string): Promise<Run | undefined>
  /** The last 100 runs, newest first. @throws PostgresUnavailable */
  list(): Promise<readonly RunSummary[]>
  /** Stop the run under way. Its row stays, and everything else of it is removed. */
  close(): Promise<void>
}

interface OperationsOptions {
  readonly eventStore: EventStore
  /** A pool of its own, of three connections: two for the fold, one for all else. */
  readonly postgres: Postgres
  /** Answers requests, so its statements have a time limit. A fold cannot have one. */
  readonly requests: Postgres
  readonly readModels: ReadModels
  readonly newId: () => string
  readonly clock: () => number
}

/** As a rule a run begins at once. */
const beginWithinMs = 20_000

export function createOperations(options: OperationsOptions): Operations {
  const { requests, readModels, newId } = options
  const closing = new AbortController()
  let under: { readonly runId: string; readonly ended: Promise<unknown> } | undefined

  const hasEnded = async (runId: string): Promise<boolean> => {
    const status = (await findRun(requests, readModels, runId))?.status
    return status === 'succeeded' || status === 'failed'
  }

  return {
    report: () => reportOn({ ...options, postgres: requests }),
    async start(kind, projection) {
      // The run's row may say that it has ended shortly before this process knows.
      const earlier = under
      if (earlier && (await hasEnded(earlier.runId))) await earlier.ended
      if (under) throw busyWith(under.runId)
      const runId = newId()
      const begun = Promise.withResolvers<void>()
      const run = performRun({
        ...options,
        runId,
        kind,
        readModels: readModels.only([projection]),
        signal: closing.signal,
        onProgress: () => begun.resolve(),
      })
      const ended = run.finally(() => {
        under = undefined
      })
      under = { runId, ended: ended.catch(() => {}) }
      await inTime(Promise.race([begun.promise, ended]), beginWithinMs, notBegun)
      return runId
    },
    find: (runId) => findRun(requests, readModels, runId),
    list: () => listRuns(requests, readModels),
    async close() {
      closing.abort(new Error('broken off: the service was stopped'))
      await under?.ended
    },
  }
}

/** The run may still begin. */
function notBegun(): PostgresUnavailable {
  return new PostgresUnavailable(new Error('timeout: the run has not begun'), false)
}

function busyWith(runId: string): Refusal {
  return new Refusal(
    'run-under-way',
    'Another run is in progress, so this one was not started. Start it when that run has ended.',
    { runId },
  )
}
