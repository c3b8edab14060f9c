import { END, type EventStoreDBClient, type ResolvedEvent } from '@eventstore/db-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openClient } from '../../../src/stores/eventStoreDb/client.ts'
import { startNode, type TestNode } from '../../support/node.ts'
import { until } from '../../support/until.ts'
import { anEvent, collect, events, newStream } from './storeUnderTest.ts'

const tooSlow = {
  code: 10,
  message: expect.stringContaining(
    'Consumer too slow to handle event while live. Client resubscription required.',
  ),
}

// Always local nodes, because a real server's buffer has no setting.
describe.each([32, 5])('a live buffer of %i events', (liveBuffer) => {
  let node: TestNode
  let client: EventStoreDBClient

  beforeAll(async () => {
    node = await startNode({ liveBuffer })
    client = openClient(node.url)
  })
  afterAll(async () => {
    await client.dispose()
    await node.stop()
  })

  it('drops a subscriber that reads nothing, which can read on from its last event', async () => {
    const slow = openClient(node.url)
    const stream = newStream()
    const subscription = slow.subscribeToAll({ fromPosition: END })
    const errors: Error[] = []
    subscription.on('error', (error) => errors.push(error))
    let caughtUp = false
    subscription.on('caughtUp' as never, () => {
      caughtUp = true
    })
    await until(() => caughtUp)

    // Nobody reads the subscription. Big events fill the buffers of its connection.
    let appended = 0
    const big = () => anEvent('Big', { text: 'x'.repeat(20_000) })
    for (; appended < liveBuffer + 80; appended++) await client.appendToStream(stream, big())
    expect(errors).toEqual([])

    const seen: ResolvedEvent[] = []
    subscription.on('data', (resolved: ResolvedEvent) => seen.push(resolved))
    await until(() => errors.length > 0)
    expect(errors).toMatchObject([tooSlow])
    // Buffered events may still come after the error.
    await until(() => seen.length >= liveBuffer)
    expect(seen.length).toBeLessThan(appended)
    const missed = await collect(client.readStream(stream, { fromRevision: BigInt(seen.length) }))
    expect(seen.length + missed.length).toBe(appended)
    await slow.dispose()
  })

  it('drops no subscriber that keeps up, even when one append exceeds the buffer', async () => {
    const subscription = client.subscribeToAll({ fromPosition: END })
    let seen = 0
    let caughtUp = false
    subscription.on('data', () => seen++)
    subscription.on('caughtUp' as never, () => {
      caughtUp = true
    })
    await until(() => caughtUp)
    await client.appendToStream(newStream(), events(5 * liveBuffer))
    await until(() => seen === 5 * liveBuffer)
    await client.appendToStream(newStream(), anEvent())
    await until(() => seen === 5 * liveBuffer + 1)
    await subscription.unsubscribe()
  })
})
