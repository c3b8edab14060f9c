import { evaluate, type Pair, type PairRule, type Scalar, valuesOf } from '../rulePacks/pairRules.ts'
import { explanationWith } from '../rulePacks/rulePackRules.ts'
import type { Observation } from './observation.ts'
import { type Sentence, sentence } from './sentence.ts'
import type { JudgedCertificate, JudgedLine, JudgedOrder } from './verdictFacts.ts'

/** How a certificate and a line differ by the rules that a company has written itself. */

export function pairObservations(
  rules: readonly PairRule[],
  pair: {
    readonly certificate: JudgedCertificate
    readonly line: JudgedLine
    readonly order: JudgedOrder
  },
  where: Sentence,
): Pick<Observation, 'code' | 'severity' | 'expected' | 'actual' | 'sentence'>[] {
  return rules.flatMap((rule) => {
    const result = evaluate(rule.when, pair)
    return result === false ? [] : [observationOf(rule, pair, where, result === true)]
  })
}

/** A rule that could not be evaluated asks for the missing values, and never blocks. */
function observationOf(rule: PairRule, pair: Pair, where: Sentence, matched: boolean) {
  const { rulePackId, packName, ruleId, clause, explanation, severity } = rule
  const values = valuesOf(rule, pair)
  const explained = explanationWith(explanation, (name) => values.get(name) ?? null)
  const missing = [...values].flatMap(([path, value]) => (value === undefined ? [path] : []))
  const of = { line: where, pack: packName, rule: ruleId }
  return {
    code: 'pack-rule' as const,
    severity: matched || severity === 'Audit' ? severity : ('Flag' as const),
    expected: `${rulePackId}/${ruleId}`,
    actual: [...values].map(([path, value]) => `${path}: ${inWords(value)}`).join(', '),
    sentence: matched
      ? sentence('pack-rule', { ...of, explanation: explained, clause })
      : sentence('pack-rule-open', { ...of, missing: missing.join(', ') }),
  }
}

function inWords(value: Scalar | undefined): string {
  if (value === undefined) return 'not stated'
  return typeof value === 'object' ? 'stated' : String(value)
}
