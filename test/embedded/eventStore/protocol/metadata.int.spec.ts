import { BACKWARDS, END, NO_STREAM } from '@eventstore/db-client'
import { describe, expect, it } from 'vitest'
import {
  anEvent,
  collect,
  events,
  newStream,
  rejection,
  revisionsOf,
  storeUnderTest,
} from '../storeUnderTest.ts'

const { client } = await storeUnderTest()

async function streamOf(count: number): Promise<string> {
  const stream = newStream()
  await client.appendToStream(stream, events(count))
  return stream
}

const backwards = { direction: BACKWARDS, fromRevision: END } as const

describe('the metadata of a stream', () => {
  it('is undefined at first, and then has the last values that were set', async () => {
    const stream = await streamOf(1)
    expect((await client.getStreamMetadata(stream)).metadata).toBeUndefined()
    await client.setStreamMetadata(stream, { note: 'first' })
    await client.setStreamMetadata(stream, { truncateBefore: 3, note: 'kept' })
    expect((await client.getStreamMetadata(stream)).metadata).toEqual({
      truncateBefore: 3,
      note: 'kept',
    })
  })

  it('is an append of $metadata to $$stream, with the rules of an append', async () => {
    const stream = newStream()
    await client.setStreamMetadata(stream, { note: 'first' }, { expectedRevision: NO_STREAM })
    expect(
      await rejection(client.setStreamMetadata(stream, {}, { expectedRevision: NO_STREAM })),
    ).toMatchObject({
      type: 'wrong-expected-version',
      streamName: `$$${stream}`,
    })
  })

  it('does not make the stream exist', async () => {
    const stream = newStream()
    await client.setStreamMetadata(stream, { note: 'first' })
    expect(await rejection(collect(client.readStream(stream)))).toMatchObject({ type: 'stream-not-found' })
  })
})

describe('$tb', () => {
  it('hides earlier events in both directions', async () => {
    const stream = await streamOf(10)
    await client.setStreamMetadata(stream, { truncateBefore: 8 })
    expect(await revisionsOf(client.readStream(stream))).toEqual([8n, 9n])
    expect(await revisionsOf(client.readStream(stream, backwards))).toEqual([9n, 8n])
    expect(await revisionsOf(client.readStream(stream, { direction: BACKWARDS, fromRevision: 7n }))).toEqual(
      [],
    )
  })

  it('hides all events when it is beyond the end, and the stream still exists', async () => {
    const stream = await streamOf(3)
    await client.setStreamMetadata(stream, { truncateBefore: 100 })
    expect(await revisionsOf(client.readStream(stream))).toEqual([])
    expect(await client.appendToStream(stream, anEvent(), { expectedRevision: 2n })).toMatchObject({
      nextExpectedRevision: 3n,
    })
  })

  it('does not turn a repeated append into a new one', async () => {
    const stream = newStream()
    const written = events(2)
    const first = await client.appendToStream(stream, written, { expectedRevision: NO_STREAM })
    await client.setStreamMetadata(stream, { truncateBefore: 2 })
    const again = await client.appendToStream(stream, written, { expectedRevision: NO_STREAM })
    expect(again.nextExpectedRevision).toBe(first.nextExpectedRevision)
  })
})
