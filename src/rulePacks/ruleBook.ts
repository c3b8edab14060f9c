import type { RuleBook, RulePackOffer } from '../domain/ruleBook.ts'
import type { RulePack } from './compile.ts'
import { evaluateRulePack } from './evaluate.ts'

const offerOf = ({ document, hash }: RulePack): RulePackOffer => ({
  rulePackId: document.id,
  name: document.name,
  version: document.version,
  hash,
  tags: document.tags,
})

/** The packs as the domain knows them. */
export const createRuleBook = (packs: readonly RulePack[]): RuleBook => {
  const byId = new Map(packs.map((pack) => [pack.document.id, { pack, offer: offerOf(pack) }]))
  return {
    find: (rulePackId) => byId.get(rulePackId)?.offer,
    evaluate({ rulePackId, version, hash }, subject) {
      const known = byId.get(rulePackId)
      if (known?.offer.version !== version || known.offer.hash !== hash) return undefined
      return evaluateRulePack(known.pack, subject)
    },
  }
}
