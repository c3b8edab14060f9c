import { type ExpectedRevision, NO_EVENTS, TOMBSTONE } from './types.ts'

/** The facts about a stream that the rules need. */
export interface StreamView {
  /** The last revision; NO_EVENTS for an empty stream, TOMBSTONE for a closed one. */
  head: number
  softDeleted(): boolean
  /** The id of the event at a revision. */
  idAt(revision: number): string | undefined
  /** The revision of a recently written event of this stream, by its id. A restart forgets it. */
  recentRevisionOf(id: string): number | undefined
}

export type Decision =
  | { decision: 'write'; undelete: boolean }
  /** The events are in the log already, the last one at this revision. */
  | { decision: 'repeated'; revision: number }
  | { decision: 'wrongRevision' }
  | { decision: 'streamDeleted' }

const wrongRevision: Decision = { decision: 'wrongRevision' }
const streamDeleted: Decision = { decision: 'streamDeleted' }

/**
 * Decides on an append of events with these ids as EventStoreDB does. At an exact revision the log tells
 * whether this is a repeat; at "any" and "stream exists" only the recently written events do.
 */
export function decideAppend(stream: StreamView, expected: ExpectedRevision, ids: string[]): Decision {
  if (stream.head === TOMBSTONE) return streamDeleted
  if (expected === 'any') return decideByRecentIds(stream, ids)
  if (expected === 'streamExists') return decideOnExisting(stream, ids)
  return decideAtRevision(stream, expected === 'noStream' ? NO_EVENTS : expected, ids)
}

function decideOnExisting(stream: StreamView, ids: string[]): Decision {
  if (stream.softDeleted()) return streamDeleted
  if (stream.head === NO_EVENTS) return wrongRevision
  return decideByRecentIds(stream, ids)
}

function decideByRecentIds(stream: StreamView, ids: string[]): Decision {
  const known = ids.map((id) => stream.recentRevisionOf(id))
  if (known[0] === undefined) return { decision: 'write', undelete: stream.softDeleted() }
  const last = known.at(-1)
  if (last === undefined || known.includes(undefined)) return wrongRevision
  return { decision: 'repeated', revision: last }
}

function decideAtRevision(stream: StreamView, expected: number, ids: string[]): Decision {
  if (expected === stream.head) return { decision: 'write', undelete: stream.softDeleted() }
  if (expected > stream.head || ids.length === 0) return wrongRevision
  const firstNew = ids.findIndex((id, index) => stream.idAt(expected + 1 + index) !== id)
  if (firstNew < 0) return { decision: 'repeated', revision: expected + ids.length }
  if (firstNew === 0 && expected === NO_EVENTS && stream.softDeleted()) {
    return { decision: 'write', undelete: true }
  }
  return wrongRevision
}
