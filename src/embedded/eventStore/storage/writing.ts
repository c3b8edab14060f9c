import { type Decision, decideAppend } from './appendRules.ts'
import type { Log } from './log.ts'
import { metastreamOf, softDeleteMetadata, undelete } from './streamMetadata.ts'
import {
  NO_EVENTS,
  type ProposedEvent,
  type RecordedEvent,
  TOMBSTONE,
  type WriteOutcome,
  type WriteRequest,
} from './types.ts'

/** The log and the sources of time and ids that writing needs. */
export interface WriteContext {
  log: Log
  /** Milliseconds since 1970. */
  now: number
  newId: () => string
  /** Called with every event written, in log order. */
  written: (event: RecordedEvent) => void
}

/** Decides on a request and writes the events that follow from it. */
export function write(request: WriteRequest, context: WriteContext): WriteOutcome {
  const view = context.log.view(request.stream)
  // A delete writes an event too, and is never a repeat.
  const ids = request.kind === 'append' ? request.events.map((event) => event.id) : [context.newId()]
  const decision = decideAppend(view, request.expected, ids)
  if (decision.decision === 'streamDeleted') return { result: 'streamDeleted' }
  if (decision.decision === 'wrongRevision') return { result: 'wrongRevision', current: view.head }
  if (request.kind === 'softDelete' && view.head === NO_EVENTS)
    return { result: 'wrongRevision', current: NO_EVENTS }
  if (decision.decision === 'repeated') return repeated(request.stream, decision.revision, context)
  if (request.kind === 'softDelete') return softDelete(request.stream, context)
  if (request.kind === 'tombstone') return tombstone(request.stream, context)
  return append(request, decision, view.head, context)
}

function append(
  { stream, events }: WriteRequest,
  { undelete: undeletes }: Decision & { decision: 'write' },
  head: number,
  context: WriteContext,
): WriteOutcome {
  if (events.length === 0) return { result: 'success', revision: head, position: undefined }
  const recorded = events.map((event, index) => record(stream, head + 1 + index, event, context))
  if (undeletes) makeVisible(stream, head + 1, context)
  return success(recorded.at(-1)!)
}

function repeated(stream: string, revision: number, { log }: WriteContext): WriteOutcome {
  return { result: 'success', revision, position: log.positionAt(stream, revision) }
}

function softDelete(stream: string, context: WriteContext): WriteOutcome {
  return success(recordMetadata(stream, softDeleteMetadata, context))
}

function tombstone(stream: string, context: WriteContext): WriteOutcome {
  return success(record(stream, TOMBSTONE, systemEvent('$streamDeleted', Buffer.alloc(0), context), context))
}

/** After a soft delete, lets reads show the events from this revision on. */
function makeVisible(stream: string, firstRevision: number, context: WriteContext): void {
  const raw = context.log.rawMetadata(stream)
  const metadata = raw && undelete(raw, firstRevision)
  if (metadata) recordMetadata(stream, metadata, context)
}

function recordMetadata(stream: string, data: Uint8Array, context: WriteContext): RecordedEvent {
  const metastream = metastreamOf(stream)
  const revision = context.log.head(metastream) + 1
  return record(metastream, revision, systemEvent('$metadata', data, context), context)
}

function systemEvent(type: string, data: Uint8Array, { newId }: WriteContext): ProposedEvent {
  return { id: newId(), type, isJson: type === '$metadata', data, metadata: Buffer.alloc(0) }
}

function record(
  stream: string,
  revision: number,
  event: ProposedEvent,
  context: WriteContext,
): RecordedEvent {
  const recorded = context.log.add({ ...event, stream, revision, created: context.now })
  context.written(recorded)
  return recorded
}

function success({ revision, position }: RecordedEvent): WriteOutcome {
  return { result: 'success', revision: Math.max(revision, NO_EVENTS), position }
}
