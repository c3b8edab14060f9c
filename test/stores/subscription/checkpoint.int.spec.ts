import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { type EventStore, noStream } from '../../../src/stores/eventStore.ts'
import { connectEventStore } from '../../../src/stores/eventStoreDb/connect.ts'
import { checkHistory, findRewound } from '../../../src/stores/subscription/checkpoint.ts'
import { company, metadata } from '../../projections/samples.ts'
import { own } from '../../support/own.ts'
import { startStore } from '../../support/store.ts'

let positions: number[]

const node = await own(startStore())
const eventStore = await own(connectEventStore(node.url))
beforeAll(async () => {
  const event = () => ({
    id: randomUUID(),
    type: 'ItemCounted',
    metadata: metadata(),
    data: { companyId: company(1), items: [], by: 1 },
  })
  await eventStore.append('items', noStream, [event(), event(), event()])
  positions = (await Array.fromAsync(eventStore.readAll(0))).map(({ position }) => position)
})

test('refuses a checkpoint where the store has another event, or none', async () => {
  const [position] = positions as [number]
  const { id } = (await eventStore.eventAt(position))!
  await checkHistory(eventStore, { position, eventId: id })
  await checkHistory(eventStore, { position: 0, eventId: null })
  for (const checkpoint of [
    { position, eventId: randomUUID() },
    { position: position + 1, eventId: id },
    { position: 1e12, eventId: id },
  ])
    await expect(checkHistory(eventStore, checkpoint)).rejects.toMatchObject({
      code: 'event-store-went-back',
    })
})

test('finds the checkpoints that belong to another history, and asks for each event once', async () => {
  const [first, last] = [positions[0]!, positions.at(-1)!]
  const idAt = async (position: number) => (await eventStore.eventAt(position))!.id
  const checkpoints = [
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
  const found = await findRewound(listening, checkpoints)
  expect([...found.keys()]).toEqual([checkpoints[2], checkpoints[4], checkpoints[5]])
  for (const rewound of found.values()) expect(rewound).toMatchObject({ code: 'event-store-went-back' })
  expect(asked).toEqual([first, first, last, last + 1])
})
