import type { Erasing } from '../commands/company/erasure.ts'
import type { Persons } from '../commands/executor/persons.ts'
import type { Traces } from '../domain/company/companyEvents.ts'
import { Refusal } from '../domain/kernel/refusal.ts'
import { responsibleYears } from '../domain/kernel/responsibility.ts'
import { actors, findTraces } from '../projections/audit/actors.ts'
import type { Reader } from '../projections/engine/reading/reader.ts'
import type { Positions } from '../projections/engine/reading/waitFor.ts'
import type { EventStore } from '../stores/eventStore.ts'

interface ErasingOptions {
  readonly eventStore: Pick<EventStore, 'last'>
  readonly positions: Pick<Positions, 'waitFor'>
  readonly reader: Reader
  readonly persons: Pick<Persons, 'forget'>
  readonly now: () => Date
}

/** The longest time that an erasure waits until the read models show every earlier event. */
const countWithinMs = 5_000

/** Return the parts of an erasure that read models and kept names have. */
export function createErasing(
  { eventStore, positions, reader, persons, now }: ErasingOptions,
  { companyId, userId, isConfirmed }: { companyId: string; userId: string; isConfirmed: boolean },
): Erasing {
  return {
    isConfirmed,
    async findTraces() {
      // Acts that are not counted yet would not be confirmed.
      const head = (await eventStore.last())?.position ?? 0
      const isShown = await positions.waitFor([actors], head, countWithinMs)
      const { value } = await reader.read([actors], async (reading) => {
        reading.requireRunning(actors)
        if (!isShown) throw behindRefusal()
        const since = yearsBefore(now(), responsibleYears)
        return reading.query<Traces>(findTraces(reading, { companyId, userId, since }))
      })
      return value[0]!
    },
    forget: (position) => persons.forget(companyId, userId, position),
  }
}

function behindRefusal(): Refusal {
  return new Refusal(
    'read-model-behind',
    'The read models do not show the newest events yet, so acts of responsibility may be missing in the count, and nothing was recorded. Try again later.',
  )
}

function yearsBefore(time: Date, years: number): string {
  const before = new Date(time)
  before.setUTCFullYear(before.getUTCFullYear() - years)
  return before.toISOString().slice(0, 10)
}
