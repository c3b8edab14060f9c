import { expect, it } from 'vitest'
import { hasToStop } from '../../src/portal/screens/bars/barSteps.ts'
import { byWork, nextAfter } from '../../src/portal/screens/bars/workOrder.ts'

const bar = (
  planId: string,
  ordinal: number,
  status: 'Draft' | 'Approved' | 'Started' = 'Approved',
  mayBeCut = true,
) => ({ planId, ordinal, status, verdict: { mayBeCut } })

it('orders bars by work: to stop, being cut, may be cut, and the others in the order of their plans', () => {
  const [unread, blocked] = [{ status: 'Approved' } as const, bar('a', 2, 'Draft', false)]
  const [ready, started, stopped] = [bar('a', 3), bar('b', 1, 'Started'), bar('b', 2, 'Started', false)]
  const sorted = [unread, blocked, ready, started, stopped].toSorted(byWork)
  expect(sorted).toEqual([stopped, started, ready, unread, blocked])
})

it('goes on with the next bar of the same plan, and then with the first of all plans', () => {
  const bars = [bar('a', 1), bar('b', 1), bar('b', 3, 'Approved', false), bar('b', 4, 'Started'), bar('b', 5)]
  expect(nextAfter({ planId: 'b', ordinal: 2 }, bars)).toBe(bars[4])
  expect(nextAfter({ planId: 'b', ordinal: 5 }, bars)).toBe(bars[0])
  expect(nextAfter({ planId: 'b', ordinal: 2 }, bars.slice(2, 4))).toBeUndefined()
})

it('stops a started bar that may not be cut, also when only its certificate is missing', () => {
  const verdict = { mayBeApproved: true, mayBeCut: false }
  expect(hasToStop({ status: 'Started', verdict })).toBe(true)
  for (const status of ['Draft', 'Approved', 'Completed'] as const)
    expect(hasToStop({ status, verdict })).toBe(false)
  expect(hasToStop({ status: 'Started', verdict: { ...verdict, mayBeCut: true } })).toBe(false)
})
