import { setTimeout as pause } from 'node:timers/promises'
import type { Recorded } from '../../domain/kernel/event.ts'
import type { EventStore } from '../eventStore.ts'
import { type Checkpoint, checkHistory, Rewound } from './checkpoint.ts'
import { createEventQueue, type EventQueue } from './eventQueue.ts'
import { storeAnswer } from './storeAnswer.ts'

/**
 * The events of the store after a checkpoint, in a bounded queue. The server drops a subscriber that is slow, so
 * the queue is filled without waiting for other work, and a subscription that ends is opened again.
 */
export interface Subscription {
  /**
   * Waits until there are events, and takes as many as weigh `most` or little more. Returns none once it is closed.
   * @throws Rewound; StoreUnavailable when the store cannot be reached for long
   */
  take(most: number): Promise<readonly Recorded[]>
  /** Settles once the store was seen to have the checkpoint's event, or never. */
  readonly checked: Promise<void>
  close(): Promise<void>
}

export interface SubscriptionOptions {
  readonly eventStore: EventStore
  readonly from: Checkpoint
  /** Milliseconds that never run backwards. */
  readonly clock: () => number
  /** Weight at which the queue is full. */
  readonly capacity: number
  /** Told whenever the server's subscription ended by itself, with the known reason. */
  readonly onDropped?: (reason: string) => void
  /** Told why the store cannot be followed, and told nothing once it can. */
  readonly onCondition?: (message?: string) => void
  readonly periods?: SubscriptionPeriods | undefined
}

/** In milliseconds. */
export interface SubscriptionPeriods {
  /** The head of the store is compared with the queue this often; a subscription silent twice is opened anew. */
  readonly watchEvery: number
  /** Another process may reach a store that this one cannot. */
  readonly giveUpAfter: number
}

const usualPeriods: SubscriptionPeriods = { watchEvery: 3_000, giveUpAfter: 10_000 }
const firstPauseMs = 50
const longestPauseMs = 2_000

/** An open subscription, as its loops share it. */
interface Open {
  readonly eventStore: EventStore
  readonly clock: () => number
  readonly queue: EventQueue
  readonly closed: AbortSignal
  readonly onDropped: (reason: string) => void
  readonly onCondition: (message?: string) => void
  readonly periods: SubscriptionPeriods
  /** The last event in the queue. */
  last: Checkpoint
  /** Ends the server's present subscription, so that another is opened. */
  reopen: (reason: string) => void
}

export function openSubscription(options: SubscriptionOptions): Subscription {
  const { eventStore, from, clock, capacity, onDropped = () => {}, onCondition = () => {} } = options
  const { periods = usualPeriods } = options
  const closing = new AbortController()
  const closed = closing.signal
  const queue = createEventQueue(capacity, closed)
  const checked = Promise.withResolvers<void>()
  const shared = { eventStore, clock, queue, closed, onDropped, onCondition, periods }
  const open: Open = { ...shared, last: from, reopen: () => {} }
  const following = follow(open, checked.resolve).catch(queue.fail)
  const watching = watch(open).catch(queue.fail)
  return {
    checked: checked.promise,
    take: queue.take,
    async close() {
      closing.abort()
      await Promise.all([following, watching])
    },
  }
}

/** Keep a subscription open until the queue is closed. @throws Rewound, StoreUnavailable */
async function follow(open: Open, onChecked: () => void): Promise<void> {
  const { eventStore, clock, queue, closed, onCondition, periods } = open
  let pauseMs = 0
  let failingSince: number | undefined
  while (!closed.aborted) {
    const start = open.last.position
    try {
      await checkHistory(eventStore, open.last, closed)
      onChecked()
      failingSince = undefined
      onCondition()
      await fill(open)
    } catch (error) {
      if (error instanceof Rewound) throw error
      if (closed.aborted) return
      onCondition(reasonOf(error))
      failingSince ??= clock()
      if (clock() - failingSince > periods.giveUpAfter) throw error
    }
    await queue.hasRoom()
    const progress = open.last.position > start
    pauseMs = progress ? 0 : Math.min(longestPauseMs, Math.max(firstPauseMs, pauseMs * 2))
    if (pauseMs > 0) await pause(pauseMs, undefined, { signal: closed }).catch(() => {})
  }
}

/** Put events into the queue until it is full or the server's subscription ends. */
async function fill(open: Open): Promise<void> {
  const { eventStore, queue, closed, onDropped } = open
  const opened = new AbortController()
  let reason = 'the subscription ended'
  open.reopen = (why) => {
    reason = why
    opened.abort()
  }
  closed.addEventListener('abort', () => opened.abort(), { signal: opened.signal })
  try {
    for await (const event of eventStore.subscribe(open.last.position, opened.signal)) {
      // Events that were under way when a subscription was dropped arrive all the same.
      if (event.position <= open.last.position) continue
      open.last = { position: event.position, eventId: event.id }
      queue.push(event)
      if (queue.isFull()) return
    }
  } catch (error) {
    reason = reasonOf(error)
    throw error
  } finally {
    if (!closed.aborted && !queue.isFull()) onDropped(reason)
    opened.abort()
    open.reopen = () => {}
  }
}

/** Reopen a subscription that died without an error: the head of the store shows that it is behind. */
async function watch(open: Open): Promise<void> {
  const { eventStore, closed, onCondition, periods } = open
  let head = 0
  let seen = -1
  while (!closed.aborted) {
    await pause(periods.watchEvery, undefined, { signal: closed }).catch(() => {})
    if (closed.aborted) return
    if (open.last.position === seen && head > seen) open.reopen('the subscription was silent')
    seen = open.last.position
    try {
      head = (await storeAnswer(eventStore.last(), 'what is its last event', closed))?.position ?? 0
      onCondition()
    } catch (error) {
      head = Number.POSITIVE_INFINITY
      if (!closed.aborted) onCondition(reasonOf(error))
    }
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
