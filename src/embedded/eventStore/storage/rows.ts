import { changedText, checksumOf } from './checksum.ts'
import type { RecordedEvent } from './types.ts'

/** Events as the file has them. */

export const EVENT_COLUMNS =
  'position, name, revision, event.id, type, json, created, data, metadata, checksum'
export const EVENTS = 'event JOIN stream ON stream.id = event.stream'

/** The values of `EVENT_COLUMNS`. */
export type Row = [number, string, number, string, string, number, number, Uint8Array, Uint8Array, number]

/** @throws Error that names the event when it is not as it was written */
export function toEvent(row: Row): RecordedEvent {
  const [position, stream, revision, id, type, json, created, data, metadata, checksum] = row
  const event = { position, stream, revision, id, type, isJson: json === 1, created, data, metadata }
  if (checksumOf(event) !== checksum) throw new Error(changedText(event))
  return event
}
