import { randomUUID } from 'node:crypto'
import {
  type EventData,
  EventStoreDBClient,
  type JSONEventType,
  jsonEvent,
  type ResolvedEvent,
} from '@eventstore/db-client'
import { startNode } from '../../support/node.ts'

/** The store that a spec of the protocol uses through the official client. */
export interface StoreUnderTest {
  client: EventStoreDBClient
  url: string
  /** host:port */
  address: string
  stop(): Promise<void>
}

/** A local node, or the server that EVENTSTORE_URL names. Specs must not depend on its other streams. */
export async function storeUnderTest(): Promise<StoreUnderTest> {
  const given = process.env.EVENTSTORE_URL
  const node = given === undefined ? await startNode() : undefined
  const url = given ?? node!.url
  const client = EventStoreDBClient.connectionString(url)
  return {
    client,
    url,
    address: /\/\/(?:[^@/]*@)?([^/?,]+)/.exec(url)![1]!,
    async stop() {
      // The client waits for streams that may never report their end.
      await Promise.race([client.dispose(), new Promise((resolve) => setTimeout(resolve, 1_000))])
      await node?.stop()
    },
  }
}

/** A new stream name. */
export function newStream(name = 'stream'): string {
  return `${name}-${randomUUID()}`
}

type Data = Record<string, unknown>

export function anEvent(type = 'Happened', data: Data = {}, id: string = randomUUID()): EventData {
  return jsonEvent<JSONEventType<string, Data>>({ id, type, data })
}

export function events(count: number, type = 'Happened'): EventData[] {
  return Array.from({ length: count }, (_, index) => anEvent(type, { index }))
}

/** All events of a read. */
export async function collect(read: AsyncIterable<ResolvedEvent>): Promise<ResolvedEvent[]> {
  return Array.fromAsync(read)
}

export async function idsOf(read: AsyncIterable<ResolvedEvent>): Promise<(string | undefined)[]> {
  return (await collect(read)).map(({ event }) => event?.id)
}

export async function revisionsOf(read: AsyncIterable<ResolvedEvent>): Promise<(bigint | undefined)[]> {
  return (await collect(read)).map(({ event }) => event?.revision)
}

/** The reason of a promise's rejection. */
export async function rejection(promise: Promise<unknown>): Promise<Record<string, unknown>> {
  try {
    await promise
  } catch (error) {
    return error as Record<string, unknown>
  }
  throw new Error('it was not rejected')
}
