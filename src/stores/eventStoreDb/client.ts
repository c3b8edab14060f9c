import { setTimeout as pause } from 'node:timers/promises'
import { EventStoreDBClient } from '@eventstore/db-client'
import type { Channel } from '@grpc/grpc-js'
import { ifInTime, inTime } from '../../lib/inTime.ts'
import { connectionString, pingTimeoutMs, socketOf } from './url.ts'

/** EventStoreDB's client, opened and closed in one place, and how its answers are awaited. */

/** Limit for the end of the client's open streams. */
const disposeWithinMs = 500

/** @throws Error with one line, without the url: it may hold a password */
export function openClient(url: string): EventStoreDBClient {
  try {
    const socket = socketOf(url)
    if (socket !== undefined) return prepare(clientOf(socket))
    return prepare(EventStoreDBClient.connectionString(connectionString(url)))
  } catch (error) {
    // The client's own error holds the whole address.
    if (!(error instanceof Error && 'connectionString' in error)) throw error
    const { expected } = error as { expected?: unknown }
    throw new Error(`the address of the event store is wrong: this was expected: ${expected}`)
  }
}

/** Its connection strings know no sockets, but gRPC does. */
function clientOf(socket: string): EventStoreDBClient {
  return new EventStoreDBClient(
    { endpoint: `unix:${socket}`, keepAliveTimeout: pingTimeoutMs },
    { insecure: true },
  )
}

/** Parts of the client that are no public members. */
interface Parts {
  supports(): Promise<boolean>
  createChannel(): Promise<Channel>
  /** The reads and subscriptions under way. */
  readonly disposableStreams: ReadonlySet<unknown>
}

function partsOf(client: EventStoreDBClient): Parts {
  return client as unknown as Parts
}

/** The newest channel of each client, which `dispose` leaves open. */
const channels = new WeakMap<EventStoreDBClient, Channel>()

/**
 * Let the client append by a call for each append. It keeps one bank of all batch appends that wait, of every stream and
 * client of the process: a stream that breaks empties it, and the next answer on another stream then throws out of any
 * handler. It has no option for this; it asks `supports` before each append.
 */
function prepare(client: EventStoreDBClient): EventStoreDBClient {
  const { createChannel } = partsOf(client)
  const own: Pick<Parts, 'supports' | 'createChannel'> = {
    supports: async () => false,
    async createChannel() {
      const channel = await createChannel()
      channels.set(client, channel)
      return channel
    },
  }
  return Object.assign(client, own)
}

/** Close the client, and do not wait long for its streams: all have been cancelled, and some never say that they ended. */
export async function closeClient(client: EventStoreDBClient): Promise<void> {
  await ifInTime(client.dispose(), disposeWithinMs)
  channels.get(client)?.close()
}

/** A client that has been replaced goes on with its reads for this long, in milliseconds. */
const replacedReadsMs = 600_000
const lookEveryMs = 1_000

/** Close a client that has been replaced, as soon as its reads have ended or the time for them is over. */
export async function retireClient(client: EventStoreDBClient): Promise<void> {
  const reads = partsOf(client).disposableStreams
  for (let waitedMs = 0; reads.size > 0 && waitedMs < replacedReadsMs; waitedMs += lookEveryMs)
    await pause(lookEveryMs, undefined, { ref: false })
  await closeClient(client)
}

/** @param over ends the wait early, because the client has been replaced */
export function answerInTime<Answer>(
  answer: Promise<Answer>,
  withinMs: number,
  over?: AbortSignal,
): Promise<Answer> {
  const lateError = () => new Error(over?.aborted ? 'its client has failed' : `no answer for ${withinMs} ms`)
  return inTime(answer, withinMs, lateError, over)
}
