import { expect, it } from 'vitest'
import { createQueue } from '../../src/commands/queue.ts'

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
  const inTurn = createQueue(10)
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
  const inTurn = createQueue(10)
  const held = heldWork()
  const waiting = inTurn('a', held.work)
  expect(await inTurn('b', async () => 'b')).toBe('b')
  held.end('a')
  expect(await waiting).toBe('a')
})

it('refuses a task while the queue is full, and accepts one when a task has ended', async () => {
  const inTurn = createQueue(2)
  const [first, second] = [heldWork(), heldWork()]
  const waiting = [inTurn('a', first.work), inTurn('a', second.work)]
  await expect(inTurn('a', async () => 'third')).rejects.toMatchObject({
    status: 503,
    code: 'too-busy',
  })
  expect(await inTurn('b', async () => 'elsewhere')).toBe('elsewhere')
  first.end('first')
  await waiting[0]
  const third = inTurn('a', async () => 'third')
  second.end('second')
  expect(await Promise.all([...waiting, third])).toStrictEqual(['first', 'second', 'third'])
})
