import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import type { Recorded } from '../../../src/domain/kernel/event.ts'
import { clock } from '../../../src/lib/clocks.ts'
import { type EventStore, noStream } from '../../../src/stores/eventStore.ts'
import { connectEventStore } from '../../../src/stores/eventStoreDb/connect.ts'
import { createIntake } from '../../../src/stores/subscription/intake.ts'
import type { Subscription } from '../../../src/stores/subscription/subscription.ts'
import { company, metadata } from '../../projections/samples.ts'
import { own } from '../../support/own.ts'
import { startStore } from '../../support/store.ts'

let positions: number[]

const events = (count: number, lists: number) =>
  Array.from({ length: count }, () => ({
    id: randomUUID(),
    type: 'ItemCounted',
    data: { companyId: company(1), items: Array(lists).fill(1), by: 1 },
    metadata: metadata(),
  }))

const node = await own(startStore())
const eventStore = await own(connectEventStore(node.url))
beforeAll(async () => {
  await eventStore.append('small', noStream, events(600, 0))
  await eventStore.append('large', noStream, events(100, 99))
  positions = (await Array.fromAsync(eventStore.readAll(0))).map(({ position }) => position)
})

const start = { position: 0, eventId: null }

/** Take events until the one at the position, and return the positions of all. */
async function takeUntil(subscription: Subscription, position: number): Promise<number[]> {
  const seen: number[] = []
  while (seen.at(-1) !== position)
    seen.push(...(await subscription.take(1_000)).map((event) => event.position))
  return seen
}

/** Append so many events, one by one, and return their positions. */
async function appendMore(count: number): Promise<number[]> {
  const added: number[] = []
  for (let n = 0; n < count; n++)
    added.push((await eventStore.append(`late-${randomUUID()}`, noStream, events(1, 0))).position)
  return added
}

const positionsOf = (events: readonly Recorded[]) => events.map(({ position }) => position)

test('delivers every event once, in order, to a slow reader, a bounded weight at a time', async () => {
  const dropped: string[] = []
  const intake = createIntake({
    eventStore,
    clock,
    capacity: 150,
    onDropped: (reason) => dropped.push(reason),
  })
  const subscription = intake.subscribe({ from: start })
  const batches: number[][] = []
  while (batches.flat().length < positions.length) batches.push(positionsOf(await subscription.take(250)))
  expect(batches.flat()).toEqual(positions)
  // The queue never held more than its capacity and one portion of a read.
  expect(Math.max(...batches.map(({ length }) => length))).toBeLessThanOrEqual(250)
  expect(batches.at(-1)!.length).toBeLessThanOrEqual(3)
  expect(dropped).toEqual([])
  await subscription.close()
})

test('begins after the checkpoint and goes on with later events', async () => {
  const { position, id } = (await eventStore.eventAt(positions[649]!))!
  const subscription = createIntake({ eventStore, clock }).subscribe({ from: { position, eventId: id } })
  const [last] = await appendMore(1)
  positions.push(last!)
  expect(await takeUntil(subscription, last!)).toEqual(positions.slice(650))
  await subscription.close()
})

test('receives each event once for all who follow, and again only for one that is too slow', async () => {
  let received = 0
  let read = 0
  const counting: EventStore = {
    ...eventStore,
    async *subscribe(position, signal) {
      for await (const event of eventStore.subscribe(position, signal)) {
        received += 1
        yield event
      }
    },
    async *readAllInPortions(position) {
      for await (const portion of eventStore.readAllInPortions(position)) {
        read += portion.length
        yield portion
      }
    },
  }
  const { position, id } = (await eventStore.last())!
  const intake = createIntake({ eventStore: counting, clock, capacity: 20 })
  const [one, other, slow] = [1, 2, 3].map(() => intake.subscribe({ from: { position, eventId: id } }))
  await Promise.all([one!.checked, other!.checked, slow!.checked])
  const added: number[] = []
  for (let round = 0; round < 8; round++) {
    const more = await appendMore(10)
    added.push(...more)
    for (const quick of [one!, other!]) expect(await takeUntil(quick, more.at(-1)!)).toEqual(more)
  }
  positions.push(...added)
  expect([received, read]).toEqual([80, 0])
  expect(await takeUntil(slow!, added.at(-1)!)).toEqual(added)
  expect(received).toBe(80)
  expect(read).toBeGreaterThan(0)
  // It has caught up, so nothing is read any more.
  const before = read
  const more = await appendMore(3)
  positions.push(...more)
  for (const each of [one!, other!, slow!]) expect(await takeUntil(each, more.at(-1)!)).toEqual(more)
  expect([received, read]).toEqual([83, before])
  for (const each of [one!, other!, slow!]) await each.close()
})

test('skips and repeats no event, however slow its readers are and however often it is dropped', async () => {
  const reopened: string[] = []
  let drop = () => {}
  const dropping: EventStore = {
    ...eventStore,
    subscribe(position, signal) {
      const dropped = new AbortController()
      drop = () => dropped.abort()
      return eventStore.subscribe(position, AbortSignal.any([signal, dropped.signal]))
    },
  }
  const intake = createIntake({
    eventStore: dropping,
    clock,
    capacity: 16,
    onDropped: (reason) => reopened.push(reason),
  })
  const { position, id } = (await eventStore.last())!
  const readers = [1, 5, 40].map((most) => ({
    most,
    subscription: intake.subscribe({ from: { position, eventId: id } }),
  }))
  const appending = appendMore(300)
  let last = Number.POSITIVE_INFINITY
  void appending.then((added) => {
    last = added.at(-1)!
  })
  const dropper = setInterval(() => drop(), 40)
  const reading = readers.map(async ({ most, subscription }) => {
    const seen: number[] = []
    while (seen.at(-1) !== last) seen.push(...positionsOf(await subscription.take(most, 50)))
    return seen
  })
  const added = await appending
  positions.push(...added)
  for (const seen of await Promise.all(reading)) expect(seen).toEqual(added)
  clearInterval(dropper)
  expect(reopened.length).toBeGreaterThan(0)
  for (const { subscription } of readers) await subscription.close()
})

test('returns nothing when no event comes within the time', async () => {
  const { position, id } = (await eventStore.last())!
  const subscription = createIntake({ eventStore, clock }).subscribe({ from: { position, eventId: id } })
  expect(await subscription.take(10, 20)).toEqual([])
  const [last] = await appendMore(1)
  positions.push(last!)
  expect(positionsOf(await subscription.take(10, 10_000))).toEqual([last])
  await subscription.close()
})

test('delivers nothing to a reader that waits when it closes', async () => {
  const { position, id } = (await eventStore.last())!
  const subscription = createIntake({ eventStore, clock }).subscribe({ from: { position, eventId: id } })
  const waiting = subscription.take(10)
  await subscription.close()
  expect(await waiting).toEqual([])
  expect(await subscription.take(10)).toEqual([])
})

test('refuses to begin at a checkpoint whose event the store does not have, and lets others follow', async () => {
  const intake = createIntake({ eventStore, clock })
  const other = intake.subscribe({ from: start })
  const lost = intake.subscribe({ from: { position: positions[0]!, eventId: randomUUID() } })
  await expect(lost.take(10)).rejects.toThrow('event-store-went-back')
  await lost.close()
  expect(await takeUntil(other, positions.at(-1)!)).toEqual(positions)
  await other.close()
})
