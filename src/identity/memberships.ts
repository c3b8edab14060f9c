import type { Role } from '../domain/company.ts'
import { PostgresUnavailable } from '../postgres.ts'
import { access, findMember } from '../projections/access.ts'
import { createReadCache } from '../projections/readCache.ts'
import type { Reader } from '../projections/reader.ts'
import type { Positions } from '../projections/waitFor.ts'

/** An account's roles in a company: none for those who are no members, whether or not the company exists. */
export type Memberships = (userId: string, companyId: string) => Promise<readonly Role[]>

/** Memberships kept in memory. */
const maxMemberships = 50_000

export interface MembershipsOptions {
  readonly reader: Reader
  readonly positions: Positions
  /** The clock of `positions`. */
  readonly clock: () => number
}

/**
 * Reads memberships from `access`, and keeps them until this node hears of a change.
 * @throws PostgresUnavailable, also when `access` has stopped: who was removed since would still get in
 */
export const createMemberships = ({ reader, positions, clock }: MembershipsOptions): Memberships => {
  const cache = createReadCache<readonly Role[]>({
    positions,
    clock,
    maxSize: maxMemberships,
    sizeOf: () => 1,
  })

  return async (userId, companyId) => {
    const state = positions.statuses().find(({ name }) => name === access.name)
    if (state?.status === 'failed')
      throw new PostgresUnavailable(new Error('the projection access has stopped'), false)
    const { value } = await cache.get({ companyId, name: userId, reads: [access] }, () =>
      reader.read([access], async (reading) => {
        const [member] = await reading.query<{ roles: readonly Role[] }>(
          findMember(reading, companyId, userId),
        )
        return member?.roles ?? []
      }),
    )
    return value
  }
}
