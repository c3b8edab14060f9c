import { randomUUID } from 'node:crypto'
import {
  type EventData,
  EventStoreDBClient,
  type JSONEventType,
  jsonEvent,
  type ResolvedEvent,
} from '@eventstore/db-client'
import { startNode } from '../../support/node.ts'

/** The store that a spec of the protocol speaks to, by the official client. */
export interface StoreUnderTest {
  client: EventStoreDBClient
  url: string
  /** host:port */
  address: string
  stop(): Promise<void>
}

/** A local node, or with EVENTSTORE_URL set the server there, whose other streams a spec must not mind. */
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
      // The client waits for streams that may never say that they have ended: they need not be waited for.
      await Promise.race([client.dispose(), new Promise((resolve) => setTimeout(resolve, 1_000))])
      await node?.stop()
    },
  }
}

/** The name of a stream that nobody has used yet. */
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

/** Everything a read gives. */
export async function collect(read: AsyncIterable<ResolvedEvent>): Promise<ResolvedEvent[]> {
  return Array.fromAsync(read)
}

export async function idsOf(read: AsyncIterable<ResolvedEvent>): Promise<(string | undefined)[]> {
  return (await collect(read)).map(({ event }) => event?.id)
}

export async function revisionsOf(read: AsyncIterable<ResolvedEvent>): Promise<(bigint | undefined)[]> {
  return (await collect(read)).map(({ event }) => event?.revision)
}

/** What a promise is rejected with. */
export async function rejection(promise: Promise<unknown>): Promise<Record<string, unknown>> {
  try {
    await promise
  } catch (error) {
    return error as Record<string, unknown>
  }
  throw new Error('it was not rejected')
}
