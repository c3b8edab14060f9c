import { sharedTagKeys } from '../domain/kernel/identifiers.ts'
import { notJudgedRule, notJudgedRuleId } from '../domain/rulePacks/notJudged.ts'
import type { Parameters, RuleOutcome, RuleSubject } from '../domain/rulePacks/ruleBook.ts'
import { explanationWith, explanationWithout } from '../domain/rulePacks/rulePackRules.ts'
import type { Family } from '../domain/tags/tag.ts'
import { inEnglish, sentence } from '../domain/verdict/sentence.ts'
import type { CompiledRule, RulePack } from './compile.ts'
import { Scope } from './scope.ts'
import { variablesOf } from './subjects.ts'

/** The facts about a company's subscription that rules may use. */
export interface Subscribed {
  /** The chosen parameters of the pack. */
  readonly parameters?: Parameters | undefined
  /** Ids of all rule packs that the company subscribes to. */
  readonly packs?: readonly string[]
}

/**
 * Evaluate every rule of a pack on a subject. Pure, and never throws: a rule that fails on a subject, for example
 * because a value is missing, is `not-evaluated`. A certificate that names several steels must hold by each of them: the
 * outcome of a rule is the worst one.
 */
export function evaluateRulePack(
  pack: RulePack,
  subject: RuleSubject,
  { parameters, packs = [] }: Subscribed = {},
): readonly RuleOutcome[] {
  const family = pack.families[subject.family]
  const subscribed = { ...defaultsOf(pack), ...parameters, subscribed: packs }
  const bySteel = variablesOf(subject).map((variables) => {
    const scope = new Scope(family, { ...subscribed, ...variables })
    return withoutStacks(() => family.rules.map((rule) => evaluateRule(rule, scope)))
  })
  const outcomes = bySteel.reduce((some, others) =>
    some.map((outcome, rule) => worstOf(outcome, others[rule]!)),
  )
  return [...outcomes, ...notJudgedOf(subject.family, outcomes)]
}

/** Each missing value raises an exception. Most of its cost is the stack, which nobody reads. */
function withoutStacks<Result>(run: () => Result): Result {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 0
  try {
    return run()
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
}

function defaultsOf({ document: { parameters = {} } }: RulePack): Parameters {
  return Object.fromEntries(Object.entries(parameters).map(([name, one]) => [name, one.default]))
}

const fromWorst: readonly RuleOutcome['result'][] = ['matched', 'not-evaluated', 'not-matched']

function worstOf(one: RuleOutcome, other: RuleOutcome): RuleOutcome {
  return fromWorst.indexOf(other.result) < fromWorst.indexOf(one.result) ? other : one
}

function evaluateRule(
  { rule: { ruleId, tag, clause, explanation, when }, run, needs, inputs }: CompiledRule,
  scope: Scope,
): RuleOutcome {
  const readValues = () =>
    withoutStacks(() => Object.fromEntries([...inputs].map(([name, read]) => [name, scope.evidenceOf(read)])))
  const outcome: RuleOutcome = {
    ruleId,
    tag,
    clause,
    expression: when,
    explanation,
    values: readValues,
    result: 'not-matched',
  }
  try {
    if (run(scope) !== true) return outcome
    const sentence = explanationWith(explanation, (name) => scope.evidenceOf(inputs.get(name)!))
    return { ...outcome, explanation: sentence, result: 'matched' }
  } catch (error) {
    const failure = scope.failureOf(error, needs)
    const sentence = explanationWithout(failure.missing ?? [])
    return { ...outcome, explanation: inEnglish(sentence), result: 'not-evaluated', ...failure }
  }
}

/** The outcome that marks a subject which a rule could not judge. */
function notJudgedOf(family: Family, outcomes: readonly RuleOutcome[]): RuleOutcome[] {
  const open = outcomes.filter(({ result }) => result === 'not-evaluated')
  if (open.length === 0) return []
  const missing = [...new Set(open.flatMap((outcome) => outcome.missing ?? []))]
  return [
    {
      ruleId: notJudgedRuleId,
      tag: sharedTagKeys[family],
      clause: notJudgedRule.clause,
      expression: notJudgedRule.when,
      explanation: inEnglish(sentence('rule-not-judged')),
      result: 'matched',
      values: () => ({ missing }),
    },
  ]
}
