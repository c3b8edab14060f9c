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
import { portionsOf } from './portions.ts'

/** The one door to EventStoreDB: append, read, subscribe. Revisions and positions are plain numbers here. */

/** Somebody else appended first: the stream is not at the expected revision. */
export class WrongRevision extends Error {
  override readonly name = 'WrongRevision'
}

/** The events do not fit into one append of the store. */
export class AppendTooLarge extends Error {
  override readonly name = 'AppendTooLarge'
}

/** What gRPC says around what happened: a status by number and name, and headings. */
const withoutFrills = (message: string): string =>
  message
    .replace(/^\d+ [A-Z_]+: /, '')
    .replace(/\.? Resolution note: *$/, '')
    .replace('. Last error: Error: ', ': ')

/** The store did not answer. `sent` is false when it cannot have heard of the request at all. */
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
  /** Of the last event appended. */
  readonly revision: number
  readonly position: number
}

/** What has not ended by then will not. */
const disposeWithinMs = 500

/** The revision to expect of a stream that must not exist yet. */
export const noStream = -1

/** One append of EventStoreDB holds at most this many bytes of ids, types, data and metadata. */
export const maxAppendBytes = 1_048_576

export interface EventStore {
  /**
   * Appends all events or none, when the stream's last revision is `expected` (`noStream` when it is new).
   * The same ids at the same revision again are answered as the first time.
   * @throws WrongRevision, AppendTooLarge, StoreUnavailable
   */
  append(stream: string, expected: number, events: readonly NewEvent[]): Promise<Appended>
  /**
   * From `revision` to the end; nothing for a stream that does not exist. The leader answers it, because decisions
   * rest on it and any other node of a cluster may lack the last events. @throws StoreUnavailable
   */
  readStream(stream: string, revision: number): AsyncIterable<Recorded>
  /** Everything but system events, in order, from just after `position` (0: from the start) to the present end. */
  readAll(position: number): AsyncIterable<Recorded>
  /** The same for who reads much: a wait for each event would cost a fifth of the reading. */
  readAllInPortions(position: number): AsyncIterable<readonly Recorded[]>
  /** Everything but system events, or one stream, newest first, from the present end. @throws StoreUnavailable */
  readBack(stream?: string): AsyncIterable<Recorded>
  /** The event that stands just at `position`, if there is one: asked of the leader. @throws StoreUnavailable */
  eventAt(position: number): Promise<Recorded | undefined>
  /** The last event that is not the system's own, asked of the leader; undefined while there is none. */
  last(): Promise<Recorded | undefined>
  /**
   * Everything but system events from just after `position` on (0: from the start), and on as it comes.
   * Throws when the subscription is dropped, which is daily life; it never comes back by itself.
   */
  subscribe(position: number, signal: AbortSignal): AsyncIterable<Recorded>
  close(): Promise<void>
}

/** Data and metadata of other programs need not be JSON. */
const asJson = (stored: unknown): object =>
  stored instanceof Uint8Array
    ? { base64: Buffer.from(stored.buffer, stored.byteOffset, stored.byteLength).toString('base64') }
    : (stored as object)

const recorded = ({ event }: ResolvedEvent<EventType> | AllStreamResolvedEvent): Recorded | undefined => {
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
 * A store that takes connections and says nothing would keep its callers waiting for ever: after so long
 * without a word it has not answered.
 */
const answerWithinMs = 5_000

const answerInTime = <Answer>(answer: Promise<Answer>): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`no answer for ${answerWithinMs} ms`)), answerWithinMs)
    answer.then(resolve, reject).finally(() => clearTimeout(late))
  })

/** `live`: it may be silent for as long as nothing happens. */
async function* eventPortionsOf(call: object, { live = false } = {}): AsyncGenerator<Recorded[], void> {
  // The client's types of its streams say less than what they are.
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
    // A call that nobody reads to its end would stay open for ever.
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

const eventsOf = (call: object, how?: { live?: boolean }) => oneByOne(eventPortionsOf(call, how))

/** @throws Error of one line, without the url: it may hold a password */
const connect = (url: string): EventStoreDBClient => {
  try {
    return EventStoreDBClient.connectionString(connectionString(url))
  } catch (error) {
    // The client's own complaint about an address quotes from it, and carries all of it.
    if (!(error instanceof Error && 'connectionString' in error)) throw error
    const { expected } = error as { expected?: unknown }
    throw new Error(`the address of the event store is wrong where this was expected: ${expected}`)
  }
}

const backwards = { direction: 'backwards', fromPosition: 'end' } as const
const streamBackwards = { direction: 'backwards', fromRevision: 'end' } as const

/** The client waits for streams that may never say that they have ended; all are cancelled by then. */
const disposeSoon = async (client: EventStoreDBClient): Promise<void> => {
  await Promise.race([client.dispose(), pause(disposeWithinMs, undefined, { ref: false })])
}

const at = (position: number) => ({ commit: BigInt(position), prepare: BigInt(position) })

/**
 * Connects lazily: a store that is down shows in the first call, not here.
 * @throws Error of one line when the address is wrong, or files that it names are
 */
export const connectEventStore = (url: string): EventStore => {
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
      // System events may stand behind ours: look at a few as a rule, and go all the way back if need be.
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
 * The version that the server says it is of, such as `23.10.0.0`; `unknown` when it does not say.
 * @throws StoreUnavailable
 */
export const serverVersionOf = async (url: string): Promise<string> => {
  const client = connect(url)
  try {
    // The client asks for it before its first append, and keeps it to itself.
    const { capabilities } = client as unknown as { capabilities: Promise<{ serverVersion: string }> }
    return (await answerInTime(capabilities)).serverVersion
  } catch (error) {
    throw new StoreUnavailable(error)
  } finally {
    await disposeSoon(client)
  }
}
