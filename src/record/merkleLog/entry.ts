import { hash } from 'node:crypto'
import type { Recorded } from '../../domain/kernel/event.ts'

/** An event as exports hold it and as the log of its company hashes it. examples/verify/README.md describes both forms. */

/** Return the line of an event, without its line feed. */
export function lineOf({ streamName: stream, revision, id, type, metadata, data, isJson }: Recorded): string {
  const bytes = isJson === false && { $bytes: (data as { base64: string }).base64 }
  return JSON.stringify({ stream, revision, id, type, metadata: ours(metadata), data: bytes || data })
}

/** Return the entry of the log: it is short however large the event is, and its members are sorted. */
export function entryOf(event: Recorded, line = lineOf(event)): string {
  const { id, revision, streamName: stream, type } = event
  const sha256 = hash('sha256', line)
  return JSON.stringify({ id, revision, sha256, stream, type, v: 1 })
}

/** Event stores add members to the metadata, whose names begin with `$`. A copied event has others. */
function ours(metadata: object | undefined | null): object | null {
  if (typeof metadata !== 'object' || metadata === null) return metadata ?? null
  return Object.fromEntries(Object.entries(metadata).filter(([name]) => !name.startsWith('$')))
}
