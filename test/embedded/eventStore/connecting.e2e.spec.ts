import { createRequire } from 'node:module'
import {
  END,
  type EventStoreDBClient,
  persistentSubscriptionToAllSettingsFromDefaults,
} from '@eventstore/db-client'
import type serverFeaturesPb from '@eventstore/db-client/generated/serverfeatures_pb.js'
import shared from '@eventstore/db-client/generated/shared_pb.js'
import { type Client, credentials } from '@grpc/grpc-js'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { openClient } from '../../../src/stores/eventStoreDb/client.ts'
import { startNode, type TestNode } from '../../support/node.ts'
import { until } from '../../support/until.ts'
import { follow } from './protocol/follow.ts'
import { appendOptions, rawClient, refusal } from './rawClient.ts'
import { anEvent, collect, newStream, rejection } from './storeUnderTest.ts'

// Always local nodes, because the spec stops and kills them.
const generated = createRequire(import.meta.url)
const { ServerFeaturesClient } = generated('@eventstore/db-client/generated/serverfeatures_grpc_pb.js')

describe('connecting', () => {
  let node: TestNode
  const clients: EventStoreDBClient[] = []

  beforeAll(async () => {
    node = await startNode()
  })
  afterEach(async () => {
    for (const client of clients.splice(0)) await client.dispose()
  })
  afterAll(() => node.stop())

  it('answers a client that asks for the leader', async () => {
    const client = openClient(node.url)
    clients.push(client)
    const stream = newStream()
    await client.appendToStream(stream, anEvent(), { requiresLeader: true })
    expect(await collect(client.readStream(stream, { requiresLeader: true }))).toHaveLength(1)
  })

  it('lists the methods that the node has, and no others', async () => {
    const supported = await ask<serverFeaturesPb.SupportedMethods>(
      ServerFeaturesClient,
      'getSupportedMethods',
    )
    const methods = supported
      .getMethodsList()
      .map((method) => `${method.getServiceName()}/${method.getMethodName()}`)
    expect(methods.toSorted()).toEqual([
      'event_store.client.server_features.serverfeatures/getsupportedmethods',
      'event_store.client.streams.streams/append',
      'event_store.client.streams.streams/read',
    ])
    expect(supported.getEventStoreServerVersion()).toMatch(/^23\.10\./)
  })

  it.each([
    [
      'a persistent subscription',
      (client: EventStoreDBClient) =>
        client.createPersistentSubscriptionToAll('group', persistentSubscriptionToAllSettingsFromDefaults()),
    ],
    ['the delete of a stream', (client: EventStoreDBClient) => client.deleteStream(newStream())],
    ['the tombstone of a stream', (client: EventStoreDBClient) => client.tombstoneStream(newStream())],
  ])('refuses %s', async (_what, call) => {
    const client = openClient(node.url)
    clients.push(client)
    await expect(call(client)).rejects.toThrow(/UNIMPLEMENTED|requires server version/)
  })

  function ask<Response>(
    Service: new (...args: unknown[]) => Client & Record<string, (...args: unknown[]) => void>,
    method: string,
  ): Promise<Response> {
    const client = new Service(`127.0.0.1:${node.port}`, credentials.createInsecure())
    return new Promise<Response>((resolve, reject) => {
      client[method]!(new shared.Empty(), (error: Error | null, response: Response) => {
        client.close()
        if (error) reject(error)
        else resolve(response)
      })
    })
  }
})

describe('the end of a node', () => {
  it('ends subscriptions with status 13 on SIGTERM', async () => {
    const node = await startNode()
    const client = openClient(node.url)
    await client.appendToStream(newStream(), anEvent())
    const followers = [follow(client.subscribeToAll({ fromPosition: END })), follow(client.subscribeToAll())]
    await until(() => followers.every(({ seen }) => seen.includes('confirmation')))
    await node.stop()
    for (const { ended } of followers) expect(await rejection(ended)).toMatchObject({ code: 13 })
    await client.dispose()
  })

  it('ends an incomplete append on SIGTERM as UNAVAILABLE', async () => {
    const node = await startNode()
    const raw = rawClient(node.url)
    const append = (stream: string, andThen: 'write' | 'end') =>
      refusal((answer) => {
        const call = raw.append(answer)
        call.on('error', () => undefined)
        call[andThen](appendOptions(stream))
      })
    const incomplete = append(newStream(), 'write')
    // Once the node has answered a later call it has received the earlier ones.
    expect((await append('', 'end')).code).toBe(2)
    await node.kill('SIGTERM')
    expect((await incomplete).code).toBe(14)
    raw.close()
    await node.stop()
  })

  it('answers every append that it has written before a SIGTERM ends it', async () => {
    const node = await startNode()
    const client = openClient(node.url)
    const stream = newStream()
    let acknowledged = 0
    let stopped = false
    const writers = Array.from({ length: 16 }, async () => {
      while (!stopped) {
        await client.appendToStream(stream, anEvent())
        acknowledged++
      }
    })
    const written = Promise.allSettled(writers)
    await until(() => acknowledged > 50)
    await node.kill('SIGTERM')
    stopped = true
    await written
    await client.dispose()

    const again = await startNode({ dbFile: node.dbFile })
    const reader = openClient(again.url)
    expect(await collect(reader.readStream(stream))).toHaveLength(acknowledged)
    await reader.dispose()
    await again.stop()
    await node.stop()
  })

  it('ends subscriptions as unavailable on SIGKILL, and the client goes on with the next node', async () => {
    const node = await startNode()
    const client = openClient(node.url)
    const stream = newStream()
    await client.appendToStream(stream, anEvent())
    const followed = follow(client.subscribeToAll())
    await until(() => followed.seen.includes('caughtUp'))
    await node.kill('SIGKILL')
    expect(await rejection(followed.ended)).toMatchObject({ code: 14, type: 'unavailable' })

    const again = await startNode({ dbFile: node.dbFile, port: node.port })
    await until(() => client.appendToStream(stream, anEvent(), { expectedRevision: 0n }))
    expect(await collect(client.readStream(stream))).toHaveLength(2)
    await client.dispose()
    await again.stop()
    await node.stop()
  })
})
