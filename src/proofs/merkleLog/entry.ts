import { hash } from 'node:crypto'
import type { Recorded } from '../../domain/kernel/event.ts'
import { storedMetadata } from '../../domain/kernel/metadata.ts'

/** An event as exports hold it and as the log of its company hashes it. examples/verify/README.md describes both forms. */

/** Return the line of an event, without its line feed. */
export function lineOf(event: Recorded): string {
  const { streamName: stream, revision, id, type, isJson } = event
  const metadata = ownMetadata(storedMetadata(event))
  const data = isJson === false ? { $bytes: (event.data as { base64: string }).base64 } : event.data
  return JSON.stringify({ stream, revision, id, type, metadata, data })
}

/** Return the entry of the log: it is short however large the event is, and its members are sorted. */
export function entryOf(event: Recorded, line = lineOf(event)): string {
  const { id, revision, streamName: stream, type } = event
  const sha256 = hash('sha256', line)
  return JSON.stringify({ id, revision, sha256, stream, type, v: 1 })
}

/** Event stores add members to the metadata, whose names begin with `$`. A copied event has others. */
function ownMetadata(metadata: unknown): unknown {
  if (typeof metadata !== 'object' || metadata === null) return metadata ?? null
  return Object.fromEntries(Object.entries(metadata).filter(([name]) => !name.startsWith('$')))
}
