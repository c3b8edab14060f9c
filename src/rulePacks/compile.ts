import { createHash } from 'node:crypto'
import { type Environment, type ParseError, TypeError as TypeFault } from '@marcbachmann/cel-js'
import type { Family } from '../domain/tag.ts'
import { type Analysis, analyse, type Known } from './analyse.ts'
import { checkTables, checkTags, type Report } from './checks.ts'
import { createLanguage, typeOfTable } from './language.ts'
import { type Definition, type Rule, type RulePackDocument, rulesOf } from './rulePack.ts'
import { variablesIn } from './subjects.ts'

export type Variables = Readonly<Record<string, unknown>>
export type Run = (variables: Variables) => unknown

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
  readonly tables: Variables
  readonly definitions: readonly CompiledDefinition[]
  readonly rules: readonly CompiledRule[]
}

/** A rule pack that has passed every check, so that an evaluation can fail only because of the subject. */
export interface RulePack {
  /** With every rule written out. */
  readonly document: RulePackDocument
  readonly language: number
  /** SHA-256 of the document's content in hexadecimal. The layout of the file and the order of members do not matter. */
  readonly hash: string
  readonly families: Readonly<Record<Family, CompiledFamily>>
}

/** A part of an explanation that is replaced by a value that the rule read. */
export const placeholder = /\{([^{}]+)\}/g

/** In steps. This many take some milliseconds. */
const maxCost = 50_000

/** Type-check every expression of a document that conforms to the schema, and report every fault. */
export function compileRulePack(written: RulePackDocument, report: Report): RulePack {
  const document = { ...written, rules: rulesOf(written) }
  checkTags(document, report)
  checkTables(document, report)
  const families = {
    millCert: compileFamily(document, 'millCert', report),
    order: compileFamily(document, 'order', report),
  }
  return { document, language: languageOf(document), hash: hashOf(written), families }
}

function languageOf({ language = 1 }: RulePackDocument): number {
  return language
}

/** The state of compiling one family of a pack. */
interface Compilation {
  readonly language: Environment
  readonly known: Known
  /** The inputs of each definition so far, by its name. */
  readonly inputs: Map<string, ReadonlyMap<string, Run>>
  readonly report: Report
}

function compileFamily(document: RulePackDocument, family: Family, report: Report): CompiledFamily {
  const tables = Object.fromEntries(
    Object.entries(document.tables ?? {}).map(([name, { values }]) => [name, values]),
  )
  const version = languageOf(document)
  const parameters = Object.keys(document.parameters ?? {}).map((name) => [name, 'string'] as const)
  const variables = { ...variablesIn(version, family), ...Object.fromEntries(parameters) }
  const language = createLanguage(version)
  for (const [name, type] of Object.entries(variables)) language.registerVariable(name, type)
  for (const [name, values] of Object.entries(tables)) language.registerVariable(name, typeOfTable(values))
  const inputs = new Map<string, ReadonlyMap<string, Run>>()
  const known = { version, variables, tables, definitions: inputs }
  const compilation = { language, known, inputs, report }

  const ofFamily = (item: Definition | Rule) => item.family === family
  const definitions = (document.definitions ?? []).filter(ofFamily)
  return {
    tables,
    definitions: definitions.flatMap((definition) => compileDefinition(compilation, definition) ?? []),
    rules: document.rules.filter(ofFamily).flatMap((rule) => compileRule(compilation, rule) ?? []),
  }
}

function compileDefinition(
  compilation: Compilation,
  { name, expression }: Definition,
): CompiledDefinition | undefined {
  const { language, inputs, report } = compilation
  const where = `definition ${name}`
  if (language.hasVariable(name)) {
    report(where, 'This name is already taken.')
    return undefined
  }
  const compiled = compileExpression(compilation, expression, where)
  // A faulty definition is registered too, so that the rules that use it are checked in the same run.
  language.registerVariable(name, compiled?.type ?? 'dyn')
  const own = compiled ? inputsOf(compilation, compiled.analysis) : new Map<string, Run>()
  inputs.set(
    name,
    own.set(name, (variables) => variables[name]),
  )
  return compiled && { name, run: compiled.run, needs: compiled.needs }
}

function compileRule(compilation: Compilation, rule: Rule): CompiledRule | undefined {
  const where = `rule ${rule.ruleId}`
  const compiled = compileExpression(compilation, rule.when, where)
  if (!compiled) return undefined
  const { run, type, analysis, needs } = compiled
  if (type !== 'bool')
    compilation.report(`${where}, column 1`, `The type of a rule must be bool, but it is ${type}.`)
  const seen = inputsOf(compilation, analysis)
  for (const [, name] of rule.explanation.matchAll(placeholder))
    if (!seen.has(name!))
      compilation.report(
        `${where}, explanation`,
        `The rule does not read ${name}, so its value cannot be shown here.`,
      )
  return { rule, run, needs, inputs: seen }
}

interface CompiledExpression {
  readonly run: Run
  readonly type: string
  readonly needs: Needs
  readonly analysis: Analysis
}

/** Return undefined when the expression has no type. Every fault is reported. */
function compileExpression(
  { language, known, report }: Compilation,
  source: string,
  where: string,
): CompiledExpression | undefined {
  const reportFault = (error: unknown) => {
    const { range, summary } = error as ParseError
    report(`${where}, column ${(range?.start ?? 0) + 1}`, `${summary ?? error}.`)
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
  for (const { column, message } of analysis.faults) report(`${where}, column ${column}`, `${message}.`)
  if (analysis.cost > maxCost)
    report(
      `${where}, column 1`,
      `The expression may take ${analysis.cost} steps, but the limit is ${maxCost}.`,
    )
  const { paths, guarded, definitions } = analysis
  const unguarded = paths.filter((path) => !guarded.includes(path))
  const needs = { paths: new Map(unguarded.map((path) => [path, pathReader(path)])), definitions }
  return { run: (variables) => parsed(variables), type, analysis, needs }
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

/** Return a function that reads a path like `order.lineItems[].grade`. A missing value is null. */
function pathReader(path: string): Run {
  const names = path.split('.')
  const read = (value: unknown, index: number): unknown => {
    if (index === names.length) return value ?? null
    if (typeof value !== 'object' || value === null) return null
    const name = names[index]!
    if (!name.endsWith('[]')) return read((value as Variables)[name], index + 1)
    const list = (value as Variables)[name.slice(0, -2)]
    return Array.isArray(list) ? list.map((item) => read(item, index + 1)) : null
  }
  return (variables) => read(variables, 0)
}

function hashOf(document: RulePackDocument): string {
  return createHash('sha256')
    .update(JSON.stringify(canonical(document)))
    .digest('hex')
}

function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return entries.map(([key, inner]) => [key, canonical(inner)])
}
