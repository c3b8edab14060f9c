import { randomBytes } from 'node:crypto'
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { ifInTime, inTime } from '../../src/lib/inTime.ts'

const late = () => new Error('too late')
const failing = () => Promise.reject(new Error('broken'))
const slow = () => pause(2_000, 'slow', { ref: false })

it('returns the value, or throws the error, of work that ends in time', async () => {
  expect(await inTime(Promise.resolve('value'), 1_000, late)).toBe('value')
  await expect(inTime(failing(), 1_000, late)).rejects.toThrow('broken')
})

it('throws the given error when the work takes too long', async () => {
  await expect(inTime(slow(), 10, late)).rejects.toThrow('too late')
})

it('takes an answer that arrived in time while the process stood still', async () => {
  // Timers that are due come next, and answers after them.
  await nextTurn()
  const answered = inTime(promisify(randomBytes)(8), 10, late)
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100)
  expect(await answered).toHaveLength(8)
})

it('ends the wait when it is over before the time is up', async () => {
  const over = new AbortController()
  const waiting = inTime(slow(), 1_000_000, late, over.signal)
  over.abort()
  await expect(waiting).rejects.toThrow('too late')
  await expect(inTime(slow(), 1_000_000, late, over.signal)).rejects.toThrow('too late')
})

it('returns undefined for work that fails or takes too long, where that is asked for', async () => {
  expect(await ifInTime(Promise.resolve('value'), 1_000)).toBe('value')
  expect(await ifInTime(failing(), 1_000)).toBeUndefined()
  expect(await ifInTime(slow(), 10)).toBeUndefined()
})
