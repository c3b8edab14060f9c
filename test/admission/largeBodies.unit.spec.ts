import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createLargeBodies } from '../../src/admission/largeBodies.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function setUp() {
  const largeBodies = createLargeBodies()
  const begun: string[] = []
  /** Begin to receive a body, and return a function that ends it. */
  const receive = (caller: string, name: string) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    void largeBodies(caller, () => {
      begun.push(name)
      return promise
    })
    return resolve
  }
  return { begun, receive }
}

it('receives the large bodies of one caller one after the other, with a rest between them', async () => {
  const { begun, receive } = setUp()
  const end = receive('ada', 'a1')
  receive('ada', 'a2')
  receive('bob', 'b1')
  await vi.advanceTimersByTimeAsync(500)
  expect(begun).toEqual(['a1', 'b1'])
  end()
  await vi.advanceTimersByTimeAsync(4)
  expect(begun).toEqual(['a1', 'b1'])
  await vi.advanceTimersByTimeAsync(1)
  expect(begun).toEqual(['a1', 'b1', 'a2'])
})

it('does not wait for a body that arrives slowly, whose end then frees no second place', async () => {
  const { begun, receive } = setUp()
  const end = receive('ada', 'a1')
  for (const name of ['a2', 'a3']) receive('ada', name)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(begun).toEqual(['a1', 'a2'])
  end()
  await vi.advanceTimersByTimeAsync(100)
  expect(begun).toEqual(['a1', 'a2'])
})
