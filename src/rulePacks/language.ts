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

/** The functions that an expression may call, besides operators and macros. Their time is linear in their input. */
const functions: ReadonlySet<string> = new Set([
  'maximum',
  'minimum',
  'rounded',
  'has',
  'size',
  'double',
  'string',
  'startsWith',
  'endsWith',
  'contains',
  'substring',
  'split',
  'upperAscii',
  'lowerAscii',
  'trim',
])

/** The macros that visit each element of a list. */
export const macros: ReadonlySet<string> = new Set(['exists', 'exists_one', 'all', 'filter', 'map'])

/** Each pack and family has an environment of its own, because its tables and definitions are registered there. */
export function createLanguage(): Environment {
  const language = new Environment({
    limits: { maxAstNodes: 300, maxDepth: 40, maxListElements: 100, maxMapEntries: 0, maxCallArguments: 4 },
  })
  for (const { name, ctor, fields } of objectTypes) language.registerType(name, { ctor, fields })
  return language
    .registerFunction('rounded(double, double): double', roundTo)
    .registerFunction(
      'maximum(map<string, list<double>>, string, double): double',
      (table: Bands, row: string, thicknessMm: number) =>
        limitOf(table, row, thicknessMm, Math.max) ?? Number.POSITIVE_INFINITY,
    )
    .registerFunction(
      'minimum(map<string, list<double>>, string, double): double',
      (table: Bands, row: string, thicknessMm: number) =>
        limitOf(table, row, thicknessMm, Math.min) ?? Number.NEGATIVE_INFINITY,
    )
}

export function isAllowed(name: string): boolean {
  return functions.has(name) || macros.has(name)
}

/**
 * Round half up to a multiple of the step, which is an integer or a part of one, such as 0.5 or 0.01. The result equals
 * the decimal figure exactly, so that it can be compared with a limit.
 */
export function roundTo(value: number, step: number): number {
  const perUnit = step < 1 ? Math.round(1 / step) : 1 / step
  // Sums of decimal figures are not exact in binary. This is far below any figure on a certificate.
  const steps = Math.floor(value * perUnit + 0.5 + 1e-9)
  return step < 1 ? steps / perUnit : steps * step
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
export function typeOf(node: ASTNode): CheckedType | undefined {
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

/**
 * Return the limit of a row in the band that holds the thickness. A negative thickness is an unknown one, and gives the
 * laxest limit of all bands.
 * @throws Error when the table has no such row, or no band for this thickness, so that there is no limit
 */
function limitOf(
  table: Bands,
  row: string,
  thicknessMm: number,
  laxestOf: (...limits: number[]) => number,
): number | null {
  const limits = Object.hasOwn(table, row) ? table[row]! : undefined
  if (thicknessMm < 0) {
    const stated = (limits ?? []).filter((limit) => limit !== null)
    return stated.length > 0 ? laxestOf(...stated) : null
  }
  if (!limits) throw new Error(`the table has no row ${row}`)
  const band = table[bandsKey]!.findIndex((upTo) => thicknessMm <= upTo!)
  if (band === -1) throw new Error(`the table has no limit for ${row} at ${thicknessMm} mm`)
  return limits[band]!
}
