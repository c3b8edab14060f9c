import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type EventStore, maxAppendBytes, type NewEvent, noStream } from '../src/stores/eventStore.ts'
import { connectEventStore } from '../src/stores/eventStoreDb/connect.ts'
import { alice, now } from './support/given.ts'
import { createMemoryStore } from './support/memoryStore.ts'
import { givenOrNewStore } from './support/store.ts'

/** Proves that the store in memory, on which specs of use cases run, behaves as a server does. */

async function aServer() {
  const server = await givenOrNewStore()
  return { connect: () => connectEventStore(server.url), stop: server.stop }
}

async function inMemory() {
  return { ...createMemoryStore(), stop: async () => {} }
}

const metadata = { actor: alice, occurredAt: now, correlationId: 'c', schemaVersion: 1 }

function made(data: object = {}): NewEvent {
  return { id: randomUUID(), type: 'ThingMade', data, metadata }
}

describe.each([
  { name: 'a server', open: aServer },
  { name: 'the store in memory', open: inMemory },
])('$name', ({ open }) => {
  let opened: Awaited<ReturnType<typeof open>>
  let store: EventStore
  let other: EventStore
  beforeAll(async () => {
    opened = await open()
    store = opened.connect()
    other = opened.connect()
  })
  afterAll(async () => {
    await Promise.all([store.close(), other.close()])
    await opened.stop()
  })

  const newStream = () => `thing-${randomUUID()}`
  const idsOf = (events: readonly { id: string }[]) => events.map(({ id }) => id)
  const streamIds = async (stream: string, from = 0) =>
    idsOf(await Array.fromAsync(other.readStream(stream, from)))
  /** Append three events to a stream and one to another, and return their places. */
  const fill = async () => {
    const stream = newStream()
    const [a, b, c, elsewhere] = [made(), made(), made(), made()]
    const first = await store.append(stream, noStream, [a])
    const second = await store.append(stream, 0, [b, c])
    const last = await store.append(newStream(), noStream, [elsewhere])
    return { stream, ids: idsOf([a, b, c, elsewhere]), first, second, last }
  }

  it('returns an event as it was appended, with its place and the time of its recording', async () => {
    const stream = newStream()
    const event = made({ z: 1, a: ['ä', null], nothing: undefined })
    const before = Date.now()
    const { position, revision } = await store.append(stream, noStream, [event])
    const after = Date.now()

    const [read] = await Array.fromAsync(other.readStream(stream, 0))
    const created = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    const data = { z: 1, a: ['ä', null] }
    expect(read).toStrictEqual({ ...event, data, streamName: stream, revision, position, created })
    expect(revision).toBe(0)
    expect(JSON.stringify(read!.data)).toBe(JSON.stringify(data))
    expect(Date.parse(read!.created!)).toBeGreaterThanOrEqual(before)
    expect(Date.parse(read!.created!)).toBeLessThanOrEqual(after)
    expect(await store.eventAt(position)).toStrictEqual(read)
    expect(await other.last()).toStrictEqual(read)
  })

  it('returns the event of another program that has no metadata without them', async () => {
    const { metadata: _, ...bare } = made()
    const stream = newStream()
    await store.append(stream, noStream, [bare as NewEvent])
    const [read] = await Array.fromAsync(other.readStream(stream, 0))
    expect(read).toMatchObject(bare)
    expect(read!.metadata).toBeUndefined()
  })

  it('gives each reader objects of its own', async () => {
    const stream = newStream()
    const event = made({ list: [1] })
    await store.append(stream, noStream, [event])
    const [read] = await Array.fromAsync(store.readStream(stream, 0))
    const list = (event.data as { list: number[] }).list
    list.push(2)
    const readList = (read!.data as { list: number[] }).list
    readList.push(3)
    const [again] = await Array.fromAsync(store.readStream(stream, 0))
    expect(again!.data).toStrictEqual({ list: [1] })
  })

  it('reads a stream from a revision, and a stream that does not exist as empty', async () => {
    const { stream, ids } = await fill()
    expect(await streamIds(stream)).toStrictEqual(ids.slice(0, 3))
    expect(await streamIds(stream, 1)).toStrictEqual(ids.slice(1, 3))
    expect(await streamIds(stream, 3)).toStrictEqual([])
    expect(await streamIds(newStream())).toStrictEqual([])
  })

  it('refuses an append at another revision, and appends none of its events', async () => {
    const { stream } = await fill()
    for (const expected of [noStream, 1, 3])
      await expect(store.append(stream, expected, [made(), made()])).rejects.toMatchObject({
        code: 'wrong-revision',
      })
    await expect(store.append(newStream(), 0, [made()])).rejects.toMatchObject({ code: 'wrong-revision' })
    expect(await streamIds(stream)).toHaveLength(3)
  })

  it('answers a repeat of the same ids at the same revision as it did first', async () => {
    const stream = newStream()
    const [a, b, c] = [made(), made(), made()]
    await store.append(stream, noStream, [a])
    const first = await store.append(stream, 0, [b, c])
    await store.append(stream, 2, [made()])
    expect(await other.append(stream, 0, [b, c])).toStrictEqual(first)
    expect(await streamIds(stream)).toHaveLength(4)
    await expect(other.append(stream, 0, [b, made()])).rejects.toMatchObject({ code: 'wrong-revision' })
    await expect(other.append(stream, 1, [b, c])).rejects.toMatchObject({ code: 'wrong-revision' })
  })

  it('lets one of two writers at the same revision win', async () => {
    const stream = newStream()
    const outcomes = await Promise.allSettled(
      [store, other].map((node) => node.append(stream, noStream, [made()])),
    )
    expect(outcomes.map(({ status }) => status).sort()).toStrictEqual(['fulfilled', 'rejected'])
    expect(await streamIds(stream)).toHaveLength(1)
  })

  it('refuses events that do not fit into one append', async () => {
    const stream = newStream()
    const large = made({ text: 'x'.repeat(maxAppendBytes) })
    await expect(store.append(stream, noStream, [large])).rejects.toMatchObject({ code: 'append-too-large' })
    const halves = [1, 2].map(() => made({ text: 'x'.repeat(maxAppendBytes / 2) }))
    await expect(store.append(stream, noStream, halves)).rejects.toMatchObject({ code: 'append-too-large' })
    expect(await streamIds(stream)).toStrictEqual([])
  })

  it('reads all events from a place on, in order', async () => {
    const { ids, first, last } = await fill()
    const idsAfter = async (position: number) => idsOf(await Array.fromAsync(store.readAll(position)))
    const portions = async (read: AsyncIterable<readonly { id: string }[]>) =>
      idsOf((await Array.fromAsync(read)).flat())
    expect(await idsAfter(first.position)).toStrictEqual(ids.slice(1))
    expect((await idsAfter(0)).slice(-4)).toStrictEqual(ids)
    expect(await portions(store.readAllInPortions(first.position))).toStrictEqual(ids.slice(1))
    expect(await portions(store.readAllFrom(first.position))).toStrictEqual(ids)
    expect(await idsAfter(last.position)).toStrictEqual([])
    expect(await Array.fromAsync(store.readAllInPortions(last.position))).toStrictEqual([])
  })

  it('reads events backwards', async () => {
    const { stream, ids } = await fill()
    const newest = async (count: number, of?: string) => {
      const read: string[] = []
      for await (const { id } of store.readBack(of)) if (read.push(id) === count) break
      return read
    }
    expect(await newest(4)).toStrictEqual(ids.toReversed())
    expect(await newest(9, stream)).toStrictEqual(ids.slice(0, 3).toReversed())
  })

  it('finds an event at its position alone', async () => {
    const { ids, second } = await fill()
    expect(await store.eventAt(second.position)).toMatchObject({ id: ids[2], revision: second.revision })
    expect(await store.eventAt(second.position + 1)).toBeUndefined()
  })

  it('passes on recorded events and then new ones, until it is told to stop', async () => {
    const { ids, first } = await fill()
    const stop = new AbortController()
    const heard: string[] = []
    const next = made()
    for await (const { id } of other.subscribe(first.position, stop.signal)) {
      heard.push(id)
      if (id === ids[3]) await store.append(newStream(), noStream, [next])
      if (id === next.id) stop.abort()
    }
    expect(heard).toStrictEqual([...ids.slice(1), next.id])
  })
})
