import { type ASTNode, Environment } from '@marcbachmann/cel-js'
import { objectTypes } from './subjects.ts'

/**
 * The language of the rules: CEL, restricted to what ends quickly, and four functions of the trade.
 * `docs/decisions/cel.md` says which CEL and why.
 */

type Bands = Readonly<Record<string, readonly (number | null)[]>>

/** The row of a table that holds the upper ends of its thickness bands, in mm: a band includes its end. */
export const bandsKey = 'upToMm'

/** @throws when the table has no such row, or ends below this thickness: then there is nothing to compare with */
const inBand = (table: Bands, row: string, thicknessMm: number): number | null => {
  const limits = Object.hasOwn(table, row) ? table[row]! : undefined
  if (!limits) throw new Error(`the table has no row ${row}`)
  const band = table[bandsKey]!.findIndex((upTo) => thicknessMm <= upTo!)
  if (band === -1) throw new Error(`the table has no limit for ${row} at ${thicknessMm} mm`)
  return limits[band]!
}

/**
 * The steel's name without its delivery condition, in capitals without spaces: `S355J2+N` is `S355J2`.
 * EN 10025-1 puts the delivery condition behind a plus sign.
 */
export const designation = (grade: string): string =>
  grade.split('+', 1)[0]!.replaceAll(/\s/gu, '').toUpperCase()

/** The yield strength that a steel's name tells, MPa: 355 of `S355J2+N`; 0 when it tells none. EN 10027-1 */
const nominalYield = (grade: string): number => Number(/^S(\d{3})(?!\d)/.exec(designation(grade))?.[1] ?? 0)

/** What an expression may call, besides operators and the macros: all of it linear in its input. */
const functions = new Set([
  ...['designation', 'nominalYield', 'maximum', 'minimum', 'has', 'size', 'double', 'string'],
  ...['startsWith', 'endsWith', 'contains', 'substring', 'split', 'upperAscii', 'lowerAscii', 'trim'],
])

/** Macros that go through a list. */
export const macros: ReadonlySet<string> = new Set(['exists', 'exists_one', 'all', 'filter', 'map'])

export const isAllowed = (name: string): boolean => functions.has(name) || macros.has(name)

/** An environment of its own for each pack and family: its tables and definitions are registered on it. */
export const createLanguage = (): Environment => {
  const language = new Environment({
    limits: { maxAstNodes: 300, maxDepth: 40, maxListElements: 100, maxMapEntries: 0, maxCallArguments: 4 },
  })
  for (const { name, ctor, fields } of objectTypes) language.registerType(name, { ctor, fields })
  return language
    .registerFunction('designation(string): string', designation)
    .registerFunction('nominalYield(string): double', nominalYield)
    .registerFunction(
      'maximum(map<string, list<double>>, string, double): double',
      (table: Bands, row: string, thicknessMm: number) =>
        inBand(table, row, thicknessMm) ?? Number.POSITIVE_INFINITY,
    )
    .registerFunction(
      'minimum(map<string, list<double>>, string, double): double',
      (table: Bands, row: string, thicknessMm: number) =>
        inBand(table, row, thicknessMm) ?? Number.NEGATIVE_INFINITY,
    )
}

interface CheckedType {
  readonly name: string
  readonly keyType?: CheckedType
}

/** The type that the check found for a part of an expression; a specification holds this to the library. */
export const checkedType = (node: ASTNode): CheckedType | undefined =>
  (node as ASTNode & { checkedType?: CheckedType }).checkedType

/** The parts of an expression, from left to right. */
export const partsOf = (node: ASTNode): readonly ASTNode[] => {
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
