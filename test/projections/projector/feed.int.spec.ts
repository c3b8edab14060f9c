import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectEventStore, type EventStore, noStream } from '../../../src/eventStore.ts'
import { checkHistory, findStrays, openFeed, WentBack } from '../../../src/projections/projector/feed.ts'
import { startNode, type TestNode } from '../../support/node.ts'
import { company, metadata } from '../samples.ts'

let node: TestNode
let eventStore: EventStore
let positions: number[]

const events = (count: number, lists: number) =>
  Array.from({ length: count }, () => ({
    id: randomUUID(),
    type: 'ItemCounted',
    data: { companyId: company(1), items: Array(lists).fill(1), by: 1 },
    metadata: metadata(),
  }))

beforeAll(async () => {
  node = await startNode()
  eventStore = connectEventStore(node.url)
  await eventStore.append('small', noStream, events(600, 0))
  await eventStore.append('large', noStream, events(100, 99))
  positions = (await Array.fromAsync(eventStore.readAll(0))).map(({ position }) => position)
})
afterAll(async () => {
  await eventStore.close()
  await node.stop()
})

const start = { position: 0, eventId: null }

test('whoever takes slowly gets every event once, in order, a bounded weight at a time', async () => {
  const dropped: string[] = []
  const feed = openFeed({
    eventStore,
    from: start,
    capacity: 150,
    onDropped: (reason) => dropped.push(reason),
  })
  const batches: number[][] = []
  while (batches.flat().length < positions.length)
    batches.push((await feed.take(250)).map(({ position }) => position))
  expect(batches.flat()).toEqual(positions)
  // The queue never held more than its capacity and one event: batches of small events, and of two large ones.
  expect(Math.max(...batches.map(({ length }) => length))).toBeLessThanOrEqual(150)
  expect(batches.at(-1)!.length).toBeLessThanOrEqual(3)
  // A full queue is no fault.
  expect(dropped).toEqual([])
  await feed.close()
})

test('a feed goes on from a kept position, and with what is appended later', async () => {
  const from = (await eventStore.eventAt(positions[649]!))!
  const feed = openFeed({
    eventStore,
    from: { position: from.position, eventId: from.id },
    capacity: 1_000_000,
  })
  const { position } = await eventStore.append(`late-${randomUUID()}`, noStream, events(1, 0))
  const seen: number[] = []
  while (seen.at(-1) !== position) seen.push(...(await feed.take(1_000)).map((event) => event.position))
  expect(seen).toEqual([...positions.slice(650), position])
  await feed.close()
})

test('whoever waits when it is closed gets nothing', async () => {
  const last = (await eventStore.last())!
  const feed = openFeed({
    eventStore,
    from: { position: last.position, eventId: last.id },
    capacity: 10,
  })
  const waiting = feed.take(10)
  await feed.close()
  expect(await waiting).toEqual([])
  expect(await feed.take(10)).toEqual([])
})

test('a kept position where the store has another event, or none, is another history', async () => {
  const [position] = positions as [number]
  const { id } = (await eventStore.eventAt(position))!
  await checkHistory(eventStore, { position, eventId: id })
  await checkHistory(eventStore, start)
  for (const kept of [
    { position, eventId: randomUUID() },
    { position: position + 1, eventId: id },
    { position: 1e12, eventId: id },
  ]) {
    await expect(checkHistory(eventStore, kept)).rejects.toThrow(WentBack)
    const feed = openFeed({ eventStore, from: kept, capacity: 10 })
    await expect(feed.take(10)).rejects.toThrow('event-store-went-back')
    await feed.close()
  }
})

test('of many kept positions those are found that are of another history, each event asked for once', async () => {
  const [first, last] = [positions[0]!, positions.at(-1)!]
  const idAt = async (position: number) => (await eventStore.eventAt(position))!.id
  const kept = [
    { position: 0, eventId: null },
    { position: first, eventId: await idAt(first) },
    { position: first, eventId: await idAt(last) },
    { position: last, eventId: await idAt(last) },
    { position: first, eventId: await idAt(last) },
    { position: last + 1, eventId: await idAt(last) },
  ]
  const asked: number[] = []
  const listening: EventStore = {
    ...eventStore,
    eventAt(position) {
      asked.push(position)
      return eventStore.eventAt(position)
    },
  }
  const strays = await findStrays(listening, kept)
  expect([...strays.keys()]).toEqual([kept[2], kept[4], kept[5]])
  for (const wentBack of strays.values()) expect(wentBack).toBeInstanceOf(WentBack)
  expect(asked).toEqual([first, first, last, last + 1])
})
