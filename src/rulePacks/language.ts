import { type ASTNode, Environment } from '@marcbachmann/cel-js'
import type { TableValues } from './rulePack.ts'
import { objectTypes } from './subjects.ts'

/**
 * The language of the rules is CEL, restricted to expressions that end quickly, with a few functions about steel added.
 * `docs/decisions/cel.md` says which implementation of CEL we use and why.
 */

type Bands = Readonly<Record<string, readonly (number | null)[]>>

/** The row of a table with the upper ends of its thickness bands, in mm. A band includes its end. */
export const bandsKey = 'upToMm'

/**
 * The functions that an expression may call in each version of the language, besides operators and macros. Their time is
 * linear in their input. A version never changes, because the packs that name it must judge for ever as they did: a new
 * function, another meaning of one, or another reader of grades makes a new version.
 */
const standardFunctions = [
  ...['maximum', 'minimum', 'has', 'size', 'double', 'string'],
  ...['startsWith', 'endsWith', 'contains', 'substring', 'split', 'upperAscii', 'lowerAscii', 'trim'],
]
const functions: readonly ReadonlySet<string>[] = [
  new Set([...standardFunctions, 'designation', 'nominalYield']),
  new Set([...standardFunctions, 'rounded']),
  new Set([...standardFunctions, 'rounded']),
  new Set([...standardFunctions, 'rounded']),
]

/** The macros that visit each element of a list. */
export const macros: ReadonlySet<string> = new Set(['exists', 'exists_one', 'all', 'filter', 'map'])

/** Each pack and family has an environment of its own, because its tables and definitions are registered there. */
export function createLanguage(version: number): Environment {
  const language = new Environment({
    limits: { maxAstNodes: 300, maxDepth: 40, maxListElements: 100, maxMapEntries: 0, maxCallArguments: 4 },
  })
  for (const { name, ctor, fields } of objectTypes) language.registerType(name, { ctor, fields })
  if (version === 1)
    language
      .registerFunction('designation(string): string', designation)
      .registerFunction('nominalYield(string): double', nominalYield)
  else language.registerFunction('rounded(double, double): double', rounded)
  const limitIn = version === 1 ? limitInBand : limitInBandOrLaxest
  return language
    .registerFunction(
      'maximum(map<string, list<double>>, string, double): double',
      (table: Bands, row: string, thicknessMm: number) =>
        limitIn(table, row, thicknessMm, Math.max) ?? Number.POSITIVE_INFINITY,
    )
    .registerFunction(
      'minimum(map<string, list<double>>, string, double): double',
      (table: Bands, row: string, thicknessMm: number) =>
        limitIn(table, row, thicknessMm, Math.min) ?? Number.NEGATIVE_INFINITY,
    )
}

export function isAllowed(language: number, name: string): boolean {
  return functions[language - 1]!.has(name) || macros.has(name)
}

/**
 * Round half up to a multiple of the step, which is an integer or a part of one, such as 0.5 or 0.01. The result equals
 * the decimal figure exactly, so that it can be compared with a limit.
 */
export function rounded(value: number, step: number): number {
  const perUnit = step < 1 ? Math.round(1 / step) : 1 / step
  // Sums of decimal figures are not exact in binary. This is far below any figure on a certificate.
  const steps = Math.floor(value * perUnit + 0.5 + 1e-9)
  return step < 1 ? steps / perUnit : steps * step
}

/**
 * Return the steel's name without its delivery condition, in capitals and without spaces: `S355J2` for `S355J2+N`.
 * EN 10025-1 puts the delivery condition behind a plus sign.
 */
export function designation(grade: string): string {
  return grade.split('+', 1)[0]!.replaceAll(/\s/gu, '').toUpperCase()
}

/** Return the CEL type of a table. */
export function typeOfTable(values: TableValues): string {
  if (typeof values === 'number') return 'double'
  if (Array.isArray(values)) return 'list<string>'
  const [first] = Object.values(values)
  if (typeof first === 'number') return 'map<string, double>'
  return Array.isArray(first) ? 'map<string, list<double>>' : 'map<string, map<string, double>>'
}

interface CheckedType {
  readonly name: string
  readonly keyType?: CheckedType
}

/** Return the type of a part of a checked expression. The library has it, but does not declare it; a spec checks it. */
export function checkedType(node: ASTNode): CheckedType | undefined {
  return (node as ASTNode & { checkedType?: CheckedType }).checkedType
}

/** Return the parts of an expression, from left to right. */
export function partsOf(node: ASTNode): readonly ASTNode[] {
  switch (node.op) {
    case 'value':
    case 'id':
      return []
    case '.':
    case '.?':
      return [node.args[0]]
    case 'call':
      return node.args[1]
    case 'rcall':
      return [node.args[1], ...node.args[2]]
    case 'map':
      return node.args.flat()
    case '!_':
    case '-_':
      return [node.args]
    default:
      return node.args
  }
}

/** @throws Error when the table has no such row, or no band for this thickness, so that there is no limit */
function limitInBand(table: Bands, row: string, thicknessMm: number): number | null {
  const limits = Object.hasOwn(table, row) ? table[row]! : undefined
  if (!limits) throw new Error(`the table has no row ${row}`)
  const band = table[bandsKey]!.findIndex((upTo) => thicknessMm <= upTo!)
  if (band === -1) throw new Error(`the table has no limit for ${row} at ${thicknessMm} mm`)
  return limits[band]!
}

/** As `limitInBand`. Where the thickness is unknown, which is a negative one, return the laxest limit of all bands. */
function limitInBandOrLaxest(
  table: Bands,
  row: string,
  thicknessMm: number,
  laxest: (...limits: number[]) => number,
): number | null {
  if (!(thicknessMm < 0)) return limitInBand(table, row, thicknessMm)
  const limits = (Object.hasOwn(table, row) ? table[row]! : []).filter((limit) => limit !== null)
  return limits.length > 0 ? laxest(...limits) : null
}

/** Return the yield strength in a steel's name (EN 10027-1), in MPa: 355 for `S355J2+N`, 0 when the name has none. */
function nominalYield(grade: string): number {
  return Number(/^S(\d{3})(?!\d)/.exec(designation(grade))?.[1] ?? 0)
}
