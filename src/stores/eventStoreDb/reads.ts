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
import { StoreForbids, StoreUnavailable } from '../eventStore.ts'
import { answerInTime } from './client.ts'
import { portionsOf } from './portions.ts'

/** The events of a call of the client, without system events. A stream that does not exist has none. */

/**
 * Return the events in portions.
 * @param live whether the call may be silent for as long as nothing happens
 * @throws StoreUnavailable
 */
export async function* eventPortionsOf(
  call: object,
  { live = false } = {},
): AsyncGenerator<Recorded[], void> {
  // The client's types do not say that its streams are readable streams.
  const read = call as Readable & { cancel?(): Promise<void> }
  try {
    for await (const portion of portionsOf<Resolved>(read, live ? (news) => news : answerInTime)) {
      const events = portion.map(recorded).filter((event) => event !== undefined)
      if (events.length > 0) yield events
    }
  } catch (error) {
    if (error instanceof StreamNotFoundError) return
    throw isForbidden(error) ? new StoreForbids(error) : new StoreUnavailable(error)
  } finally {
    // A call that is not read to its end would stay open for ever.
    if (!read.readableEnded) void read.cancel?.().catch(() => {})
  }
}

/** @throws StoreUnavailable */
export function eventsOf(call: object, how?: { live?: boolean }): AsyncGenerator<Recorded, void> {
  return oneByOne(eventPortionsOf(call, how))
}

/** @throws StoreUnavailable */
export function eventsOfLeader(
  call: (from: { requiresLeader: true }) => object,
): AsyncGenerator<Recorded, void> {
  return oneByOne(portionsOfLeader(call))
}

/**
 * Read from the leader. Ask once more when the node that was asked leads no longer, because it names the leader.
 * @throws StoreUnavailable
 */
export async function* portionsOfLeader(
  call: (from: { requiresLeader: true }) => object,
): AsyncGenerator<Recorded[], void> {
  const fromLeader = { requiresLeader: true } as const
  let begun = false
  try {
    for await (const portion of eventPortionsOf(call(fromLeader))) {
      begun = true
      yield portion
    }
  } catch (error) {
    if (begun || !isNotLeader(error)) throw error
    await pause(reconnectMs)
    yield* eventPortionsOf(call(fromLeader))
  }
}

export async function* oneByOne(
  portions: AsyncIterable<readonly Recorded[]>,
): AsyncGenerator<Recorded, void> {
  for await (const portion of portions) yield* portion
}

type Resolved = ResolvedEvent<EventType> | AllStreamResolvedEvent

/** After this time, in milliseconds, a client that was told the new leader connects to it. */
const reconnectMs = 20

/** Whether the server knows the user, and refuses. Wrong credentials have another status. */
export function isForbidden(error: unknown): boolean {
  return error instanceof AccessDeniedError && error.code === status.PERMISSION_DENIED
}

function isNotLeader(error: unknown): boolean {
  return error instanceof StoreUnavailable && error.cause instanceof NotLeaderError
}

function recorded({ event }: Resolved): Recorded | undefined {
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
