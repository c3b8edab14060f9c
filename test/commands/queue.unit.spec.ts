import { expect, it } from 'vitest'
import { createQueue } from '../../src/commands/queue.ts'

/** Work that goes on until it is told to end. */
const heldWork = () => {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  let begun = false
  const work = () => {
    begun = true
    return promise
  }
  return { work, begun: () => begun, end: resolve, fail: reject }
}

it('begins each when the one before it under the same name is over, also by failing', async () => {
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

it('keeps names apart', async () => {
  const inTurn = createQueue(10)
  const held = heldWork()
  const waiting = inTurn('a', held.work)
  expect(await inTurn('b', async () => 'b')).toBe('b')
  held.end('a')
  expect(await waiting).toBe('a')
})

it('refuses whoever finds the queue full, and has room again when one is done', async () => {
  const inTurn = createQueue(2)
  const [first, second] = [heldWork(), heldWork()]
  const waiting = [inTurn('a', first.work), inTurn('a', second.work)]
  await expect(inTurn('a', async () => 'third')).rejects.toMatchObject({
    kind: 'unavailable',
    code: 'too-busy',
  })
  expect(await inTurn('b', async () => 'elsewhere')).toBe('elsewhere')
  first.end('first')
  await waiting[0]
  const third = inTurn('a', async () => 'third')
  second.end('second')
  expect(await Promise.all([...waiting, third])).toStrictEqual(['first', 'second', 'third'])
})
