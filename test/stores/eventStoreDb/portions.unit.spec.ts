import { PassThrough, Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { portionsOf } from '../../../src/stores/eventStoreDb/portions.ts'

const patient = (news: Promise<void>) => news
const numbers = (count: number) => Array.from({ length: count }, (_, n) => n + 1)

it('returns every object once, in order, many at a time', async () => {
  const portions = await Array.fromAsync(portionsOf<number>(Readable.from(numbers(5_000)), patient))
  expect(portions.flat()).toEqual(numbers(5_000))
  expect(portions.every(({ length }) => length > 0)).toBe(true)
  expect(portions.length).toBeLessThan(100)
})

it('returns no portion for an empty stream', async () => {
  expect(await Array.fromAsync(portionsOf(Readable.from([]), patient))).toEqual([])
})

it('pauses the stream while nobody reads', async () => {
  let made = 0
  const endless = Readable.from(
    (function* () {
      for (;;) yield ++made
    })(),
  )
  const portions = portionsOf<number>(endless, patient)
  const { value: first } = await portions.next()
  for (let turn = 0; turn < 100; turn++) await nextTurn()
  const held = made
  for (let turn = 0; turn < 100; turn++) await nextTurn()
  expect(made).toBe(held)
  const { value: second } = await portions.next()
  expect(second![0]).toBe(first!.at(-1)! + 1)
  expect(held).toBeLessThan(2_000)
  endless.destroy()
})

it('returns the objects that came before a failure, then throws the failure', async () => {
  const stream = new PassThrough({ objectMode: true })
  const portions = portionsOf<string>(stream, patient)
  const first = portions.next()
  stream.write('a')
  stream.write('b')
  expect(await first).toEqual({ done: false, value: ['a', 'b'] })
  stream.destroy(new Error('cut'))
  await expect(portions.next()).rejects.toThrow('cut')
})

it('throws when the stream is closed without an end, or the patience ends', async () => {
  const stream = new PassThrough({ objectMode: true })
  const closed = portionsOf(stream, patient).next()
  stream.destroy()
  await expect(closed).rejects.toThrow('closed before its end')

  const silent = portionsOf(new PassThrough(), () => Promise.reject(new Error('no answer')))
  await expect(silent.next()).rejects.toThrow('no answer')
})

it('leaves no listener on a stream that is not read to its end', async () => {
  const stream = Readable.from(numbers(5_000))
  for await (const portion of portionsOf<number>(stream, patient)) if (portion.length > 0) break
  await new Promise((resolve) => stream.once('end', resolve))
})
