import { notJudgedTags } from './notJudged.ts'
import type { Parameter, RulePackOffer, SystemTag } from './ruleBook.ts'
import type { Rule } from './rulePackRules.ts'

/** The members of a rule pack's document that decide what a subscription brings. */
export interface OfferedDocument {
  readonly id: string
  readonly name: string
  /** The version of the rule language, by default 1. */
  readonly language?: number
  readonly parameters?: Readonly<Record<string, Parameter>>
  readonly tags: readonly SystemTag[]
  readonly rules: readonly Rule[]
}

/** Return a version of a pack as subscriptions see it. Packs of the first language do not mark what they cannot judge. */
export function offerOf(
  { id, name, language = 1, parameters, tags, rules }: OfferedDocument,
  { version, hash }: Pick<RulePackOffer, 'version' | 'hash'>,
): RulePackOffer {
  const families = new Set(rules.map(({ family }) => family))
  const shared = language === 1 ? [] : notJudgedTags.filter(({ family }) => families.has(family))
  return { rulePackId: id, name, version, hash, choices: parameters, tags: [...tags, ...shared] }
}
