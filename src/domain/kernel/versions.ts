import { Failure, messageOf } from '../../lib/failure.ts'
import type { DomainEvent, EventMetadata, Recorded } from './event.ts'

/**
 * Versions of event types. A stored event is for ever, in the version that it was recorded in. Folds know the newest
 * version only, because upcasters bring every event there first.
 */

/** Event types that somebody folds. */
export type EventTypes = Readonly<Record<string, EventVersions>>

export interface EventVersions {
  /** The newest version of the data that this release understands. 1 if it is left out. */
  readonly version?: number
  /**
   * For each older version: returns the data as the next version has them. Pure; an event that it throws at cannot be
   * folded.
   */
  readonly upcasters?: Readonly<Record<number, Upcaster>>
}

/** It declares the data that its version had, which no type of this release describes any more. */
type Upcaster = (data: never) => object

/** The newest version of an event type; undefined for a type that is not among them. */
export function newestVersion(types: EventTypes, type: string): number | undefined {
  return Object.hasOwn(types, type) ? (types[type]!.version ?? 1) : undefined
}

/** The version that an event was recorded in; another program's event may not say. */
export function versionOf({
  metadata,
}: {
  readonly metadata?: Pick<Partial<EventMetadata>, 'schemaVersion'>
}): number {
  return metadata?.schemaVersion ?? 1
}

/** The parts of an event that decide whether this release can fold it. */
type Readable = DomainEvent & Pick<Partial<Recorded>, 'isJson' | 'metadata'>

/** Say why this release cannot fold the event; undefined when it can. */
export function whyUnreadable(types: EventTypes, event: Readable): string | undefined {
  if (event.isJson === false) return 'its data are no JSON object'
  const newest = newestVersion(types, event.type)
  if (newest === undefined) return 'this release does not know its type here'
  const version = versionOf(event)
  return version <= newest ? undefined : `this release knows its type up to version ${newest}`
}

export function understands(types: EventTypes, event: Readable): boolean {
  return whyUnreadable(types, event) === undefined
}

/**
 * The event in the newest version of its type. An event of that version, or that this release does not understand,
 * is returned as it is. @throws Failure `upcast-failed`
 */
export function toNewestVersion(types: EventTypes, event: Recorded): Recorded {
  const version = versionOf(event)
  const newest = newestVersion(types, event.type)
  if (newest === undefined || version >= newest || event.isJson === false) return event
  const { upcasters } = types[event.type]!
  let { data } = event
  for (let from = version; from < newest; from += 1) {
    try {
      const upcast = upcasters?.[from]
      if (!upcast) throw new Error('this release has no upcaster for it')
      data = upcast(data as never)
    } catch (error) {
      throw upcastFailed(event, from, error)
    }
  }
  return { ...event, data, metadata: { ...event.metadata, schemaVersion: newest } }
}

function upcastFailed({ type, position }: Recorded, from: number, cause: unknown): Failure {
  const message = `${type} at position ${position} cannot be brought from version ${from} to ${from + 1}: ${messageOf(cause)}`
  return new Failure('upcast-failed', message, { cause })
}
