import { randomUUID } from 'node:crypto'
import { binaryEvent, jsonEvent } from '@eventstore/db-client'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type EventStore, noStream } from '../../src/stores/eventStore.ts'
import { openClient } from '../../src/stores/eventStoreDb/client.ts'
import { connectEventStore } from '../../src/stores/eventStoreDb/connect.ts'
import { type Follower, startFollower } from '../support/follower.ts'
import { alice, now } from '../support/given.ts'
import { startNode } from '../support/node.ts'
import { own } from '../support/own.ts'

const node = await own(startNode())
const store = await own(connectEventStore(node.url))

it('returns an event that is not JSON with its bytes, wherever it is read', async () => {
  const client = openClient(node.url)
  const stream = `thing-${randomUUID()}`
  const [data, metadata] = [Buffer.from([0, 255, 10]), Buffer.from('{')]
  await client.appendToStream(stream, binaryEvent({ type: 'ThingScanned', data, metadata }))
  await client.dispose()

  const [read] = await Array.fromAsync(store.readStream(stream, 0))
  const base64 = (bytes: Buffer) => ({ base64: bytes.toString('base64') })
  expect(read).toMatchObject({
    type: 'ThingScanned',
    isJson: false,
    revision: 0,
    data: base64(data),
    metadata: base64(metadata),
  })
  expect(await store.last()).toStrictEqual(read)
  expect(await store.eventAt(read!.position)).toStrictEqual(read)
})

it.each([['a text'], [7], [[1]]])('returns the JSON data %j, which are no object, as bytes', async (data) => {
  const client = openClient(node.url)
  const stream = `thing-${randomUUID()}`
  await client.appendToStream(stream, jsonEvent({ type: 'ThingScanned', data: data as never }))
  await client.dispose()
  const [read] = await Array.fromAsync(store.readStream(stream, 0))
  expect(read).toMatchObject({ isJson: false, data: { base64: expect.any(String) } })
})

describe('on a node that does not lead and lacks the last events', () => {
  let follower: Follower
  let there: EventStore
  const made = async () => {
    const stream = `thing-${randomUUID()}`
    const metadata = { actor: alice, occurredAt: now, correlationId: 'c', schemaVersion: 1 }
    const event = { id: randomUUID(), type: 'ThingMade', data: {}, metadata }
    const { position } = await store.append(stream, noStream, [event])
    return { stream, position, id: event.id }
  }
  beforeEach(async () => {
    follower = await startFollower(node.url)
    there = connectEventStore(follower.url)
  })
  afterEach(async () => {
    await there.close()
    follower.stop()
  })

  it.each<[string, (there: EventStore, of: Awaited<ReturnType<typeof made>>) => Promise<unknown>]>([
    ['a stream', async (there, { stream }) => (await Array.fromAsync(there.readStream(stream, 0)))[0]],
    ['the event at a position', (there, { position }) => there.eventAt(position)],
    ['the last event', (there) => there.last()],
    [
      'everything from a position on',
      async (there, { position }) => (await Array.fromAsync(there.readAllFrom(position))).flat()[0],
    ],
  ])('%s is read from the leader', async (_what, read) => {
    const event = await made()
    expect(await read(there, event)).toMatchObject({ id: event.id })
    expect(follower.asked).toStrictEqual([{ requiresLeader: true }])
  })

  it('all events may be read from any node', async () => {
    await made()
    expect(await Array.fromAsync(there.readAll(0))).toStrictEqual([])
    expect(await Array.fromAsync(there.readBack())).toStrictEqual([])
    expect(follower.asked).toStrictEqual([{ requiresLeader: false }, { requiresLeader: false }])
  })
})
