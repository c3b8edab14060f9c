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
  const { waitingOfACompany, waitingInAll, waitMs, busyMs } = options
  const { code = 'too-many-large-reads', detail = tooManyLists } = options
  const tooMany = () => new Refusal(code, detail)
  const held = createHeld(options)
  /** In the order of arrival. */
  const waiting = new Set<Waiting>()

  const letNextGo = (): void => {
    let next: Waiting | undefined
    for (const one of waiting)
      if (held.mayTake(one.companyId) && (!next || held.by(one.companyId) < held.by(next.companyId)))
        next = one
    if (!next) return
    waiting.delete(next)
    next.go()
  }

  const turn = (companyId: string): Promise<void> => {
    const given = Promise.withResolvers<void>()
    const one = {
      companyId,
      go: () => {
        held.take(companyId)
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
    if (held.mayTake(companyId)) held.take(companyId)
    else {
      const own = waiting.values().filter((one) => one.companyId === companyId)
      if (waiting.size >= waitingInAll || own.toArray().length >= waitingOfACompany) throw tooMany()
      await turn(companyId)
    }
    let isFree = false
    const leave = () => {
      if (!isFree) held.freePlace()
      isFree = true
      letNextGo()
    }
    const slow = busyMs === undefined ? undefined : setTimeout(leave, busyMs)
    return () => {
      clearTimeout(slow)
      held.giveBack(companyId)
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

/** Count the slots that each company has, and the places that are free. */
function createHeld({ atOnce, ofACompany = atOnce - 1, forNewcomers = 0 }: SlotsOptions) {
  const share = Math.max(1, ofACompany)
  const slots = new Map<string, number>()
  let free = atOnce
  const by = (companyId: string): number => slots.get(companyId) ?? 0
  const add = (companyId: string, count: number): void => {
    const now = by(companyId) + count
    if (now > 0) slots.set(companyId, now)
    else slots.delete(companyId)
  }
  return {
    by,
    mayTake: (companyId: string): boolean =>
      by(companyId) < share && free > (by(companyId) === 0 ? 0 : forNewcomers),
    take(companyId: string): void {
      free -= 1
      add(companyId, 1)
    },
    /** Give back a slot without its place, which is free already if the slot was held for longer than `busyMs`. */
    giveBack: (companyId: string): void => add(companyId, -1),
    freePlace(): void {
      free += 1
    },
  }
}

const tooManyLists =
  'Too many large lists are being read: read this one in pages (limit), or try again in a moment.'
