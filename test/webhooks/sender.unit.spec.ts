import { expect, test } from 'vitest'
import { nextLookInMs } from '../../src/webhooks/sender.ts'

const waits = (ms: number | null) => ({ place: { nextTryAt: ms === null ? null : new Date(ms) } })

test('looks again when a try is due, and after the usual pause, also for a first webhook without its secret', () => {
  expect(nextLookInMs([waits(null), waits(6_000)], 1_000, 15_000)).toBe(5_000)
  expect(nextLookInMs([waits(null), waits(500), waits(99_000)], 1_000, 15_000)).toBe(15_000)
  expect(nextLookInMs([], 1_000, 15_000)).toBe(15_000)
})
