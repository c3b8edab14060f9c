import type { Membership } from '../domain/company/account.ts'
import type { Role } from '../domain/company/companyEvents.ts'
import { access } from '../projections/company/access.ts'
import { findMember, listMemberships } from '../projections/company/memberQueries.ts'
import { type CacheObserver, createReadCache, deafAfterMs } from '../projections/engine/reading/readCache.ts'
import { hasStopped, type Reader } from '../projections/engine/reading/reader.ts'
import type { Positions } from '../projections/engine/reading/waitFor.ts'

/** The roles of accounts in companies. @throws PostgresUnavailable, also when the projection `access` has stopped */
export interface Memberships {
  /** Return the account's roles. The list is empty when it is not a member, whether or not the company exists. */
  rolesIn(userId: string, companyId: string): Promise<readonly Role[]>
  /** Return the account's roles at once; undefined if they have to be read. */
  recall(userId: string, companyId: string): readonly Role[] | undefined
  /** Read all memberships of an account from the read model, in the order of company ids. */
  all(userId: string): Promise<readonly Membership[]>
}

/** The cache holds this many memberships. */
const maxMemberships = 50_000

/**
 * This long after a membership has ended, no node grants access by it any more: a node uses a cached membership only
 * while its last look at the read models is recent. The margin allows for clocks that run at different speeds.
 */
export const membershipsEndWithinMs = deafAfterMs * 1.1

interface MembershipsOptions {
  readonly reader: Reader
  readonly positions: Pick<Positions, 'positionOf' | 'onChange' | 'knownStates' | 'lastLookedAt'>
  /** The clock of `positions`. */
  readonly clock: () => number
  readonly observe?: CacheObserver
}

/** Read memberships from `access`, and cache them until this node hears of a change. */
export function createMemberships({ reader, positions, clock, observe }: MembershipsOptions): Memberships {
  const cache = createReadCache<readonly Role[]>({
    positions: {
      positionOf: positions.positionOf,
      onChange: positions.onChange,
      // Notifications may be late without bound. The time of the last look is a bound.
      get lastHeardAt() {
        return positions.lastLookedAt
      },
    },
    clock,
    ...(observe && { observe }),
    maxSize: maxMemberships,
    // An empty list is never cached. So the time of an answer does not tell whether the company exists, and requests
    // of non-members do not evict the memberships of others.
    sizeOf: (roles) => (roles.length > 0 ? 1 : maxMemberships + 1),
  })

  /**
   * While `access` is stopped, removed members would keep their access. A read checks the status in its own snapshot;
   * for a cached membership the last status that this node heard decides, which is no older than the cache may be.
   */
  const isStopped = () => positions.knownStates.get(access.name)?.status === 'failed'
  const membership = (userId: string, companyId: string) => ({ companyId, name: userId, reads: [access] })

  return {
    async rolesIn(userId, companyId) {
      if (isStopped()) throw hasStopped(access)
      const { value } = await cache.get(membership(userId, companyId), () =>
        reader.read([access], async (reading) => {
          reading.requireRunning(access)
          const [member] = await reading.query<Membership>(findMember(reading, companyId, userId))
          return member?.roles ?? []
        }),
      )
      return value
    },

    recall: (userId, companyId) =>
      isStopped() ? undefined : cache.recall(membership(userId, companyId))?.value,

    async all(userId) {
      const { value } = await reader.read([access], async (reading) => {
        reading.requireRunning(access)
        return reading.query<Membership>(listMemberships(reading, userId))
      })
      return value.map(({ companyId, roles }) => ({ companyId, roles }))
    },
  }
}
