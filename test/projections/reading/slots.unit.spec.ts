import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createSlots } from '../../../src/projections/reading/slots.ts'

/** Slots decide who may read a large list, and when. */

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const setUp = () => {
  const slots = createSlots({ atOnce: 3, waitingOfACompany: 4, waitingInAll: 6, waitMs: 1_000 })
  const had: string[] = []
  const give = new Map<string, () => void>()
  const refused: string[] = []
  /** Named by its company and a number, as in `a1`. */
  const ask = async (name: string) => {
    try {
      give.set(name, await slots.take(name[0]!))
      had.push(name)
    } catch (error) {
      refused.push(`${name} ${(error as { code: string }).code}`)
    }
  }
  const askAll = async (...names: string[]) => {
    for (const name of names) void ask(name)
    await vi.advanceTimersByTimeAsync(0)
  }
  const done = async (name: string) => {
    give.get(name)!()
    await vi.advanceTimersByTimeAsync(0)
  }
  return { had, refused, askAll, done }
}

it('keeps a slot free of any one company, so another company starts at once', async () => {
  const { had, askAll } = setUp()
  await askAll('a1', 'a2', 'a3', 'a4', 'b1')
  expect(had).toEqual(['a1', 'a2', 'b1'])
})

it('serves the company with the least under way next, and its requests in order of arrival', async () => {
  const { had, askAll, done } = setUp()
  await askAll('a1', 'a2', 'b1', 'a3', 'a4', 'b2', 'c1')
  await done('a1')
  expect(had.slice(3)).toEqual(['c1'])
  await done('a2')
  expect(had.slice(4)).toEqual(['a3'])
  await done('c1')
  await done('b1')
  await done('a3')
  expect(had.slice(5)).toEqual(['a4', 'b2'])
})

it('refuses at once beyond the number that may wait', async () => {
  const { refused, askAll } = setUp()
  await askAll('a1', 'a2', 'a3', 'a4', 'a5', 'a6', 'a7')
  expect(refused).toEqual(['a7 too-many-large-reads'])
  await askAll('b1', 'b2', 'c1', 'c2')
  expect(refused).toEqual(['a7 too-many-large-reads', 'c2 too-many-large-reads'])
})

it('refuses after the longest wait, and gives no slot to a request that gave up', async () => {
  const { had, refused, askAll, done } = setUp()
  await askAll('a1', 'a2', 'a3')
  await vi.advanceTimersByTimeAsync(1_000)
  expect(refused).toEqual(['a3 too-many-large-reads'])
  await done('a1')
  await done('a2')
  expect(had).toEqual(['a1', 'a2'])
  await askAll('b1', 'b2', 'c1')
  expect(had).toEqual(['a1', 'a2', 'b1', 'b2', 'c1'])
})
