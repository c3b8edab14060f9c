import type { ASTNode } from '@marcbachmann/cel-js'
import { type PairExpression, type PairRule, pairOperators } from '../domain/rulePacks/pairRules.ts'
import { placeholder } from '../domain/rulePacks/rulePackRules.ts'
import { judgedFields, judgedLineFields, judgedOrderFields } from '../domain/verdict/verdictFacts.ts'
import type { PackFault, Report } from './checks.ts'
import { createLanguage, partsOf } from './language.ts'
import type { PackContent } from './rulePack.ts'
import { rootTypes } from './subjects.ts'

/**
 * Compiles the rules that look at a certificate and a line together. They are expressions of the rule language without
 * lists, tables and definitions, so a verdict can interpret them.
 */

/** The values of each record that a verdict is judged from. */
const known: Readonly<Record<string, ReadonlySet<string>>> = {
  certificate: new Set([...Object.keys(judgedFields), 'heatNumber']),
  line: new Set(Object.keys(judgedLineFields)),
  order: new Set([...Object.keys(judgedOrderFields), 'orderNumber']),
}

/** The most parts of an expression, each of which takes a step. */
const mostParts = 60

export function compilePairRules(document: PackContent, report: Report): readonly PairRule[] {
  const { id: rulePackId, name: packName, rules, pairRules = [] } = document
  const ids = new Set(rules.map(({ ruleId }) => ruleId))
  return pairRules.flatMap((rule, index): PairRule[] => {
    const part = `rule ${rule.ruleId}`
    const reportAt = (member: string, fault: Omit<PackFault, 'path' | 'part'>) =>
      report({ path: ['pairRules', index, member], part, ...fault })
    if (ids.has(rule.ruleId))
      reportAt('ruleId', { code: 'not-unique', message: 'Two rules of the pack have this ruleId.' })
    ids.add(rule.ruleId)
    const read = new Set<string>()
    const when = compile(rule.when, read, (column, message, code = 'faulty-expression') =>
      reportAt('when', { line: 1, column, code, message: `${message}.` }),
    )
    for (const [, name] of rule.explanation.matchAll(placeholder))
      if (when !== undefined && !read.has(name!))
        reportAt('explanation', {
          code: 'not-one-of',
          message: `The rule does not read ${name}, so its value cannot be shown here.`,
        })
    return when === undefined ? [] : [{ rulePackId, packName, ...rule, when }]
  })
}

type ReportAt = (column: number, message: string, code?: PackFault['code']) => void

/** @param read gets the path of each value that the expression reads */
function compile(source: string, read: Set<string>, report: ReportAt): PairExpression | undefined {
  const language = createLanguage()
  for (const [name, type] of Object.entries(rootTypes)) language.registerVariable(name, type)
  try {
    const parsed = language.parse(source)
    readAsDoubles(parsed.ast)
    const { type, error } = parsed.check()
    if (error) throw error
    if (type !== 'bool') {
      report(1, `The type of a rule must be bool, but it is ${type}`)
      return undefined
    }
    const when = translate(parsed.ast, read)
    const parts = JSON.stringify(when).match(/\[/g)?.length ?? 0
    if (parts > mostParts)
      report(1, `The expression has ${parts} parts, but the limit is ${mostParts}`, 'too-costly')
    return when
  } catch (error) {
    const { range, summary, message } = error as Fault
    report((range?.start ?? 0) + 1, summary ?? message)
    return undefined
  }
}

/** Read each whole number of the expression as a double: pair rules have one type of number. */
function readAsDoubles(node: ASTNode): void {
  if (node.op === 'value' && typeof node.args === 'bigint') Object.assign(node, { args: Number(node.args) })
  for (const part of partsOf(node)) readAsDoubles(part)
}

/** A fault of the library, or of an expression that pair rules do not have. */
interface Fault extends Error {
  readonly range?: { readonly start: number }
  readonly summary?: string
}

function faultAt(node: ASTNode, summary: string): Fault {
  return Object.assign(new Error(summary), { range: node.range, summary })
}

function translate(node: ASTNode, read: Set<string>): PairExpression {
  const translateEach = (...nodes: readonly ASTNode[]) => nodes.map((one) => translate(one, read))
  switch (node.op) {
    case 'value':
      return node.args as PairExpression
    case '.': {
      const path = pathOf(node)
      read.add(path)
      return ['get', path]
    }
    case '!_':
    case '-_':
      return [node.op, ...translateEach(node.args)]
    case 'in':
      if (node.args[1].op !== 'list') break
      return ['in', ...translateEach(node.args[0], ...node.args[1].args)]
    case 'call':
      if (node.args[0] !== 'has') break
      return ['has', ...translateEach(...node.args[1])]
    case 'rcall':
      if (!pairOperators.has(node.args[0])) break
      return [node.args[0], ...translateEach(node.args[1], ...node.args[2])]
    default:
      if (pairOperators.has(node.op)) return [node.op, ...translateEach(...(node.args as ASTNode[]))]
  }
  throw faultAt(
    node,
    'A rule on a pair has comparisons, arithmetic, in with a list of values, has, startsWith, endsWith and contains, and nothing else',
  )
}

/** "certificate.mechanical.reHMpa". */
function pathOf(node: ASTNode): string {
  const names: string[] = []
  let part = node
  while (part.op === '.') {
    names.unshift(part.args[1])
    part = part.args[0]
  }
  const root = part.op === 'id' ? part.args : ''
  if (!known[root]?.has(names[0]!))
    throw faultAt(node, `A verdict is not judged from ${[root, ...names].join('.')}`)
  return [root, ...names].join('.')
}
