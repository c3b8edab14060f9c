import { NO_STREAM, STREAM_EXISTS } from '@eventstore/db-client'
import { describe, expect, it } from 'vitest'
import {
  anEvent,
  collect,
  events,
  idsOf,
  newStream,
  rejection,
  revisionsOf,
  storeUnderTest,
} from '../storeUnderTest.ts'

const TOMBSTONE = 2n ** 63n - 1n

const { client } = await storeUnderTest()

async function streamOf(count: number): Promise<string> {
  const stream = newStream()
  await client.appendToStream(stream, events(count))
  return stream
}

describe('a delete', () => {
  it('hides the stream from reads', async () => {
    const stream = await streamOf(2)
    await client.deleteStream(stream)
    expect(await rejection(collect(client.readStream(stream)))).toMatchObject({
      type: 'stream-not-found',
      streamName: stream,
    })
  })

  it('answers the position of its metadata event, and $all keeps showing the events', async () => {
    const stream = newStream()
    const written = events(2)
    await client.appendToStream(stream, written)
    const { position } = await client.deleteStream(stream)
    const [deleting] = await collect(client.readAll({ fromPosition: position!, maxCount: 1 }))
    expect(deleting?.event).toMatchObject({ streamId: `$$${stream}`, type: '$metadata' })
    const all = await idsOf(client.readAll())
    expect(all).toEqual(expect.arrayContaining(written.map(({ id }) => id)))
  })

  it.each([
    ['any', {}],
    ['no stream', { expectedRevision: NO_STREAM }],
  ] as const)('is refused at %s for a stream that never existed, and writes nothing', async (_name, at) => {
    const stream = newStream()
    expect(await rejection(client.deleteStream(stream, at))).toMatchObject({ type: 'wrong-expected-version' })
    expect((await client.getStreamMetadata(stream)).metadata).toBeUndefined()
  })

  it('is refused at any revision but the expected one', async () => {
    const stream = await streamOf(3)
    expect(await rejection(client.deleteStream(stream, { expectedRevision: 1n }))).toMatchObject({
      type: 'wrong-expected-version',
      streamName: stream,
      expectedVersion: 1n,
      actualVersion: 2n,
    })
    expect(await rejection(client.deleteStream(stream, { expectedRevision: NO_STREAM }))).toMatchObject({
      type: 'wrong-expected-version',
      expectedVersion: -1n,
    })
    await client.deleteStream(stream, { expectedRevision: 2n })
  })

  it.each([
    ['any', {}],
    ['no stream', { expectedRevision: NO_STREAM }],
    ['the exact old revision', { expectedRevision: 1n }],
  ] as const)('lets an append at %s continue the numbering, and hides earlier events', async (_name, at) => {
    const stream = await streamOf(2)
    await client.deleteStream(stream)
    const event = anEvent()
    expect(await client.appendToStream(stream, event, at)).toMatchObject({ nextExpectedRevision: 2n })
    expect(await idsOf(client.readStream(stream))).toEqual([event.id])
    await client.appendToStream(stream, events(2), { expectedRevision: 2n })
    expect(await revisionsOf(client.readStream(stream))).toEqual([2n, 3n, 4n])
  })

  it('makes an append at "stream exists" fail as deleted', async () => {
    const stream = await streamOf(2)
    await client.deleteStream(stream)
    expect(
      await rejection(client.appendToStream(stream, anEvent(), { expectedRevision: STREAM_EXISTS })),
    ).toMatchObject({
      type: 'stream-deleted',
      streamName: stream,
    })
  })

  it('is undone by an append, which rewrites $tb', async () => {
    const stream = await streamOf(2)
    await client.deleteStream(stream)
    await client.appendToStream(stream, anEvent())
    expect((await client.getStreamMetadata(stream)).metadata).toEqual({ truncateBefore: 2 })
  })

  it('works again after an append', async () => {
    const stream = await streamOf(1)
    await client.deleteStream(stream)
    await client.appendToStream(stream, anEvent())
    await client.deleteStream(stream, { expectedRevision: 1n })
    await client.appendToStream(stream, anEvent())
    expect(await revisionsOf(client.readStream(stream))).toEqual([2n])
  })
})

describe('a tombstone', () => {
  it('closes the stream: reads, appends, deletes and tombstones fail as deleted', async () => {
    const stream = await streamOf(2)
    await client.tombstoneStream(stream)
    const deleted = { type: 'stream-deleted', streamName: stream }
    expect(await rejection(collect(client.readStream(stream)))).toMatchObject(deleted)
    expect(await rejection(client.appendToStream(stream, anEvent()))).toMatchObject(deleted)
    const plain = { credentials: { username: 'admin', password: 'changeit' } }
    expect(await rejection(client.appendToStream(stream, anEvent(), plain))).toMatchObject(deleted)
    expect(await rejection(client.deleteStream(stream))).toMatchObject(deleted)
    expect(await rejection(client.tombstoneStream(stream))).toMatchObject(deleted)
    const metastream = { type: 'stream-deleted', streamName: `$$${stream}` }
    expect(await rejection(client.setStreamMetadata(stream, { maxCount: 1 }))).toMatchObject(metastream)
  })

  it('is an event $streamDeleted at revision 2⁶³ − 1, and $all keeps showing the others', async () => {
    const stream = newStream()
    const written = events(2)
    const { position: first } = await client.appendToStream(stream, written[0]!)
    await client.appendToStream(stream, written[1]!)
    const { position } = await client.tombstoneStream(stream)
    const all = await collect(client.readAll({ fromPosition: first! }))
    const ofStream = all.filter(({ event }) => event?.streamId === stream)
    expect(ofStream.slice(0, 2).map(({ event }) => event?.id)).toEqual(written.map(({ id }) => id))
    expect(ofStream.at(-1)?.event).toMatchObject({ type: '$streamDeleted', revision: TOMBSTONE, position })
  })

  it('is refused at any revision but the expected one', async () => {
    const stream = await streamOf(3)
    expect(await rejection(client.tombstoneStream(stream, { expectedRevision: 7n }))).toMatchObject({
      type: 'wrong-expected-version',
      expectedVersion: 7n,
      actualVersion: 2n,
    })
    await client.tombstoneStream(stream, { expectedRevision: 2n })
  })

  it('can close a stream before it begins', async () => {
    const stream = newStream()
    await client.tombstoneStream(stream, { expectedRevision: NO_STREAM })
    expect(await rejection(client.appendToStream(stream, anEvent()))).toMatchObject({
      type: 'stream-deleted',
    })
  })

  it('can close a stream that was deleted softly', async () => {
    const stream = await streamOf(1)
    await client.deleteStream(stream)
    await client.tombstoneStream(stream)
    expect(await rejection(collect(client.readStream(stream)))).toMatchObject({ type: 'stream-deleted' })
  })
})
