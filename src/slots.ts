import { Refusal } from './domain/refusal.ts'
import { inTime } from './inTime.ts'

/**
 * Room for a few at a time, shared among companies: none ever has all of it, and the company that has
 * least under way goes next. Few wait, and not for long.
 */
export interface Slots {
  /**
   * Run `work` in a slot of the company.
   * @throws Refusal 503 `too-many-large-reads`, unless the options name another code; the errors of `work`
   */
  run<Value>(companyId: string, work: () => Promise<Value>): Promise<Value>
  /** Return a function that gives the slot back, for work that is no single promise. @throws Refusal as `run` does */
  take(companyId: string): Promise<() => void>
}

export interface SlotsOptions {
  readonly atOnce: number
  /** Slots that one company has at most; by default all but one. */
  readonly ofACompany?: number
  /** Slots that only companies without one may take; by default none. */
  readonly forNewcomers?: number
  readonly waitingOfACompany: number
  readonly waitingInAll: number
  readonly waitMs: number
  /**
   * Milliseconds after which another company may take the place of a slot that is still held. A slow client costs
   * little. By default never.
   */
  readonly busyMs?: number
  /** The code and the detail of the refusal. */
  readonly code?: 'too-many-large-reads' | 'too-busy'
  readonly detail?: string
}

interface Waiting {
  readonly companyId: string
  readonly go: () => void
}

export function createSlots(options: SlotsOptions): Slots {
  const { atOnce, forNewcomers = 0, waitingOfACompany, waitingInAll, waitMs, busyMs } = options
  const { code = 'too-many-large-reads', detail = tooManyLists } = options
  const tooMany = () => new Refusal(code, detail)
  const share = Math.max(1, options.ofACompany ?? atOnce - 1)
  const held = new Map<string, number>()
  /** In the order of arrival. */
  const waiting = new Set<Waiting>()
  let free = atOnce

  const heldBy = (companyId: string): number => held.get(companyId) ?? 0
  const mayTake = (companyId: string): boolean =>
    heldBy(companyId) < share && free > (heldBy(companyId) === 0 ? 0 : forNewcomers)

  const add = (companyId: string, count: number): void => {
    const now = heldBy(companyId) + count
    if (now > 0) held.set(companyId, now)
    else held.delete(companyId)
  }

  const takeOne = (companyId: string): void => {
    free -= 1
    add(companyId, 1)
  }

  /** Return a function that makes the place of a slot free, once. */
  const freeOnce = (): (() => void) => {
    let isFree = false
    return () => {
      free += isFree ? 0 : 1
      isFree = true
      letNextGo()
    }
  }

  const letNextGo = (): void => {
    let next: Waiting | undefined
    for (const one of waiting)
      if (mayTake(one.companyId) && (!next || heldBy(one.companyId) < heldBy(next.companyId))) next = one
    if (!next) return
    waiting.delete(next)
    next.go()
  }

  const turn = (companyId: string): Promise<void> => {
    const given = Promise.withResolvers<void>()
    const one = {
      companyId,
      go: () => {
        takeOne(companyId)
        given.resolve()
      },
    }
    waiting.add(one)
    return inTime(given.promise, waitMs, () => {
      waiting.delete(one)
      return tooMany()
    })
  }

  const take = async (companyId: string): Promise<() => void> => {
    if (mayTake(companyId)) takeOne(companyId)
    else {
      const own = waiting.values().filter((one) => one.companyId === companyId)
      if (waiting.size >= waitingInAll || own.toArray().length >= waitingOfACompany) throw tooMany()
      await turn(companyId)
    }
    const leave = freeOnce()
    const slow = busyMs === undefined ? undefined : setTimeout(leave, busyMs)
    return () => {
      clearTimeout(slow)
      add(companyId, -1)
      leave()
    }
  }

  return {
    take,
    async run(companyId, work) {
      const release = await take(companyId)
      try {
        return await work()
      } finally {
        release()
      }
    },
  }
}

const tooManyLists =
  'Too many large lists are being read: read this one in pages (limit), or try again in a moment.'
