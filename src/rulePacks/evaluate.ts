import { EvaluationError, serialize } from '@marcbachmann/cel-js'
import { sharedTagKeys } from '../domain/identifiers.ts'
import { notJudgedRuleId } from '../domain/notJudged.ts'
import type { Evidence, Parameters, RuleOutcome, RuleSubject, Scalar } from '../domain/ruleBook.ts'
import type { Family } from '../domain/tag.ts'
import {
  type CompiledFamily,
  type CompiledRule,
  type Needs,
  placeholder,
  type RulePack,
  type Run,
  type Variables,
} from './compile.ts'
import { variablesOf } from './subjects.ts'

/** Evidence keeps at most this many values of a list, so that an order of any size can be recorded. */
const maxValues = 20

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
  const subscribed = pack.language === 1 ? {} : { ...defaultsOf(pack), ...parameters, subscribed: packs }
  const bySteel = variablesOf(pack.language, subject).map((variables) =>
    withoutStacks(() => evaluateFamily(family, { ...family.tables, ...subscribed, ...variables })),
  )
  const outcomes = bySteel[0]!.map((_, rule) => worst(bySteel.map((found) => found[rule]!)))
  return pack.language === 1 ? outcomes : [...outcomes, ...notJudgedOf(subject.family, outcomes)]
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

function defaultsOf({ document: { parameters = {} } }: RulePack): Variables {
  return Object.fromEntries(Object.entries(parameters).map(([name, one]) => [name, one.default]))
}

function worst(outcomes: readonly RuleOutcome[]): RuleOutcome {
  return (
    outcomes.find(({ result }) => result === 'matched') ??
    outcomes.find(({ result }) => result === 'not-evaluated') ??
    outcomes[0]!
  )
}

/** A definition that has no value: the reason, and the missing fields. */
interface Failure {
  readonly reason: string
  readonly missing: readonly string[]
}

/** Definitions are added to the variables, which belong to this call. */
function evaluateFamily(
  { definitions, rules }: CompiledFamily,
  variables: Record<string, unknown>,
): readonly RuleOutcome[] {
  const failures = new Map<string, Failure>()
  for (const { name, run, needs } of definitions) {
    try {
      variables[name] = run(variables)
    } catch (error) {
      // The variable stays unset, so that only a rule that cannot be decided without it fails.
      failures.set(name, {
        reason: reasonOf(error, failures),
        missing: missingOf(needs, variables, failures),
      })
    }
  }
  return rules.map((rule) => evaluateRule(rule, variables, failures))
}

function evaluateRule(
  { rule: { ruleId, tag, clause, explanation, when }, run, needs, inputs }: CompiledRule,
  variables: Variables,
  failures: ReadonlyMap<string, Failure>,
): RuleOutcome {
  const values = () =>
    Object.fromEntries([...inputs].map(([name, read]) => [name, evidenceOf(read, variables)]))
  const outcome = { ruleId, tag, clause, expression: when, explanation, values }
  try {
    if (run(variables) !== true) return { ...outcome, result: 'not-matched' }
    const said = explanation.replaceAll(placeholder, (_, name) => {
      return String(evidenceOf(inputs.get(name)!, variables))
    })
    return { ...outcome, explanation: said, result: 'matched' }
  } catch (error) {
    const missing = missingOf(needs, variables, failures)
    return { ...outcome, result: 'not-evaluated', reason: reasonOf(error, failures), missing }
  }
}

/** Return the missing fields that an expression, or a definition that it uses, cannot do without. */
function missingOf(
  { paths, definitions }: Needs,
  variables: Variables,
  failures: ReadonlyMap<string, Failure>,
): readonly string[] {
  const own = [...paths].filter(([, read]) => evidenceOf(read, variables) === null).map(([path]) => path)
  return [...new Set([...own, ...definitions.flatMap((name) => failures.get(name)?.missing ?? [])])]
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
      clause: 'House rule',
      expression: 'some rule could not be evaluated',
      explanation:
        'Values that rules of this pack need are missing, so these rules have not judged the subject.',
      result: 'matched',
      values: () => ({ rules: open.map(({ ruleId }) => ruleId), missing }),
    },
  ]
}

function evidenceOf(run: Run, variables: Variables): Evidence[string] {
  try {
    const value = run(variables)
    return Array.isArray(value)
      ? [...new Set(value.flat().map(scalarOf))].slice(0, maxValues)
      : scalarOf(value)
  } catch {
    return null
  }
}

function scalarOf(value: unknown): Scalar {
  if (typeof value === 'string' || typeof value === 'boolean') return value
  // JSON has neither infinity nor negative zero.
  return typeof value === 'number' && Number.isFinite(value) ? value + 0 : null
}

function reasonOf(error: unknown, failures: ReadonlyMap<string, Failure>): string {
  if (!(error instanceof EvaluationError)) return error instanceof Error ? error.message : String(error)
  const { code, node, summary } = error
  if (node) {
    const text = serialize(node)
    if (code === 'unknown_variable') return failures.get(text)?.reason ?? `${text} is missing`
    if (code === 'no_such_key') return `${text} is missing`
  }
  return summary
}
