import { expect, it } from 'vitest'
import { changesOf, sameValue } from '../../src/domain/changes.ts'

it('compares JSON values, whatever the order of their members', () => {
  expect(sameValue({ C: 0.17, Mn: [1, { a: null }] }, { Mn: [1, { a: null }], C: 0.17 })).toBe(true)
  expect(sameValue([1, 2], [2, 1])).toBe(false)
  expect(sameValue({ C: 0.17 }, { C: 0.171 })).toBe(false)
  expect(sameValue({}, null)).toBe(false)
  expect(sameValue('1', 1)).toBe(false)
})

it('counts absent as null', () => {
  expect(sameValue(undefined, null)).toBe(true)
  expect(changesOf<{ a?: unknown; b: unknown }>({}, { a: null, b: 1 })).toStrictEqual([
    { field: 'b', from: null, to: 1 },
  ])
})

it('names the fields that differ, with what they were and are', () => {
  expect(changesOf<object>({ a: 1, b: { x: 1 }, c: 3 }, { a: 1, b: { x: 2 }, c: null })).toStrictEqual([
    { field: 'b', from: { x: 1 }, to: { x: 2 } },
    { field: 'c', from: 3, to: null },
  ])
})
