import { randomUUID } from 'node:crypto'
import {
  type EventData,
  type EventStoreDBClient,
  type JSONEventType,
  jsonEvent,
  type ResolvedEvent,
} from '@eventstore/db-client'
import { afterAll } from 'vitest'
import { ifInTime } from '../../../src/lib/inTime.ts'
import { openClient } from '../../../src/stores/eventStoreDb/client.ts'
import { givenOrNewStore } from '../../support/store.ts'

/** The store that a spec of the protocol uses through the official client. */
export interface StoreUnderTest {
  client: EventStoreDBClient
  /** The connection string. */
  url: string
}

/** Open the store for one spec file, at its top. It is closed after the file's last test. */
export async function storeUnderTest(starting = givenOrNewStore()): Promise<StoreUnderTest> {
  const store = await starting
  const client = openClient(store.url)
  afterAll(async () => {
    // The client waits for streams that may never report their end.
    await ifInTime(client.dispose(), 1_000)
    await store.stop()
  })
  return { client, url: store.url }
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
