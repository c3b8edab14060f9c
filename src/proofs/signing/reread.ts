import type { Recorded } from '../../domain/kernel/event.ts'
import { Refusal } from '../../domain/kernel/refusal.ts'
import { companyOfStream } from '../../domain/kernel/streams.ts'
import { log } from '../../projections/audit/log.ts'
import type { EventStore } from '../../stores/eventStore.ts'
import { entryOf } from '../merkleLog/entry.ts'
import { createTree, type Frontier } from '../merkleLog/tree.ts'
import { firstEvents, type PlacedEvents } from './events.ts'
import { sizeOf } from './logSize.ts'
import { createRevisions } from './revisions.ts'

/** Read whole histories again, because only that finds an edit of an old event. */

/** The last checkpoint of a company, as far as a history is compared with it. */
export interface Compared {
  readonly size: number
  /** In base64. */
  readonly root: string
}

/** One company's history while it is read from its first event. */
interface Rereading {
  add(event: Recorded): void
  /** Return what is wrong with the history, if anything is. Call it after the last event. */
  fault(): string | undefined
  readonly size: number
  root(): Buffer
  frontier(): Frontier
}

function createRereading(last: Compared | undefined): Rereading {
  const tree = createTree()
  const revisions = createRevisions()
  let fault: string | undefined
  const describeDivergence = () =>
    `the events are no longer the ${last!.size} that the last checkpoint covers`
  const compare = () => {
    if (tree.size === last?.size && tree.root().toString('base64') !== last.root)
      fault ??= describeDivergence()
  }
  compare()
  return {
    add(event) {
      const hole = revisions.holeBefore(event)
      if (hole !== undefined)
        fault ??= `the event with revision ${hole} is missing in the stream ${event.streamName}`
      tree.add(entryOf(event))
      compare()
    },
    fault: () => fault ?? (last && tree.size < last.size ? describeDivergence() : undefined),
    get size() {
      return tree.size
    },
    root: tree.root,
    frontier: tree.frontier,
  }
}

/** The last event of the store that was read: 0 and null for none. */
export interface Place {
  readonly position: number
  readonly eventId: string | null
}

/** One history, and the place in the store up to which it was read. */
interface RereadUpTo {
  readonly rereading: Rereading
  readonly place: Place
  /** The number of events that were read after the last checkpoint; undefined when the whole store was read. */
  readonly read?: number
}

/**
 * Read the events again that the last checkpoint covers, by their places in the log, and those after it from the store.
 * @returns undefined when they are not those of the checkpoint, or are fewer than the log has: then read the whole store
 * @throws StoreUnavailable, PostgresUnavailable
 */
export async function rereadByPlaces(
  sources: PlacedEvents,
  companyId: string,
  last: Compared & Place,
): Promise<RereadUpTo | undefined> {
  const rereading = createRereading(last)
  const { value: size } = await sources.reader.read([log], (reading) => sizeOf(reading, companyId))
  try {
    for await (const event of firstEvents(sources, companyId, last.size)) rereading.add(event)
  } catch (error) {
    if (error instanceof Refusal) return undefined
    throw error
  }
  let place: Place = { position: 0, eventId: null }
  let read = 0
  for await (const portion of sources.eventStore.readAllFrom(last.position))
    for (const event of portion) {
      const { position, id: eventId } = event
      if (position === last.position && eventId !== last.eventId) return undefined
      if (position > last.position) {
        if (companyOfStream(event.streamName) === companyId) rereading.add(event)
        read += 1
      }
      place = { position, eventId }
    }
  const isWhole = rereading.fault() === undefined && rereading.size >= size && place.position >= last.position
  return isWhole ? { rereading, place, read } : undefined
}

/** Read the history of one company in one pass over the whole store. @throws StoreUnavailable */
export async function rereadStore(
  eventStore: Pick<EventStore, 'readAllInPortions'>,
  companyId: string,
  last: Compared | undefined,
): Promise<RereadUpTo> {
  const rereading = createRereading(last)
  let place: Place = { position: 0, eventId: null }
  for await (const portion of eventStore.readAllInPortions(0))
    for (const event of portion) {
      if (companyOfStream(event.streamName) === companyId) rereading.add(event)
      place = { position: event.position, eventId: event.id }
    }
  return { rereading, place }
}

/** The history of a company after it was read again. */
export interface Reread {
  readonly companyId: string
  readonly rereading: Rereading
  readonly last: Compared | undefined
}

/**
 * Read the histories of all companies in one pass. A company whose last checkpoint covers events, and that has none any
 * more, is among them.
 * @param onProgress called with the position of the store after each portion
 * @throws StoreUnavailable
 */
export async function rereadAll(
  eventStore: Pick<EventStore, 'readAllInPortions'>,
  checkpoints: ReadonlyMap<string, Compared | undefined>,
  onProgress: (position: number) => void = () => {},
): Promise<{ readonly histories: readonly Reread[]; readonly place: Place }> {
  const rereadings = new Map([...checkpoints].map(([companyId, last]) => [companyId, createRereading(last)]))
  let place: Place = { position: 0, eventId: null }
  for await (const portion of eventStore.readAllInPortions(0)) {
    for (const event of portion) {
      place = { position: event.position, eventId: event.id }
      const companyId = companyOfStream(event.streamName)
      if (companyId === undefined) continue
      let rereading = rereadings.get(companyId)
      if (!rereading) {
        rereading = createRereading(undefined)
        rereadings.set(companyId, rereading)
      }
      rereading.add(event)
    }
    onProgress(place.position)
  }
  const histories = [...rereadings].map(([companyId, rereading]) => ({
    companyId,
    rereading,
    last: checkpoints.get(companyId),
  }))
  return { histories, place }
}
