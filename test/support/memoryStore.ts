import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { isDeepStrictEqual } from 'node:util'
import type { Recorded } from '../../src/domain/kernel/event.ts'
import { Failure } from '../../src/lib/failure.ts'
import { type Appended, type EventStore, maxAppendBytes, type NewEvent } from '../../src/stores/eventStore.ts'

/** An event store in memory. `test/eventStoreContract.int.spec.ts` proves that it behaves as the real one does. */
export interface MemoryStore {
  /** Connect to it, as one node of the service does. All connections see the same events. */
  connect(): EventStore
  /** Append an event of another program, whose data are no JSON. */
  appendBytes(stream: string, type: string): void
}

/** Positions grow by more than one from event to event, as they do on a server. */
const positionStep = 100

/** @param now returns the time at which an event is recorded */
export function createMemoryStore(now: () => Date = () => new Date()): MemoryStore {
  const log: Recorded[] = []
  const streams = new Map<string, Recorded[]>()
  const appended = new EventTarget()

  const streamOf = (name: string) => streams.get(name) ?? []
  /** The place in the log of the first event after a position. */
  const placeAfter = (position: number) => Math.ceil((position + 1) / positionStep) - 1

  const append = (stream: string, expected: number, events: readonly NewEvent[]): Appended => {
    if (sizeOf(events) > maxAppendBytes)
      throw new Failure('append-too-large', `more than ${maxAppendBytes} bytes`)
    const present = streamOf(stream)
    streams.set(stream, present)
    const last = present.at(-1)
    if ((last?.revision ?? -1) === expected) {
      for (const event of events) record(event, stream, present)
      appended.dispatchEvent(new Event('append'))
      return placeOf(log.at(-1)!)
    }
    const repeated = present.slice(expected + 1, expected + 1 + events.length)
    if (!isDeepStrictEqual(idsOf(repeated), idsOf(events)))
      throw new Failure('wrong-revision', `${stream} is at ${last?.revision ?? -1}, and not at ${expected}`)
    return placeOf(repeated.at(-1)!)
  }

  const record = (event: NewEvent | Omit<NewEvent, 'metadata'>, streamName: string, stream: Recorded[]) => {
    const place = { streamName, revision: stream.length, position: positionStep * (log.length + 1) }
    // Through JSON, as to a server: members that are undefined are gone, and no object is shared.
    const stored: Recorded = JSON.parse(JSON.stringify({ ...event, ...place, created: now().toISOString() }))
    log.push(stored)
    stream.push(stored)
  }

  async function* subscribe(position: number, signal: AbortSignal) {
    for (let next = placeAfter(position); !signal.aborted; ) {
      const event = log[next]
      if (event) {
        next += 1
        yield copyOf(event)
      } else await once(appended, 'append', { signal }).catch(() => undefined)
    }
  }

  return {
    connect: () => ({
      append: async (stream, expected, events) => append(stream, expected, events),
      readStream: (stream, revision) => each(() => streamOf(stream).slice(revision)),
      readAll: (position) => each(() => log.slice(placeAfter(position))),
      readAllInPortions: (position) => portionsOf(() => log.slice(placeAfter(position))),
      readAllFrom: (position) => portionsOf(() => log.slice(placeAfter(position - 1))),
      readBack: (stream) => each(() => (stream === undefined ? log : streamOf(stream)).toReversed()),
      eventAt: async (position) => {
        const event = log[position / positionStep - 1]
        return event && copyOf(event)
      },
      last: async () => (log.length > 0 ? copyOf(log.at(-1)!) : undefined),
      subscribe,
      close: async () => {},
    }),
    appendBytes(name, type) {
      const stream = streamOf(name)
      streams.set(name, stream)
      const bytes = { data: { base64: 'AQ==' }, metadata: { base64: '' }, isJson: false }
      record({ id: randomUUID(), type, ...bytes }, name, stream)
    },
  }
}

/** The bytes that count towards the bound of an append. */
function sizeOf(events: readonly NewEvent[]): number {
  const texts = events.flatMap(({ id, type, data, metadata }) => [
    id,
    type,
    JSON.stringify(data),
    JSON.stringify(metadata ?? ''),
  ])
  return texts.reduce((bytes, text) => bytes + Buffer.byteLength(text), 0)
}

function idsOf(events: readonly { id: string }[]): string[] {
  return events.map(({ id }) => id)
}

function placeOf({ revision, position }: Recorded): Appended {
  return { revision, position }
}

/** Each reader has events of its own, as those that come over a network are. */
function copyOf(event: Recorded): Recorded {
  return structuredClone(event)
}

async function* each(read: () => Recorded[]): AsyncGenerator<Recorded> {
  for (const event of read()) yield copyOf(event)
}

async function* portionsOf(read: () => Recorded[]): AsyncGenerator<Recorded[]> {
  const events = read()
  if (events.length > 0) yield events.map(copyOf)
}
