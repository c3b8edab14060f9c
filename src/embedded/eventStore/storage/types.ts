/** The messages between the threads of the node: plain objects, so that they can be posted. */

/** The revision a writer expects a stream to be at. */
export type ExpectedRevision = number | 'any' | 'noStream'

/** An event as a client proposes it. */
export interface ProposedEvent {
  /** UUID, lower case. */
  id: string
  type: string
  isJson: boolean
  data: Uint8Array
  metadata: Uint8Array
}

/** An event as the log has it. */
export interface RecordedEvent extends ProposedEvent {
  stream: string
  /** 0 for the first event of a stream. */
  revision: number
  /** The place in the log. It grows with every event, with gaps. */
  position: number
  /** Milliseconds since 1970. */
  created: number
}

/** The head revision of a stream without events. */
export const NO_EVENTS = -1

export interface WriteRequest {
  stream: string
  expected: ExpectedRevision
  events: ProposedEvent[]
}

export type WriteOutcome =
  /** Written now, or known from before. An empty append has no position. */
  | { result: 'success'; revision: number; position: number | undefined }
  | { result: 'wrongRevision'; current: number }
  /** The disk takes no more data, so nothing was written. */
  | { result: 'full' }

/** Encoded messages end to end in one buffer, which passes from thread to thread without a copy. */
export interface Frames {
  bytes: Uint8Array
  /** The offset at which each frame ends, and the next begins. */
  ends: number[]
}

/** The facts about an event that a subscriber needs beside its frame. */
export interface EventHeader {
  position: number
  type: string
}

/** The outcomes of a batch of writes, and its events in log order. */
export interface Commit {
  outcomes: WriteOutcome[]
  headers: EventHeader[]
  frames: Frames
}

export interface ReadRequest {
  /** Undefined for `$all`. */
  stream: string | undefined
  direction: 'forwards' | 'backwards'
  /** A revision, or a position for `$all`, which is included except backwards in `$all`. 'end' is the last event. */
  from: number | 'end'
  /** The most events to return. A page may hold fewer without being the last. */
  limit: number
  /** A regular expression on the event type. */
  filter: string | undefined
  /** Considered events between two checkpoints, counted on from `considered`; 0 for no checkpoints. */
  checkpointEvery: number
  considered: number
}

export interface Page {
  /** False for a stream without events. */
  exists: boolean
  frames: Frames
  /** The number of frames that are events. */
  events: number
  /** The revision or position to read on from. */
  next: number
  /** True when no event is left in this direction. */
  end: boolean
  /** The position of the log's last event at the time of this read; 0 in an empty log. */
  head: number
  considered: number
}
