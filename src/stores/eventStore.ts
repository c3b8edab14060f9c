import type { DomainEvent, EventMetadata, Recorded } from '../domain/kernel/event.ts'
import { Failure, messageOf } from '../lib/failure.ts'

/**
 * The event store as the rest of the code knows it: append, read, subscribe. Revisions and positions are plain numbers.
 * `eventStoreDb/connect.ts` is the one implementation.
 */
export interface EventStore {
  /**
   * Append all events or none, when the stream's last revision is `expected` (`noStream` when it is new).
   * The same ids at the same revision get the same answer again.
   * @throws Failure `wrong-revision` or `append-too-large`; StoreUnavailable
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
  /**
   * Like `readAllInPortions`, but begin with the event at exactly `position`, if there is one. The leader answers,
   * because any other node of a cluster may lack the last events. @throws StoreUnavailable
   */
  readAllFrom(position: number): AsyncIterable<readonly Recorded[]>
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

export interface NewEvent extends DomainEvent {
  readonly id: string
  readonly metadata: EventMetadata
}

export interface Appended {
  /** The revision of the last event that was appended. */
  readonly revision: number
  readonly position: number
}

/**
 * Usual limit for an answer, and for the silence within a read: a store that accepts connections and says nothing would
 * keep its callers waiting for ever.
 */
export const storeAnswersWithinMs = 5_000

/** The expected revision of a stream that must not exist yet. */
export const noStream = -1

/** One append of EventStoreDB holds at most this many bytes of ids, types, data and metadata. */
export const maxAppendBytes = 1_048_576

/** The store has not done what was asked. `sent` is false when the request cannot have reached it. */
export class StoreUnavailable extends Failure<
  'store-unavailable' | 'store-full' | 'store-forbids' | 'store-refuses-user' | 'event-damaged'
> {
  override readonly name = 'StoreUnavailable'
  readonly sent: boolean
  constructor(cause: unknown, code: StoreUnavailable['code'] = 'store-unavailable') {
    super(code, `event store: ${withoutFrills(messageOf(cause))}`, { cause })
    const isUnsent = /No connection established|ECONNREFUSED|Name resolution failed/.test(this.message)
    this.sent = code === 'store-unavailable' && !isUnsent
  }
}

/** The disk of the store takes no more data, so nothing was recorded. Reads go on. */
export function storeFull(cause: unknown): StoreUnavailable {
  return new StoreUnavailable(cause, 'store-full')
}

/** The user of the store lacks a right, so nothing was done. */
export function storeForbids(cause: unknown): StoreUnavailable {
  const lacks = 'the user in EVENTSTORE_URL lacks a right'
  const needs =
    'it has to read $all (metadata of $all: {"$acl":{"$r":["$admins","USER"]}}), and to read and append to every stream whose name does not begin with $'
  return new StoreUnavailable(new Error(`${lacks}: ${needs}`, { cause }), 'store-forbids')
}

/** Node's refusal of an address as a name for TLS. */
const addressForTls = /ServerName to an IP address is not permitted.*Received '([^']+)'/

/** Remove what gRPC puts around the message of an error: the status and headings. */
function withoutFrills(message: string): string {
  const [, address] = addressForTls.exec(message) ?? []
  if (address)
    return `No connection established: TLS needs a host name, and EVENTSTORE_URL or the gossip of the cluster names ${address}; use names in EVENTSTORE_URL, and set NodeHostAdvertiseAs on every node (docs/operations.md)`
  // TLS on one side alone looks like a fault of the protocol.
  if (/No connection established.*wrong version number/.test(message))
    return 'No connection established: the server speaks no TLS; EVENTSTORE_URL needs tls=false'
  if (/No connection established.*Protocol error/.test(message))
    return 'No connection established: no event store answers there without TLS; tls=true in EVENTSTORE_URL may be right'
  return message
    .replace(/^\d+ [A-Z_]+: /, '')
    .replace(/\.? Resolution note: *$/, '')
    .replace('. Last error: Error: ', ': ')
}
