import { Map as ImmutableMap } from 'immutable'
import type { Aggregate } from '../../domain/kernel/aggregate.ts'
import type { DomainEvent, Idempotency, Recorded, Stored } from '../../domain/kernel/event.ts'
import { withMetadata } from '../../domain/kernel/metadata.ts'
import { type EventTypes, toNewestVersion, whyUnreadable } from '../../domain/kernel/versions.ts'
import { noStream } from '../../stores/eventStore.ts'
import { footprintOf } from './footprint.ts'

/** Streams as they are folded for commands: the state, the Idempotency-Keys, and how far they were read. */

/** The request that recorded some events of a stream under an Idempotency-Key. */
export interface KeyUse extends Pick<Idempotency, 'requestHash'> {
  /** Revisions of its first and last event. */
  readonly first: number
  readonly last: number
  /** Position of its last event. */
  readonly position: number
  readonly occurredAt: string
  /** The store's time of its last event. The key counts from then on. */
  readonly recordedAt: string
}

/** A stream folded as far as it was read. Immutable, so it may be shared. */
export interface Loaded<State> {
  readonly state: State
  /** Revision of the last event; `noStream` when there is none. */
  readonly revision: number
  /** Id of the last event; empty when there is none. */
  readonly eventId: string
  readonly position: number
  /** Time of the last event; empty when there is none. */
  readonly occurredAt: string
  readonly keys: ImmutableMap<string, KeyUse>
  /** An event that this release cannot read, and why. Then nothing may be decided on this state. */
  readonly beyond?: string
  /** An upper bound of the memory of `state` and `keys`, in bytes. */
  readonly bytes: number
  /** Their memory when they were weighed last, in bytes. */
  readonly weighed: number
}

const dayMs = 86_400_000

export function keyIdentity({ caller, request, key }: Idempotency): string {
  return JSON.stringify([caller, request, key])
}

/**
 * Whether an Idempotency-Key still counts: it does for 24 hours. A key recorded more than 24 hours in the future comes
 * from a store whose clock was wrong.
 */
export function isCurrent(use: Pick<KeyUse, 'recordedAt'>, now: string): boolean {
  return Math.abs(Date.parse(now) - Date.parse(use.recordedAt)) < dayMs
}

/** The state of a stream that does not exist. */
export function empty<State>(initial: State): Loaded<State> {
  return {
    state: initial,
    revision: noStream,
    eventId: '',
    position: 0,
    occurredAt: '',
    keys: ImmutableMap(),
    bytes: 0,
    weighed: 0,
  }
}

/** The most bytes that an event adds to a stream's state and keys besides its data. */
const bytesBesides = 700
/** Smaller states, in bytes, are not worth weighing. */
const tooSmallToWeigh = 16_384

/** Fold events that follow on `before`. */
export function foldOn<State, Event extends DomainEvent>(
  aggregate: Aggregate<State, Event>,
  before: Loaded<State>,
  events: readonly Recorded[],
): Loaded<State> {
  return events.reduce((loaded, event) => advance(aggregate, loaded, event), before)
}

/** Expired keys are dropped whenever the number of keys has doubled. */
function hasDoubled(count: number): boolean {
  return Number.isInteger(Math.log2(count))
}

function withKey(keys: Loaded<unknown>['keys'], event: Recorded): Loaded<unknown>['keys'] {
  const { idempotency, occurredAt } = event.metadata
  if (!idempotency) return keys
  // An event that this process has just appended has no `created`; this node's clock stands for the store's.
  const recordedAt = event.created ?? occurredAt
  const recent = hasDoubled(keys.size) ? keys.filter((use) => isCurrent(use, recordedAt)) : keys
  const identity = keyIdentity(idempotency)
  const before = recent.get(identity)
  // The events of one append are adjacent and share one time. The same key at another time is a new request.
  const sameAppend = before?.last === event.revision - 1 && before.occurredAt === occurredAt
  return recent.set(identity, {
    requestHash: idempotency.requestHash,
    first: sameAppend ? before.first : event.revision,
    last: event.revision,
    position: event.position,
    occurredAt,
    recordedAt,
  })
}

/** Complete the event after `loaded` for the fold and for answers. @throws Failure `upcast-failed` */
export function prepare(types: EventTypes, { occurredAt }: Loaded<unknown>, stored: Recorded): Recorded {
  return toNewestVersion(types, withMetadata(stored, occurredAt))
}

/** Fold an event, in its newest version, that follows on `loaded`. */
export function advance<State, Event extends DomainEvent>(
  aggregate: Aggregate<State, Event>,
  loaded: Loaded<State>,
  event: Recorded,
): Loaded<State> {
  const why = whyUnreadable(aggregate.events, event)
  if (why !== undefined)
    return { ...loaded, revision: event.revision, beyond: loaded.beyond ?? `${nameOf(event)}: ${why}` }
  return weighIfGrown({
    ...loaded,
    state: aggregate.evolve(loaded.state, event as unknown as Stored<Event>),
    revision: event.revision,
    eventId: event.id,
    position: event.position,
    occurredAt: event.metadata.occurredAt,
    keys: withKey(loaded.keys, event),
    bytes: loaded.bytes + footprintOf(event.data) + bytesBesides,
  })
}

function nameOf({ type, metadata }: Recorded): string {
  return `${type} of version ${metadata.schemaVersion}`
}

/**
 * Weigh the state when the sum of its last weight and of the events since has doubled, which costs little for each
 * event. The sum is an upper bound; the weight is far less when events changed the same things again and again.
 */
function weighIfGrown<State>(loaded: Loaded<State>): Loaded<State> {
  if (loaded.bytes < Math.max(tooSmallToWeigh, 2 * loaded.weighed)) return loaded
  const weighed = footprintOf(loaded.state) + footprintOf(loaded.keys)
  return { ...loaded, bytes: weighed, weighed }
}
