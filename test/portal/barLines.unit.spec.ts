import { expect, it } from 'vitest'
import { profileOf } from '../../src/portal/screens/bars/barLines.ts'

const cut = (lineItemId: string, status = 'Accepted') => ({ lineItemId, status })
const line = (lineItemId: string, profile: string | null) => ({ lineItemId, profile })
const bar = (profile: string | null, ...cuts: readonly object[]) =>
  ({
    profile,
    cuts,
    orders: [{ lines: [line('1', 'HEA 200'), line('2', 'HEB 220'), line('3', null)] }],
  }) as unknown as Parameters<typeof profileOf>[0]

it.each([
  ['HEA 100', bar('HEA 100', cut('1'))],
  ['HEA 200', bar(null, cut('1'), cut('1'), cut('3'), cut('2', 'Rejected'))],
  ['HEA 200 / HEB 220', bar(null, cut('1'), cut('2'))],
  ['', { profile: null, cuts: [cut('1')] } as unknown as Parameters<typeof profileOf>[0]],
])('names the profile %j', (profile, planned) => {
  expect(profileOf(planned)).toBe(profile)
})
