import { type ExpectedRevision, NO_EVENTS } from './types.ts'

/** The facts about a stream that the rules need. */
export interface StreamView {
  /** The last revision; NO_EVENTS for a stream without events. */
  head: number
  /** The id of the event at a revision. */
  idAt(revision: number): string | undefined
  /** The revision of a recently written event of this stream, by its id. A restart forgets it. */
  recentRevisionOf(id: string): number | undefined
}

export type Decision =
  | { decision: 'write' }
  /** The events are in the log already, the last one at this revision. */
  | { decision: 'repeated'; revision: number }
  | { decision: 'wrongRevision' }

const write: Decision = { decision: 'write' }
const wrongRevision: Decision = { decision: 'wrongRevision' }

/**
 * Decide on an append of events with these ids as EventStoreDB does. At an exact revision the log tells
 * whether this is a repeat; at "any" only the recently written events do.
 */
export function decideAppend(stream: StreamView, expected: ExpectedRevision, ids: string[]): Decision {
  if (expected === 'any') return decideByRecentIds(stream, ids)
  return decideAtRevision(stream, expected === 'noStream' ? NO_EVENTS : expected, ids)
}

function decideByRecentIds(stream: StreamView, ids: string[]): Decision {
  const revisions = ids.map((id) => stream.recentRevisionOf(id))
  if (revisions[0] === undefined) return write
  const last = revisions.at(-1)
  if (last === undefined || revisions.includes(undefined)) return wrongRevision
  return { decision: 'repeated', revision: last }
}

function decideAtRevision(stream: StreamView, expected: number, ids: string[]): Decision {
  if (expected === stream.head) return write
  if (expected > stream.head || ids.length === 0) return wrongRevision
  const isRepeat = ids.every((id, index) => stream.idAt(expected + 1 + index) === id)
  return isRepeat ? { decision: 'repeated', revision: expected + ids.length } : wrongRevision
}
