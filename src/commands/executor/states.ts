import { LRUCache } from 'lru-cache'
import { createSharedReads } from '../../admission/sharedReads.ts'
import type { Aggregate } from '../../domain/kernel/aggregate.ts'
import type { DomainEvent, Recorded } from '../../domain/kernel/event.ts'
import type { EventStore } from '../../stores/eventStore.ts'
import { advance, empty, foldOn, type Loaded, prepare } from './loaded.ts'

export interface States {
  /** Return the state as far as this process knows it. It may be behind. */
  find<State, Event extends DomainEvent>(
    aggregate: Aggregate<State, Event>,
    id: string,
  ): Loaded<State> | undefined
  /** Read forward to the present end. @throws StoreUnavailable, Failure `upcast-failed` */
  load<State, Event extends DomainEvent>(
    aggregate: Aggregate<State, Event>,
    id: string,
  ): Promise<Loaded<State>>
  /**
   * Return the state as of a position, and the events from the revision `first` on (by default none), in their newest
   * versions.
   * @throws StoreUnavailable, Failure `upcast-failed`
   */
  asOf<State, Event extends DomainEvent>(
    aggregate: Aggregate<State, Event>,
    id: string,
    position: number,
    first?: number,
  ): Promise<{ loaded: Loaded<State>; events: Recorded[] }>
  /** Fold events that have just been appended. */
  noteAppended<State, Event extends DomainEvent>(
    aggregate: Aggregate<State, Event>,
    id: string,
    before: Loaded<State>,
    events: readonly Recorded[],
  ): Loaded<State>
  /**
   * Take note of an event that another process may have appended, in its newest version: it is folded if it is the
   * first of the stream or follows on the cached state. An event that cannot be folded is left to the next `load`.
   */
  noteEvent<State, Event extends DomainEvent>(
    aggregate: Aggregate<State, Event>,
    id: string,
    event: Recorded,
  ): void
}

/** Callbacks for metrics and the log. */
export interface StatesObserver {
  /** A state was looked up, and was in memory or not. */
  onLookUp?(hit: boolean): void
  /** Called once with a function that returns the size of all cached states, in bytes. */
  holds?(size: () => number): void
}

/** Create the folded states of streams, with the most recently used cached in at most `cacheBytes`. */
export function createStates(store: EventStore, cacheBytes: number, observe: StatesObserver = {}): States {
  const cache = new LRUCache<string, Loaded<unknown>>({
    maxSize: cacheBytes,
    // Keep even a very large state: reading it for every command would cost more than the memory.
    sizeCalculation: (loaded) => Math.min(loaded.bytes + 1_000, Math.ceil(cacheBytes / 4)),
  })

  observe.holds?.(() => cache.calculatedSize)

  const shared = createSharedReads()

  const keep = <State>(stream: string, loaded: Loaded<State>): Loaded<State> => {
    // Keep the read that got further when two ran at once.
    const cached = cache.peek(stream)
    if (!cached || cached.revision <= loaded.revision) cache.set(stream, loaded)
    return loaded
  }

  return {
    find(aggregate, id) {
      const loaded = cache.get(aggregate.streamName(id)) as Loaded<never> | undefined
      observe.onLookUp?.(loaded !== undefined)
      return loaded
    },

    load(aggregate, id) {
      const stream = aggregate.streamName(id)
      return shared(stream, async () => {
        const before = (cache.get(stream) ?? empty(aggregate.initial)) as Loaded<typeof aggregate.initial>
        const loaded = await readForward(store, aggregate, stream, before)
        return loaded.beyond ? loaded : keep(stream, loaded)
      })
    },

    async asOf(aggregate, id, untilPosition, first = Number.MAX_SAFE_INTEGER) {
      const events: Recorded[] = []
      const see = (event: Recorded) => void (event.revision >= first && events.push(event))
      const start = empty(aggregate.initial)
      const loaded = await readForward(store, aggregate, aggregate.streamName(id), start, untilPosition, see)
      return { loaded, events }
    },

    noteAppended(aggregate, id, before, events) {
      return keep(aggregate.streamName(id), foldOn(aggregate, before, events))
    },

    noteEvent(aggregate, id, event) {
      const stream = aggregate.streamName(id)
      // Another program may have written such an event into any stream.
      if (event.streamName !== stream) return
      const before = (cache.peek(stream) ?? empty(aggregate.initial)) as Loaded<typeof aggregate.initial>
      if (event.revision !== before.revision + 1) return
      try {
        const loaded = advance(aggregate, before, event)
        if (loaded.beyond === undefined) keep(stream, loaded)
      } catch {}
    },
  }
}

/**
 * Fold the events after `from`, up to a position or to the first event that only a newer release understands.
 * @param see is given each event that is folded, in its newest version
 * @throws StoreUnavailable, Failure `upcast-failed`
 */
async function readForward<State, Event extends DomainEvent>(
  store: EventStore,
  aggregate: Aggregate<State, Event>,
  stream: string,
  from: Loaded<State>,
  untilPosition = Number.MAX_SAFE_INTEGER,
  see: (event: Recorded) => void = () => {},
): Promise<Loaded<State>> {
  let loaded = from
  for await (const stored of store.readStream(stream, from.revision + 1)) {
    if (stored.position > untilPosition) break
    const event = prepare(aggregate.events, loaded, stored)
    loaded = advance(aggregate, loaded, event)
    see(event)
    // Later events may build on one that this release does not understand.
    if (loaded.beyond !== undefined) break
  }
  return loaded
}
