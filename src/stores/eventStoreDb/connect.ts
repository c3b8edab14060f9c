import {
  excludeSystemEvents,
  jsonEvent,
  MaxAppendSizeExceededError,
  NO_STREAM,
  WrongExpectedVersionError,
} from '@eventstore/db-client'
import type { Recorded } from '../../domain/kernel/event.ts'
import { Failure } from '../../lib/failure.ts'
import {
  type Appended,
  type EventStore,
  type NewEvent,
  noStream,
  StoreUnavailable,
  storeForbids,
  storeFull,
} from '../eventStore.ts'
import { answerInTime, closeClient, openClient, retireClient } from './client.ts'
import {
  codeOf,
  eventPortionsOf,
  eventsOf,
  eventsOfLeader,
  isForbidden,
  oneByOne,
  portionsOfLeader,
} from './reads.ts'
import { answersWithinMs } from './url.ts'

/**
 * Connect lazily: the first call fails when the store is down, not this one.
 * @throws Error with one line when the address is wrong, or a file that it names is
 */
export function connectEventStore(url: string): ConnectedEventStore {
  let present = newClient(url)
  let isFull = false
  return {
    async append(stream, expected, events) {
      try {
        const appended = await append(present, stream, expected, events)
        isFull = false
        return appended
      } catch (error) {
        // A store that is silent, or refuses for another reason, does not say that it has room.
        if (error instanceof StoreUnavailable && error.code === 'store-full') isFull = true
        throw error
      }
    },
    isFull: () => isFull,
    readStream: (stream, revision) => readStream(present, stream, revision),
    readAll: (position) => oneByOne(allAfter(present, position)),
    readAllInPortions: (position) => allAfter(present, position),
    readAllFrom: (position) => allFrom(present, position),
    readBack: (stream) => readBack(present, stream),
    eventAt: (position) => eventAt(present, position),
    last: () => last(present),
    subscribe: (position, signal) => subscribe(present, position, signal),
    replaceClient() {
      const former = present
      // If this throws, the present client stays.
      present = newClient(url)
      former.replaced.abort()
      void retireClient(former.client)
    },
    close: () => closeClient(present.client),
  }
}

/** A store that is reached by a client. */
interface ConnectedEventStore extends EventStore {
  /** Whether the disk was full at an append, and none has succeeded since. */
  isFull(): boolean
  /**
   * Take a new client, after a fault of the present one. Appends that wait for it fail as unavailable at once, and
   * subscriptions end. Reads go on if they can; then the present client is closed.
   */
  replaceClient(): void
}

function newClient(url: string) {
  return { client: openClient(url), withinMs: answersWithinMs(url), replaced: new AbortController() }
}

type Client = ReturnType<typeof newClient>

/**
 * Return the server's version, such as `23.10.0.0`; `unknown` when the server does not tell it.
 * @throws StoreUnavailable
 */
export async function serverVersionOf(url: string): Promise<string> {
  const client = openClient(url)
  try {
    // The client asks for it before its first append, but has no public member for it.
    const { capabilities } = client as unknown as { capabilities: Promise<{ serverVersion: string }> }
    return (await answerInTime(capabilities, answersWithinMs(url))).serverVersion
  } catch (error) {
    throw new StoreUnavailable(error)
  } finally {
    await closeClient(client)
  }
}

const backwards = { direction: 'backwards', fromPosition: 'end' } as const
const streamBackwards = { direction: 'backwards', fromRevision: 'end' } as const

async function append(
  { client, withinMs, replaced }: Client,
  stream: string,
  expected: number,
  events: readonly NewEvent[],
): Promise<Appended> {
  const encoded = events.map(({ id, type, data, metadata }) =>
    jsonEvent({ id, type, data: data as never, metadata: metadata as never }),
  )
  const expectedRevision = expected === noStream ? NO_STREAM : BigInt(expected)
  try {
    const { nextExpectedRevision, position } = await answerInTime(
      client.appendToStream(stream, encoded, { expectedRevision, requiresLeader: true }),
      withinMs,
      replaced.signal,
    )
    return { revision: Number(nextExpectedRevision), position: Number(position?.commit ?? 0n) }
  } catch (error) {
    throw appendError(error)
  }
}

/** The words of the local node when its disk is full. */
const full = /event store is full/

function appendError(error: unknown): Failure | StoreUnavailable {
  if (error instanceof WrongExpectedVersionError)
    return new Failure('wrong-revision', error.message, { cause: error })
  if (error instanceof MaxAppendSizeExceededError)
    return new Failure('append-too-large', error.message, { cause: error })
  if (error instanceof Error && full.test(error.message)) return storeFull(error)
  if (isForbidden(error)) return storeForbids(error)
  return new StoreUnavailable(error, codeOf(error))
}

function readStream({ client, withinMs }: Client, stream: string, revision: number) {
  return eventsOfLeader(withinMs, (from) =>
    client.readStream(stream, { fromRevision: BigInt(revision), ...from }),
  )
}

function readBack({ client, withinMs }: Client, stream: string | undefined) {
  const read = stream === undefined ? client.readAll(backwards) : client.readStream(stream, streamBackwards)
  return eventsOf(read, withinMs)
}

function allFrom({ client, withinMs }: Client, position: number) {
  return portionsOfLeader(withinMs, (from) => client.readAll({ ...beginningAt(position), ...from }))
}

async function* allAfter(
  { client, withinMs }: Client,
  position: number,
): AsyncGenerator<readonly Recorded[]> {
  const all = client.readAll(beginningAt(position))
  for await (const portion of eventPortionsOf(all, withinMs)) {
    if (portion[0]!.position === position) portion.shift()
    if (portion.length > 0) yield portion
  }
}

async function eventAt({ client, withinMs }: Client, position: number): Promise<Recorded | undefined> {
  const [event] = await Array.fromAsync(
    eventsOfLeader(withinMs, (from) =>
      client.readAll({ fromPosition: positionAt(position), maxCount: 1, ...from }),
    ),
  )
  return event?.position === position ? event : undefined
}

async function last({ client, withinMs }: Client): Promise<Recorded | undefined> {
  // System events may follow ours: look at a few events first, and read all the way back if necessary.
  const [event] = await Array.fromAsync(
    eventsOfLeader(withinMs, (from) => client.readAll({ ...backwards, maxCount: 32, ...from })),
  )
  if (event) return event
  for await (const earlier of eventsOfLeader(withinMs, (from) => client.readAll({ ...backwards, ...from })))
    return earlier
  return undefined
}

async function* subscribe(
  { client, replaced }: Client,
  position: number,
  closed: AbortSignal,
): AsyncGenerator<Recorded, void> {
  const signal = AbortSignal.any([closed, replaced.signal])
  const subscription = client.subscribeToAll({
    ...beginningAt(position),
    filter: excludeSystemEvents(),
  })
  const stop = () => void subscription.unsubscribe().catch(() => {})
  signal.addEventListener('abort', stop, { once: true })
  try {
    if (signal.aborted) return
    yield* eventsOf(subscription)
  } catch (error) {
    if (!signal.aborted) throw error
  } finally {
    signal.removeEventListener('abort', stop)
    stop()
  }
}

/** EventStoreDB begins a read with the event at the position. */
function beginningAt(position: number) {
  return position ? { fromPosition: positionAt(position) } : {}
}

function positionAt(position: number) {
  return { commit: BigInt(position), prepare: BigInt(position) }
}
