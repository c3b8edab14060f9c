import { BACKWARDS, END, jsonEvent, NO_STREAM } from '@eventstore/db-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { until } from '../../../support/until.ts'
import {
  anEvent,
  collect,
  events,
  idsOf,
  newStream,
  rejection,
  revisionsOf,
  type StoreUnderTest,
  storeUnderTest,
} from '../storeUnderTest.ts'

let store: StoreUnderTest
let client: StoreUnderTest['client']

beforeAll(async () => {
  store = await storeUnderTest()
  client = store.client
})
afterAll(() => store.stop())

async function streamOf(count: number): Promise<string> {
  const stream = newStream()
  await client.appendToStream(stream, events(count))
  return stream
}

const backwards = { direction: BACKWARDS, fromRevision: END } as const

describe('the metadata of a stream', () => {
  it('are what was set last, none before', async () => {
    const stream = await streamOf(1)
    expect((await client.getStreamMetadata(stream)).metadata).toBeUndefined()
    await client.setStreamMetadata(stream, { maxCount: 5 })
    await client.setStreamMetadata(stream, { maxAge: 60, truncateBefore: 3, note: 'kept' } as never)
    expect((await client.getStreamMetadata(stream)).metadata).toEqual({
      maxAge: 60,
      truncateBefore: 3,
      note: 'kept',
    })
  })

  it('are an append of $metadata to $$stream, with its rules', async () => {
    const stream = newStream()
    await client.setStreamMetadata(stream, { maxCount: 5 }, { expectedRevision: NO_STREAM })
    expect(
      await rejection(client.setStreamMetadata(stream, {}, { expectedRevision: NO_STREAM })),
    ).toMatchObject({
      type: 'wrong-expected-version',
      streamName: `$$${stream}`,
    })
  })

  it('do not make the stream exist', async () => {
    const stream = newStream()
    await client.setStreamMetadata(stream, { maxCount: 5 })
    expect(await rejection(collect(client.readStream(stream)))).toMatchObject({ type: 'stream-not-found' })
  })

  it('are read one at a time: of $$stream only the last event is seen', async () => {
    const stream = newStream()
    await client.setStreamMetadata(stream, { maxCount: 1 })
    await client.setStreamMetadata(stream, { maxCount: 2 })
    expect(await revisionsOf(client.readStream(`$$${stream}`))).toEqual([1n])
  })
})

describe('$maxCount', () => {
  it('shows the last events only, both ways, and $all shows all', async () => {
    const stream = await streamOf(10)
    await client.setStreamMetadata(stream, { maxCount: 3 })
    expect(await revisionsOf(client.readStream(stream))).toEqual([7n, 8n, 9n])
    expect(await revisionsOf(client.readStream(stream, { fromRevision: 8n }))).toEqual([8n, 9n])
    expect(await revisionsOf(client.readStream(stream, backwards))).toEqual([9n, 8n, 7n])
    await client.appendToStream(stream, anEvent())
    expect(await revisionsOf(client.readStream(stream))).toEqual([8n, 9n, 10n])
    const all = await collect(client.readAll())
    expect(all.filter(({ event }) => event?.streamId === stream)).toHaveLength(11)
  })
})

describe('$tb', () => {
  it('hides what is before it, both ways', async () => {
    const stream = await streamOf(10)
    await client.setStreamMetadata(stream, { truncateBefore: 8 })
    expect(await revisionsOf(client.readStream(stream))).toEqual([8n, 9n])
    expect(await revisionsOf(client.readStream(stream, backwards))).toEqual([9n, 8n])
    expect(await revisionsOf(client.readStream(stream, { direction: BACKWARDS, fromRevision: 7n }))).toEqual(
      [],
    )
  })

  it('past the end hides all, and the stream still exists', async () => {
    const stream = await streamOf(3)
    await client.setStreamMetadata(stream, { truncateBefore: 100 })
    expect(await revisionsOf(client.readStream(stream))).toEqual([])
    expect(await client.appendToStream(stream, anEvent(), { expectedRevision: 2n })).toMatchObject({
      nextExpectedRevision: 3n,
    })
  })

  it('does not make a repeated append a new one', async () => {
    const stream = newStream()
    const written = events(2)
    const first = await client.appendToStream(stream, written, { expectedRevision: NO_STREAM })
    await client.setStreamMetadata(stream, { truncateBefore: 2 })
    const again = await client.appendToStream(stream, written, { expectedRevision: NO_STREAM })
    expect(again.nextExpectedRevision).toBe(first.nextExpectedRevision)
  })
})

describe('$maxAge', () => {
  it('hides what is older, in seconds, both ways', async () => {
    const stream = newStream()
    const old = anEvent()
    await client.appendToStream(stream, old)
    await client.setStreamMetadata(stream, { maxAge: 3600 })
    expect(await idsOf(client.readStream(stream))).toEqual([old.id])
    await client.setStreamMetadata(stream, { maxAge: 1 })
    await until(async () => (await idsOf(client.readStream(stream))).length === 0)
    await until(async () => {
      const young = anEvent()
      await client.appendToStream(stream, young)
      const [last] = await idsOf(client.readStream(stream, backwards))
      return last === young.id
    })
    expect(await idsOf(client.readStream(stream))).not.toContain(old.id)
  })
})

it('ignores metadata that make no sense', async () => {
  const stream = await streamOf(3)
  const nonsense = jsonEvent({ type: '$metadata', data: { $maxCount: 'many' } })
  await client.appendToStream(`$$${stream}`, nonsense)
  expect(await revisionsOf(client.readStream(stream))).toEqual([0n, 1n, 2n])
})

it('brings a deleted stream back, empty, when its metadata are set', async () => {
  const stream = await streamOf(2)
  await client.deleteStream(stream)
  await client.setStreamMetadata(stream, { maxCount: 9 })
  expect((await client.getStreamMetadata(stream)).metadata).toEqual({ maxCount: 9, truncateBefore: 2 })
  expect(await revisionsOf(client.readStream(stream))).toEqual([])
})
