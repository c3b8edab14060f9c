import { domainEvents } from '../domain/aggregates.ts'
import type { Recorded } from '../domain/event.ts'
import { catalogueStream, type RulePackEvent } from '../domain/tagCatalogue.ts'
import { current } from '../domain/versions.ts'
import type { EventStore } from '../eventStore.ts'

/** What companies have decided on rule packs, as their catalogues have it. */

const types = new Set(['RulePackSubscribed', 'RulePackUpgraded', 'RulePackUnsubscribed'])

export const isDecision = (event: Recorded): event is Recorded<RulePackEvent> =>
  types.has(event.type) && event.isJson !== false

export interface Decisions {
  /** Takes note that the policy has come to this one. */
  pass(decision: Recorded<RulePackEvent>): void
  /**
   * The revision, in the company's catalogue, of the last decision before that position, which is where the policy
   * is; -1 for none. @throws StoreUnavailable
   */
  lastBefore(companyId: string, position: number): Promise<number>
  /** Whether a later decision on the same pack asks for the same again. @throws StoreUnavailable */
  isRepeated(decision: Recorded<RulePackEvent>): Promise<boolean>
}

export const followDecisions = (eventStore: EventStore): Decisions => {
  /** Revision of the last one passed, by company. */
  const passed = new Map<string, number>()

  const all = async function* (companyId: string) {
    for await (const event of eventStore.readStream(catalogueStream(companyId), 0))
      if (isDecision(event)) yield current(domainEvents, event) as Recorded<RulePackEvent>
  }
  return {
    pass({ data, revision }) {
      passed.set(data.companyId, revision)
    },
    async lastBefore(companyId, position) {
      const known = passed.get(companyId)
      if (known !== undefined) return known
      let last = -1
      for await (const decision of all(companyId)) if (decision.position < position) last = decision.revision
      passed.set(companyId, last)
      return last
    },
    async isRepeated({ position, data: { companyId, rulePackId } }) {
      for await (const decision of all(companyId))
        if (decision.position > position && decision.data.rulePackId === rulePackId) return true
      return false
    },
  }
}
