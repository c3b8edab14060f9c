import { crc32 } from 'node:zlib'
import type { RecordedEvent } from './types.ts'

/** Return the checksum of an event and its place: any changed byte in the file gives another one. */
export function checksumOf(event: RecordedEvent): number {
  const { position, stream, revision, id, type, isJson, created, data, metadata } = event
  const head = `${position} ${revision} ${id} ${isJson} ${created} ${metadata.length} ${type}\n${stream}\n`
  return crc32(data, crc32(metadata, crc32(head)))
}

/** Name an event that is not as it was written. */
export function changedText({ position, stream, revision, type }: RecordedEvent): string {
  return `the event at position ${position} (${type}, revision ${revision} of ${stream}) is not as it was written: its checksum differs`
}
