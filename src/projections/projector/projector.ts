import { setTimeout as sleep } from 'node:timers/promises'
import type { EventStore } from '../../eventStore.ts'
import type { Postgres } from '../../postgres.ts'
import type { Projection } from '../projection.ts'
import { outlivedRows } from '../rows/outlived.ts'
import { Superseded } from './batch.ts'
import { WentBack } from './feed.ts'
import { lead, type ProjectorObserver } from './leader.ts'
import { type Lease, projectorLease, releaseLease, renewLease, takeLease } from './lease.ts'
import { retiredTables } from './retired.ts'

/** The live projector: of all processes that run one, the holder of the schema's lease folds, the others wait. */

export interface ProjectorStatus {
  /** Whether this process leads; if not, another does, or PostgreSQL cannot be reached. */
  readonly leading: boolean
  /** What keeps it from its work, if anything does; it goes on trying. */
  readonly trouble: string | undefined
}

export interface Projector {
  status(): ProjectorStatus
  /** Lets the batch under way finish, and the lease go. */
  stop(): Promise<void>
}

export interface ProjectorOptions {
  readonly eventStore: EventStore
  /**
   * A pool of its own, of two connections: one writes, one renews the lease. With a query timeout, so that a
   * connection that died without a word is given up.
   */
  readonly postgres: Postgres
  readonly schema: string
  readonly projections: readonly Projection[]
  /** This process, among all that may lead; never the same twice. */
  readonly owner: string
  readonly now: () => Date
  readonly observe?: ProjectorObserver
}

export type { ProjectorObserver } from './leader.ts'

const retakeEveryMs = 500
const firstPauseMs = 100
const longestPauseMs = 2_000

export const startProjector = (options: ProjectorOptions): Projector => {
  const { postgres, schema, projections, owner, now, observe = {} } = options
  const retired = retiredTables(postgres, schema, projections, now)
  const outlived = outlivedRows(postgres, schema, projections, now)
  const stopping = new AbortController()
  const troubles = new Map<string, string>()
  let leading = false

  const trouble = () => [...troubles.values()][0]
  const note = (part: string, message?: string) => {
    if (message === undefined) troubles.delete(part)
    else {
      if (message !== troubles.get(part)) observe.trouble?.(message)
      troubles.set(part, message)
    }
  }
  const setLeading = (now: boolean) => {
    if (now !== leading) observe.leading?.(now)
    leading = now
  }

  /** Leads for as long as it may; false when another does. */
  const turn = async (): Promise<boolean> => {
    const connection = await postgres.connect()
    let lease: Lease | undefined
    try {
      lease = await takeLease(connection, projectorLease(schema), owner)
      setLeading(lease !== undefined)
      if (lease)
        await lead(
          { ...options, connection, lease, retired, outlived, observe, note, trouble },
          stopping.signal,
        )
      else note('projector')
      return lease !== undefined
    } catch (error) {
      if (lease && !(error instanceof Superseded))
        await renewLease(postgres, lease, (error as Error).message).catch(() => {})
      throw error
    } finally {
      connection.release(lease !== undefined)
      if (lease && stopping.signal.aborted) await releaseLease(postgres, lease).catch(() => {})
    }
  }

  const run = async () => {
    let pauseMs = 0
    while (!stopping.signal.aborted) {
      try {
        pauseMs = (await turn()) ? 0 : retakeEveryMs
      } catch (error) {
        setLeading(false)
        if (!(error instanceof Superseded)) note('projector', (error as Error).message)
        pauseMs = Math.min(longestPauseMs, Math.max(firstPauseMs, pauseMs * 2))
        if (error instanceof WentBack) pauseMs = longestPauseMs
      }
      if (pauseMs > 0) await sleep(pauseMs, undefined, { signal: stopping.signal }).catch(() => {})
    }
    setLeading(false)
  }
  const running = run()

  return {
    status: () => ({ leading, trouble: trouble() }),
    async stop() {
      stopping.abort()
      await running
    },
  }
}
