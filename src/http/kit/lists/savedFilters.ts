import { z } from 'zod'
import type { Fault } from '../../../domain/kernel/refusal.ts'
import type { Projection } from '../../../projections/engine/projection.ts'
import type { Filters, FilterValues } from '../../../projections/engine/reading/filters.ts'
import type { ListQuery } from '../../../projections/engine/reading/listQuery.ts'
import type { Reading } from '../../../projections/engine/reading/reader.ts'
import { asParameter, check, parameterPlace } from '../body/validate.ts'
import { validationFailed } from '../problem.ts'
import { waitUntilReached } from '../routing/minPosition.ts'
import type { Exchange } from '../routing/route.ts'
import type { Services } from '../services.ts'
import { filterParameters, parameterOf, readFilters } from './filterParameters.ts'

/** Filters that a company has saved under a name, and that a list takes by the parameter `profileId`. */

export interface SavedFilters {
  readonly reads: readonly Projection[]
  /** Query the saved record, with its `filters`. */
  readonly find: (
    reading: Reading,
    ids: { readonly companyId: string; readonly profileId: string },
  ) => ListQuery
}

export const savedFiltersParameter = {
  profileId: parameterOf({
    parameter: { kind: 'id' },
    description:
      'A filter profile: its `filters` count as the parameters of the same names, unless the request has them itself.',
  }),
}

interface FilteredByProfile {
  readonly filters?: Filters
  readonly savedFilters?: SavedFilters
}

/** Return the values of the filters, from the request and from the profile that it names. @throws Problem 400 */
export async function askedFilters(
  { filters = {}, savedFilters }: FilteredByProfile,
  { params, query, headers }: Exchange,
  services: Services,
): Promise<FilterValues> {
  const filterValues = readFilters(filters, query)
  if (!savedFilters || query.profileId === undefined) return filterValues
  const { reads, find } = savedFilters
  await waitUntilReached(services, reads, headers['min-position'])
  const ids = { companyId: params.companyId!, profileId: String(query.profileId) }
  const { value } = await services.reader.read(reads, (reading) =>
    reading.query<{ readonly filters: Readonly<Record<string, unknown>> }>(find(reading, ids)),
  )
  const [profile] = value
  if (!profile)
    throw validationFailed([{ ...noProfile, message: 'must name a filter profile of the company' }])
  return { ...savedValues(withoutNames(filters, filterValues), profile.filters), ...filterValues }
}

const noProfile = { ...parameterPlace('profileId'), code: 'unknown-record' } as const

function withoutNames(filters: Filters, filterValues: FilterValues): Filters {
  return Object.fromEntries(Object.entries(filters).filter(([name]) => !(name in filterValues)))
}

/** A profile may have members that this list does not filter by. They are ignored. */
function savedValues(filters: Filters, saved: Readonly<Record<string, unknown>>): FilterValues {
  const names = Object.keys(filters).filter((name) => Object.hasOwn(saved, name))
  const texts = Object.fromEntries(names.map((name) => [name, inQuery(saved[name])]))
  const { value, faults } = check(z.object(filterParameters(filters)), texts, asParameter)
  if (faults.length > 0) throw validationFailed(faults.map(ofProfile))
  return readFilters(filters, value)
}

/** Write a value as a query does. */
function inQuery(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inQuery)
  return typeof value === 'object' ? value : String(value)
}

function ofProfile({ code, parameter: name, message }: Fault): Fault {
  return { ...parameterPlace('profileId'), code, message: `has filters.${name}, which ${message}` }
}
