import { randomUUID } from 'node:crypto'
import { ANY, BACKWARDS, END, NO_STREAM } from '@eventstore/db-client'
import { describe, expect, it } from 'vitest'
import { anEvent, collect, events, idsOf, newStream, rejection, storeUnderTest } from '../storeUnderTest.ts'

const { client } = await storeUnderTest()
const append = client.appendToStream.bind(client)

async function streamOf(count: number): Promise<{ stream: string; ids: string[] }> {
  const stream = newStream()
  const written = events(count)
  await append(stream, written)
  return { stream, ids: written.map(({ id }) => id) }
}

describe('the expected revision', () => {
  it('"any" appends to new and existing streams', async () => {
    const stream = newStream()
    expect(await append(stream, anEvent(), { expectedRevision: ANY })).toMatchObject({
      nextExpectedRevision: 0n,
    })
    expect(await append(stream, anEvent(), { expectedRevision: ANY })).toMatchObject({
      nextExpectedRevision: 1n,
    })
  })

  it('"no stream" appends to a new stream and refuses one with events', async () => {
    const stream = newStream()
    await append(stream, anEvent(), { expectedRevision: NO_STREAM })
    expect(await rejection(append(stream, anEvent(), { expectedRevision: NO_STREAM }))).toMatchObject({
      type: 'wrong-expected-version',
      streamName: stream,
      expectedVersion: 'no_stream',
      actualVersion: 0n,
    })
  })

  it('of a number appends at the head only', async () => {
    const { stream } = await streamOf(3)
    expect(await rejection(append(stream, anEvent(), { expectedRevision: 1n }))).toMatchObject({
      type: 'wrong-expected-version',
      expectedVersion: 1n,
      actualVersion: 2n,
    })
    expect(await rejection(append(stream, anEvent(), { expectedRevision: 3n }))).toMatchObject({
      type: 'wrong-expected-version',
      actualVersion: 2n,
    })
    expect((await append(stream, anEvent(), { expectedRevision: 2n })).nextExpectedRevision).toBe(3n)
  })

  it('of a number refuses a stream that does not exist', async () => {
    expect(await rejection(append(newStream(), anEvent(), { expectedRevision: 0n }))).toMatchObject({
      type: 'wrong-expected-version',
      expectedVersion: 0n,
      actualVersion: 'no_stream',
    })
  })

  it('lets one of many concurrent appends through', async () => {
    const { stream } = await streamOf(1)
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, () => append(stream, anEvent(), { expectedRevision: 0n })),
    )
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await collect(client.readStream(stream))).toHaveLength(2)
  })
})

describe('an append of several events', () => {
  it('answers the revision and the position of the last one', async () => {
    const stream = newStream()
    const appended = await append(stream, events(3))
    const read = await collect(client.readStream(stream))
    expect(appended.nextExpectedRevision).toBe(2n)
    expect(read.at(-1)?.event?.position).toEqual(appended.position)
  })

  it('is written as a whole and in order', async () => {
    const { stream, ids } = await streamOf(50)
    expect(await idsOf(client.readStream(stream))).toEqual(ids)
  })
})

it('succeeds without events and creates nothing', async () => {
  const stream = newStream()
  expect(await append(stream, [], { expectedRevision: NO_STREAM })).toMatchObject({ success: true })
  expect(await rejection(collect(client.readStream(stream)))).toMatchObject({ type: 'stream-not-found' })
})

describe('repeated at a revision below the head', () => {
  it('answers as the first time, with the original revision and position', async () => {
    const stream = newStream()
    const written = events(3)
    const first = await append(stream, written, { expectedRevision: NO_STREAM })
    await append(stream, events(2))
    expect(await append(stream, written, { expectedRevision: NO_STREAM })).toEqual(first)
    expect(await collect(client.readStream(stream))).toHaveLength(5)
  })

  it('answers a prefix of the batch with the revision and position of the prefix', async () => {
    const { stream, ids } = await streamOf(3)
    const prefix = ids.slice(0, 2).map((id) => anEvent('Happened', {}, id))
    const repeated = await append(stream, prefix, { expectedRevision: NO_STREAM })
    const [second] = await collect(client.readStream(stream, { fromRevision: 1n, maxCount: 1 }))
    expect(repeated.nextExpectedRevision).toBe(1n)
    expect(repeated.position).toEqual(second?.event?.position)
  })
})

describe('repeated at "any"', () => {
  it('answers the revision and position of the last event when all are known', async () => {
    const stream = newStream()
    const written = events(2)
    const first = await append(stream, written)
    await append(stream, anEvent())
    expect(await append(stream, written, { expectedRevision: ANY })).toEqual(first)
    expect(await collect(client.readStream(stream))).toHaveLength(3)
  })
})

it('writes an event whose id is in another stream', async () => {
  const id = randomUUID()
  await append(newStream(), anEvent('Happened', {}, id))
  const other = newStream()
  await append(other, anEvent('Happened', {}, id))
  expect(await idsOf(client.readStream(other))).toEqual([id])
})

describe('the limit of 1,048,576 bytes', () => {
  const limit = 1024 * 1024
  const type = 'Big'
  const bytesOfData = (bytes: number) => anEvent(type, { text: 'x'.repeat(bytes - '{"text":""}'.length) })

  // Releases from 24.10 on count the type twice, earlier ones not at all.
  it('accepts an append whose data and twice its type do not exceed it', async () => {
    const stream = newStream()
    await append(stream, bytesOfData(limit - 2 * type.length))
    expect(await collect(client.readStream(stream))).toHaveLength(1)
  })

  it.skipIf(process.env.EVENTSTORE_URL)('counts only the data, as 23.10 does', async () => {
    const stream = newStream()
    await append(stream, bytesOfData(limit))
    expect(await collect(client.readStream(stream))).toHaveLength(1)
  })

  it('refuses data of one byte more', async () => {
    const stream = newStream()
    const tooBig = bytesOfData(limit + 1)
    expect(await rejection(append(stream, tooBig))).toMatchObject({
      type: 'maximum-append-size-exceeded',
      maxAppendSize: limit,
    })
    expect(await rejection(collect(client.readStream(stream)))).toMatchObject({ type: 'stream-not-found' })
  })

  it('counts all events of an append', async () => {
    const stream = newStream()
    const many = Array.from({ length: 12 }, () => anEvent(type, { text: 'x'.repeat(100_000) }))
    expect(await rejection(append(stream, many))).toMatchObject({ type: 'maximum-append-size-exceeded' })
    await append(stream, many.slice(0, 10))
    expect(await collect(client.readStream(stream))).toHaveLength(10)
  })
})

it('keeps names, types and data of any script', async () => {
  const stream = newStream('Прокат-鋼-🔩')
  await append(stream, anEvent('Größe', { text: '\u0000 鋼 🔩' }))
  const [read] = await collect(client.readStream(stream, { direction: BACKWARDS, fromRevision: END }))
  expect(read?.event).toMatchObject({ streamId: stream, type: 'Größe', data: { text: '\u0000 鋼 🔩' } })
})
