import { expect, it } from 'vitest'
import { z } from 'zod'
import { listOf, recordOf } from '../../../../src/http/kit/schemas/collections.ts'

/** Lists and records of a body stop at the faults that an answer lists. */

const judged: unknown[] = []
const faulty = z.unknown().refine((value) => {
  judged.push(value)
  return value === 'sound'
})
const issuesOf = (schema: z.ZodType, value: unknown) => {
  judged.length = 0
  return schema.safeParse(value).error?.issues ?? []
}
const members = (count: number, value: unknown) =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, value]))

it('a list that is too long is refused before its members are judged', () => {
  const [issue, ...others] = issuesOf(listOf(faulty, { most: 2 }), ['x', 'x', 'x'])
  expect([issue?.message, others, judged]).toEqual(['must have at most 2 members', [], []])
  expect(issuesOf(listOf(faulty, { least: 1, most: 2 }), [])[0]?.message).toBe('must have at least 1 member')
  expect(issuesOf(listOf(faulty, { most: 2 }), 'x')).toMatchObject([{ code: 'invalid_type' }])
})

it('no member is judged after a thousand faults, in lists within lists either', () => {
  expect(issuesOf(listOf(faulty, { most: 9_000 }), Array(9_000).fill('x'))).toHaveLength(1_000)
  expect(judged).toHaveLength(1_000)
  const nested = listOf(z.object({ parts: listOf(faulty, { most: 600 }) }), { most: 100 })
  const issues = issuesOf(nested, Array(100).fill({ parts: Array(600).fill('x') }))
  expect(issues).toHaveLength(1_200)
  expect(issues.at(-1)?.path).toEqual([1, 'parts', 599])
})

it('a record stops after a thousand faults, wherever they begin', () => {
  const record = recordOf(z.string(), faulty)
  expect(issuesOf(record, members(9_000, 'x'))).toHaveLength(1_000)
  const late = { ...members(2_500, 'sound'), last: 'x' }
  expect(issuesOf(record, late).map(({ path }) => path)).toEqual([['last']])
})

it('sound members are returned as they are sent', () => {
  const list = listOf(z.string().trim(), { most: 9 }).transform((texts) => texts.join())
  expect(list.parse([' a', 'b '])).toBe('a,b')
  expect(recordOf(z.string(), z.int()).parse(members(2_500, 1))).toEqual(members(2_500, 1))
})
