import type { IncomingMessage } from 'node:http'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createDiscard } from '../../../../src/http/kit/server/discard.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Requests whose sockets say whether they are read. `seen` has the names of those that are, whenever one more is. */
function setUp() {
  const reading = new Set<string>()
  const seen: string[] = []
  const discard = createDiscard(() => Date.now(), 1_000)
  const answered = (name: string) => {
    const socket = {
      destroyed: false,
      destroy: () => void Object.assign(socket, { destroyed: true }),
      pause: () => void reading.delete(name),
      resume: () => {
        reading.add(name)
        seen.push([...reading].join('+'))
      },
    }
    const req = { complete: false, socket, resume: () => socket.resume() }
    discard(req as unknown as IncomingMessage)
    return req
  }
  return { answered, seen, reading }
}

it('reads the rests of one connection at a time, in turns, until they end', async () => {
  const { answered, seen, reading } = setUp()
  const [a] = ['a', 'b', 'c'].map(answered)
  await vi.advanceTimersByTimeAsync(3)
  seen.length = 0
  await vi.advanceTimersByTimeAsync(12)
  expect(new Set(seen)).toEqual(new Set(['a', 'b', 'c']))
  a!.complete = true
  await vi.advanceTimersByTimeAsync(6)
  seen.length = 0
  // The connection of a is read on, because the next request comes on it.
  expect([...reading]).toEqual(['a'])
  await vi.advanceTimersByTimeAsync(4)
  expect(new Set(seen)).toEqual(new Set(['a+b', 'a+c']))
})

it('destroys a connection whose rest has no end', async () => {
  const { answered } = setUp()
  const { socket } = answered('a')
  await vi.advanceTimersByTimeAsync(999)
  expect(socket.destroyed).toBe(false)
  await vi.advanceTimersByTimeAsync(10)
  expect(socket.destroyed).toBe(true)
  expect(vi.getTimerCount()).toBe(0)
})
