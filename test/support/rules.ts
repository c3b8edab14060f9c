import type {
  RuleBook,
  RuleOutcome,
  RulePackOffer,
  RuleSubject,
  SystemTag,
} from '../../src/domain/rulePacks/ruleBook.ts'

/** Small rule packs for specs, whose rules are plain functions of the subject. */

export function systemTag(key: string, tag: Partial<SystemTag> = {}): SystemTag {
  return {
    key,
    family: 'millCert',
    name: `Tag ${key}`,
    color: '#B00020',
    severity: 'Block',
    description: `What ${key} means.`,
    ...tag,
  }
}

export function packOffer(offer: Partial<RulePackOffer> = {}): RulePackOffer {
  return {
    rulePackId: 'house',
    name: 'House rules',
    version: 1,
    hash: 'hash 1',
    tags: [systemTag('thick')],
    ...offer,
  }
}

/** True, false, or the reason why the rule is not evaluated. */
export type Verdict = boolean | string

export interface PlainRule {
  readonly ruleId: string
  readonly tag: string
  readonly says: (content: RuleSubject['content']) => Verdict
}

/** The rule book of a release that ships these packs, each with its rules. */
export function ruleBookOf(
  ...packs: readonly { offer: RulePackOffer; rules: readonly PlainRule[] }[]
): RuleBook {
  const shipped = (rulePackId: string) => packs.find(({ offer }) => offer.rulePackId === rulePackId)
  return {
    packs: packs.map(({ offer }) => offer),
    find(rulePackId, version) {
      const offer = shipped(rulePackId)?.offer
      return version === undefined || offer?.version === version ? offer : undefined
    },
    documentOf: () => ({}),
    evaluate({ rulePackId, version, hash }, subject) {
      const pack = shipped(rulePackId)
      if (pack?.offer.version !== version || pack.offer.hash !== hash) return undefined
      return pack.rules.map((rule) => outcomeOf(rule, subject))
    },
  }
}

function outcomeOf({ ruleId, tag, says }: PlainRule, { content }: RuleSubject): RuleOutcome {
  const verdict = says(content)
  const described = {
    clause: `Clause of ${ruleId}`,
    expression: `${ruleId} is so`,
    explanation: `${ruleId}.`,
  }
  const outcome = { ruleId, tag, ...described, values: () => ({ seen: String(verdict) }) }
  if (typeof verdict === 'string') return { ...outcome, result: 'not-evaluated', reason: verdict }
  return { ...outcome, result: verdict ? 'matched' : 'not-matched' }
}
