import { Map as ImmutableMap } from 'immutable'
import { LRUCache } from 'lru-cache'
import type { Aggregate } from '../domain/aggregate.ts'
import {
  type DomainEvent,
  type Idempotency,
  type Recorded,
  type Stored,
  withMetadata,
} from '../domain/event.ts'
import { current, type EventTypes, understands } from '../domain/versions.ts'
import { type EventStore, noStream } from '../eventStore.ts'
import { footprintOf } from './footprint.ts'
import { createSharedReads } from './sharedReads.ts'

/** The request that recorded some events of a stream under an Idempotency-Key. */
export interface KeyUse {
  readonly requestHash: string
  /** Revisions of its first and last event. */
  readonly first: number
  readonly last: number
  /** Of its last event. */
  readonly position: number
  readonly occurredAt: string
  /** When the store recorded its last event, by the store's clock: the key counts from then on. */
  readonly recordedAt: string
}

/** A stream folded as far as it was read. Immutable, so it may be shared. */
export interface Loaded<State> {
  readonly state: State
  /** Of the last event; `noStream` when there is none. */
  readonly revision: number
  readonly position: number
  /** When the last event occurred; empty when there is none. */
  readonly occurredAt: string
  readonly keys: ImmutableMap<string, KeyUse>
  /** A type or version that only a newer release understands: nothing may be decided on the rest. */
  readonly beyond?: string
  /** About how much memory `state` and `keys` take, in bytes, at most. */
  readonly bytes: number
  /** What they took when they were weighed last. */
  readonly weighed: number
}

const day = 86_400_000
/** Keys are dropped a while after the 24 h for which they count: whenever their number has doubled. */
function hasDoubled(count: number): boolean {
  return Number.isInteger(Math.log2(count))
}

export function keyIdentity({ caller, request, key }: Idempotency): string {
  return JSON.stringify([caller, request, key])
}

/**
 * An Idempotency-Key counts for 24 hours. One that was recorded later than now by more than that was recorded by a
 * store whose clock was wrong.
 */
export function isCurrent(use: Pick<KeyUse, 'recordedAt'>, now: string): boolean {
  return Math.abs(Date.parse(now) - Date.parse(use.recordedAt)) < day
}

/** What a stream that does not exist folds to. */
export function empty<State>(initial: State): Loaded<State> {
  return {
    state: initial,
    revision: noStream,
    position: 0,
    occurredAt: '',
    keys: ImmutableMap(),
    bytes: 0,
    weighed: 0,
  }
}

function withKey(keys: Loaded<unknown>['keys'], event: Recorded): Loaded<unknown>['keys'] {
  const { idempotency, occurredAt } = event.metadata
  if (!idempotency) return keys
  // This process has only just appended an event that does not tell, by a clock that agrees with the others.
  const recordedAt = event.created ?? occurredAt
  const kept = hasDoubled(keys.size) ? keys.filter((use) => isCurrent(use, recordedAt)) : keys
  const identity = keyIdentity(idempotency)
  const known = kept.get(identity)
  // The events of one append stand side by side and have one time; the same key again later is a new request.
  const sameAppend = known?.last === event.revision - 1 && known.occurredAt === occurredAt
  return kept.set(identity, {
    requestHash: idempotency.requestHash,
    first: sameAppend ? known.first : event.revision,
    last: event.revision,
    position: event.position,
    occurredAt,
    recordedAt,
  })
}

/** The event that comes after `loaded`, as the fold and whoever answers from it know it. @throws UpcastFailed */
function prepared(types: EventTypes, { occurredAt }: Loaded<unknown>, stored: Recorded): Recorded {
  return current(types, withMetadata(stored, occurredAt))
}

function advance<State, Event extends DomainEvent>(
  aggregate: Aggregate<State, Event>,
  loaded: Loaded<State>,
  event: Recorded,
): Loaded<State> {
  if (!understands(aggregate, event))
    return { ...loaded, revision: event.revision, beyond: `${event.type} ${event.metadata.schemaVersion}` }
  return weighedIfGrown({
    ...loaded,
    state: aggregate.evolve(loaded.state, event as unknown as Stored<Event>),
    revision: event.revision,
    position: event.position,
    occurredAt: event.metadata.occurredAt,
    keys: withKey(loaded.keys, event),
    bytes: loaded.bytes + footprintOf(event.data) + bytesBesides,
  })
}

/** What an event may add to a stream's state and keys, in bytes, besides its data. */
const bytesBesides = 500
/** States that take less, in bytes, are not worth weighing. */
const tooSmallToWeigh = 16_384

/**
 * A state takes at most what it took before and what its events have said since, and far less when they changed
 * the same things again and again. Weighing it whenever that sum has doubled costs little for each event.
 */
function weighedIfGrown<State>(loaded: Loaded<State>): Loaded<State> {
  if (loaded.bytes < Math.max(tooSmallToWeigh, 2 * loaded.weighed)) return loaded
  const weighed = footprintOf(loaded.state) + footprintOf(loaded.keys)
  return { ...loaded, bytes: weighed, weighed }
}

export interface States {
  /** As far as this process knows it; it may be behind. */
  cached<State, Event extends DomainEvent>(
    aggregate: Aggregate<State, Event>,
    id: string,
  ): Loaded<State> | undefined
  /** Read forward to its present end. @throws StoreUnavailable, UpcastFailed */
  load<State, Event extends DomainEvent>(
    aggregate: Aggregate<State, Event>,
    id: string,
  ): Promise<Loaded<State>>
  /**
   * As it stood at a position, with its events from the revision `first` on, in their newest versions.
   * @throws StoreUnavailable, UpcastFailed
   */
  asOf<State, Event extends DomainEvent>(
    aggregate: Aggregate<State, Event>,
    id: string,
    position: number,
    first?: number,
  ): Promise<{ loaded: Loaded<State>; events: Recorded[] }>
  /** Folds what has just been appended. */
  appended<State, Event extends DomainEvent>(
    aggregate: Aggregate<State, Event>,
    id: string,
    before: Loaded<State>,
    events: readonly Recorded[],
  ): Loaded<State>
}

/** Called as things happen, for metrics. */
export interface StatesObserver {
  /** The state to decide on was asked for, and was in memory, or not. */
  asked?(hit: boolean): void
  /** Told once how to ask for the size of all that is kept. */
  holds?(size: () => number): void
}

/** The folded states of streams: read from the store, with the most recently used kept in at most `cacheBytes`. */
export function createStates(store: EventStore, cacheBytes: number, observe: StatesObserver = {}): States {
  const cache = new LRUCache<string, Loaded<unknown>>({
    maxSize: cacheBytes,
    // None alone is too large to be kept: reading it anew for every command would cost more than the memory.
    sizeCalculation: (loaded) => Math.min(loaded.bytes + 1_000, Math.ceil(cacheBytes / 4)),
  })

  observe.holds?.(() => cache.calculatedSize)

  const shared = createSharedReads()

  const keep = <State>(stream: string, loaded: Loaded<State>): Loaded<State> => {
    // Of two that read at once, the one that got further stays.
    const known = cache.peek(stream)
    if (!known || known.revision <= loaded.revision) cache.set(stream, loaded)
    return loaded
  }

  return {
    cached(aggregate, id) {
      const loaded = cache.get(aggregate.streamName(id)) as Loaded<never> | undefined
      observe.asked?.(loaded !== undefined)
      return loaded
    },

    load(aggregate, id) {
      const stream = aggregate.streamName(id)
      return shared(stream, async () => {
        let loaded = (cache.get(stream) ?? empty(aggregate.initial)) as Loaded<typeof aggregate.initial>
        for await (const event of store.readStream(stream, loaded.revision + 1)) {
          loaded = advance(aggregate, loaded, prepared(aggregate, loaded, event))
          if (loaded.beyond) return loaded
        }
        return keep(stream, loaded)
      })
    },

    async asOf(aggregate, id, position, first = 0) {
      let loaded = empty(aggregate.initial)
      const events: Recorded[] = []
      for await (const stored of store.readStream(aggregate.streamName(id), 0)) {
        if (stored.position > position) break
        const event = prepared(aggregate, loaded, stored)
        loaded = advance(aggregate, loaded, event)
        if (event.revision >= first) events.push(event)
      }
      return { loaded, events }
    },

    appended(aggregate, id, before, events) {
      const after = events.reduce((loaded, event) => advance(aggregate, loaded, event), before)
      return keep(aggregate.streamName(id), after)
    },
  }
}
