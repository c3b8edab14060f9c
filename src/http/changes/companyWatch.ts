import { setTimeout as sleep } from 'node:timers/promises'
import { changeReads } from '../../changes/readChanges.ts'
import { ifInTime } from '../../lib/inTime.ts'
import { entries } from '../../projections/audit/entries.ts'
import { access } from '../../projections/company/access.ts'
import type { Changes } from '../../projections/engine/reading/knownStates.ts'
import type { Positions } from '../../projections/engine/reading/waitFor.ts'

/** A reader of the feed looks again when its company has a new event, or when somebody's access may have ended. */

export interface CompanyWatch {
  /** Wait until another look is due after the last one or it is over, and begin it. Changes from now on end the next wait. */
  begin(over: AbortSignal): Promise<void>
  /** True when the company may have changed since the last look began; false when time is up, or it is over. */
  changed(withinMs: number, over: AbortSignal): Promise<boolean>
  end(): void
}

/** The least time between two looks, each of which is a query. An access check is valid for a little less. */
const pauseMs = 120

export function watchCompany(
  positions: Pick<Positions, 'onChange' | 'positionOf' | 'waitFor'>,
  clock: () => number,
  companyId: string,
): CompanyWatch {
  let changed = Promise.withResolvers<void>()
  let isApart = false
  let lookedAt = Number.NEGATIVE_INFINITY
  const end = positions.onChange((changes) => {
    if (concerns(changes, companyId)) changed.resolve()
  })
  return {
    async begin(over) {
      await sleep(Math.max(0, lookedAt + pauseMs - clock()), undefined, { signal: over }).catch(() => {})
      lookedAt = clock()
      changed = Promise.withResolvers()
      isApart = positions.positionOf(changeReads) < positions.positionOf([entries])
    },
    async changed(withinMs, over) {
      // Readers see an event of `entries` when the slowest read model has it, which no change of the company announces.
      const next = isApart
        ? positions.waitFor(changeReads, positions.positionOf([entries]), withinMs)
        : changed.promise.then(() => true)
      return (await ifInTime(next, withinMs, over)) ?? false
    },
    end,
  }
}

/** The event of an account names no company. */
function concerns(changes: Changes, companyId: string): boolean {
  return (
    changes === '*' ||
    changes.some(
      (one) =>
        (one.companyId === companyId &&
          (one.projection === entries.name || one.projection === access.name)) ||
        (one.companyId === '' && one.projection === access.name),
    )
  )
}
