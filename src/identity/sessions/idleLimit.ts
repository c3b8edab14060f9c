import { LRUCache } from 'lru-cache'
import type { Membership } from '../../domain/company/account.ts'
import { defaultSettings } from '../../domain/company/company.ts'
import type { Role } from '../../domain/company/companyEvents.ts'
import { atMost } from '../../lib/atMost.ts'
import type { SettingsOf } from '../companySettings.ts'
import type { Memberships } from '../memberships.ts'

/**
 * How long a session may go without use. People at a saw wear gloves, so a company may allow them longer sessions. Each
 * company decides for itself: an Admin may make anybody a member, and must not change what holds in another company.
 */

/** Minutes without use after which a session ends, where no company allows more. */
export const usualIdleMinutes = defaultSettings.cutterIdleMinutes

/**
 * All return minutes. A change of roles counts within a minute, one of settings at once. @throws PostgresUnavailable
 */
export interface IdleLimits {
  /** The time after which the person must log in again to work in this company. */
  inCompany(userId: string, companyId: string): Promise<number>
  /** The longest of the person's companies: after it, the session is of no use. */
  longest(userId: string): Promise<number>
  /** The shortest of the person's companies, for requests that concern all of them. */
  shortest(userId: string): Promise<number>
}

interface IdleLimitsOptions {
  readonly memberships: Pick<Memberships, 'all'>
  readonly settingsOf: SettingsOf
}

const knownForMs = 60_000
const maxKnown = 10_000

export function createIdleLimits({ memberships, settingsOf }: IdleLimitsOptions): IdleLimits {
  const recent = new LRUCache<string, readonly Membership[]>({ ...atMost(maxKnown), ttl: knownForMs })
  const membershipsOf = async (userId: string) => {
    const held = recent.get(userId) ?? (await memberships.all(userId))
    if (!recent.has(userId)) recent.set(userId, held)
    return held
  }
  const limitOf = async ({ companyId, roles }: Membership) =>
    isCutterAlone(roles) ? (await settingsOf(companyId)).cutterIdleMinutes : usualIdleMinutes
  const limitsOf = async (userId: string) => Promise.all((await membershipsOf(userId)).map(limitOf))

  return {
    async inCompany(userId, companyId) {
      const held = (await membershipsOf(userId)).find((one) => one.companyId === companyId)
      return held ? limitOf(held) : usualIdleMinutes
    },
    longest: async (userId) => Math.max(usualIdleMinutes, ...(await limitsOf(userId))),
    async shortest(userId) {
      const limits = await limitsOf(userId)
      return limits.length === 0 ? usualIdleMinutes : Math.min(...limits)
    },
  }
}

/** Whether the person does nothing but work at saws. Every Cutter may read what a Viewer may. */
function isCutterAlone(roles: readonly Role[]): boolean {
  return roles.includes('Cutter') && roles.every((role) => role === 'Cutter' || role === 'Viewer')
}
