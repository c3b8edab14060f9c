import { ANY, type EventStoreDBClient, NO_STREAM } from '@eventstore/db-client'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openClient } from '../../../src/stores/eventStoreDb/client.ts'
import { startNode, type TestNode } from '../../support/node.ts'
import { anEvent, collect, events, idsOf, newStream } from './storeUnderTest.ts'

// Always a local node, because the spec kills it and starts it again.
let node: TestNode
let client: EventStoreDBClient

beforeAll(async () => {
  node = await startNode()
  client = openClient(node.url)
})
afterAll(async () => {
  await client.dispose()
  await node.stop()
})

async function restart(signal: NodeJS.Signals): Promise<void> {
  await client.dispose()
  await node.kill(signal)
  const { dbFile } = node
  const next = await startNode({ dbFile })
  const { stop } = node
  // The first node owns the folder.
  node = { ...next, stop: () => next.stop().then(stop) }
  client = openClient(node.url)
}

it('keeps events, positions and numbering', async () => {
  const stream = newStream()
  await client.appendToStream(stream, events(3))
  const before = await collect(client.readAll())
  await restart('SIGTERM')
  expect(await collect(client.readAll())).toEqual(before)
  const { position } = await client.appendToStream(stream, anEvent(), { expectedRevision: 2n })
  expect(position!.commit).toBeGreaterThan(before.at(-1)!.event!.position!.commit)
})

it('recognises a repeated append at a revision, because it reads the log', async () => {
  const stream = newStream()
  const written = events(2)
  const first = await client.appendToStream(stream, written, { expectedRevision: NO_STREAM })
  await restart('SIGKILL')
  expect(await client.appendToStream(stream, written, { expectedRevision: NO_STREAM })).toEqual(first)
})

it('forgets the ids of appends at "any", because only memory has them', async () => {
  const stream = newStream()
  const event = anEvent()
  await client.appendToStream(stream, event)
  await restart('SIGKILL')
  expect(await client.appendToStream(stream, event, { expectedRevision: ANY })).toMatchObject({
    nextExpectedRevision: 1n,
  })
  expect(await idsOf(client.readStream(stream))).toEqual([event.id, event.id])
})
