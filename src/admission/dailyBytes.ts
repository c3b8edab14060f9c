import { LRUCache } from 'lru-cache'
import type { Bound } from '../domain/kernel/bound.ts'
import { Refusal } from '../domain/kernel/refusal.ts'
import { atMost } from '../lib/atMost.ts'

/**
 * The bound of the event bytes that a company may record in a day (UTC). What this node has recorded counts at once, and
 * what other nodes have recorded as soon as the read models show it.
 */
export interface DailyBytes {
  /** @throws Refusal 429 `company-too-large`, until the day ends */
  refuseAtBound(companyId: string, bound: Bound): Promise<void>
  /** Count bytes that this node has recorded. */
  add(companyId: string, bytes: BytesByAuthor): void
}

/** People do not wait for what their rule packs and policies have recorded. */
export interface BytesByAuthor {
  readonly persons: number
  /** Rule packs and the service itself. */
  readonly others: number
}

interface DailyBytesOptions {
  /** The most bytes of a company in a day. The request that reaches it is still recorded as a whole. */
  readonly limit: number
  /** Return the bytes of a company on a day, as far as the read models show them. */
  readonly look: (companyId: string, day: string) => Promise<BytesByAuthor>
  /** The wall clock: it says which day it is. */
  readonly now: () => Date
  /** Milliseconds that never run backwards. */
  readonly clock: () => number
}

interface Count {
  readonly day: string
  persons: number
  others: number
  lookedAt: number
  /** The first look of this node. Commands wait for it, and for no later one. */
  first: Promise<void>
}

/** Companies of which a node keeps the count. Those that are dropped are looked up again. */
const maxCompanies = 100_000
const lookAgainMs = 1_000
const dayMs = 86_400_000
const nothing: BytesByAuthor = { persons: 0, others: 0 }

export function createDailyBytes({ limit, look, now, clock }: DailyBytesOptions): DailyBytes {
  const counts = new LRUCache<string, Count>(atMost(maxCompanies))

  async function update(companyId: string, count: Count): Promise<void> {
    count.lookedAt = clock()
    // While the read models cannot be read, the count of this node goes on.
    const shown = await look(companyId, count.day).catch(() => nothing)
    count.persons = Math.max(count.persons, shown.persons)
    count.others = Math.max(count.others, shown.others)
  }

  function countOf(companyId: string, day: string): Count {
    const counted = counts.get(companyId)
    if (counted?.day !== day) {
      const count: Count = { day, ...nothing, lookedAt: 0, first: Promise.resolve() }
      count.first = update(companyId, count)
      counts.set(companyId, count)
      return count
    }
    if (clock() - counted.lookedAt >= lookAgainMs) void update(companyId, counted)
    return counted
  }

  return {
    async refuseAtBound(companyId, bound) {
      if (bound === 'none') return
      const time = now()
      const day = dayOf(time)
      const count = countOf(companyId, day)
      await count.first
      const most = bound === 'reserve' ? 2 * limit : limit
      const bytes = bound === 'rules' ? Math.max(count.persons, count.others) : count.persons
      if (bytes < most) return
      const restMs = Date.parse(day) + dayMs - time.getTime()
      throw tooLarge(bytes, most, Math.ceil(restMs / 1_000))
    },
    add(companyId, bytes) {
      const count = counts.get(companyId)
      if (count?.day !== dayOf(now())) return
      count.persons += bytes.persons
      count.others += bytes.others
    },
  }
}

/** Return the day (UTC) of a time. */
export function dayOf(time: Date): string {
  return time.toISOString().slice(0, 10)
}

function tooLarge(bytes: number, limit: number, retryAfterSeconds: number): Refusal {
  return new Refusal(
    'company-too-large',
    `The company has recorded ${bytes} bytes of events today, and the bound is ${limit}; nothing was recorded. It can record again when the day ends (UTC). Until then it can stop steel and take rights away.`,
    { bytes, limit, retryAfterSeconds },
  )
}
