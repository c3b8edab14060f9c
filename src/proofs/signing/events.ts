import type { Recorded } from '../../domain/kernel/event.ts'
import { Refusal } from '../../domain/kernel/refusal.ts'
import { companyOfStream } from '../../domain/kernel/streams.ts'
import { concurrently } from '../../lib/concurrently.ts'
import { listLeafPositions, log } from '../../projections/audit/log.ts'
import type { Reader } from '../../projections/engine/reading/reader.ts'
import type { EventStore } from '../../stores/eventStore.ts'
import { sizeOf } from './logSize.ts'

/** Read the events of one company by their places in its log, because most events of a store are of other companies. */

export interface PlacedEvents {
  readonly eventStore: Pick<EventStore, 'readAllInPortions' | 'readAllFrom' | 'eventAt'>
  readonly reader: Pick<Reader, 'read'>
}

/**
 * Read the events of a company in the order of the store, whatever their types. Those that its log does not have yet are
 * read from where the log ends.
 * @throws Refusal 409 `history-diverged`; StoreUnavailable, PostgresUnavailable
 */
export async function* eventsOfCompany(
  sources: PlacedEvents,
  companyId: string,
): AsyncGenerator<Recorded, void> {
  const { value: size, position } = await sources.reader.read([log], (reading) => sizeOf(reading, companyId))
  yield* firstEvents(sources, companyId, size)
  for await (const portion of sources.eventStore.readAllInPortions(position))
    for (const event of portion) if (isOf(companyId, event)) yield event
}

/** Places that are looked up at once. */
const placesAtOnce = 1_000
/** Events that are read at the same time, where they are far apart. */
const readAtOnce = 16
/** Reading so many positions of other events costs less than a request of its own. Positions of a server are bytes. */
const farApart = 16_384

/**
 * Read the first events of a company, as many as asked for, by their places in its log. An event that somebody has put
 * between them is among these, where they are so close together that all events there are read.
 * @throws Refusal 409 `history-diverged` when one is not there; StoreUnavailable, PostgresUnavailable
 */
export async function* firstEvents(
  { eventStore, reader }: PlacedEvents,
  companyId: string,
  count: number,
): AsyncGenerator<Recorded, void> {
  let before: number | undefined
  for (let first = 0; first < count; first += placesAtOnce) {
    const portion = { first, count: Math.min(placesAtOnce, count - first) }
    const { value: leaves } = await reader.read([log], (reading) =>
      reading.query<{ position: number }>(listLeafPositions(reading, companyId, portion)),
    )
    const positions = leaves.map(({ position }) => position)
    const wanted = new Set(positions)
    let present = 0
    for await (const event of eventsAt(eventStore, positions, before))
      if (isOf(companyId, event)) {
        if (wanted.has(event.position)) present += 1
        yield event
      }
    if (present < portion.count) throw goneRefusal(portion, present)
    before = positions.at(-1)
  }
}

/** @param before the position of an event whose successors are wanted; by default the events begin with the first place */
async function* eventsAt(
  { eventAt, readAllFrom }: Pick<EventStore, 'readAllFrom' | 'eventAt'>,
  positions: readonly number[],
  before?: number,
): AsyncGenerator<Recorded, void> {
  const [first = 0, last = first] = [before ?? positions[0], positions.at(-1)]
  if (last - first > farApart * positions.length) {
    for (let next = 0; next < positions.length; next += readAtOnce) {
      const some = positions.slice(next, next + readAtOnce)
      for (const event of await concurrently(readAtOnce, some, eventAt)) if (event) yield event
    }
    return
  }
  for await (const portion of readAllFrom(first)) {
    for (const event of portion) if (event.position !== before && event.position <= last) yield event
    if (portion.at(-1)!.position >= last) return
  }
}

function isOf(companyId: string, { streamName }: Recorded): boolean {
  return companyOfStream(streamName) === companyId
}

function goneRefusal(
  { first, count }: { readonly first: number; readonly count: number },
  present: number,
): Refusal {
  return new Refusal(
    'history-diverged',
    `The log says where ${count} events from number ${first} on are, and the event store has ${present} of them there. Ask the operator to find out who has changed the stores.`,
  )
}
