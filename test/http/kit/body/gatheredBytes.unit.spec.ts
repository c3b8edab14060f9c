import { EventEmitter } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { readBody } from '../../../../src/http/kit/body/body.ts'
import { createGatheredBytes } from '../../../../src/http/kit/body/gatheredBytes.ts'
import { linesOf } from '../../../../src/http/kit/body/lines.ts'

setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')
const bytesInUse = (): number => {
  collect()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

it('gathers parts of any size, and begins anew once they are taken', () => {
  const bytes = createGatheredBytes()
  expect(bytes.take()).toEqual(Buffer.alloc(0))
  const parts = ['a', '', 'bcd', 'e'.repeat(1_000), 'f']
  for (const part of parts) bytes.add(Buffer.from(part))
  const first = bytes.take()
  bytes.add(Buffer.from('other'))
  expect(first.toString()).toBe(parts.join(''))
  expect(bytes.take().toString()).toBe('other')
})

it('holds a body that comes byte by byte in at most four times its bytes', async () => {
  const size = 1_000_000
  const req = Object.assign(new EventEmitter(), { headers: {} })
  const body = readBody(req as IncomingMessage)
  const before = bytesInUse()
  for (let n = 0; n < size; n += 1) req.emit('data', Buffer.alloc(1, 'x'))
  const held = bytesInUse() - before
  req.emit('end')
  expect(await body).toHaveLength(size)
  expect(held).toBeLessThan(4 * size)
})

it('holds a line that comes byte by byte in at most ten times its bytes', async () => {
  const size = 60_000
  let held = 0
  async function* bytes() {
    const before = bytesInUse()
    for (let n = 0; n < size; n += 1) {
      yield Buffer.alloc(1, 'x')
      await setImmediate()
    }
    held = bytesInUse() - before
  }
  const body = Readable.from(bytes(), { objectMode: false, highWaterMark: 1 })
  const lines = []
  for await (const line of linesOf(body, { lines: size, lineBytes: size, bytes: size })) lines.push(line)
  expect(lines).toEqual([{ number: 1, bytes: Buffer.alloc(size, 'x') }])
  expect(held).toBeLessThan(10 * size)
})
