import type { Erasing } from '../commands/erasure.ts'
import type { Persons } from '../commands/persons.ts'
import type { Traces } from '../domain/company.ts'
import { responsibleYears } from '../domain/responsibility.ts'
import { actors, findTraces } from '../projections/actors.ts'
import type { Reader } from '../projections/reading/reader.ts'

export interface ErasingOptions {
  readonly reader: Reader
  readonly persons: Pick<Persons, 'forget'>
  readonly now: () => Date
}

/** Return the parts of an erasure that read models and kept names have. */
export function erasing(
  { reader, persons, now }: ErasingOptions,
  { companyId, userId, isConfirmed }: { companyId: string; userId: string; isConfirmed: boolean },
): Erasing {
  return {
    isConfirmed,
    async findTraces() {
      const { value } = await reader.read([actors], async (reading) => {
        // Acts that are not counted yet would not be confirmed.
        reading.requireRunning(actors)
        const since = yearsBefore(now(), responsibleYears)
        return reading.query<Traces>(findTraces(reading, { companyId, userId, since }))
      })
      return value[0]!
    },
    forget: (position) => persons.forget(companyId, userId, position),
  }
}

function yearsBefore(time: Date, years: number): string {
  const before = new Date(time)
  before.setUTCFullYear(before.getUTCFullYear() - years)
  return before.toISOString().slice(0, 10)
}
