import fc from 'fast-check'
import { expect, test } from 'vitest'
import { forkOf, forksOf } from '../../../../src/projections/engine/rows/forks.ts'

const position = fc.oneof(
  fc.nat(70),
  fc.maxSafeNat(),
  fc.integer({ min: 0, max: 52 }).map((power) => 2 ** power),
)
const ranges = fc
  .tuple(position, position)
  .filter(([one, other]) => one !== other)
  .map(([one, other]) => ({ from: Math.min(one, other), to: Math.max(one, other) }))

test.each([
  [5, 6, 5],
  [5, 7, 6],
  [1, 16, 8],
  [0, 9, 8],
  [0, 1, 0],
  [9, 12, 10],
])('the range from %i to before %i has the fork %i', (from, to, fork) => {
  expect(forkOf(from, to)).toBe(fork)
})

test('the fork of a range is in it', () => {
  fc.assert(
    fc.property(ranges, ({ from, to }) => {
      const fork = forkOf(from, to)
      expect(fork >= from && fork < to).toBe(true)
    }),
  )
})

test('a range that contains a position has one of its forks', () => {
  fc.assert(
    fc.property(ranges, fc.double({ min: 0, max: 1, noNaN: true }), ({ from, to }, share) => {
      const within = Math.min(to - 1, from + Math.floor((to - from) * share))
      expect(forksOf(within)).toContain(forkOf(from, to))
    }),
  )
})

test('a position has at most 54 forks, which are safe integers', () => {
  fc.assert(
    fc.property(position, (at) => {
      const forks = forksOf(at)
      expect(forks.length).toBeLessThanOrEqual(54)
      expect(forks.every((fork) => fork <= 2 ** 53)).toBe(true)
    }),
  )
})
