import {
  type EventStoreDBClient,
  excludeSystemEvents,
  jsonEvent,
  MaxAppendSizeExceededError,
  NO_STREAM,
  WrongExpectedVersionError,
} from '@eventstore/db-client'
import type { Recorded } from '../../domain/kernel/event.ts'
import {
  type Appended,
  AppendTooLarge,
  type EventStore,
  type NewEvent,
  noStream,
  StoreForbids,
  StoreFull,
  StoreUnavailable,
  WrongRevision,
} from '../eventStore.ts'
import { answerInTime, closeClient, openClient, retireClient } from './client.ts'
import {
  eventPortionsOf,
  eventsOf,
  eventsOfLeader,
  isForbidden,
  oneByOne,
  portionsOfLeader,
} from './reads.ts'

/**
 * Connect lazily: the first call fails when the store is down, not this one.
 * @throws Error with one line when the address is wrong, or a file that it names is
 */
export function connectEventStore(url: string): ConnectedEventStore {
  let { client, replaced } = newClient(url)
  return {
    append: (stream, expected, events) => append(client, stream, expected, events, replaced.signal),
    readStream: (stream, revision) =>
      eventsOfLeader((from) => client.readStream(stream, { fromRevision: BigInt(revision), ...from })),
    readAll: (position) => oneByOne(allAfter(client, position)),
    readAllInPortions: (position) => allAfter(client, position),
    readAllFrom: (position) =>
      portionsOfLeader((from) => client.readAll({ ...beginningAt(position), ...from })),
    readBack: (stream) =>
      eventsOf(stream === undefined ? client.readAll(backwards) : client.readStream(stream, streamBackwards)),
    eventAt: (position) => eventAt(client, position),
    last: () => last(client),
    subscribe: (position, signal) => subscribe(client, position, AbortSignal.any([signal, replaced.signal])),
    replaceClient() {
      const former = { client, replaced }
      // If this throws, the present client stays.
      ;({ client, replaced } = newClient(url))
      former.replaced.abort()
      void retireClient(former.client)
    },
    close: () => closeClient(client),
  }
}

/** A store that is reached by a client. */
export interface ConnectedEventStore extends EventStore {
  /**
   * Take a new client, after a fault of the present one. Appends that wait for it fail as unavailable at once, and
   * subscriptions end. Reads go on if they can; then the present client is closed.
   */
  replaceClient(): void
}

function newClient(url: string) {
  return { client: openClient(url), replaced: new AbortController() }
}

/**
 * Return the server's version, such as `23.10.0.0`; `unknown` when the server does not tell it.
 * @throws StoreUnavailable
 */
export async function serverVersionOf(url: string): Promise<string> {
  const client = openClient(url)
  try {
    // The client asks for it before its first append, but has no public member for it.
    const { capabilities } = client as unknown as { capabilities: Promise<{ serverVersion: string }> }
    return (await answerInTime(capabilities)).serverVersion
  } catch (error) {
    throw new StoreUnavailable(error)
  } finally {
    await closeClient(client)
  }
}

const backwards = { direction: 'backwards', fromPosition: 'end' } as const
const streamBackwards = { direction: 'backwards', fromRevision: 'end' } as const

async function append(
  client: EventStoreDBClient,
  stream: string,
  expected: number,
  events: readonly NewEvent[],
  over: AbortSignal,
): Promise<Appended> {
  const encoded = events.map(({ id, type, data, metadata }) =>
    jsonEvent({ id, type, data: data as never, metadata: metadata as never }),
  )
  const expectedRevision = expected === noStream ? NO_STREAM : BigInt(expected)
  try {
    const { nextExpectedRevision, position } = await answerInTime(
      client.appendToStream(stream, encoded, { expectedRevision, requiresLeader: true }),
      over,
    )
    return { revision: Number(nextExpectedRevision), position: Number(position?.commit ?? 0n) }
  } catch (error) {
    throw appendError(error)
  }
}

/** The words by which the local node says that its disk takes no more data. */
const full = /event store is full/

function appendError(error: unknown): WrongRevision | AppendTooLarge | StoreUnavailable {
  if (error instanceof WrongExpectedVersionError) return new WrongRevision(error.message, { cause: error })
  if (error instanceof MaxAppendSizeExceededError) return new AppendTooLarge(error.message, { cause: error })
  if (error instanceof Error && full.test(error.message)) return new StoreFull(error)
  if (isForbidden(error)) return new StoreForbids(error)
  return new StoreUnavailable(error)
}

async function* allAfter(client: EventStoreDBClient, position: number): AsyncGenerator<readonly Recorded[]> {
  const all = client.readAll(beginningAt(position))
  for await (const portion of eventPortionsOf(all)) {
    if (portion[0]!.position === position) portion.shift()
    if (portion.length > 0) yield portion
  }
}

async function eventAt(client: EventStoreDBClient, position: number): Promise<Recorded | undefined> {
  const [event] = await Array.fromAsync(
    eventsOfLeader((from) => client.readAll({ fromPosition: at(position), maxCount: 1, ...from })),
  )
  return event?.position === position ? event : undefined
}

async function last(client: EventStoreDBClient): Promise<Recorded | undefined> {
  // System events may follow ours: look at a few events first, and read all the way back if necessary.
  const [event] = await Array.fromAsync(
    eventsOfLeader((from) => client.readAll({ ...backwards, maxCount: 32, ...from })),
  )
  if (event) return event
  for await (const earlier of eventsOfLeader((from) => client.readAll({ ...backwards, ...from })))
    return earlier
  return undefined
}

async function* subscribe(
  client: EventStoreDBClient,
  position: number,
  signal: AbortSignal,
): AsyncGenerator<Recorded, void> {
  const subscription = client.subscribeToAll({
    ...beginningAt(position),
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
}

/** EventStoreDB begins a read with the event at the position. */
function beginningAt(position: number) {
  return position ? { fromPosition: at(position) } : {}
}

function at(position: number) {
  return { commit: BigInt(position), prepare: BigInt(position) }
}
