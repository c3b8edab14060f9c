import { setTimeout as pause } from 'node:timers/promises'
import type { Recorded } from '../../domain/kernel/event.ts'
import type { EventStore } from '../eventStore.ts'
import { type Checkpoint, checkHistory } from './checkpoint.ts'
import { keepTrying, reasonOf } from './keepTrying.ts'
import { checkpointOf, createRecentEvents, type RecentEvents } from './recentEvents.ts'
import { storeAnswer } from './storeAnswer.ts'

/**
 * Receives the events of the store once for this process, from the head of the store on, and hands each to all
 * followers that have every event before it. It never waits for one of them, because the server drops a subscriber that
 * is slow.
 */
export interface Receiver {
  /** Settles once it is known where receiving begins, or when the receiver has ended. */
  readonly begun: Promise<void>
  /** Keep the receiver going, and the last events for this follower, until it leaves. */
  join(follower: Follower): void
  /** The receiver ends with the last follower. */
  leave(follower: Follower): Promise<void>
  /** Hand over the events after those of the follower from now on. False if the receiver no longer has them all. */
  attach(follower: Follower): boolean
  hasEnded(): boolean
}

export interface Follower {
  last(): Checkpoint
  /** Take an event. False when the follower takes no more: then it is detached. */
  push(event: Recorded): boolean
  onDetached(): void
  onCondition(message?: string): void
  /** The store is rewound, or could not be reached for long. Events that were handed over may be of another history. */
  fail(error: unknown): void
}

/** In milliseconds. */
export interface IntakePeriods {
  /** The head of the store is compared with the last event this often; a subscription silent twice is opened anew. */
  readonly watchEvery: number
  /** Another process may reach a store that this one cannot. */
  readonly giveUpAfter: number
}

export interface ReceiverOptions {
  readonly eventStore: EventStore
  /** Milliseconds that never run backwards. */
  readonly clock: () => number
  /** Weight of the last events that are kept while a follower lacks some. */
  readonly capacity: number
  readonly periods: IntakePeriods
  /** Called whenever the server's subscription ended by itself, with the known reason. */
  readonly onDropped: (reason: string) => void
}

/** The receiver as its loops share it. */
interface Receiving extends ReceiverOptions {
  readonly closed: AbortSignal
  readonly onCondition: (message?: string) => void
  readonly onEvent: (event: Recorded) => void
  readonly onBegun: () => void
  /** The last events; undefined before it is known where receiving begins. */
  recent: RecentEvents | undefined
  /** Ends the server's present subscription, so that another is opened. */
  reopen: (reason: string) => void
}

export function startReceiving(options: ReceiverOptions): Receiver {
  const closing = new AbortController()
  const begun = Promise.withResolvers<void>()
  const followers = new Set<Follower>()
  const attached = new Set<Follower>()
  /** The last events are kept for those who read. */
  const forgetIfNobodyReads = () => {
    if (attached.size === followers.size) receiving.recent?.forget()
  }
  const receiving: Receiving = {
    ...options,
    closed: closing.signal,
    onBegun: begun.resolve,
    onCondition: (message) => followers.forEach((follower) => void follower.onCondition(message)),
    onEvent(event) {
      for (const follower of attached) {
        if (follower.push(event)) continue
        attached.delete(follower)
        follower.onDetached()
      }
      forgetIfNobodyReads()
    },
    recent: undefined,
    reopen: () => {},
  }
  const end = (error?: unknown) => {
    closing.abort()
    begun.resolve()
    if (error !== undefined) for (const follower of followers) follower.fail(error)
  }
  const loops = [receive(receiving), watch(receiving)].map((loop) => loop.catch(end))

  return {
    begun: begun.promise,
    hasEnded: () => closing.signal.aborted,
    join: (follower) => void followers.add(follower),
    async leave(follower) {
      followers.delete(follower)
      attached.delete(follower)
      if (followers.size > 0) return forgetIfNobodyReads()
      end()
      await Promise.all(loops)
    },
    attach(follower) {
      const missing = followers.has(follower) ? receiving.recent?.after(follower.last()) : undefined
      if (!missing?.every((event) => follower.push(event))) return false
      attached.add(follower)
      forgetIfNobodyReads()
      return true
    },
  }
}

/** Keep a subscription open until the receiver ends. @throws Failure `event-store-went-back`, StoreUnavailable */
function receive(receiving: Receiving): Promise<void> {
  const { eventStore, capacity, closed, onBegun } = receiving
  const currentPosition = () => receiving.recent?.last().position ?? 0
  return keepTrying(
    { ...receiving, giveUpAfterMs: receiving.periods.giveUpAfter, position: currentPosition },
    async (works) => {
      if (receiving.recent) await checkHistory(eventStore, receiving.recent.last(), closed)
      else {
        const head = await storeAnswer(eventStore.last(), 'what is its last event', closed)
        receiving.recent = createRecentEvents(
          head ? checkpointOf(head) : { position: 0, eventId: null },
          capacity,
        )
        onBegun()
      }
      works()
      await follow(receiving, receiving.recent)
    },
  )
}

/** Pass events on until the server's subscription ends. */
async function follow(receiving: Receiving, recent: RecentEvents): Promise<void> {
  const { eventStore, closed, onEvent, onDropped } = receiving
  const opened = new AbortController()
  let reason = 'the subscription ended'
  receiving.reopen = (why) => {
    reason = why
    opened.abort()
  }
  closed.addEventListener('abort', () => opened.abort(), { signal: opened.signal })
  try {
    for await (const event of eventStore.subscribe(recent.last().position, opened.signal)) {
      // Events that were under way when a subscription was dropped still arrive.
      if (event.position <= recent.last().position) continue
      recent.push(event)
      onEvent(event)
    }
  } catch (error) {
    reason = reasonOf(error)
    throw error
  } finally {
    if (!closed.aborted) onDropped(reason)
    opened.abort()
    receiving.reopen = () => {}
  }
}

/** Reopen a subscription that died without an error: the head of the store shows that it is behind. */
async function watch(receiving: Receiving): Promise<void> {
  const { eventStore, closed, onCondition, periods } = receiving
  let head = 0
  let lastBefore = -1
  while (!closed.aborted) {
    await pause(periods.watchEvery, undefined, { signal: closed }).catch(() => {})
    if (closed.aborted) return
    const last = receiving.recent?.last().position ?? 0
    if (last === lastBefore && head > lastBefore) receiving.reopen('the subscription was silent')
    lastBefore = last
    try {
      head = (await storeAnswer(eventStore.last(), 'what is its last event', closed))?.position ?? 0
      onCondition()
    } catch (error) {
      head = Number.POSITIVE_INFINITY
      if (!closed.aborted) onCondition(reasonOf(error))
    }
  }
}
