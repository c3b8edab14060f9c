import { sharedTagKeys } from '../kernel/identifiers.ts'
import type { RuleAssignments } from '../tags/assignments.ts'
import type { Family } from '../tags/tag.ts'
import type { SystemTag } from './ruleBook.ts'

/**
 * The tags of subjects that a rule pack could not judge for want of values. A company has one in each family, which all
 * of its rule packs share.
 */

/** The id of the rule that assigns them, in every pack. */
export const notJudgedRuleId = 'not-judged'

export const notJudgedName = 'Not judged'
export const notJudgedSeverity = 'Flag'

const families = Object.keys(sharedTagKeys) as Family[]

export const notJudgedTags: readonly SystemTag[] = families.map((family) => ({
  key: sharedTagKeys[family],
  family,
  name: notJudgedName,
  color: '#E09000',
  severity: notJudgedSeverity,
  description:
    'A rule pack could not judge this, because values are missing: complete them, or let somebody decide.',
}))

/** The rules of one pack that could not judge a subject. */
export interface NotJudged {
  readonly rulePackId: string
  readonly rules: readonly string[]
  /** The missing fields. */
  readonly missing: readonly string[]
}

/** The rule as a reader sees it. No document has it. */
export const notJudgedRule = {
  clause: 'House rule',
  when: 'some rule could not be evaluated',
} as const

/** List the rules of each pack that could not judge a subject. */
export function notJudgedOf(byRules: Readonly<Record<string, RuleAssignments>>): readonly NotJudged[] {
  return Object.values(byRules).flatMap(({ rulePackId, matched, notEvaluated }) => {
    const rules = notEvaluated.flatMap(({ ruleIds }) => ruleIds)
    const { missing = [] } = matched.find(({ ruleId }) => ruleId === notJudgedRuleId)?.values ?? {}
    return rules.length > 0 ? [{ rulePackId, rules, missing: missing as readonly string[] }] : []
  })
}
