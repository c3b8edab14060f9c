import { LRUCache } from 'lru-cache'
import type { Membership } from '../../domain/account.ts'
import { defaultSettings } from '../../domain/company.ts'
import type { SettingsOf } from '../companySettings.ts'
import type { Memberships } from '../memberships.ts'

/** How long a session may go without use. People at a saw wear gloves, so a company may allow them longer sessions. */

/** Minutes without use after which a session ends, if no company of the person allows more. */
export const usualIdleMinutes = defaultSettings.cutterIdleMinutes

/**
 * Return the minutes without use after which a session of the person ends. A change of roles counts within a minute,
 * one of settings at once. @throws PostgresUnavailable
 */
export type IdleMinutesOf = (userId: string) => Promise<number>

export interface IdleLimitsOptions {
  readonly memberships: Pick<Memberships, 'all'>
  readonly settingsOf: SettingsOf
}

const knownForMs = 60_000
const maxKnown = 10_000

export function createIdleLimits({ memberships, settingsOf }: IdleLimitsOptions): IdleMinutesOf {
  const known = new LRUCache<string, readonly Membership[]>({ max: maxKnown, ttl: knownForMs })
  return async (userId) => {
    const held = known.get(userId) ?? (await memberships.all(userId))
    if (!known.has(userId)) known.set(userId, held)
    if (!isCutterAlone(held)) return usualIdleMinutes
    const settings = await Promise.all(held.map(({ companyId }) => settingsOf(companyId)))
    return Math.min(...settings.map(({ cutterIdleMinutes }) => cutterIdleMinutes))
  }
}

/** Whether the person does nothing but work at saws. Every Cutter may read what a Viewer may. */
function isCutterAlone(held: readonly Membership[]): boolean {
  return (
    held.length > 0 &&
    held.every(
      ({ roles }) =>
        roles.includes('Cutter') && roles.every((role) => role === 'Cutter' || role === 'Viewer'),
    )
  )
}
