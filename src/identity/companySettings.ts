import { defaultSettings } from '../domain/company/company.ts'
import type { CompanySettings } from '../domain/company/companyEvents.ts'
import { access } from '../projections/company/access.ts'
import { findSettings } from '../projections/company/memberQueries.ts'
import { createReadCache } from '../projections/engine/reading/readCache.ts'
import type { Reader } from '../projections/engine/reading/reader.ts'
import type { Positions } from '../projections/engine/reading/waitFor.ts'

/** Return the settings of a company. @throws PostgresUnavailable */
export type SettingsOf = (companyId: string) => Promise<CompanySettings>

/** The cache holds the settings of this many companies. */
const maxCompanies = 10_000

interface SettingsOptions {
  readonly reader: Reader
  readonly positions: Pick<Positions, 'positionOf' | 'onChange' | 'lastHeardAt'>
  /** The clock of `positions`. */
  readonly clock: () => number
}

/** Read settings from `access`, and cache them until this node hears of a change. */
export function createSettings({ reader, positions, clock }: SettingsOptions): SettingsOf {
  const cache = createReadCache<CompanySettings>({ positions, clock, maxSize: maxCompanies, sizeOf: () => 1 })
  return async (companyId) => {
    const { value } = await cache.get({ companyId, name: 'settings', reads: [access] }, () =>
      reader.read([access], async (reading) => {
        const [row] = await reading.query<{ settings: CompanySettings | null }>(
          findSettings(reading, companyId),
        )
        return row?.settings ?? defaultSettings
      }),
    )
    return value
  }
}
