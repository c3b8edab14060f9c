import { Map as ImmutableMap, Set as ImmutableSet, List, OrderedSet } from 'immutable'
import { expect, it } from 'vitest'
import { footprintOf } from '../../../src/commands/executor/footprint.ts'

function ids(count: number) {
  return Array.from({ length: count }, (_, n) => `${String(n).padStart(8, '0')}-0000-4000-8000-000000000000`)
}

it.each([
  ['an array', (items: string[]) => items],
  ['a list', (items: string[]) => List(items)],
  ['a set', (items: string[]) => ImmutableSet(items)],
  ['an ordered set', (items: string[]) => OrderedSet(items)],
  ['a map', (items: string[]) => ImmutableMap(items.map((item) => [item, { item, length: 1 }]))],
  ['an object', (items: string[]) => ({ nested: Object.fromEntries(items.map((item) => [item, item])) })],
])('weighs %s by its content', (_, of) => {
  const thousand = footprintOf(of(ids(1_000)))
  expect(thousand).toBeGreaterThan(1_000 * 36)
  expect(thousand).toBeLessThan(1_000 * 500)
  const ratio = footprintOf(of(ids(4_000))) / thousand
  expect(ratio).toBeGreaterThan(3.9)
  expect(ratio).toBeLessThan(4.1)
})

it('weighs text by its length, and absent values next to nothing', () => {
  expect(footprintOf('x'.repeat(10_000))).toBeGreaterThanOrEqual(10_000)
  for (const value of [undefined, null, true, 7]) expect(footprintOf(value)).toBe(8)
})
