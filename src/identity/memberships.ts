import type { Membership } from '../domain/account.ts'
import type { Role } from '../domain/company.ts'
import { access, findMember, listMemberships } from '../projections/access.ts'
import { type CacheObserver, createReadCache, deafAfterMs } from '../projections/reading/readCache.ts'
import { hasStopped, type Reader } from '../projections/reading/reader.ts'
import type { Positions } from '../projections/reading/waitFor.ts'

/** What accounts may do in companies. @throws PostgresUnavailable, also when `access` has stopped */
export interface Memberships {
  /** None for those who are no members, whether or not the company exists. */
  rolesIn(userId: string, companyId: string): Promise<readonly Role[]>
  /** All of an account, in the order of company ids, as they are now. */
  all(userId: string): Promise<readonly Membership[]>
}

/** Memberships kept in memory. */
const maxMemberships = 50_000

/**
 * No node lets anybody in by a membership that ended longer ago than this: one from memory counts only while
 * this node's last look at the read models is recent. Whoever has waited for so long knows that every node
 * has seen the end; the margin is for clocks that run at different speeds.
 */
export const membershipsEndWithinMs = deafAfterMs * 1.1

export interface MembershipsOptions {
  readonly reader: Reader
  readonly positions: Positions
  /** The clock of `positions`. */
  readonly clock: () => number
  readonly observe?: CacheObserver
}

/** Reads memberships from `access`, and keeps them until this node hears of a change. */
export const createMemberships = ({ reader, positions, clock, observe }: MembershipsOptions): Memberships => {
  const cache = createReadCache<readonly Role[]>({
    positions: {
      heard: positions.heard,
      onChange: positions.onChange,
      // Notifications may be late; only a look bounds by how much.
      get lastHeardAt() {
        return positions.lastLookedAt
      },
    },
    clock,
    ...(observe && { observe }),
    maxSize: maxMemberships,
    // Those of a stranger are not kept: asked again they take as long again, whether or not there is such a
    // company, and asking for many does not push anybody else's out.
    sizeOf: (roles) => (roles.length > 0 ? 1 : maxMemberships + 1),
  })

  /**
   * Whoever was removed since it stopped would still get in. What is read says itself whether it runs; for
   * what is in memory counts what this node has heard, which is no older than memory may be.
   */
  const refuseWhileStopped = () => {
    const state = positions.statuses().find(({ name }) => name === access.name)
    if (state?.status === 'failed') throw hasStopped(access)
  }

  return {
    async rolesIn(userId, companyId) {
      refuseWhileStopped()
      const { value } = await cache.get({ companyId, name: userId, reads: [access] }, () =>
        reader.read([access], async (reading) => {
          reading.requireRunning(access)
          const [member] = await reading.query<Membership>(findMember(reading, companyId, userId))
          return member?.roles ?? []
        }),
      )
      return value
    },

    async all(userId) {
      const { value } = await reader.read([access], async (reading) => {
        reading.requireRunning(access)
        return reading.query<Membership>(listMemberships(reading, userId))
      })
      return value.map(({ companyId, roles }) => ({ companyId, roles }))
    },
  }
}
