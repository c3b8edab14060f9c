import { decideAppend } from './appendRules.ts'
import type { Log } from './log.ts'
import type { RecordedEvent, WriteOutcome, WriteRequest } from './types.ts'

interface WriteContext {
  log: Log
  /** Milliseconds since 1970. */
  now: number
  /** Called with every event written, in log order. */
  onWritten: (event: RecordedEvent) => void
}

/** Decide on an append and write its events. */
export function write({ stream, expected, events }: WriteRequest, context: WriteContext): WriteOutcome {
  const { log, now, onWritten } = context
  const view = log.view(stream)
  const ids = events.map((event) => event.id)
  const decision = decideAppend(view, expected, ids)
  if (decision.decision === 'wrongRevision') return { result: 'wrongRevision', current: view.head }
  if (decision.decision === 'repeated') {
    const { revision } = decision
    return { result: 'success', revision, position: log.positionAt(stream, revision) }
  }
  let position: number | undefined
  for (const [index, event] of events.entries()) {
    const recorded = log.add({ ...event, stream, revision: view.head + 1 + index, created: now })
    onWritten(recorded)
    position = recorded.position
  }
  return { result: 'success', revision: view.head + events.length, position }
}
