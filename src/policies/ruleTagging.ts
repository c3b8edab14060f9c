import { setTimeout as sleep } from 'node:timers/promises'
import type { Postgres } from '../postgres.ts'
import {
  type Lease,
  releaseLease,
  renewEveryMs,
  renewLease,
  takeLease,
} from '../projections/projector/lease.ts'
import { leaseNameOf } from './cursor.ts'
import { LeaseLost } from './evaluation.ts'
import { follow, type Means, type Part, type RuleTaggingObserver } from './follow.ts'
import { isBeyond, troubleText } from './trouble.ts'

/**
 * Rule packs tag what is there already. A registration is evaluated as it is recorded; this policy follows
 * the store and sees to the rest: all subjects of a company that has decided on a pack, and each subject
 * that was registered or corrected by a node that did not know of that decision yet. All it does is repeat
 * `evaluateByRules`, which is harmless, so it may be ended anywhere and go on from its last kept position.
 */

/** The pool is its own, of two connections: one holds the lease, one does the rest. */
export interface RuleTaggingOptions extends Means {
  /** This process, among all that may lead; never the same twice. */
  readonly owner: string
  readonly observe?: RuleTaggingObserver
}

export interface RuleTaggingStatus {
  /** Whether this process leads; if not, another does, or PostgreSQL cannot be reached. */
  readonly leading: boolean
  /** What keeps it from its work, if anything does; it goes on trying. */
  readonly trouble: string | undefined
  /** Of the last event that it has dealt with; undefined while it has never led. */
  readonly position: number | undefined
}

export interface RuleTagging {
  status(): RuleTaggingStatus
  stop(): Promise<void>
}

export type { RuleTaggingObserver } from './follow.ts'

const retakeEveryMs = 500
/** So long it leaves the lease to others, having met what it does not ship. */
const giveUpMs = 5_000
const longestPauseMs = 2_000

/** Renews the lease for as long as it is held, and says beside it what is wrong. */
const keep = async (
  postgres: Postgres,
  lease: Lease,
  trouble: () => string | undefined,
  over: AbortSignal,
  lost: () => void,
): Promise<void> => {
  for (;;) {
    await sleep(renewEveryMs, undefined, { signal: over }).catch(() => {})
    if (over.aborted) return
    // Should PostgreSQL be gone, the lease expires by itself, and nothing is saved without it.
    if (!(await renewLease(postgres, lease, trouble() ?? null).catch(() => true))) return lost()
  }
}

export const startRuleTagging = (options: RuleTaggingOptions): RuleTagging => {
  const { postgres, storeId, owner, observe = {} } = options
  const stopping = new AbortController()
  const troubles = new Map<Part, string>()
  let leading = false
  let position: number | undefined

  const trouble = () => [...troubles.values()][0]
  const note = (part: Part, message?: string) => {
    if (message === undefined) return void troubles.delete(part)
    if (![...troubles.values()].includes(message)) observe.trouble?.(message)
    troubles.set(part, message)
  }
  const reached = (now: number) => {
    position = now
  }
  const setLeading = (now: boolean) => {
    if (now !== leading) observe.leading?.(now)
    leading = now
  }

  /** Leads for as long as it may; false when another does. */
  const turn = async (): Promise<boolean> => {
    const connection = await postgres.connect()
    const ended = new AbortController()
    const over = AbortSignal.any([ended.signal, stopping.signal])
    let lease: Lease | undefined
    let keeping: Promise<void> | undefined
    try {
      lease = await takeLease(connection, leaseNameOf(storeId), owner)
      setLeading(lease !== undefined)
      if (!lease) return false
      keeping = keep(postgres, lease, trouble, over, () => ended.abort())
      await follow({ ...options, lease, observe, note, reached }, over)
      return true
    } catch (error) {
      // Whoever looks for the reason sees it beside the lease, which is free to others in a moment.
      if (lease && !(error instanceof LeaseLost))
        await renewLease(postgres, lease, troubleText(error as Error)).catch(() => {})
      throw error
    } finally {
      ended.abort()
      await keeping
      if (lease) await releaseLease(postgres, lease).catch(() => {})
      connection.release(lease !== undefined)
    }
  }

  const run = async () => {
    let pauseMs = 0
    while (!stopping.signal.aborted) {
      try {
        pauseMs = (await turn()) ? 0 : retakeEveryMs
        // Another leads by now: what was wrong here is its to say.
        if (pauseMs > 0) troubles.clear()
      } catch (error) {
        if (!(error instanceof LeaseLost)) note('turn', troubleText(error as Error))
        pauseMs = isBeyond(error) ? giveUpMs : Math.min(longestPauseMs, Math.max(100, pauseMs * 2))
      }
      setLeading(leading && pauseMs === 0)
      if (pauseMs > 0) await sleep(pauseMs, undefined, { signal: stopping.signal }).catch(() => {})
    }
    setLeading(false)
  }
  const running = run()

  return {
    status: () => ({ leading, trouble: trouble(), position }),
    async stop() {
      stopping.abort()
      await running
    },
  }
}
