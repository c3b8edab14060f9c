import type { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import {
  AccessDeniedError,
  type AllStreamResolvedEvent,
  type EventType,
  NotLeaderError,
  type ResolvedEvent,
  StreamNotFoundError,
} from '@eventstore/db-client'
import { status } from '@grpc/grpc-js'
import type { EventMetadata, Recorded } from '../../domain/kernel/event.ts'
import { StoreUnavailable, storeForbids } from '../eventStore.ts'
import { answerInTime } from './client.ts'
import { portionsOf } from './portions.ts'

/** The events of a call of the client, without system events. A stream that does not exist has none. */

/**
 * Return the events in portions.
 * @param silentMs limit for each silence of the call; by default it may be silent for as long as nothing happens
 * @throws StoreUnavailable
 */
export async function* eventPortionsOf(call: object, silentMs?: number): AsyncGenerator<Recorded[], void> {
  // The client's types do not say that its streams are readable streams.
  const read = call as Readable & { cancel?(): Promise<void> }
  const inTime = (news: Promise<void>) => (silentMs === undefined ? news : answerInTime(news, silentMs))
  try {
    for await (const portion of portionsOf<Resolved>(read, inTime)) {
      const events = portion.map(toRecorded).filter((event) => event !== undefined)
      if (events.length > 0) yield events
    }
  } catch (error) {
    if (error instanceof StreamNotFoundError) return
    throw isForbidden(error) ? storeForbids(error) : new StoreUnavailable(error, codeOf(error))
  } finally {
    // A call that is not read to its end would stay open for ever.
    if (!read.readableEnded) void read.cancel?.().catch(() => {})
  }
}

/** The words of the local node for an event that has changed in its file. */
const damaged = /is not as it was written/

export function codeOf(error: unknown): StoreUnavailable['code'] {
  if (error instanceof AccessDeniedError) return isForbidden(error) ? 'store-forbids' : 'store-refuses-user'
  return error instanceof Error && damaged.test(error.message) ? 'event-damaged' : 'store-unavailable'
}

/** @throws StoreUnavailable */
export function eventsOf(call: object, silentMs?: number): AsyncGenerator<Recorded, void> {
  return oneByOne(eventPortionsOf(call, silentMs))
}

/** @throws StoreUnavailable */
export function eventsOfLeader(
  silentMs: number,
  call: (from: { requiresLeader: true }) => object,
): AsyncGenerator<Recorded, void> {
  return oneByOne(portionsOfLeader(silentMs, call))
}

/**
 * Read from the leader. Ask once more when the node that was asked leads no longer, because it names the leader.
 * @throws StoreUnavailable
 */
export async function* portionsOfLeader(
  silentMs: number,
  call: (from: { requiresLeader: true }) => object,
): AsyncGenerator<Recorded[], void> {
  const fromLeader = { requiresLeader: true } as const
  let begun = false
  try {
    for await (const portion of eventPortionsOf(call(fromLeader), silentMs)) {
      begun = true
      yield portion
    }
  } catch (error) {
    if (begun || !isNotLeader(error)) throw error
    await pause(reconnectMs)
    yield* eventPortionsOf(call(fromLeader), silentMs)
  }
}

export async function* oneByOne(
  portions: AsyncIterable<readonly Recorded[]>,
): AsyncGenerator<Recorded, void> {
  for await (const portion of portions) yield* portion
}

type Resolved = ResolvedEvent<EventType> | AllStreamResolvedEvent

/** The time in milliseconds in which a client that knows the new leader has connected to it. */
const reconnectMs = 20

/** True if the server knows the user but refuses. Wrong credentials have another status. */
export function isForbidden(error: unknown): boolean {
  return error instanceof AccessDeniedError && error.code === status.PERMISSION_DENIED
}

function isNotLeader(error: unknown): boolean {
  return error instanceof StoreUnavailable && error.cause instanceof NotLeaderError
}

function toRecorded({ event }: Resolved): Recorded | undefined {
  if (!event || event.type.startsWith('$')) return undefined
  return {
    id: event.id,
    type: event.type,
    ...dataOf(event),
    metadata: metadataOf(event.metadata),
    streamName: event.streamId,
    revision: Number(event.revision),
    position: Number((event as { position?: { commit: bigint } }).position?.commit ?? 0n),
    created: event.created.toISOString(),
  }
}

/** Metadata of other programs may be bytes, or any JSON: folds read them through `domain/metadata.ts`. */
function metadataOf(metadata: unknown): EventMetadata {
  return (metadata instanceof Uint8Array ? asBytes(metadata) : metadata) as EventMetadata
}

/** Other programs may record data that are no JSON, whatever the content type says, or JSON that is no object. */
function dataOf({ data, isJson }: { data: unknown; isJson: boolean }): Pick<Recorded, 'data' | 'isJson'> {
  if (data instanceof Uint8Array) return { data: asBytes(data), isJson: false }
  if (isJson && typeof data === 'object' && data !== null && !Array.isArray(data)) return { data }
  return { data: asBytes(Buffer.from(typeof data === 'string' ? data : JSON.stringify(data))), isJson: false }
}

function asBytes({ buffer, byteOffset, byteLength }: Uint8Array) {
  return { base64: Buffer.from(buffer, byteOffset, byteLength).toString('base64') }
}
