import type { Recorded } from '../../../domain/kernel/event.ts'
import type { Queries } from '../../../stores/postgres/postgres.ts'

/** The progress of a replay, and whether it advances. */
export interface ReplayProgress {
  readonly status: 'running' | 'stalled'
  /** From 0 to 1. */
  readonly progress: number
  /** The position of the last folded event, and of the last event to fold as it is known now. */
  readonly position: number
  readonly target: number
  readonly events: number
  readonly eventsPerSecond: number
  /** Undefined before the first event. */
  readonly etaSeconds: number | undefined
}

export interface ProgressTracker {
  /** Events folded. */
  readonly events: number
  /** The position to fold to, as it is known now. */
  aimAt(position: number): void
  noteFolded(batch: readonly Recorded[]): void
  report(): void
  /**
   * Report at once, and then repeatedly until the returned function is called. `backend` is the process of PostgreSQL
   * that writes.
   */
  watch(queries: Queries, backend: number): () => void
}

/** A replay that has folded no event for this long counts as stalled, unless PostgreSQL works for it. */
const stalledAfterMs = 60_000

export function trackProgress(
  clock: () => number,
  onProgress: (progress: ReplayProgress) => void,
  reportEveryMs: number,
): ProgressTracker {
  const started = clock()
  let events = 0
  let position = 0
  let target = 0
  let movedAt = started
  let looking = false

  const report = () => {
    const now = clock()
    const progress = target > 0 ? Math.min(1, position / target) : 0
    onProgress({
      status: now - movedAt > stalledAfterMs ? 'stalled' : 'running',
      progress,
      position,
      target,
      events,
      eventsPerSecond: Math.round((events * 1_000) / Math.max(1, now - started)),
      etaSeconds: progress > 0 ? Math.round(((now - started) / 1_000) * (1 / progress - 1)) : undefined,
    })
  }

  /** No events are folded while an index is created. */
  const lookAfter = async (queries: Queries, backend: number) => {
    if (looking || clock() - movedAt < stalledAfterMs / 2) return
    looking = true
    if (await isBusy(queries, backend).catch(() => false)) movedAt = clock()
    looking = false
  }

  return {
    get events() {
      return events
    },
    aimAt(position) {
      target = position
    },
    noteFolded(batch) {
      events += batch.length
      position = batch.at(-1)!.position
      movedAt = clock()
    },
    report,
    watch(queries, backend) {
      const reporting = setInterval(() => {
        report()
        void lookAfter(queries, backend)
      }, reportEveryMs)
      report()
      return () => clearInterval(reporting)
    },
  }
}

/** Whether PostgreSQL works on the backend's statement, such as a large index, and does not wait for a lock. */
async function isBusy(queries: Queries, backend: number): Promise<boolean> {
  const busy = await queries.query(
    `SELECT 1 FROM pg_stat_activity WHERE pid = $1 AND state = 'active'
       AND coalesce(wait_event_type, '') NOT IN ('Lock', 'Client')`,
    [backend],
  )
  return busy.length > 0
}
