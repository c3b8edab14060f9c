import { type AppendResult, BACKWARDS, END, FORWARDS, jsonEvent, START } from '@eventstore/db-client'
import { beforeAll, describe, expect, it } from 'vitest'
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

const { client } = await storeUnderTest()

describe('an event that was read', () => {
  it('has the appended content, with revision, position and time', async () => {
    const stream = newStream()
    const before = Date.now()
    const event = jsonEvent({ type: 'Happened', data: { name: 'Güte' }, metadata: { actor: 'Ada' } })
    const { position } = await client.appendToStream(stream, event)
    const [read] = await collect(client.readStream(stream))
    expect(read?.event).toEqual({
      streamId: stream,
      id: event.id,
      revision: 0n,
      type: 'Happened',
      data: { name: 'Güte' },
      metadata: { actor: 'Ada' },
      isJson: true,
      created: expect.any(Date),
      position,
    })
    expect(read?.commitPosition).toBe(position?.commit)
    // The clock of a given server may differ a little from this one.
    expect(Math.abs(read!.event!.created.getTime() - before)).toBeLessThan(60_000)
  })

  it('has a commit position equal to its prepare position', async () => {
    const stream = newStream()
    await client.appendToStream(stream, events(3))
    for (const { event } of await collect(client.readStream(stream))) {
      expect(event?.position?.prepare).toBe(event?.position?.commit)
    }
  })

  it('keeps binary data and binary metadata', async () => {
    const stream = newStream()
    const bytes = Uint8Array.from({ length: 256 }, (_, index) => index)
    const binary = {
      id: anEvent().id,
      contentType: 'application/octet-stream',
      type: 'Scan',
      data: bytes,
      metadata: bytes,
    }
    await client.appendToStream(stream, binary as never)
    const [read] = await collect(client.readStream(stream))
    expect(read?.event).toMatchObject({ isJson: false, type: 'Scan' })
    expect([...(read!.event!.data as Uint8Array)]).toEqual([...bytes])
    expect([...(read!.event!.metadata as Uint8Array)]).toEqual([...bytes])
  })
})

describe('a stream', () => {
  let stream: string
  beforeAll(async () => {
    stream = newStream()
    await client.appendToStream(stream, events(10))
  })

  it('is read forwards from its start, which is the default', async () => {
    expect(await revisionsOf(client.readStream(stream))).toEqual([0n, 1n, 2n, 3n, 4n, 5n, 6n, 7n, 8n, 9n])
  })

  it('is read from a revision on in both directions, the revision included', async () => {
    const from = { fromRevision: 7n }
    expect(await revisionsOf(client.readStream(stream, from))).toEqual([7n, 8n, 9n])
    expect(
      await revisionsOf(client.readStream(stream, { ...from, direction: BACKWARDS, maxCount: 3 })),
    ).toEqual([7n, 6n, 5n])
  })

  it('is read backwards from its end', async () => {
    const last = client.readStream(stream, { direction: BACKWARDS, fromRevision: END, maxCount: 2 })
    expect(await revisionsOf(last)).toEqual([9n, 8n])
  })

  it('is read backwards from its start as one event', async () => {
    expect(
      await revisionsOf(client.readStream(stream, { direction: BACKWARDS, fromRevision: START })),
    ).toEqual([0n])
  })

  it('gives at most the events asked for', async () => {
    expect(await revisionsOf(client.readStream(stream, { maxCount: 4 }))).toEqual([0n, 1n, 2n, 3n])
  })

  it('cannot be read with a count of 0', async () => {
    expect(await rejection(collect(client.readStream(stream, { maxCount: 0 })))).toMatchObject({ code: 2 })
  })

  it('gives nothing from the revision after its last one', async () => {
    expect(await revisionsOf(client.readStream(stream, { fromRevision: 10n }))).toEqual([])
  })

  it('cannot be read from a revision that no stream can have', async () => {
    const beyond = client.readStream(stream, { fromRevision: 2n ** 63n })
    expect(await rejection(collect(beyond))).toMatchObject({ code: 2 })
  })

  it('is reported as not found when it does not exist', async () => {
    const missing = newStream()
    expect(await rejection(collect(client.readStream(missing)))).toMatchObject({
      type: 'stream-not-found',
      streamName: missing,
    })
  })
})

describe('$all', () => {
  let ids: string[]
  let first: AppendResult
  let last: AppendResult

  beforeAll(async () => {
    const [one, two, three] = [anEvent(), anEvent(), anEvent()]
    ids = [one.id, two.id, three.id]
    first = await client.appendToStream(newStream(), one)
    await client.appendToStream(newStream(), two)
    last = await client.appendToStream(newStream(), three)
  })

  /** Our events. Other clients may write to a given server at the same time. */
  const ours = (read: (string | undefined)[]) => read.filter((id) => ids.includes(id!))
  /** The ids of all events from the end back to one of ours. */
  const backTo = async ({ position }: AppendResult) => {
    const found: string[] = []
    for await (const { event } of client.readAll({ direction: BACKWARDS, fromPosition: END })) {
      if (event!.position!.commit < position!.commit) break
      found.push(event!.id)
    }
    return found
  }

  it('is read forwards from a position on, the position included', async () => {
    const read = await idsOf(client.readAll({ fromPosition: first.position! }))
    expect(read[0]).toBe(ids[0])
    expect(ours(read)).toEqual(ids)
  })

  it('is read backwards from a position on, the position left out', async () => {
    const before = client.readAll({ direction: BACKWARDS, fromPosition: last.position! })
    expect(ours(await idsOf(before))).toEqual([ids[1], ids[0]])
  })

  it('is read backwards from the end, the last event included', async () => {
    expect((await backTo(last)).at(-1)).toBe(ids[2])
    expect(ours(await backTo(first))).toEqual(ids.toReversed())
  })

  it('gives nothing forwards from the end and backwards from the start', async () => {
    expect(await idsOf(client.readAll({ direction: FORWARDS, fromPosition: END }))).toEqual([])
    expect(await idsOf(client.readAll({ direction: BACKWARDS, fromPosition: START }))).toEqual([])
  })

  it('is in the order of positions, which have gaps and start above 0', async () => {
    const read = await collect(client.readAll({ fromPosition: first.position!, maxCount: 3 }))
    const positions = read.map(({ event }) => event!.position!.commit)
    expect(positions).toEqual(positions.toSorted((a, b) => Number(a - b)))
    expect(positions[1]! - positions[0]!).toBeGreaterThan(1n)
    const [start] = await collect(client.readAll({ maxCount: 1 }))
    expect(start!.event!.position!.commit).toBeGreaterThan(0n)
  })

  it('shows an event as soon as it is acknowledged', async () => {
    for (let round = 0; round < 50; round++) {
      const event = anEvent()
      expect((await backTo(await client.appendToStream(newStream(), event))).at(-1)).toBe(event.id)
    }
  })
})

it('reads a stream longer than any page whole and in order, and lets a reader stop half-way', async () => {
  const stream = newStream()
  const written = events(5000)
  await client.appendToStream(stream, written)
  const wanted = written.map(({ id }) => id)
  expect(await idsOf(client.readStream(stream))).toEqual(wanted)
  expect(await idsOf(client.readStream(stream, { direction: BACKWARDS, fromRevision: END }))).toEqual(
    wanted.toReversed(),
  )
  for await (const { event } of client.readStream(stream)) if (event?.revision === 2500n) break
  expect(await idsOf(client.readStream(stream, { fromRevision: 4999n }))).toEqual(wanted.slice(-1))
})
