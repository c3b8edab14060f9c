import { Refusal } from '../../domain/refusal.ts'
import { inTime } from '../../inTime.ts'

/**
 * Room for a few at a time, shared among companies: none ever has all of it, and whoever has least under way
 * goes next. Few wait, and not for long.
 */
export interface Slots {
  /** Answers how to give the slot back. @throws Refusal 503 `too-many-large-reads`, unless the options name another code */
  take(companyId: string): Promise<() => void>
}

export interface SlotsOptions {
  readonly atOnce: number
  /** Slots that one company has at most; by default all but one. */
  readonly ofACompany?: number
  readonly waitingOfACompany: number
  readonly waitingInAll: number
  readonly waitMs: number
  /** The code and the detail of the refusal. */
  readonly code?: 'too-many-large-reads' | 'too-busy'
  readonly detail?: string
}

interface Waiting {
  readonly companyId: string
  readonly go: () => void
}

export function createSlots(options: SlotsOptions): Slots {
  const { atOnce, waitingOfACompany, waitingInAll, waitMs } = options
  const { code = 'too-many-large-reads', detail = tooManyLists } = options
  const tooMany = () => new Refusal(code, detail)
  const share = Math.max(1, options.ofACompany ?? atOnce - 1)
  const held = new Map<string, number>()
  let free = atOnce
  let waiting: Waiting[] = []

  const heldBy = ({ companyId }: Pick<Waiting, 'companyId'>): number => held.get(companyId) ?? 0

  const add = (companyId: string, count: number): void => {
    free -= count
    const now = heldBy({ companyId }) + count
    if (now > 0) held.set(companyId, now)
    else held.delete(companyId)
  }

  const letNextGo = (): void => {
    if (free === 0) return
    const allowed = waiting.filter((one) => heldBy(one) < share)
    const least = Math.min(...allowed.map(heldBy))
    const next = allowed.find((one) => heldBy(one) === least)
    if (!next) return
    waiting = waiting.filter((one) => one !== next)
    next.go()
  }

  const turn = (companyId: string): Promise<void> => {
    const given = Promise.withResolvers<void>()
    const one = {
      companyId,
      go: () => {
        add(companyId, 1)
        given.resolve()
      },
    }
    waiting.push(one)
    return inTime(given.promise, waitMs, () => {
      waiting = waiting.filter((other) => other !== one)
      return tooMany()
    })
  }

  return {
    async take(companyId) {
      if (free > 0 && heldBy({ companyId }) < share) add(companyId, 1)
      else {
        const own = waiting.filter((one) => one.companyId === companyId).length
        if (own >= waitingOfACompany || waiting.length >= waitingInAll) throw tooMany()
        await turn(companyId)
      }
      return () => {
        add(companyId, -1)
        letNextGo()
      }
    },
  }
}

const tooManyLists =
  'Too many large lists are being read: read this one in pages (limit), or try again in a moment.'
