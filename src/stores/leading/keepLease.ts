import type { Lease } from './lease.ts'
import type { Renewals } from './renewals.ts'

interface RenewalOptions {
  readonly renewals: Renewals
  readonly lease: Lease
  /** The text that others read beside the lease. */
  readonly condition: () => string | undefined
  readonly note: (part: string, message?: string) => void
  /** Runs after each renewal; false ends the term. */
  readonly check: () => Promise<boolean>
}

/** The part under which a failed renewal is noted. */
const part = 'lease'

/** Renews the lease until `over`, or until it is lost, or until `check` answers false. Never throws. */
export async function keepLease(options: RenewalOptions, over: AbortSignal): Promise<void> {
  const { renewals, lease, condition, note, check } = options
  while (!over.aborted) {
    try {
      if (!(await renewals.next(lease, condition, over)) || !(await check())) break
      note(part)
    } catch (error) {
      // If this goes on, the lease expires by itself, and no statement that needs it succeeds.
      note(part, (error as Error).message)
    }
  }
  note(part)
}
