import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { clock } from '../../../src/lib/clocks.ts'
import { type EventStore, noStream } from '../../../src/stores/eventStore.ts'
import { connectEventStore } from '../../../src/stores/eventStoreDb/connect.ts'
import { openSubscription } from '../../../src/stores/subscription/subscription.ts'
import { company, metadata } from '../../projections/samples.ts'
import { startStore, type TestStore } from '../../support/store.ts'

let node: TestStore
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
  node = await startStore()
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

test('delivers every event once, in order, to a slow reader, a bounded weight at a time', async () => {
  const dropped: string[] = []
  const subscription = openSubscription({
    eventStore,
    clock,
    from: start,
    capacity: 150,
    onDropped: (reason) => dropped.push(reason),
  })
  const batches: number[][] = []
  while (batches.flat().length < positions.length)
    batches.push((await subscription.take(250)).map(({ position }) => position))
  expect(batches.flat()).toEqual(positions)
  // The queue never held more than its capacity and one event: batches of small events, and of two large ones.
  expect(Math.max(...batches.map(({ length }) => length))).toBeLessThanOrEqual(150)
  expect(batches.at(-1)!.length).toBeLessThanOrEqual(3)
  // A full queue is no fault.
  expect(dropped).toEqual([])
  await subscription.close()
})

test('begins after the checkpoint and goes on with later events', async () => {
  const from = (await eventStore.eventAt(positions[649]!))!
  const subscription = openSubscription({
    eventStore,
    clock,
    from: { position: from.position, eventId: from.id },
    capacity: 1_000_000,
  })
  const { position } = await eventStore.append(`late-${randomUUID()}`, noStream, events(1, 0))
  const seen: number[] = []
  while (seen.at(-1) !== position)
    seen.push(...(await subscription.take(1_000)).map((event) => event.position))
  expect(seen).toEqual([...positions.slice(650), position])
  await subscription.close()
})

test('delivers nothing to a reader that waits when it closes', async () => {
  const last = (await eventStore.last())!
  const subscription = openSubscription({
    eventStore,
    clock,
    from: { position: last.position, eventId: last.id },
    capacity: 10,
  })
  const waiting = subscription.take(10)
  await subscription.close()
  expect(await waiting).toEqual([])
  expect(await subscription.take(10)).toEqual([])
})

test('refuses to begin at a checkpoint whose event the store does not have', async () => {
  const from = { position: positions[0]!, eventId: randomUUID() }
  const subscription = openSubscription({ eventStore, from, clock, capacity: 10 })
  await expect(subscription.take(10)).rejects.toThrow('event-store-went-back')
  await subscription.close()
})
