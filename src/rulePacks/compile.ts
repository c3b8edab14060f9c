import { createHash } from 'node:crypto'
import { type Environment, type ParseError, TypeError as TypeFault } from '@marcbachmann/cel-js'
import { type Family, tagNameKey } from '../domain/tag.ts'
import { type Analysis, analyse, type Known } from './analyse.ts'
import { bandsKey, createLanguage } from './language.ts'
import type { Rule, RulePackDocument, TableValues } from './rulePack.ts'
import { rootOf, rootTypeOf } from './subjects.ts'

/** The most that one expression may cost, in steps: some milliseconds, for the largest order there can be. */
const maxCost = 50_000

export type Variables = Readonly<Record<string, unknown>>
export type Run = (variables: Variables) => unknown

export interface CompiledRule {
  readonly rule: Rule
  readonly run: Run
  /** What it looks at, by the words of the expression: itself and the definitions it uses. */
  readonly sees: ReadonlyMap<string, Run>
}

export interface CompiledFamily {
  readonly tables: Variables
  readonly definitions: readonly { readonly name: string; readonly run: Run }[]
  readonly rules: readonly CompiledRule[]
}

/** A rule pack that has been checked: nothing in it can be wrong but the subject. */
export interface RulePack {
  readonly document: RulePackDocument
  /** Of the document's content, however it is laid out: SHA-256 in hexadecimal. */
  readonly hash: string
  readonly families: Readonly<Record<Family, CompiledFamily>>
}

/** Says what is wrong, and where in the document: `rule carbon, column 12`. */
export type Report = (where: string, message: string) => void

const canonical = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(canonical)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return entries.map(([key, inner]) => [key, canonical(inner)])
}

const hashOf = (document: RulePackDocument): string =>
  createHash('sha256')
    .update(JSON.stringify(canonical(document)))
    .digest('hex')

const typeOfTable = (values: TableValues): string => {
  if (typeof values === 'number') return 'double'
  if (Array.isArray(values)) return 'list<string>'
  const [first] = Object.values(values)
  if (typeof first === 'number') return 'map<string, double>'
  return Array.isArray(first) ? 'map<string, list<double>>' : 'map<string, map<string, double>>'
}

interface Compiled {
  readonly run: Run
  readonly type: string
  readonly analysis: Analysis
}

/** Checks one expression, and reports everything that is wrong with it. */
const compileExpression = (
  language: Environment,
  source: string,
  known: Known,
  where: string,
  report: Report,
): Compiled | undefined => {
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
      `The expression may take ${analysis.cost} steps; ${maxCost} are allowed at most.`,
    )
  return { run: (variables) => parsed(variables), type, analysis }
}

/** Reads `order.lineItems[].grade` and the like: what is missing is null, lists are read element by element. */
const pathReader = (path: string): Run => {
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

const compileFamily = (document: RulePackDocument, family: Family, report: Report): CompiledFamily => {
  const tables = Object.fromEntries(
    Object.entries(document.tables ?? {}).map(([name, { values }]) => [name, values]),
  )
  const language = createLanguage().registerVariable(rootOf[family], rootTypeOf[family])
  for (const [name, values] of Object.entries(tables)) language.registerVariable(name, typeOfTable(values))

  const names = new Set<string>()
  const known: Known = { family, tables, definitions: names }
  const seenBy = new Map<string, ReadonlyMap<string, Run>>()

  const seen = ({ paths, lookups, definitions }: Analysis): Map<string, Run> =>
    new Map([
      ...definitions.flatMap((name) => [...seenBy.get(name)!]),
      ...paths.map((path) => [path, pathReader(path)] as const),
      ...lookups.map((text) => [text, language.parse(text) as Run] as const),
    ])

  const definitions: { name: string; run: Run }[] = []
  for (const { name, family: of, expression } of document.definitions ?? []) {
    if (of !== family) continue
    const where = `definition ${name}`
    if (names.has(name) || Object.hasOwn(tables, name) || language.hasVariable(name)) {
      report(where, 'There is something else of this name already.')
      continue
    }
    const compiled = compileExpression(language, expression, known, where, report)
    // A rule that uses it is checked all the same, so that one start names every fault.
    language.registerVariable(name, compiled?.type ?? 'dyn')
    names.add(name)
    const sees = compiled ? seen(compiled.analysis) : new Map<string, Run>()
    seenBy.set(
      name,
      sees.set(name, (variables) => variables[name]),
    )
    if (compiled) definitions.push({ name, run: compiled.run })
  }

  const rules = document.rules.flatMap((rule): CompiledRule[] => {
    if (rule.family !== family) return []
    const where = `rule ${rule.ruleId}`
    const compiled = compileExpression(language, rule.when, known, where, report)
    if (!compiled) return []
    if (compiled.type !== 'bool')
      report(`${where}, column 1`, `A rule says true or false, and this is of type ${compiled.type}.`)
    return [{ rule, run: compiled.run, sees: seen(compiled.analysis) }]
  })
  return { tables, definitions, rules }
}

const duplicates = (values: readonly string[]): string[] => [
  ...new Set(values.filter((value, index) => values.indexOf(value) !== index)),
]

const checkTags = ({ tags, rules }: RulePackDocument, report: Report): void => {
  for (const key of duplicates(tags.map((tag) => tag.key))) report(`tag ${key}`, 'There are two of this key.')
  const names = tags.map(({ family, name }) => `${family} ${tagNameKey(name)}`)
  for (const [index, { name }] of tags.entries())
    if (names.indexOf(names[index]!) < index) report(`tag name «${name}»`, 'There are two of this name.')
  for (const ruleId of duplicates(rules.map((rule) => rule.ruleId)))
    report(`rule ${ruleId}`, 'There are two of this ruleId.')
  for (const { ruleId, tag, family } of rules) {
    const known = tags.find(({ key }) => key === tag)
    if (!known) report(`rule ${ruleId}`, `There is no tag ${tag} in this pack.`)
    else if (known.family !== family) report(`rule ${ruleId}`, `Tag ${tag} is of family ${known.family}.`)
  }
  for (const { key } of tags)
    if (!rules.some(({ tag }) => tag === key)) report(`tag ${key}`, 'No rule assigns it.')
}

const checkTables = ({ tables = {} }: RulePackDocument, report: Report): void => {
  for (const [name, { values }] of Object.entries(tables)) {
    if (typeOfTable(values) !== 'map<string, list<double>>') continue
    const { [bandsKey]: ends = [], ...rows } = values as Record<string, readonly (number | null)[]>
    if (ends.some((end, band) => band > 0 && end! <= ends[band - 1]!))
      report(`table ${name}`, 'The ends of the bands do not rise.')
    for (const [row, { length }] of Object.entries(rows))
      if (length !== ends.length)
        report(`table ${name}`, `Row ${row} has ${length} values for ${ends.length} bands.`)
  }
}

/** Type-checks every expression of a document that is right by the schema, and reports all that is wrong. */
export const compileRulePack = (document: RulePackDocument, report: Report): RulePack => {
  checkTags(document, report)
  checkTables(document, report)
  const families = {
    millCert: compileFamily(document, 'millCert', report),
    order: compileFamily(document, 'order', report),
  }
  return { document, hash: hashOf(document), families }
}
