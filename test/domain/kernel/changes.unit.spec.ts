import fc from 'fast-check'
import { expect, it } from 'vitest'
import { changesOf, sameValue } from '../../../src/domain/kernel/changes.ts'

it('compares JSON values, whatever the order of their members', () => {
  expect(sameValue({ C: 0.17, Mn: [1, { a: null }] }, { Mn: [1, { a: null }], C: 0.17 })).toBe(true)
  expect(sameValue([1, 2], [2, 1])).toBe(false)
  expect(sameValue({ C: 0.17 }, { C: 0.171 })).toBe(false)
  expect(sameValue({}, null)).toBe(false)
  expect(sameValue('1', 1)).toBe(false)
})

it('tells values apart whatever the names of their members are', () => {
  const parsed = (text: string) => JSON.parse(text)
  const differ = [
    ['{"length":1,"0":"a","min":6}', '{"length":1,"0":"a","min":5}'],
    ['{"length":1,"0":"a"}', '["a"]'],
    ['{"0":"a"}', '["a"]'],
    ['{}', '[]'],
    ['{"__proto__":{"a":1}}', '{"__proto__":{"a":2}}'],
    ['{"__proto__":{"a":1}}', '{"a":1}'],
    ['{"toString":null}', '{"constructor":null}'],
    ['{"a":null}', '{}'],
    ['0', '"0"'],
    ['null', 'false'],
  ]
  for (const [a, b] of differ) {
    expect(sameValue(parsed(a!), parsed(b!)), `${a} and ${b}`).toBe(false)
    expect(sameValue(parsed(b!), parsed(a!)), `${b} and ${a}`).toBe(false)
    expect(sameValue(parsed(a!), parsed(a!)), a).toBe(true)
  }
  const hostile = '{"length":6000,"hasOwnProperty":1,"equals":1,"size":2,"__proto__":null}'
  expect(sameValue(parsed(hostile), parsed(hostile))).toBe(true)
})

it('finds two JSON values equal exactly when they differ at most in the order of members', () => {
  const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value)
  /** Every object becomes a list of pairs, in an order that `order` decides. */
  const arranged = (value: unknown, order: (entries: Pair[]) => Pair[]): unknown => {
    if (Array.isArray(value)) return value.map((part) => arranged(part, order))
    if (!isObject(value)) return value
    const pairs = Object.entries(value as object).map(
      ([name, member]): Pair => [name, arranged(member, order)],
    )
    return { members: order(pairs) }
  }
  const sorted = (value: unknown) =>
    JSON.stringify(arranged(value, (pairs) => pairs.sort(([a], [b]) => (a < b ? -1 : 1))))
  const reversed = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(reversed)
    return isObject(value) ? objectOf(Object.entries(value as object).reverse(), reversed) : value
  }
  const names = fc.constantFrom('a', 'b', 'length', '0', '__proto__', 'size', 'hasOwnProperty')
  const { value: json } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      fc.constantFrom(null, 0, '', 'a'),
      fc.array(tie('value'), { maxLength: 2 }),
      fc.array(fc.tuple(names, tie('value')), { maxLength: 3 }).map((pairs) => objectOf(pairs)),
    ),
  }))
  fc.assert(
    fc.property(json, json, (a, b) => {
      expect(sameValue(a, b)).toBe(sorted(a) === sorted(b))
      expect(sameValue(a, reversed(a))).toBe(true)
    }),
  )
})

type Pair = [name: string, member: unknown]
/** `JSON.parse` makes `__proto__` an ordinary member, unlike an object literal. */
function objectOf(pairs: Pair[], made = (member: unknown) => member): object {
  return JSON.parse(
    `{${pairs.map(([name, member]) => `${JSON.stringify(name)}:${JSON.stringify(made(member))}`)}}`,
  )
}

it('counts absent as null', () => {
  expect(sameValue(undefined, null)).toBe(true)
  expect(changesOf<{ a?: unknown; b: unknown }>({}, { a: null, b: 1 })).toStrictEqual([
    { field: 'b', from: null, to: 1 },
  ])
})

it('names the fields that differ, with the old and the new value', () => {
  expect(changesOf<object>({ a: 1, b: { x: 1 }, c: 3 }, { a: 1, b: { x: 2 }, c: null })).toStrictEqual([
    { field: 'b', from: { x: 1 }, to: { x: 2 } },
    { field: 'c', from: 3, to: null },
  ])
})
