import { notJudgedTags } from './notJudged.ts'
import type { Parameter, RulePackOffer, SystemTag } from './ruleBook.ts'
import type { Rule } from './rulePackRules.ts'

/** The members of a rule pack's document that decide what a subscription brings. */
export interface OfferedDocument {
  readonly id: string
  readonly name: string
  readonly parameters?: Readonly<Record<string, Parameter>>
  readonly tags: readonly SystemTag[]
  readonly rules: readonly Rule[]
}

/** Return a version of a pack as subscriptions see it, with the tags that mark what it cannot judge. */
export function offerOf(
  { id, name, parameters, tags, rules }: OfferedDocument,
  { version, hash }: Pick<RulePackOffer, 'version' | 'hash'>,
): RulePackOffer {
  const families = new Set(rules.map(({ family }) => family))
  const shared = notJudgedTags.filter(({ family }) => families.has(family))
  return { rulePackId: id, name, version, hash, choices: parameters, tags: [...tags, ...shared] }
}
