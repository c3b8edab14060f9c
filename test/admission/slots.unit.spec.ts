import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { slotsFor } from '../../src/admission/kinds.ts'
import { createSlots, type SlotsOptions } from '../../src/admission/slots.ts'

/** Slots decide who may read a large list, or send a file, and when. */

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A wait that is over is given up in the turn after it. */
const passed = async (ms: number) => {
  await vi.advanceTimersByTimeAsync(ms)
  await vi.advanceTimersByTimeAsync(1)
}

const few: SlotsOptions = {
  atOnce: 3,
  queueOfEach: 4,
  queueOfAll: 6,
  waitMs: 1_000,
  code: 'too-many-large-reads',
  detail: 'Try again later.',
}

const setUp = (options = few, clock?: () => number) => {
  const slots = createSlots(options, clock)
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

describe('with a clock', () => {
  const timed = () => setUp({ ...slotsFor.imports }, () => Date.now())
  const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)

  it('the next slot is for the holder whose work has taken the least time', async () => {
    const { had, askAll, done } = timed()
    await askAll('a1', 'b1', 'a2', 'b2', 'c1', 'c2')
    await pass(5_000)
    await done('a1')
    expect(had.slice(2)).toEqual(['c1'])
    await pass(100)
    await done('c1')
    // Another file of c goes before those of a, who has used fifty times as much.
    expect(had.slice(3)).toEqual(['c2'])
    await pass(100)
    await done('b1')
    expect(had.slice(4)).toEqual(['a2'])
  })

  it('a holder that comes later is owed nothing, and none pays for a time when nobody waited', async () => {
    const { had, askAll, done } = timed()
    await askAll('a1')
    await pass(60_000)
    await done('a1')
    await askAll('b1', 'c1', 'a2', 'd1')
    await done('b1')
    expect(had.slice(3)).toEqual(['a2'])
  })
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
  await passed(1_000)
  expect(refused).toEqual(['a3 too-many-large-reads'])
  await done('a1')
  await done('a2')
  expect(had).toEqual(['a1', 'a2'])
  await askAll('b1', 'b2', 'c1')
  expect(had).toEqual(['a1', 'a2', 'b1', 'b2', 'c1'])
})

it('lets as many wait again as before when those that waited have gone', async () => {
  const { had, refused, askAll, done } = setUp()
  await askAll('a1', 'a2', 'a3', 'a4', 'a5', 'a6')
  await passed(1_000)
  expect(refused).toHaveLength(4)
  await askAll('a7', 'a8', 'a9')
  await done('a1')
  await askAll('b1', 'b2', 'b3', 'c1', 'c2')
  expect(had).toEqual(['a1', 'a2', 'a7', 'b1'])
  expect(refused).toHaveLength(4)
  await askAll('c3')
  expect(refused.slice(4)).toEqual(['c3 too-many-large-reads'])
})

it('gives the place of a slow one to another company, and its own company no second slot', async () => {
  const { had, askAll, done } = setUp({ ...few, atOnce: 2, ofEach: 1, waitMs: 10_000, busyMs: 5_000 })
  await askAll('a1', 'b1', 'a2', 'c1', 'd1')
  await vi.advanceTimersByTimeAsync(4_999)
  expect(had).toEqual(['a1', 'b1'])
  await vi.advanceTimersByTimeAsync(1)
  expect(had).toEqual(['a1', 'b1', 'c1', 'd1'])
  // The place of the slow one was given away, so its end makes room for its company alone when another one ends.
  await done('a1')
  expect(had).toHaveLength(4)
  await done('c1')
  expect(had.slice(4)).toEqual(['a2'])
})

const filesOf = (company: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${company}${index + 1}`)

it('leaves places for the files of other companies, however many six of them send', async () => {
  const { had, askAll, done } = setUp(slotsFor.uploads)
  await askAll(...['a', 'b', 'c', 'd', 'e', 'f'].flatMap((company) => filesOf(company, 20)))
  // The last of the six had none yet, so it got one of the places for newcomers.
  expect(had).toHaveLength(37)
  await askAll(...['u', 'v', 'w', 'x', 'y', 'z'].map((company) => `${company}1`))
  expect(had.slice(37)).toEqual(['u1', 'v1', 'w1', 'x1', 'y1', 'z1'])
  // A place is free again, but not for those who have some, until enough are.
  await done('u1')
  expect(had).toHaveLength(43)
  await askAll('u2')
  expect(had.at(-1)).toBe('u2')
})

it('refuses a file as too busy when no place has become free in time', async () => {
  const { had, refused, askAll } = setUp(slotsFor.uploads)
  await askAll(...filesOf('a', 9))
  expect(had).toHaveLength(8)
  await passed(slotsFor.uploads.waitMs)
  expect(refused).toEqual(['a9 too-busy'])
})

it('gives the slot of failed work to the next company', async () => {
  const slots = createSlots({ ...few, atOnce: 1 })
  const failed = slots.run('a', async () => Promise.reject(new Error('failed')))
  const next = slots.run('b', async () => 'done')
  await expect(failed).rejects.toThrow('failed')
  expect(await next).toBe('done')
})

/** Slots of which each holder has one, as a stream has for its commands. */
const oneAtATime = (queueOfEach: number) => createSlots({ ...slotsFor.commands, queueOfEach }).run

/** Work that runs until the spec ends it. */
function heldWork() {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  let begun = false
  const work = () => {
    begun = true
    return promise
  }
  return { work, begun: () => begun, end: resolve, fail: reject }
}

it('begins a task when the one before it under the same name has ended or failed', async () => {
  const inTurn = oneAtATime(9)
  const [first, second, third] = [heldWork(), heldWork(), heldWork()]
  const results = [first, second, third].map(({ work }) => inTurn('a', work))
  const failed = expect(results[0]).rejects.toThrow('boom')
  await Promise.resolve()
  expect([first.begun(), second.begun()]).toStrictEqual([true, false])
  first.fail(new Error('boom'))
  await failed
  expect([second.begun(), third.begun()]).toStrictEqual([true, false])
  second.end('second')
  third.end('third')
  expect(await Promise.all(results.slice(1))).toStrictEqual(['second', 'third'])
})

it('runs tasks under different names at the same time', async () => {
  const inTurn = oneAtATime(9)
  const held = heldWork()
  const waiting = inTurn('a', held.work)
  expect(await inTurn('b', async () => 'b')).toBe('b')
  held.end('a')
  expect(await waiting).toBe('a')
})

it('refuses a task while the queue is full, and accepts one when a task has ended', async () => {
  const inTurn = oneAtATime(1)
  const [first, second] = [heldWork(), heldWork()]
  const waiting = [inTurn('a', first.work), inTurn('a', second.work)]
  await expect(inTurn('a', async () => 'third')).rejects.toMatchObject({ status: 503, code: 'too-busy' })
  expect(await inTurn('b', async () => 'elsewhere')).toBe('elsewhere')
  first.end('first')
  await waiting[0]
  const third = inTurn('a', async () => 'third')
  second.end('second')
  expect(await Promise.all([...waiting, third])).toStrictEqual(['first', 'second', 'third'])
})
