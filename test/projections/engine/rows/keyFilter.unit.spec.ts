import { expect, test } from 'vitest'
import { createKeyFilter } from '../../../../src/projections/engine/rows/keyFilter.ts'
import { keyText } from '../../../../src/projections/engine/rows/rows.ts'
import { id } from '../../../support/given.ts'

const keys = (from: number, count: number): string[] =>
  Array.from({ length: count }, (_, index) => keyText([id(1), 'millCert', id(from + index)]))

test('a key that was added is always found, and few others are', () => {
  const filter = createKeyFilter()
  const added = keys(1_000, 50_000)
  for (const key of added) filter.add(key)
  expect(added.filter((key) => !filter.has(key))).toEqual([])
  expect(keys(1_000_000, 50_000).filter((key) => filter.has(key)).length).toBeLessThan(100)
})

test('nothing is found in an empty filter', () => {
  expect(keys(1, 10).filter(createKeyFilter().has)).toEqual([])
})
