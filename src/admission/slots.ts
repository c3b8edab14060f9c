import { Refusal } from '../domain/kernel/refusal.ts'
import { inTime } from '../lib/inTime.ts'
import { createShares } from './shares.ts'

/**
 * Slots bound the work of one kind that runs at the same time, for all holders together and for each. Work that gets no
 * slot waits in a queue. A free slot goes to the holder with the fewest, of those to the one whose work has taken the least
 * time, if there is a clock, and of those to the one that has waited longest.
 */
export interface Slots {
  /**
   * Run `work` in a slot of the holder.
   * @throws Refusal 503 when the queue is full, or the wait is too long; the errors of `work`
   */
  run<Value>(holder: string, work: () => Promise<Value>): Promise<Value>
  /** Return a function that gives the slot back once, for work that is no single promise. @throws Refusal as `run` does */
  take(holder: string): Promise<() => void>
}

export interface SlotsOptions {
  /** Slots of all holders. */
  readonly atOnce: number
  /** Slots of one holder; by default all but one. */
  readonly ofEach?: number
  /** Slots that only holders without one may take; by default none. */
  readonly forNewcomers?: number
  /** The longest queue of one holder. */
  readonly queueOfEach: number
  /** The longest queue of all holders; by default it has no bound. */
  readonly queueOfAll?: number
  /** Milliseconds in the queue until the refusal; by default there is no limit. */
  readonly waitMs?: number
  /**
   * Milliseconds after which another holder may use the place of a slot that has not been given back. A slow client costs
   * little. By default never.
   */
  readonly busyMs?: number
  /** The refusal of work that does not get a slot. */
  readonly code: 'too-many-large-reads' | 'too-busy'
  readonly detail: string
}

interface Waiting {
  readonly holder: string
  readonly arrival: number
  readonly go: () => void
}

/** @param clock milliseconds that never run backwards; without it, the time of earlier work does not count */
export function createSlots(options: SlotsOptions, clock = () => 0): Slots {
  const { atOnce, ofEach = Math.max(1, atOnce - 1), forNewcomers = 0, busyMs } = options
  const held = createShares()
  const used = createUsedTimes()
  const queue = createQueue(options)
  let free = atOnce

  const mayTake = (holder: string): boolean =>
    held.of(holder) < ofEach && free > (held.of(holder) === 0 ? 0 : forNewcomers)
  const give = (holder: string): void => {
    free -= 1
    held.add(holder, 1)
  }
  const compare = (one: Waiting, other: Waiting): number =>
    held.of(one.holder) - held.of(other.holder) ||
    used.of(one.holder) - used.of(other.holder) ||
    one.arrival - other.arrival

  /**
   * Give a free place to the work that goes first. If places were free before, all that wait do so because their holders
   * have all the slots that they may have, so only this holder can go on.
   */
  const letNextGo = (holder: string): void => {
    const queues = free > forNewcomers + 1 ? [queue.of(holder)] : queue.all()
    const next = firstOf(queues, ({ holder }) => mayTake(holder), compare)
    if (!next) return
    queue.leave(next)
    give(next.holder)
    used.serve(next.holder)
    next.go()
  }

  const take = async (holder: string): Promise<() => void> => {
    if (mayTake(holder)) give(holder)
    else await queue.wait(holder)
    const began = clock()
    let isFree = false
    const leave = () => {
      if (!isFree) free += 1
      isFree = true
      letNextGo(holder)
    }
    const slow = busyMs === undefined ? undefined : setTimeout(leave, busyMs)
    let isBack = false
    return () => {
      if (isBack) return
      isBack = true
      clearTimeout(slow)
      held.add(holder, -1)
      if (queue.isEmpty()) used.forget()
      else used.charge(holder, clock() - began)
      leave()
    }
  }

  return {
    take,
    run: (holder, work) => runWith(() => take(holder), work),
  }
}

/** Return the first work of a queue that may go and that goes before those of the other queues. */
function firstOf(
  queues: Iterable<readonly Waiting[]>,
  mayGo: (work: Waiting) => boolean,
  compare: (one: Waiting, other: Waiting) => number,
): Waiting | undefined {
  let next: Waiting | undefined
  for (const [first] of queues) if (first && mayGo(first) && (!next || compare(first, next) < 0)) next = first
  return next
}

async function runWith<Value>(take: () => Promise<() => void>, work: () => Promise<Value>): Promise<Value> {
  const giveBack = await take()
  try {
    return await work()
  } finally {
    giveBack()
  }
}

/** Keep the time that the work of each holder has taken, as far as it is more than that of the holder served last. */
function createUsedTimes() {
  const times = new Map<string, number>()
  let level = 0
  const of = (holder: string): number => Math.max(times.get(holder) ?? level, level)
  return {
    of,
    serve(holder: string): void {
      level = of(holder)
      for (const [other, ms] of times) if (ms <= level) times.delete(other)
    },
    charge(holder: string, ms: number): void {
      if (ms > 0) times.set(holder, of(holder) + ms)
    },
    /** Nobody waits, so the time used until now does not matter. */
    forget: () => times.clear(),
  }
}

/** Keep the waiting work of each holder in the order of arrival. */
function createQueue({
  queueOfEach,
  queueOfAll = Number.POSITIVE_INFINITY,
  waitMs,
  code,
  detail,
}: SlotsOptions) {
  const refusal = () => new Refusal(code, detail)
  const holders = new Map<string, Waiting[]>()
  let length = 0
  let arrivals = 0

  const leave = (one: Waiting): void => {
    const own = holders.get(one.holder) ?? []
    const place = own.indexOf(one)
    if (place === -1) return
    own.splice(place, 1)
    length -= 1
    if (own.length === 0) holders.delete(one.holder)
  }

  return {
    leave,
    isEmpty: () => length === 0,
    /** Return the queue of the holder. */
    of: (holder: string): readonly Waiting[] => holders.get(holder) ?? [],
    /** Return the queue of each holder that waits. */
    all: (): Iterable<readonly Waiting[]> => holders.values(),
    async wait(holder: string): Promise<void> {
      const own = holders.get(holder) ?? []
      if (length >= queueOfAll || own.length >= queueOfEach) throw refusal()
      const { promise, resolve: go } = Promise.withResolvers<void>()
      const one = { holder, arrival: ++arrivals, go }
      own.push(one)
      holders.set(holder, own)
      length += 1
      if (waitMs === undefined) return promise
      await inTime(promise, waitMs, () => {
        leave(one)
        return refusal()
      })
    },
  }
}
