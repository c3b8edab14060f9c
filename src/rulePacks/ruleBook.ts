import type { RuleBook, RulePackOffer } from '../domain/rulePacks/ruleBook.ts'
import { offerOf } from '../domain/rulePacks/rulePackOffer.ts'
import { evaluateRulePack } from './evaluate.ts'
import type { ShippedRulePack } from './load.ts'

/** Offer the shipped packs to the domain. They are sorted by id and version. */
export function createRuleBook(packs: readonly ShippedRulePack[]): RuleBook {
  const shipped = packs.map((pack) => {
    const { document, hash } = pack
    return { pack, offer: offerOf(document, { version: document.version, hash }) }
  })
  const byVersion = new Map(shipped.map((one) => [keyOf(one.offer), one]))
  const newest = new Map(shipped.map((one) => [one.offer.rulePackId, one]))
  const find = (rulePackId: string, version?: number) =>
    version === undefined ? newest.get(rulePackId) : byVersion.get(keyOf({ rulePackId, version }))
  return {
    packs: [...newest.values()].map(({ offer }) => offer),
    find: (rulePackId, version) => find(rulePackId, version)?.offer,
    documentOf: (rulePackId, version) => find(rulePackId, version)?.pack.written,
    evaluate(pack, subject, subscribed = []) {
      const compiled = byVersion.get(keyOf(pack))
      if (compiled?.offer.hash !== pack.hash) return undefined
      return evaluateRulePack(compiled.pack, subject, { parameters: pack.parameters, packs: subscribed })
    },
  }
}

function keyOf({ rulePackId, version }: Pick<RulePackOffer, 'rulePackId' | 'version'>): string {
  return `${rulePackId} ${version}`
}
