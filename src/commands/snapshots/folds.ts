import { createHash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { isMap } from 'immutable'
import type { Aggregate } from '../../domain/aggregate.ts'
import type { DomainEvent, Recorded } from '../../domain/event.ts'
import { type EventStore, StoreUnavailable } from '../../eventStore.ts'
import { inTime } from '../../inTime.ts'
import { advance, dayMs, type Loaded, prepared, weightOf } from '../loaded.ts'
import { fromContent, toContent } from './content.ts'
import {
  type SnapshotBounds,
  type StreamSnapshot,
  type StreamSnapshots,
  stateVersionOf,
} from './streamSnapshots.ts'

/** Folds streams, from and to snapshots where they are long. */
export interface Folds {
  /**
   * Fold the events after `from`, up to a position or to the first that only a newer release understands. A stream that is
   * folded from its first event goes on from a snapshot, within the bounds, once it turns out to be long.
   * @param see is given each event that is folded, in its newest version
   * @throws StoreUnavailable, UpcastFailed
   */
  forward<State, Event extends DomainEvent>(
    aggregate: Aggregate<State, Event>,
    stream: string,
    from: Loaded<State>,
    bounds?: SnapshotBounds,
    see?: (event: Recorded) => void,
  ): Promise<Loaded<State>>
  /** Fold events that have just been appended after `before`. */
  appended<State, Event extends DomainEvent>(
    aggregate: Aggregate<State, Event>,
    stream: string,
    before: Loaded<State>,
    events: readonly Recorded[],
  ): Loaded<State>
}

/** A snapshot is kept after this many events, which take about 20 ms to fold. */
const eventsPerSnapshot = 1_000
/** A fold from the first event looks for a snapshot after this many events. Nearly all streams are shorter. */
const lookedUpAfter = 100
/** No load waits longer for a snapshot, because folding a long stream from its first event takes about as long. */
const patienceMs = 1_000
const everything = { untilPosition: Number.MAX_SAFE_INTEGER, beforeRevision: Number.MAX_SAFE_INTEGER }

/** @param onError is told why a snapshot could not be read, used or kept; the fold goes on without it */
export function createFolds(
  store: EventStore,
  snapshots: StreamSnapshots | undefined,
  onError: (error: unknown) => void = () => {},
): Folds {
  const keep = snapshots ? keeper(snapshots, onError) : () => {}

  async function fold<State, Event extends DomainEvent>(
    aggregate: Aggregate<State, Event>,
    stream: string,
    { loaded: from, events }: Start<State>,
    bounds: SnapshotBounds,
    see: (event: Recorded) => void,
  ): Promise<Loaded<State>> {
    let loaded = from
    let later: Start<State> | undefined
    let count = 0
    const passed: Loaded<State>[] = []
    for await (const stored of events) {
      if (stored.position > bounds.untilPosition) break
      const event = prepared(aggregate, loaded, stored)
      loaded = advance(aggregate, loaded, event)
      see(event)
      count += 1
      // Later events may build on one that this release does not understand.
      if (loaded.beyond !== undefined) break
      if (isSnapshotDue(loaded)) passed.push(loaded)
      if (snapshots && count === lookedUpAfter && loaded.revision === count - 1)
        later = await startAtSnapshot({ store, snapshots, onError }, aggregate, stream, bounds)
      if (later) break
    }
    if (later) return fold(aggregate, stream, later, bounds, see)
    keep(aggregate, stream, passed)
    return loaded
  }

  return {
    forward(aggregate, stream, from, bounds = everything, see = () => {}) {
      const events = store.readStream(stream, from.revision + 1)
      return fold(aggregate, stream, { loaded: from, events }, bounds, see)
    },

    appended(aggregate, stream, before, events) {
      let loaded = before
      const passed: Loaded<typeof aggregate.initial>[] = []
      for (const event of events) {
        loaded = advance(aggregate, loaded, event)
        if (isSnapshotDue(loaded)) passed.push(loaded)
      }
      keep(aggregate, stream, passed)
      return loaded
    },
  }
}

/** A stream folded so far, and the events that follow. */
interface Start<State> {
  readonly loaded: Loaded<State>
  readonly events: AsyncIterable<Recorded>
}

interface Means {
  readonly store: EventStore
  readonly snapshots: StreamSnapshots
  onError(error: unknown): void
}

function isSnapshotDue({ revision, beyond }: Loaded<unknown>): boolean {
  return (revision + 1) % eventsPerSnapshot === 0 && beyond === undefined
}

/** Find a snapshot that fits the stream. @throws StoreUnavailable */
async function startAtSnapshot<State, Event extends DomainEvent>(
  { store, snapshots, onError }: Means,
  aggregate: Aggregate<State, Event>,
  stream: string,
  bounds: SnapshotBounds,
): Promise<Start<State> | undefined> {
  const found = await inTime(
    attempt(() => snapshots.find(stream, stateVersionOf(aggregate), bounds)),
    patienceMs,
    () => new Error(`no answer within ${patienceMs} ms`),
  ).catch(onError)
  if (!found) return undefined
  try {
    const loaded = loadedOf<State>(found)
    return { loaded, events: await eventsAfter(store, stream, found) }
  } catch (error) {
    if (error instanceof StoreUnavailable) throw error
    onError(error)
    attempt(() => snapshots.drop(stream)).catch(onError)
    return undefined
  }
}

/** Call a method of the port, which may throw before it returns a promise. */
async function attempt<Value>(work: () => Promise<Value>): Promise<Value> {
  return work()
}

/** @throws Error when the content is not what was kept */
function loadedOf<State>(snapshot: StreamSnapshot): Loaded<State> {
  const { revision, eventId, position, occurredAt, content, sha256 } = snapshot
  if (hashOf(content) !== sha256) throw new Error('the content of a stream snapshot has changed')
  const { state, keys } = fromContent(content) as Pick<Loaded<State>, 'state' | 'keys'>
  if (!isMap(keys)) throw new Error('a stream snapshot has no Idempotency-Keys')
  return { state, keys, revision, eventId, position, occurredAt, ...weightOf({ state, keys }) }
}

/** Read on from the event of a snapshot. @throws Error when the stream has another event there; StoreUnavailable */
async function eventsAfter(
  store: EventStore,
  stream: string,
  { revision, eventId, position }: StreamSnapshot,
): Promise<AsyncIterable<Recorded>> {
  const events = store.readStream(stream, revision)[Symbol.asyncIterator]()
  const { value: event } = await events.next()
  if (event?.id === eventId && event.position === position) return { [Symbol.asyncIterator]: () => events }
  await events.return?.()
  throw new Error(`the stream snapshot of ${stream} at revision ${revision} belongs to another history`)
}

/** Keep snapshots in the background, those of one fold at a time. Snapshots that fall due meanwhile are skipped. */
function keeper(snapshots: StreamSnapshots, onError: (error: unknown) => void) {
  let busy = false
  return <State, Event extends DomainEvent>(
    aggregate: Aggregate<State, Event>,
    stream: string,
    passed: readonly Loaded<State>[],
  ): void => {
    const wanted = worthKeeping(passed)
    if (busy || wanted.length === 0) return
    busy = true
    const keepAll = async () => {
      for (const loaded of wanted) {
        // The answer of the command goes first.
        await nextTurn()
        await snapshots.keep(stream, snapshotOf(aggregate, loaded))
      }
    }
    keepAll()
      .catch(onError)
      .finally(() => {
        busy = false
      })
  }
}

/** Return the newest, and the newest that is a day older: every Idempotency-Key that still counts was used after it. */
function worthKeeping<State>(passed: readonly Loaded<State>[]): readonly Loaded<State>[] {
  const newest = passed.at(-1)
  if (!newest) return []
  const dayBefore = Date.parse(newest.occurredAt) - dayMs
  const older = passed.findLast(({ occurredAt }) => Date.parse(occurredAt) < dayBefore)
  return older ? [older, newest] : [newest]
}

/** @throws TypeError when the state cannot be written */
function snapshotOf<State, Event extends DomainEvent>(
  aggregate: Aggregate<State, Event>,
  { state, keys, revision, eventId, position, occurredAt }: Loaded<State>,
): StreamSnapshot {
  const content = toContent({ state, keys })
  const stateVersion = stateVersionOf(aggregate)
  return { stateVersion, revision, eventId, position, occurredAt, content, sha256: hashOf(content) }
}

function hashOf(content: string): string {
  return createHash('sha256').update(content).digest('hex')
}
