import type { EntrySubject } from '../domain/audit/audited.ts'
import { conflict } from '../domain/kernel/refusal.ts'
import { type FoundChange, listChanges } from '../projections/audit/changes.ts'
import { entries } from '../projections/audit/entries.ts'
import type { Projection } from '../projections/engine/projection.ts'
import type { Reader, Reading } from '../projections/engine/reading/reader.ts'
import type { Positions } from '../projections/engine/reading/waitFor.ts'
import type { EventStore } from '../stores/eventStore.ts'
import { type Change, type CloudEvent, changesOf, toCloudEvent } from './cloudEvents.ts'
import { type PresentRecord, readRecords, recordReads } from './records.ts'
import { isWithin } from './types.ts'

/**
 * The next changes of a company. The read models of the records belong to the snapshot, and a page ends at the position
 * that all of them show, so no record is older than its change.
 */

export const changeReads: readonly Projection[] = [entries, ...recordReads]

export interface Wanted {
  readonly companyId: string
  /** The position of the last change that the reader has. */
  readonly after: number
  readonly limit: number
  /** Only changes of these types, or of types that begin with one of them. Empty for all. */
  readonly types: readonly string[]
}

export interface ChangePage {
  readonly changes: readonly CloudEvent[]
  /** The position after which the next page begins. */
  readonly next: number
  /** The position that the read models show. */
  readonly position: number
}

/** Events that are looked through for one page, so that a reader who wants few of them moves on as well. */
const mostEvents = 1_000

/** Members and webhooks are for Admins, and an unknown event for readers of the audit trail: fewer people than the feed has. */
const leftOut: readonly EntrySubject[] = ['member', 'webhook', 'other']

export interface ChangeSources {
  readonly reader: Pick<Reader, 'ofCompany'>
  readonly positions: Pick<Positions, 'waitFor'>
  readonly eventStore: Pick<EventStore, 'last'>
}

/** @throws Refusal `after-unknown` */
export async function readChanges(
  { reader, positions, eventStore }: ChangeSources,
  wanted: Wanted,
): Promise<ChangePage> {
  const { value, position } = await reader
    .ofCompany(wanted.companyId)
    .read(changeReads, (reading) => readPage(reading, wanted))
  const { after } = wanted
  // Another node may have shown the reader more than this one shows yet.
  if (after > position && !(await positions.waitFor(changeReads, after, 0)))
    refuseUnknown(after, (await eventStore.last())?.position ?? 0)
  return { ...value, position }
}

function refuseUnknown(after: number, end: number): void {
  if (after <= end) return
  throw conflict(
    'after-unknown',
    `The store ends at position ${end}, before ${after}: it was restored to an earlier state, so what your copy has may not be here. Read the lists again, and follow from their Read-Position.`,
  )
}

async function readPage(reading: Reading, wanted: Wanted): Promise<Omit<ChangePage, 'position'>> {
  const { companyId, after } = wanted
  const events = await reading.query<FoundChange>(
    listChanges(reading, companyId, { after, most: mostEvents }),
  )
  const { changes, last } = choose(events, wanted)
  const isRest = last === undefined || (last === events.at(-1) && events.length < mostEvents)
  return {
    changes: await withContent(reading, companyId, changes),
    next: Math.max(after, isRest ? reading.position : last.position),
  }
}

/** Return the wanted changes up to the limit, and the last event that was looked at. An event is never divided. */
function choose(events: readonly FoundChange[], { limit, types }: Wanted) {
  const wants = (type: string) => types.length === 0 || isWithin(types, type)
  const changes: Change[] = []
  let last: FoundChange | undefined
  for (const event of events) {
    if (changes.length >= limit) break
    last = event
    if (!leftOut.includes(event.subjectType))
      changes.push(...changesOf(event).filter(({ type }) => wants(type)))
  }
  return { changes, last }
}

/** Records that are read at once: a thousand of the largest take 130 MB, and no page has their content. */
const portionSize = 100

async function withContent(
  reading: Reading,
  companyId: string,
  changes: readonly Change[],
): Promise<CloudEvent[]> {
  const events: CloudEvent[] = []
  for (let from = 0; from < changes.length; from += portionSize)
    events.push(...(await readPortion(reading, companyId, changes.slice(from, from + portionSize))))
  return events
}

async function readPortion(
  reading: Reading,
  companyId: string,
  changes: readonly Change[],
): Promise<CloudEvent[]> {
  const present = new Map<EntrySubject, ReadonlyMap<string, PresentRecord>>()
  for (const [subjectType, some] of Map.groupBy(changes, (one) => one.subjectType)) {
    const ids = [...new Set(some.map(({ subjectId }) => subjectId))]
    present.set(subjectType, await readRecords(reading, companyId, subjectType, ids))
  }
  return changes.map((one) => toCloudEvent(companyId, one, present.get(one.subjectType)?.get(one.subjectId)))
}
