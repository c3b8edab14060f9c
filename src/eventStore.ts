import type { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import {
  type AllStreamResolvedEvent,
  EventStoreDBClient,
  type EventType,
  excludeSystemEvents,
  jsonEvent,
  MaxAppendSizeExceededError,
  NO_STREAM,
  NotLeaderError,
  type ResolvedEvent,
  StreamNotFoundError,
  WrongExpectedVersionError,
} from '@eventstore/db-client'
import type { DomainEvent, EventMetadata, Recorded } from './domain/event.ts'
import { connectionString } from './eventStoreUrl.ts'
import { ifInTime, inTime } from './inTime.ts'
import { portionsOf } from './portions.ts'

/** The client of EventStoreDB: append, read, subscribe. Revisions and positions are plain numbers here. */

/** Another writer appended first: the stream is not at the expected revision. */
export class WrongRevision extends Error {
  override readonly name = 'WrongRevision'
}

/** The events do not fit into one append of the store. */
export class AppendTooLarge extends Error {
  override readonly name = 'AppendTooLarge'
}

/** Remove what gRPC puts around the message of an error: the status and headings. */
function withoutFrills(message: string): string {
  return message
    .replace(/^\d+ [A-Z_]+: /, '')
    .replace(/\.? Resolution note: *$/, '')
    .replace('. Last error: Error: ', ': ')
}

/** The store did not answer. `sent` is false when the request cannot have reached it. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable'
  readonly sent: boolean
  constructor(cause: unknown) {
    super(`event store: ${withoutFrills(cause instanceof Error ? cause.message : String(cause))}`, { cause })
    this.sent = !/No connection established|ECONNREFUSED|Name resolution failed/.test(this.message)
  }
}

export interface NewEvent extends DomainEvent {
  readonly id: string
  readonly metadata: EventMetadata
}

export interface Appended {
  /** The revision of the last event that was appended. */
  readonly revision: number
  readonly position: number
}

/** Limit for the end of the client's open streams. */
const disposeWithinMs = 500

/** The expected revision of a stream that must not exist yet. */
export const noStream = -1

/** One append of EventStoreDB holds at most this many bytes of ids, types, data and metadata. */
export const maxAppendBytes = 1_048_576

export interface EventStore {
  /**
   * Append all events or none, when the stream's last revision is `expected` (`noStream` when it is new).
   * The same ids at the same revision get the same answer again.
   * @throws WrongRevision, AppendTooLarge, StoreUnavailable
   */
  append(stream: string, expected: number, events: readonly NewEvent[]): Promise<Appended>
  /**
   * Read a stream from `revision` to its end; a stream that does not exist has no events. The leader answers, because
   * decisions depend on it and any other node of a cluster may lack the last events. @throws StoreUnavailable
   */
  readStream(stream: string, revision: number): AsyncIterable<Recorded>
  /** Read all events but system events, in order, from just after `position` (0: from the start) to the present end. */
  readAll(position: number): AsyncIterable<Recorded>
  /** Like `readAll`, for long reads: a wait for each event would cost a fifth of the time. */
  readAllInPortions(position: number): AsyncIterable<readonly Recorded[]>
  /** Read all events but system events, or one stream, newest first. @throws StoreUnavailable */
  readBack(stream?: string): AsyncIterable<Recorded>
  /** Read the event at exactly `position`, if there is one. The leader answers. @throws StoreUnavailable */
  eventAt(position: number): Promise<Recorded | undefined>
  /** Read the last event that is no system event; undefined while there is none. The leader answers. */
  last(): Promise<Recorded | undefined>
  /**
   * Follow all events but system events, from just after `position` (0: from the start).
   * @throws StoreUnavailable when the server drops the subscription, which is normal; the caller opens it again
   */
  subscribe(position: number, signal: AbortSignal): AsyncIterable<Recorded>
  close(): Promise<void>
}

/** Return data or metadata as JSON. Those of other programs may be bytes. */
function asJson(stored: unknown): object {
  return stored instanceof Uint8Array
    ? { base64: Buffer.from(stored.buffer, stored.byteOffset, stored.byteLength).toString('base64') }
    : (stored as object)
}

function recorded({ event }: ResolvedEvent<EventType> | AllStreamResolvedEvent): Recorded | undefined {
  if (!event || event.type.startsWith('$')) return undefined
  return {
    id: event.id,
    type: event.type,
    data: asJson(event.data),
    metadata: asJson(event.metadata) as EventMetadata,
    streamName: event.streamId,
    revision: Number(event.revision),
    position: Number((event as { position?: { commit: bigint } }).position?.commit ?? 0n),
    created: event.created.toISOString(),
    ...(!event.isJson && { isJson: false }),
  }
}

type Resolved = ResolvedEvent<EventType> | AllStreamResolvedEvent

/**
 * Limit for an answer, and for the silence within a read: a store that accepts connections and says nothing would
 * keep its callers waiting for ever.
 */
const answerWithinMs = 5_000

function answerInTime<Answer>(answer: Promise<Answer>): Promise<Answer> {
  return inTime(answer, answerWithinMs, () => new Error(`no answer for ${answerWithinMs} ms`))
}

/** @param live whether the call may be silent for as long as nothing happens */
async function* eventPortionsOf(call: object, { live = false } = {}): AsyncGenerator<Recorded[], void> {
  // The client's types do not say that its streams are readable streams.
  const read = call as Readable & { cancel?(): Promise<void> }
  try {
    for await (const portion of portionsOf<Resolved>(read, live ? (news) => news : answerInTime)) {
      const events = portion.map(recorded).filter((event) => event !== undefined)
      if (events.length > 0) yield events
    }
  } catch (error) {
    if (error instanceof StreamNotFoundError) return
    throw new StoreUnavailable(error)
  } finally {
    // A call that is not read to its end would stay open for ever.
    if (!read.readableEnded) void read.cancel?.().catch(() => {})
  }
}

async function* oneByOne(portions: AsyncIterable<readonly Recorded[]>): AsyncGenerator<Recorded, void> {
  for await (const portion of portions) yield* portion
}

/** After this time, in milliseconds, a client that was told the new leader connects to it. */
const reconnectMs = 20

function isNotLeader(error: unknown): boolean {
  return error instanceof StoreUnavailable && error.cause instanceof NotLeaderError
}

/** Read from the leader. Ask once more when the node that was asked leads no longer, because it names the leader. */
async function* eventsOfLeader(
  call: (from: { requiresLeader: true }) => object,
): AsyncGenerator<Recorded, void> {
  const fromLeader = { requiresLeader: true } as const
  let begun = false
  try {
    for await (const event of eventsOf(call(fromLeader))) {
      begun = true
      yield event
    }
  } catch (error) {
    if (begun || !isNotLeader(error)) throw error
    await pause(reconnectMs)
    yield* eventsOf(call(fromLeader))
  }
}

function eventsOf(call: object, how?: { live?: boolean }) {
  return oneByOne(eventPortionsOf(call, how))
}

/** @throws Error with one line, without the url: it may hold a password */
function connect(url: string): EventStoreDBClient {
  try {
    return EventStoreDBClient.connectionString(connectionString(url))
  } catch (error) {
    // The client's own error holds the whole address.
    if (!(error instanceof Error && 'connectionString' in error)) throw error
    const { expected } = error as { expected?: unknown }
    throw new Error(`the address of the event store is wrong: this was expected: ${expected}`)
  }
}

const backwards = { direction: 'backwards', fromPosition: 'end' } as const
const streamBackwards = { direction: 'backwards', fromRevision: 'end' } as const

/** Close the client, and do not wait long for its streams: all have been cancelled, and some never say that they ended. */
async function disposeSoon(client: EventStoreDBClient): Promise<void> {
  await ifInTime(client.dispose(), disposeWithinMs)
}

function at(position: number) {
  return { commit: BigInt(position), prepare: BigInt(position) }
}

/**
 * Connect lazily: the first call fails when the store is down, not this one.
 * @throws Error with one line when the address is wrong, or a file that it names is
 */
export function connectEventStore(url: string): EventStore {
  const client = connect(url)

  async function* allAfter(position: number): AsyncGenerator<readonly Recorded[]> {
    const all = client.readAll(position ? { fromPosition: at(position) } : {})
    for await (const portion of eventPortionsOf(all)) {
      if (portion[0]!.position === position) portion.shift()
      if (portion.length > 0) yield portion
    }
  }

  return {
    async append(stream, expected, events) {
      const expectedRevision = expected === noStream ? NO_STREAM : BigInt(expected)
      try {
        const appending = client.appendToStream(
          stream,
          events.map(({ id, type, data, metadata }) =>
            jsonEvent({ id, type, data: data as never, metadata: metadata as never }),
          ),
          { expectedRevision },
        )
        const result = await answerInTime(appending)
        return {
          revision: Number(result.nextExpectedRevision),
          position: Number(result.position?.commit ?? 0n),
        }
      } catch (error) {
        if (error instanceof WrongExpectedVersionError)
          throw new WrongRevision(error.message, { cause: error })
        if (error instanceof MaxAppendSizeExceededError)
          throw new AppendTooLarge(error.message, { cause: error })
        throw new StoreUnavailable(error)
      }
    },

    readStream: (stream, revision) =>
      eventsOfLeader((from) => client.readStream(stream, { fromRevision: BigInt(revision), ...from })),

    readAll: (position) => oneByOne(allAfter(position)),

    readAllInPortions: allAfter,

    async eventAt(position) {
      const [event] = await Array.fromAsync(
        eventsOfLeader((from) => client.readAll({ fromPosition: at(position), maxCount: 1, ...from })),
      )
      return event?.position === position ? event : undefined
    },

    readBack: (stream) =>
      eventsOf(stream === undefined ? client.readAll(backwards) : client.readStream(stream, streamBackwards)),

    async last() {
      // System events may follow ours: look at a few events first, and read all the way back if necessary.
      const [event] = await Array.fromAsync(
        eventsOfLeader((from) => client.readAll({ ...backwards, maxCount: 32, ...from })),
      )
      if (event) return event
      for await (const earlier of eventsOfLeader((from) => client.readAll({ ...backwards, ...from })))
        return earlier
      return undefined
    },

    async *subscribe(position, signal) {
      const subscription = client.subscribeToAll({
        ...(position ? { fromPosition: at(position) } : {}),
        filter: excludeSystemEvents(),
      })
      const stop = () => void subscription.unsubscribe().catch(() => {})
      signal.addEventListener('abort', stop, { once: true })
      try {
        if (signal.aborted) return
        yield* eventsOf(subscription, { live: true })
      } catch (error) {
        if (!signal.aborted) throw error
      } finally {
        signal.removeEventListener('abort', stop)
        stop()
      }
    },

    close: () => disposeSoon(client),
  }
}

/**
 * Return the server's version, such as `23.10.0.0`; `unknown` when the server does not tell it.
 * @throws StoreUnavailable
 */
export async function serverVersionOf(url: string): Promise<string> {
  const client = connect(url)
  try {
    // The client asks for it before its first append, but has no public member for it.
    const { capabilities } = client as unknown as { capabilities: Promise<{ serverVersion: string }> }
    return (await answerInTime(capabilities)).serverVersion
  } catch (error) {
    throw new StoreUnavailable(error)
  } finally {
    await disposeSoon(client)
  }
}
