import type { RuleBook, RulePackOffer } from '../domain/ruleBook.ts'
import type { RulePack } from './compile.ts'
import { evaluateRulePack } from './evaluate.ts'

/** Offer the shipped packs to the domain. */
export function createRuleBook(packs: readonly RulePack[]): RuleBook {
  const shipped = packs.map((pack) => ({ pack, offer: offerOf(pack) }))
  const byId = new Map(shipped.map((one) => [one.offer.rulePackId, one]))
  return {
    packs: shipped.map(({ offer }) => offer),
    find: (rulePackId) => byId.get(rulePackId)?.offer,
    evaluate({ rulePackId, version, hash }, subject) {
      const known = byId.get(rulePackId)
      if (known?.offer.version !== version || known.offer.hash !== hash) return undefined
      return evaluateRulePack(known.pack, subject)
    },
  }
}

function offerOf({ document, hash }: RulePack): RulePackOffer {
  return {
    rulePackId: document.id,
    name: document.name,
    version: document.version,
    hash,
    tags: document.tags,
  }
}
