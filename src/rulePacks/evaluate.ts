import { EvaluationError, serialize } from '@marcbachmann/cel-js'
import type { Evidence, RuleOutcome, RuleSubject, Scalar } from '../domain/ruleBook.ts'
import type { CompiledFamily, CompiledRule, RulePack, Run, Variables } from './compile.ts'
import { variablesOf } from './subjects.ts'

/** Evidence keeps at most this many values of a list, so that an order of any size can be recorded. */
const maxValues = 20

/**
 * Evaluate every rule of a pack on a subject. Pure, and never throws: a rule that fails on a subject, for example
 * because a value is missing, is `not-evaluated`.
 */
export function evaluateRulePack(pack: RulePack, subject: RuleSubject): readonly RuleOutcome[] {
  const family = pack.families[subject.family]
  const { variables, failures } = evaluateDefinitions(family, subject)
  return family.rules.map((rule) => evaluateRule(rule, variables, failures))
}

/** `failures` gives the reason for each definition that has no value, by its name. */
function evaluateDefinitions({ tables, definitions }: CompiledFamily, subject: RuleSubject) {
  const variables: Record<string, unknown> = { ...tables, ...variablesOf(subject) }
  const failures = new Map<string, string>()
  for (const { name, run } of definitions) {
    try {
      variables[name] = run(variables)
    } catch (error) {
      // The variable stays unset, so that only a rule that cannot be decided without it fails.
      failures.set(name, reasonOf(error, failures))
    }
  }
  return { variables, failures }
}

function evaluateRule(
  { rule: { ruleId, tag, clause, explanation, when }, run, inputs }: CompiledRule,
  variables: Variables,
  failures: ReadonlyMap<string, string>,
): RuleOutcome {
  const values = () =>
    Object.fromEntries([...inputs].map(([name, read]) => [name, evidenceOf(read, variables)]))
  const outcome = { ruleId, tag, clause, expression: when, explanation, values }
  try {
    return { ...outcome, result: run(variables) === true ? 'matched' : 'not-matched' }
  } catch (error) {
    return { ...outcome, result: 'not-evaluated', reason: reasonOf(error, failures) }
  }
}

function evidenceOf(run: Run, variables: Variables): Evidence[string] {
  try {
    const value = run(variables)
    return Array.isArray(value) ? [...new Set(value.map(scalarOf))].slice(0, maxValues) : scalarOf(value)
  } catch {
    return null
  }
}

function scalarOf(value: unknown): Scalar {
  if (typeof value === 'string' || typeof value === 'boolean') return value
  // JSON has neither infinity nor negative zero.
  return typeof value === 'number' && Number.isFinite(value) ? value + 0 : null
}

function reasonOf(error: unknown, failures: ReadonlyMap<string, string>): string {
  if (!(error instanceof EvaluationError)) return error instanceof Error ? error.message : String(error)
  const { code, node, summary } = error
  if (node) {
    const text = serialize(node)
    if (code === 'unknown_variable') return failures.get(text) ?? `${text} is missing`
    if (code === 'no_such_key') return `${text} is missing`
  }
  return summary
}
