/** What the threads of the node say to each other: plain objects, so that they can be posted. */

/** The revision a writer expects a stream to be at. */
export type ExpectedRevision = number | 'any' | 'noStream' | 'streamExists'

/** An event as a client proposes it. */
export interface ProposedEvent {
  /** UUID, lower case. */
  id: string
  type: string
  isJson: boolean
  data: Uint8Array
  metadata: Uint8Array
}

/** An event as it lies in the log. */
export interface RecordedEvent extends ProposedEvent {
  stream: string
  /** 0 for a stream's first event; TOMBSTONE for the event that closes it. */
  revision: number
  /** Place in the log: grows with every event, with gaps. */
  position: number
  /** Milliseconds since 1970. */
  created: number
}

/**
 * The revision of a tombstone. On the wire it is 2⁶³ − 1; here and in the file it is the largest integer
 * that a JavaScript number holds exactly.
 */
export const TOMBSTONE = Number.MAX_SAFE_INTEGER

/** The head revision of a stream without events. */
export const NO_EVENTS = -1

export interface WriteRequest {
  kind: 'append' | 'softDelete' | 'tombstone'
  stream: string
  expected: ExpectedRevision
  /** Empty unless this is an append. */
  events: ProposedEvent[]
}

export type WriteOutcome =
  /** Written now, or found to have been written before. Without a position when nothing was written ever. */
  | { result: 'success'; revision: number; position: number | undefined }
  | { result: 'wrongRevision'; current: number }
  | { result: 'streamDeleted' }

/** Encoded messages end to end in one buffer, which is handed from thread to thread without a copy. */
export interface Frames {
  bytes: Uint8Array
  /** Where each frame ends; it begins where the one before it ends. */
  ends: number[]
}

/** What a subscriber must know about an event beside its frame. */
export interface EventHeader {
  position: number
  stream: string
  type: string
}

/** The outcome of a batch of writes, and the events of it in log order. */
export interface Commit {
  outcomes: WriteOutcome[]
  headers: EventHeader[]
  frames: Frames
}

/** A filter on `$all`, by stream name or event type; either a regular expression or prefixes. */
export interface FilterRequest {
  on: 'stream' | 'type'
  regex: string | undefined
  prefixes: string[]
}

export interface ReadRequest {
  /** Undefined: `$all`. */
  stream: string | undefined
  direction: 'forwards' | 'backwards'
  /** A revision, or for `$all` a position. Included, except backwards in `$all`. 'end': the last event and on. */
  from: number | 'end'
  /** At most so many events; a page may hold fewer without being the last. */
  limit: number
  filter: FilterRequest | undefined
  /** Puts a checkpoint after every so many considered events, counting on from `considered`. 0: none. */
  checkpointEvery: number
  considered: number
}

export interface Page {
  stream: 'found' | 'missing' | 'deleted'
  frames: Frames
  /** How many of the frames are events. */
  events: number
  /** Where to read on. */
  next: number
  /** Nothing is left in this direction. */
  end: boolean
  /** The position of the log's last event when this was read, 0 in an empty log. */
  head: number
  considered: number
}
