import type streams from '@eventstore/db-client/generated/streams_pb.js'
import { type BatchError, badRequest, maximumAppendSizeExceeded, timeout } from './batchResponses.ts'
import { MAX_APPEND_SIZE } from './faults.ts'
import { decodeEvent, decodeExpected, decodeStreamName, messageOf } from './requests.ts'
import type { WriteRequest } from './storage/types.ts'

/** Puts the parts of each BatchAppend request together, by correlation id. */
export interface AppendParts {
  /** Adds a part. Returns the append if this is its last part, and undefined if it was refused. */
  add(id: string, part: streams.BatchAppendReq): CompleteAppend | undefined
  /** Forgets all appends whose last part has not come. */
  clear(): void
}

export interface CompleteAppend {
  request: WriteRequest
  /** Milliseconds since 1970. */
  deadline: number
}

interface PendingAppend extends CompleteAppend {
  /** Bytes of data so far. */
  size: number
  timer: NodeJS.Timeout | undefined
}

export type Refuse = (id: string, stream: string | undefined, error: BatchError) => void

/** @param refused told once of each append that is refused; the parts that follow are dropped in silence */
export function createAppendParts(now: () => Date, refused: Refuse): AppendParts {
  const pending = new Map<string, PendingAppend>()

  function receive(id: string, part: streams.BatchAppendReq): CompleteAppend | undefined {
    const append = pending.get(id) ?? begin(id, part)
    if (!append) return undefined
    addEvents(append, part)
    if (append.size > MAX_APPEND_SIZE) return refuse(id, part, maximumAppendSizeExceeded())
    if (!part.getIsFinal()) return undefined
    forget(id)
    return append
  }

  function begin(id: string, part: streams.BatchAppendReq): PendingAppend | undefined {
    const append = newAppend(part)
    if (!append) return undefined
    const leftMs = append.deadline - now().getTime()
    if (leftMs <= 0) return refuse(id, part, timeout())
    const expire = () => refuse(id, part, timeout())
    if (!part.getIsFinal()) append.timer = setTimeout(expire, Math.min(leftMs, LONGEST_TIMER)).unref()
    pending.set(id, append)
    return append
  }

  function refuse(id: string, part: streams.BatchAppendReq, error: BatchError): undefined {
    const stream = pending.get(id)?.request.stream ?? nameIn(part)
    forget(id)
    refused(id, stream, error)
  }

  function forget(id: string): void {
    clearTimeout(pending.get(id)?.timer)
    pending.delete(id)
  }

  return {
    add(id, part) {
      try {
        return receive(id, part)
      } catch (error) {
        return refuse(id, part, badRequest(messageOf(error)))
      }
    },
    clear() {
      for (const id of [...pending.keys()]) forget(id)
    },
  }
}

/** Reads the options of an append in its first part. A part without options belongs to an append that was refused. */
function newAppend(part: streams.BatchAppendReq): PendingAppend | undefined {
  const options = part.getOptions()
  if (!options) return undefined
  const stream = decodeStreamName(options.getStreamIdentifier())
  const revision = options.hasStreamPosition() ? options.getStreamPosition() : undefined
  return {
    request: { stream, expected: decodeExpected(options, revision), events: [] },
    size: 0,
    deadline: options.getDeadline()?.toDate().getTime() ?? Number.POSITIVE_INFINITY,
    timer: undefined,
  }
}

function addEvents(append: PendingAppend, part: streams.BatchAppendReq): void {
  for (const message of part.getProposedMessagesList()) {
    const event = decodeEvent(message)
    append.size += event.data.length
    append.request.events.push(event)
  }
}

/** Longer timers would fire at once. */
const LONGEST_TIMER = 2 ** 31 - 1

function nameIn(part: streams.BatchAppendReq): string | undefined {
  const identifier = part.getOptions()?.getStreamIdentifier()
  return identifier && Buffer.from(identifier.getStreamName_asU8()).toString()
}
