import { setTimeout as pause } from 'node:timers/promises'
import type { Queries } from '../postgres/postgres.ts'
import { type Lease, renewLease } from './lease.ts'

export interface RenewalOptions {
  readonly postgres: Queries
  readonly lease: Lease
  /** The text that others read beside the lease. */
  readonly condition: () => string | undefined
  readonly note: (part: string, message?: string) => void
  readonly everyMs: number
  /** Runs after each renewal; false ends the term. */
  readonly check: () => Promise<boolean>
}

/** The part under which a failed renewal is noted. */
const part = 'lease'

/** Renews the lease until `over`, or until it is lost, or until `check` answers false. Never throws. */
export async function keepLease(options: RenewalOptions, over: AbortSignal): Promise<void> {
  const { postgres, lease, condition, note, everyMs, check } = options
  for (;;) {
    await pause(everyMs, undefined, { signal: over }).catch(() => {})
    if (over.aborted) break
    try {
      if (!(await renewLease(postgres, lease, condition() ?? null)) || !(await check())) break
      note(part)
    } catch (error) {
      // If this goes on, the lease expires by itself, and no statement that needs it succeeds.
      note(part, (error as Error).message)
    }
  }
  note(part)
}
