import { EventEmitter } from 'node:events'
import type { Response } from 'express'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { watchTaking } from '../../../../src/http/kit/lists/streamList.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** An answer whose client has room for nothing more. */
class Answer extends EventEmitter {
  destroyed = false
  write = () => false
  destroy(): void {
    this.destroyed = true
    this.emit('close')
  }
}

const setUp = () => {
  const answer = new Answer()
  return { answer, taken: watchTaking(answer as unknown as Response)('rows') }
}

it('goes on when the client has read what was written', async () => {
  const { answer, taken } = setUp()
  await vi.advanceTimersByTimeAsync(4_999)
  answer.emit('drain')
  expect(await taken).toBe(true)
  await vi.advanceTimersByTimeAsync(10_000)
  expect(answer.destroyed).toBe(false)
})

it('closes the connection of a client that reads nothing for five seconds', async () => {
  const { answer, taken } = setUp()
  await vi.advanceTimersByTimeAsync(5_000)
  expect(await taken).toBe(false)
  expect(answer.destroyed).toBe(true)
})
