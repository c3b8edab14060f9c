import { describe, expect, it } from 'vitest'
import type { Membership } from '../../src/domain/account.ts'
import { defaultSettings, type Role } from '../../src/domain/company.ts'
import { createIdleLimits } from '../../src/identity/sessions/idleLimit.ts'

/** How long a session may go without use, by the memberships of its person and the settings of their companies. */

const allowed: Readonly<Record<string, number>> = { first: 480, second: 120 }
const settingsOf = async (companyId: string) => ({
  ...defaultSettings,
  cutterIdleMinutes: allowed[companyId] ?? defaultSettings.cutterIdleMinutes,
})
const minutesOf = (held: readonly Membership[]) =>
  createIdleLimits({ memberships: { all: async () => held }, settingsOf })('ada')
const member = (companyId: string, ...roles: Role[]): Membership => ({ companyId, roles })

describe('a session', () => {
  it.each([
    ['a Cutter', [member('first', 'Cutter')], 480],
    ['a Cutter who is a Viewer', [member('first', 'Viewer', 'Cutter')], 480],
    [
      'a Cutter of two companies, by the stricter one',
      [member('first', 'Cutter'), member('second', 'Cutter')],
      120,
    ],
    ['a Cutter of a company that allows nothing', [member('first', 'Cutter'), member('third', 'Cutter')], 30],
    ['a Cutter who plans', [member('first', 'Cutter', 'Planner')], 30],
    ['a Cutter who decides elsewhere', [member('first', 'Cutter'), member('second', 'Quality')], 30],
    ['a Viewer', [member('first', 'Viewer')], 30],
    ['a person without a company', [], 30],
  ])('of %s', async (_, held, minutes) => {
    expect(await minutesOf(held)).toBe(minutes)
  })

  it('is looked up again after a failure', async () => {
    let isDown = true
    const all = async () => {
      if (isDown) throw new Error('no connection')
      return [member('first', 'Cutter')]
    }
    const idleMinutesOf = createIdleLimits({ memberships: { all }, settingsOf })
    await expect(idleMinutesOf('ada')).rejects.toThrow('no connection')
    isDown = false
    expect(await idleMinutesOf('ada')).toBe(480)
  })
})
