import { notJudgedTags } from '../domain/notJudged.ts'
import type { RuleBook, RulePackOffer } from '../domain/ruleBook.ts'
import type { RulePack } from './compile.ts'
import { evaluateRulePack } from './evaluate.ts'

/** Offer the shipped packs to the domain. They are sorted by id and version. */
export function createRuleBook(packs: readonly RulePack[]): RuleBook {
  const shipped = packs.map((pack) => ({ pack, offer: offerOf(pack) }))
  const byVersion = new Map(shipped.map((one) => [keyOf(one.offer), one]))
  const newest = new Map(shipped.map(({ offer }) => [offer.rulePackId, offer]))
  return {
    packs: [...newest.values()],
    find: (rulePackId, version) =>
      version === undefined ? newest.get(rulePackId) : byVersion.get(keyOf({ rulePackId, version }))?.offer,
    evaluate(pack, subject, subscribed = []) {
      const known = byVersion.get(keyOf(pack))
      if (known?.offer.hash !== pack.hash) return undefined
      return evaluateRulePack(known.pack, subject, { parameters: pack.parameters, packs: subscribed })
    },
  }
}

function keyOf({ rulePackId, version }: Pick<RulePackOffer, 'rulePackId' | 'version'>): string {
  return `${rulePackId} ${version}`
}

function offerOf({ document, language, hash }: RulePack): RulePackOffer {
  const families = new Set(document.rules.map(({ family }) => family))
  const shared = language === 1 ? [] : notJudgedTags.filter(({ family }) => families.has(family))
  return {
    rulePackId: document.id,
    name: document.name,
    version: document.version,
    hash,
    choices: document.parameters,
    tags: [...document.tags, ...shared],
  }
}
