import { setTimeout as sleep } from 'node:timers/promises'
import type { Recorded } from '../../domain/event.ts'
import { type EventStore, StoreUnavailable } from '../../eventStore.ts'
import type { Term } from '../../leading/leading.ts'
import { weightOf } from './weight.ts'

/**
 * The events of the store from a kept position on, in a bounded queue. A subscription fills it and waits for
 * nobody; it is opened again whenever it ends, which it does often: the server drops whoever is slow.
 */

/** A position as it is kept, with the id of the event at it: 0 and null before the first event. */
export interface KeptPosition {
  readonly position: number
  readonly eventId: string | null
}

export const wentBackCode = 'event-store-went-back'

/** The store does not have the event that was read from it once: it is another one, or an older copy. */
export class WentBack extends Error {
  override readonly name = 'WentBack'
  readonly code = wentBackCode
  constructor(what: string) {
    super(`${wentBackCode}: ${what}`)
  }
}

export interface Feed {
  /**
   * Waits until there are events, and takes as many as weigh `most` or little more. None once it is closed.
   * @throws WentBack; StoreUnavailable when that lasts
   */
  take(most: number): Promise<readonly Recorded[]>
  /** Settled once the store was seen to have the kept event, or never. */
  readonly checked: Promise<void>
  close(): Promise<void>
}

export interface FeedOptions {
  readonly eventStore: EventStore
  readonly from: KeptPosition
  /** Weight of the queue at most. */
  readonly capacity: number
  /** Told whenever the subscription ended by itself, with what is known of the reason. */
  readonly onDropped?: (reason: string) => void
  /** Told what keeps it from following the store, and with nothing when that has passed. */
  readonly onTrouble?: (message?: string) => void
}

/** The head of the store is compared with the queue this often; a subscription silent twice is opened anew. */
const watchEveryMs = 3_000
/** Longer than this no healthy store takes to answer a question about one event. */
const answerMs = 5_000
const firstPauseMs = 50
const longestPauseMs = 2_000
/** Another process may reach a store that this one cannot. */
const giveUpAfterMs = 10_000

const within = <T>(answer: Promise<T>, what: string, closed?: AbortSignal): Promise<T> => {
  const tooLate = AbortSignal.timeout(answerMs)
  const given = closed ? AbortSignal.any([closed, tooLate]) : tooLate
  return Promise.race([
    answer,
    new Promise<never>((_, reject) => {
      const giveUp = () => reject(new StoreUnavailable(`no answer to ${what} within ${answerMs / 1000} s`))
      if (given.aborted) giveUp()
      else given.addEventListener('abort', giveUp, { once: true })
    }),
  ])
}

/** Two histories are never mixed. @throws WentBack, StoreUnavailable */
export const checkHistory = async (
  eventStore: EventStore,
  { position, eventId }: KeptPosition,
  closed?: AbortSignal,
): Promise<void> => {
  if (position === 0) return
  const event = await within(eventStore.eventAt(position), `what is at position ${position}`, closed)
  if (event?.id === eventId) return
  throw new WentBack(
    `event ${eventId} was at position ${position}; now the store has ` +
      `${event ? `event ${event.id}` : 'no event'} there`,
  )
}

/**
 * Those that the store does not have where they are kept, each with what it has instead. Many keep the same
 * event: the store is asked once for it. @throws StoreUnavailable
 */
export const findStrays = async <Kept extends KeptPosition>(
  eventStore: EventStore,
  kept: readonly Kept[],
): Promise<ReadonlyMap<Kept, WentBack>> => {
  const answers = new Map<string, WentBack | undefined>()
  const strays = new Map<Kept, WentBack>()
  for (const one of kept) {
    const event = `${one.position} ${one.eventId}`
    if (!answers.has(event)) {
      const answer = checkHistory(eventStore, one).catch((error) => {
        if (error instanceof WentBack) return error
        throw error
      })
      answers.set(event, (await answer) ?? undefined)
    }
    const wentBack = answers.get(event)
    if (wentBack) strays.set(one, wentBack)
  }
  return strays
}

/** The same, where one is enough. @throws WentBack, StoreUnavailable */
export const checkHistories = async (
  eventStore: EventStore,
  kept: readonly KeptPosition[],
): Promise<void> => {
  for (const wentBack of (await findStrays(eventStore, kept)).values()) throw wentBack
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

export const openFeed = (options: FeedOptions): Feed => {
  const { eventStore, from, capacity, onDropped = () => {}, onTrouble = () => {} } = options
  const closing = new AbortController()
  const closed = closing.signal
  const queue: Recorded[] = []
  let last = from
  let queued = 0
  let failure: unknown
  /** Ends the subscription of the moment. */
  let reopen = (_reason: string): void => {}
  let changed = Promise.withResolvers<void>()
  const checked = Promise.withResolvers<void>()

  const wake = () => {
    changed.resolve()
    changed = Promise.withResolvers()
  }

  /** Until the subscription ends or the queue is full. */
  const fill = async () => {
    const opened = new AbortController()
    let reason = 'the subscription ended'
    reopen = (why) => {
      reason = why
      opened.abort()
    }
    closed.addEventListener('abort', () => opened.abort(), { signal: opened.signal })
    try {
      for await (const event of eventStore.subscribe(last.position, opened.signal)) {
        // Events that were under way when a subscription was dropped arrive all the same.
        if (event.position <= last.position) continue
        queue.push(event)
        queued += weightOf(event)
        last = { position: event.position, eventId: event.id }
        wake()
        if (queued >= capacity) return
      }
    } catch (error) {
      reason = reasonOf(error)
      throw error
    } finally {
      if (!closed.aborted && queued < capacity) onDropped(reason)
      opened.abort()
      reopen = () => {}
    }
  }

  const drained = async () => {
    while (!closed.aborted && queued > capacity / 2) await changed.promise
  }

  const follow = async () => {
    let pauseMs = 0
    let troubledSince: number | undefined
    while (!closed.aborted) {
      const start = last.position
      try {
        await checkHistory(eventStore, last, closed)
        checked.resolve()
        troubledSince = undefined
        onTrouble()
        await fill()
      } catch (error) {
        if (error instanceof WentBack) throw error
        if (closed.aborted) return
        onTrouble(reasonOf(error))
        troubledSince ??= performance.now()
        if (performance.now() - troubledSince > giveUpAfterMs) throw error
      }
      await drained()
      const progress = last.position > start
      pauseMs = progress ? 0 : Math.min(longestPauseMs, Math.max(firstPauseMs, pauseMs * 2))
      if (pauseMs > 0) await sleep(pauseMs, undefined, { signal: closed }).catch(() => {})
    }
  }

  /** A subscription can die without a word: the head of the store tells. */
  const watch = async () => {
    let head = 0
    let seen = -1
    while (!closed.aborted) {
      await sleep(watchEveryMs, undefined, { signal: closed }).catch(() => {})
      if (closed.aborted) return
      if (last.position === seen && head > seen) reopen('the subscription was silent')
      seen = last.position
      try {
        head = (await within(eventStore.last(), 'what is its last event', closed))?.position ?? 0
        onTrouble()
      } catch (error) {
        head = Number.POSITIVE_INFINITY
        if (!closed.aborted) onTrouble(reasonOf(error))
      }
    }
  }

  const following = follow().catch((error) => {
    failure = error
    wake()
  })
  const watching = watch()

  return {
    checked: checked.promise,
    async take(most) {
      while (queue.length === 0 && !closed.aborted && !failure) await changed.promise
      if (closed.aborted) return []
      // What is still queued may be of a history that is no more.
      if (failure) throw failure
      let weight = 0
      let count = 0
      while (count < queue.length && weight < most) weight += weightOf(queue[count++]!)
      const events = queue.splice(0, count)
      queued -= weight
      wake()
      return events
    },
    async close() {
      closing.abort()
      wake()
      await Promise.all([following, watching])
    },
  }
}

/** The feed of a leader: it is closed when the term is over, and trouble with the store is trouble of the term. */
export const openFeedOf = (
  { over, underWay, note }: Pick<Term, 'over' | 'underWay' | 'note'>,
  { dropped }: { readonly dropped?: (reason: string) => void },
  options: Pick<FeedOptions, 'eventStore' | 'from' | 'capacity'>,
): Feed => {
  const part = 'event store'
  const feed = openFeed({
    ...options,
    ...(dropped && { onDropped: dropped }),
    onTrouble: (message) => note(part, message),
  })
  void feed.checked.then(underWay)
  const close = async () => {
    over.removeEventListener('abort', close)
    await feed.close()
    note(part)
  }
  over.addEventListener('abort', close)
  if (over.aborted) void close()
  return { ...feed, close }
}
