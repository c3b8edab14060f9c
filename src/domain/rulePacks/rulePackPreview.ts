import { sharedTagKeys, systemTagIdOf } from '../kernel/identifiers.ts'
import type { UsageChange } from '../tags/assignments.ts'
import type { RuleOutcome } from './ruleBook.ts'

/** The ids of a pack's tags that a subject has now: by hand, and by rules. */
interface PackTags {
  readonly byHand: readonly string[]
  readonly byRules: readonly string[]
}

/** Return which of a pack's tags a subject would gain and lose if the company subscribed to this version. */
export function previewPack(
  { companyId, rulePackId }: { readonly companyId: string; readonly rulePackId: string },
  outcomes: readonly Pick<RuleOutcome, 'tag' | 'result'>[],
  { byHand, byRules }: PackTags,
): UsageChange {
  const matched = outcomes.filter(({ result }) => result === 'matched')
  const wanted = new Set(matched.map(({ tag }) => systemTagIdOf(companyId, rulePackId, tag)))
  const has = new Set([...byHand, ...byRules])
  const shared = new Set(Object.values(sharedTagKeys).map((key) => systemTagIdOf(companyId, '', key)))
  return {
    gained: [...wanted].filter((tagId) => !has.has(tagId)),
    // A tag assigned by hand stays, whatever the rules say, and another pack may assign a shared one.
    lost: [...new Set(byRules)].filter(
      (tagId) => !wanted.has(tagId) && !byHand.includes(tagId) && !shared.has(tagId),
    ),
  }
}
