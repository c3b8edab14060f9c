import { createHash } from 'node:crypto'
import { type Environment, type ParseError, TypeError as TypeFault } from '@marcbachmann/cel-js'
import { placeholder, type Rule, rulesOf, type WrittenRule } from '../domain/rulePacks/rulePackRules.ts'
import type { Family } from '../domain/tags/tag.ts'
import { canonicalJson } from '../lib/canonicalJson.ts'
import { type Analysis, analyse, type Known } from './analyse.ts'
import { checkParameters, checkTables, checkTags, type PackFault, type Report } from './checks.ts'
import { type Extent, one } from './extent.ts'
import { guardsOf, isRuledOut } from './guards.ts'
import { createLanguage, typeOfTable } from './language.ts'
import { pathReader, type Run } from './pathReader.ts'
import type { Definition, PackContent } from './rulePack.ts'
import { variablesIn } from './subjects.ts'

/** The values that an expression cannot do without. */
export interface Needs {
  /** Fields that it does not test with has(), each with a reader. */
  readonly paths: ReadonlyMap<string, Run>
  readonly definitions: readonly string[]
}

export interface CompiledRule {
  readonly rule: Rule
  readonly run: Run
  readonly needs: Needs
  /**
   * Reads each value that the rule depends on, by its source text: the fields, the look-ups and the definitions of the
   * rule, and those of its definitions.
   */
  readonly inputs: ReadonlyMap<string, Run>
}

export interface CompiledDefinition {
  readonly name: string
  readonly run: Run
  readonly needs: Needs
}

export interface CompiledFamily {
  readonly tables: Readonly<Record<string, unknown>>
  /** In steps: the most that an evaluation of one subject takes. */
  readonly cost: number
  /** By name. */
  readonly definitions: ReadonlyMap<string, CompiledDefinition>
  readonly rules: readonly CompiledRule[]
}

/** A rule pack that has passed every check, so that an evaluation can fail only because of the subject. */
export interface RulePack<Document extends PackContent = PackContent> {
  /** With every rule written out. */
  readonly document: Document
  /** The document as it was given. */
  readonly written: Document
  /** SHA-256 of the document's content in hexadecimal. The layout of the file and the order of members do not matter. */
  readonly hash: string
  /** In steps: the most that an evaluation of one subject takes. */
  readonly cost: number
  readonly families: Readonly<Record<Family, CompiledFamily>>
}

/** The bounds of a pack's expressions. */
export interface Limits {
  /** The most steps of one expression. This many take some milliseconds. */
  readonly expressionCost: number
  /** The most characters of a text in an expression. */
  readonly textLength: number
  /** The most values that a rule reads. They become the evidence of its outcome. */
  readonly inputs: number
}

const shippedLimits: Limits = {
  expressionCost: 100_000,
  textLength: Number.POSITIVE_INFINITY,
  inputs: Number.POSITIVE_INFINITY,
}

/** Type-check every expression of a document that conforms to the schema, and report every fault. */
export function compileRulePack<Document extends PackContent>(
  written: Document,
  report: Report,
  limits: Limits = shippedLimits,
): RulePack<Document> {
  const document = { ...written, rules: rulesOf(written).map(({ rule }) => rule) }
  checkTags(written, report)
  checkTables(written, report)
  checkParameters(written, report)
  const faults = new Set<string>()
  // Both families have the tables and parameters, so a fault of theirs is found twice.
  const reportOnce: Report = (fault) => {
    const sizeBefore = faults.size
    if (faults.add(JSON.stringify(fault)).size > sizeBefore) report(fault)
  }
  const millCert = compileFamily(written, 'millCert', reportOnce, limits)
  const order = compileFamily(written, 'order', reportOnce, limits)
  return {
    document,
    written,
    hash: hashOf(written),
    cost: Math.max(millCert.cost, order.cost),
    families: { millCert, order },
  }
}

/** The state of compiling one family of a pack. */
interface Compilation {
  readonly language: Environment
  readonly known: Known
  /** The inputs of each definition so far, by its name. */
  readonly inputs: Map<string, ReadonlyMap<string, Run>>
  /** The extent of each definition so far, by its name. */
  readonly extents: Map<string, Extent>
  /** The definitions with a faulty expression, and those that use them: nobody knows all of their inputs. */
  readonly faulty: Set<string>
  readonly report: Report
  readonly limits: Limits
  /** The cost of all expressions so far. */
  cost: number
}

function compileFamily(
  document: PackContent,
  family: Family,
  report: Report,
  limits: Limits,
): CompiledFamily {
  const tables = Object.fromEntries(
    Object.entries(document.tables ?? {}).map(([name, { values }]) => [name, values]),
  )
  const parameters = Object.keys(document.parameters ?? {}).map((name) => [name, 'string'] as const)
  const variables = { ...variablesIn(family), ...Object.fromEntries(parameters) }
  const language = createLanguage()
  const declare = (name: string, type: string, place: Place) => {
    if (!isNew(language, name, type)) report({ ...place, ...nameTaken })
  }
  for (const [name, type] of Object.entries(variables))
    declare(name, type, { path: ['parameters', name], part: `parameter ${name}` })
  for (const [name, values] of Object.entries(tables))
    declare(name, typeOfTable(values), { path: ['tables', name], part: `table ${name}` })
  const extents = new Map<string, Extent>()
  const known = { variables, tables, definitions: extents }
  const compilation = {
    language,
    known,
    inputs: new Map(),
    extents,
    faulty: new Set<string>(),
    report,
    limits,
    cost: 0,
  }

  const definitions = [...(document.definitions ?? []).entries()]
    .filter(([, definition]) => definition.family === family)
    .flatMap(([index, definition]) => compileDefinition(compilation, definition, index) ?? [])
  const rules = rulesOf(document)
    .filter(({ rule }) => rule.family === family)
    .flatMap((written) => compileRule(compilation, written) ?? [])
  const byName = new Map(definitions.map((definition) => [definition.name, definition]))
  return { tables, definitions: byName, rules, cost: compilation.cost }
}

const nameTaken = { code: 'not-unique', message: 'This name is already taken.' } as const

/** Register a variable. The language has reserved words, types and variables, whose names are not new. */
function isNew(language: Environment, name: string, type: string): boolean {
  try {
    language.registerVariable(name, type)
    return true
  } catch {
    return false
  }
}

/** The place of an expression in the document. */
type Place = Pick<PackFault, 'path' | 'part'>

function compileDefinition(
  compilation: Compilation,
  { name, expression }: Definition,
  index: number,
): CompiledDefinition | undefined {
  const { language, inputs, extents, faulty, report } = compilation
  const part = `definition ${name}`
  const compiled = compileExpression(compilation, expression, {
    path: ['definitions', index, 'expression'],
    part,
  })
  // A faulty definition is registered too, so that the rules that use it are checked in the same run.
  if (!isNew(language, name, compiled?.type ?? 'dyn')) {
    report({ path: ['definitions', index, 'name'], part, ...nameTaken })
    return undefined
  }
  if (!compiled || usesFaulty(compilation, compiled.analysis)) faulty.add(name)
  const own = compiled ? inputsOf(compilation, compiled.analysis) : new Map<string, Run>()
  inputs.set(
    name,
    own.set(name, (variables) => variables.get(name)),
  )
  extents.set(name, compiled?.analysis.extent ?? one)
  return compiled && { name, run: compiled.run, needs: compiled.needs }
}

function compileRule(compilation: Compilation, { rule, index }: WrittenRule): CompiledRule | undefined {
  const { report, limits } = compilation
  const when = { path: ['rules', index, 'when'], part: `rule ${rule.ruleId}` }
  const compiled = compileExpression(compilation, rule.when, when)
  if (!compiled) return undefined
  const { run, type, analysis, needs } = compiled
  const start = { ...when, line: 1, column: 1, code: 'faulty-expression' } as const
  const isKnown = !usesFaulty(compilation, analysis)
  if (type !== 'bool' && isKnown)
    report({ ...start, message: `The type of a rule must be bool, but it is ${type}.` })
  const used = inputsOf(compilation, analysis)
  if (used.size > limits.inputs)
    report({
      ...start,
      code: 'too-costly',
      message: `The rule reads ${used.size} values, with those of its definitions, but the limit is ${limits.inputs}.`,
    })
  for (const [, name] of rule.explanation.matchAll(placeholder))
    if (!used.has(name!) && isKnown)
      report({
        path: ['rules', index, 'explanation'],
        part: `${when.part}, explanation`,
        code: 'not-one-of',
        message: `The rule does not read ${name}, so its value cannot be shown here.`,
      })
  return { rule, run, needs, inputs: used }
}

function usesFaulty({ faulty }: Compilation, { definitions }: Analysis): boolean {
  return definitions.some((name) => faulty.has(name))
}

interface CompiledExpression {
  readonly run: Run
  readonly type: string
  readonly needs: Needs
  readonly analysis: Analysis
}

/** Return undefined when the expression has no type. Every fault is reported. */
function compileExpression(
  compilation: Compilation,
  source: string,
  place: Place,
): CompiledExpression | undefined {
  const { language, known, report, limits } = compilation
  /** @param column counted from 1 through all lines */
  const reportAt = (column: number, message: string, code: PackFault['code'] = 'faulty-expression') =>
    report({ ...place, ...positionAt(source, column - 1), code, message: `${message}.` })
  const reportFault = (error: unknown) => {
    const { range, summary } = error as ParseError
    reportAt((range?.start ?? 0) + 1, `${summary ?? error}`)
    return undefined
  }
  let parsed: ReturnType<Environment['parse']>
  try {
    parsed = language.parse(source)
  } catch (error) {
    return reportFault(error)
  }
  const { type, error } = parsed.check()
  if (error || !type) return reportFault(error ?? new TypeFault('no type'))

  const analysis = analyse(parsed.ast, known)
  for (const { column, message } of analysis.faults) reportAt(column, message)
  const { cost, longestText } = analysis
  compilation.cost += cost
  if (cost > limits.expressionCost)
    reportAt(
      1,
      `The expression may take ${cost} steps, but the limit is ${limits.expressionCost}`,
      'too-costly',
    )
  if (longestText > limits.textLength)
    reportAt(
      1,
      `A text in the expression has ${longestText} characters, but the limit is ${limits.textLength}`,
      'out-of-bounds',
    )
  const { paths, guarded, definitions } = analysis
  const unguarded = paths.filter((path) => !guarded.includes(path))
  const needs = { paths: new Map(unguarded.map((path) => [path, pathReader(path)])), definitions }
  const guards = guardsOf(parsed.ast)
  const run: Run = (variables) => !isRuledOut(guards, variables) && parsed(variables)
  return { run, type, analysis, needs }
}

function positionAt(source: string, offset: number): { line: number; column: number } {
  const lines = source.slice(0, offset).split('\n')
  return { line: lines.length, column: lines.at(-1)!.length + 1 }
}

function inputsOf(
  { language, inputs }: Compilation,
  { paths, lookups, definitions }: Analysis,
): Map<string, Run> {
  return new Map([
    ...definitions.flatMap((name) => [...inputs.get(name)!]),
    ...paths.map((path) => [path, pathReader(path)] as const),
    ...lookups.map((text) => [text, language.parse(text) as Run] as const),
  ])
}

function hashOf(document: PackContent): string {
  return createHash('sha256').update(canonicalJson(document)).digest('hex')
}
