import { LRUCache } from 'lru-cache'
import type { Recorded } from '../domain/kernel/event.ts'
import type { RulePackEvent } from '../domain/tags/catalogueEvents.ts'
import { catalogueStream } from '../domain/tags/tagCatalogue.ts'
import { atMost } from '../lib/atMost.ts'
import type { EventStore } from '../stores/eventStore.ts'

/** The decisions of companies on rule packs, as far as a policy has passed them. It passes them in their order. */
export interface Decisions {
  pass(decision: Recorded<RulePackEvent>): void
  /**
   * The revision, in the company's catalogue, of the last decision before that position, which the policy has
   * reached; -1 for none. @throws StoreUnavailable
   */
  lastBefore(companyId: string, position: number): Promise<number>
}

export const decisionTypes = ['RulePackSubscribed', 'RulePackUpgraded', 'RulePackUnsubscribed'] as const

/** Some megabytes of memory. */
const rememberedCompanies = 20_000

/** The catalogue of a company is read at the first question about it, and again after it was dropped from memory. */
export function followDecisions(eventStore: EventStore): Decisions {
  /** The revision of the last decision passed, by company. */
  const passed = new LRUCache<string, number>(atMost(rememberedCompanies))
  return {
    pass({ data: { companyId }, revision }) {
      passed.set(companyId, revision)
    },
    async lastBefore(companyId, position) {
      const passedBefore = passed.get(companyId)
      if (passedBefore !== undefined) return passedBefore
      let last = -1
      for await (const event of eventStore.readStream(catalogueStream(companyId), 0))
        if (isDecision(event) && event.position < position) last = event.revision
      passed.set(companyId, last)
      return last
    },
  }
}

function isDecision({ type, isJson }: Recorded): boolean {
  return isJson !== false && (decisionTypes as readonly string[]).includes(type)
}
