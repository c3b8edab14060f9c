import { sameValue } from './changes.ts'
import { type Actor, actorKinds, type EventMetadata, type Idempotency, type Recorded } from './event.ts'
import { storableTime } from './times.ts'

/**
 * Another program may write the metadata of an event in its own way, or leave them out. Every fold reads it through
 * this file: a member that is missing or of a wrong type is left out, or names nobody.
 */

/**
 * Return the event with metadata that a fold can read: an event of this service as it is.
 * @param before the time of an event that has none; by default the time of the store
 */
export function withMetadata(event: Recorded, before?: string): Recorded {
  const metadata = toReadable(event, before)
  return metadata === event.metadata ? event : { ...event, metadata, written: event.metadata }
}

/** Return the metadata as they are stored. */
export function storedMetadata(event: Pick<Recorded, 'metadata' | 'written'>): unknown {
  return 'written' in event ? event.written : event.metadata
}

function toReadable(
  { metadata, created }: Recorded,
  before = created ?? new Date(0).toISOString(),
): EventMetadata {
  const written = membersOf(metadata)
  const { performedAt, schemaVersion, rulesAsOf } = written
  const done = storableTime(performedAt)
  const idempotency = idempotencyIn(membersOf(written.idempotency))
  const read: EventMetadata = {
    actor: actorIn(membersOf(written.actor)),
    occurredAt: storableTime(written.occurredAt) ?? before,
    ...(done !== undefined && { performedAt: done }),
    correlationId: storableText(written.correlationId),
    schemaVersion: Number.isSafeInteger(schemaVersion) ? (schemaVersion as number) : 1,
    ...(idempotency && { idempotency }),
    ...(Number.isSafeInteger(rulesAsOf) && { rulesAsOf: rulesAsOf as number }),
  }
  return sameValue(read, written) ? metadata : read
}

type Members = Readonly<Record<string, unknown>>

function membersOf(value: unknown): Members {
  return typeof value === 'object' && value !== null ? (value as Members) : {}
}

function actorIn({ id, name, kind, nameHash }: Members): Actor {
  return {
    id: storableText(id),
    name: storableText(name),
    kind: actorKinds.find((actorKind) => actorKind === kind) ?? 'service',
    ...(typeof nameHash === 'string' && { nameHash: storableText(nameHash) }),
  }
}

function idempotencyIn({ key, caller, request, requestHash }: Members): Idempotency | undefined {
  const texts = [key, caller, request, requestHash]
  if (!texts.every((text) => typeof text === 'string' && text === storableText(text))) return undefined
  return { key, caller, request, requestHash } as Idempotency
}

/** PostgreSQL can index a text of so many characters. Those of this service are shorter. */
const mostCharacters = 500

/** Return a text that PostgreSQL can store and index; an empty one for any other value. */
function storableText(value: unknown): string {
  if (typeof value !== 'string') return ''
  return value.slice(0, mostCharacters).toWellFormed().replaceAll('\0', '\ufffd')
}
