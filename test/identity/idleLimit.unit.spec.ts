import { describe, expect, it } from 'vitest'
import type { Membership } from '../../src/domain/company/account.ts'
import { defaultSettings } from '../../src/domain/company/company.ts'
import type { Role } from '../../src/domain/company/companyEvents.ts'
import { createIdleLimits } from '../../src/identity/sessions/idleLimit.ts'

/** How long a session may go without use, by the memberships of its person and the settings of their companies. */

const allowed: Readonly<Record<string, number>> = { first: 480, second: 120 }
const settingsOf = async (companyId: string) => ({
  ...defaultSettings,
  cutterIdleMinutes: allowed[companyId] ?? defaultSettings.cutterIdleMinutes,
})
const limitsOf = (held: readonly Membership[]) =>
  createIdleLimits({ memberships: { all: async () => held }, settingsOf })
const member = (companyId: string, ...roles: Role[]): Membership => ({ companyId, roles })

describe('a session', () => {
  it.each([
    ['a Cutter', [member('first', 'Cutter')], 480],
    ['a Cutter who is a Viewer', [member('first', 'Viewer', 'Cutter')], 480],
    ['a Cutter who plans', [member('first', 'Cutter', 'Planner')], 30],
    ['a Viewer', [member('first', 'Viewer')], 30],
    ['a Cutter of a company that allows nothing', [member('third', 'Cutter')], 30],
    ['a person without a company', [], 30],
  ])('of %s', async (_, held, minutes) => {
    const limits = limitsOf(held)
    expect(await limits.longest('ada')).toBe(minutes)
    expect(await limits.shortest('ada')).toBe(minutes)
  })

  it.each([
    ['a Cutter', [member('second', 'Cutter')], 120],
    ['a Viewer', [member('second', 'Viewer')], 30],
    ['an Admin', [member('second', 'Admin')], 30],
  ])(
    'in one company is neither shorter nor longer because another made the person %s',
    async (_, more, there) => {
      const limits = limitsOf([member('first', 'Cutter'), ...more])
      expect(await limits.inCompany('ada', 'first')).toBe(480)
      expect(await limits.inCompany('ada', 'second')).toBe(there)
      expect(await limits.longest('ada')).toBe(480)
      expect(await limits.shortest('ada')).toBe(there)
    },
  )

  it('is looked up again after a failure', async () => {
    let isDown = true
    const all = async () => {
      if (isDown) throw new Error('no connection')
      return [member('first', 'Cutter')]
    }
    const { longest } = createIdleLimits({ memberships: { all }, settingsOf })
    await expect(longest('ada')).rejects.toThrow('no connection')
    isDown = false
    expect(await longest('ada')).toBe(480)
  })
})
