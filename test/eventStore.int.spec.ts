import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { connectEventStore, type EventStore, noStream } from '../src/eventStore.ts'
import { alice, now } from './support/given.ts'
import { startNode, type TestNode } from './support/node.ts'

let node: TestNode
let store: EventStore
beforeAll(async () => {
  node = await startNode()
  store = connectEventStore(node.url)
})
afterAll(async () => {
  await store.close()
  await node.stop()
})

it('returns an event as it was appended, with its place and the time at which the store recorded it', async () => {
  const stream = `thing-${randomUUID()}`
  const metadata = { actor: alice, occurredAt: now, correlationId: 'c', schemaVersion: 1, unknown: [1] }
  const event = { id: randomUUID(), type: 'ThingMade', data: { z: 1, a: ['ä', null] }, metadata }
  const before = Date.now()
  const { position } = await store.append(stream, noStream, [event])
  const after = Date.now()

  const [read] = await Array.fromAsync(store.readStream(stream, 0))
  const created = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  expect(read).toStrictEqual({ ...event, streamName: stream, revision: 0, position, created })
  expect(JSON.stringify(read!.data)).toBe(JSON.stringify(event.data))
  expect(Date.parse(read!.created!)).toBeGreaterThanOrEqual(before)
  expect(Date.parse(read!.created!)).toBeLessThanOrEqual(after)
  expect(await store.eventAt(position)).toStrictEqual(read)
})
