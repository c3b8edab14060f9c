import { EvaluationError, serialize } from '@marcbachmann/cel-js'
import type { Evidence, RuleOutcome, RuleSubject, Scalar } from '../domain/ruleBook.ts'
import type { RulePack, Run, Variables } from './compile.ts'
import { contextOf } from './subjects.ts'

/** Of a long list, so many values are kept as evidence, so that an order of any size can be recorded. */
const maxValues = 20

const scalarOf = (value: unknown): Scalar => {
  if (typeof value === 'string' || typeof value === 'boolean') return value
  // JSON knows neither infinity nor a negative nought.
  return typeof value === 'number' && Number.isFinite(value) ? value + 0 : null
}

const evidenceOf = (run: Run, variables: Variables): Evidence[string] => {
  try {
    const value = run(variables)
    return Array.isArray(value) ? [...new Set(value.map(scalarOf))].slice(0, maxValues) : scalarOf(value)
  } catch {
    return null
  }
}

/** @param failures why definitions have no value, by name */
const reasonOf = (error: unknown, failures: ReadonlyMap<string, string>): string => {
  if (!(error instanceof EvaluationError)) return error instanceof Error ? error.message : String(error)
  const { code, node, summary } = error
  if (node) {
    const text = serialize(node)
    if (code === 'unknown_variable') return failures.get(text) ?? `${text} is missing`
    if (code === 'no_such_key') return `${text} is missing`
  }
  return summary
}

/**
 * What every rule of a pack says of a subject. Pure, and never throws: a rule that fails on a subject, as a
 * rule does when a value is missing, says `not-evaluated`.
 */
export const evaluateRulePack = (pack: RulePack, subject: RuleSubject): readonly RuleOutcome[] => {
  const { tables, definitions, rules } = pack.families[subject.family]
  const variables: Record<string, unknown> = { ...tables, ...contextOf(subject) }
  const failures = new Map<string, string>()
  for (const { name, run } of definitions) {
    try {
      variables[name] = run(variables)
    } catch (error) {
      // Left out: a rule that cannot do without it fails in turn, and one that can does not.
      failures.set(name, reasonOf(error, failures))
    }
  }

  return rules.map(({ rule: { ruleId, tag, clause, explanation, when }, run, sees }) => {
    const values = () =>
      Object.fromEntries([...sees].map(([name, read]) => [name, evidenceOf(read, variables)]))
    const outcome = { ruleId, tag, clause, expression: when, explanation, values }
    try {
      return { ...outcome, result: run(variables) === true ? 'matched' : 'not-matched' }
    } catch (error) {
      return { ...outcome, result: 'not-evaluated', reason: reasonOf(error, failures) }
    }
  })
}
