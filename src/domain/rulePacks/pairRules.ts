import type { Severity } from '../tags/tag.ts'

/**
 * Rules of a company that look at a certificate and a line of an order together. A verdict judges by them at once, so they
 * are interpreted here, in as many steps as the expression has parts, and never throw.
 */

export type Scalar = string | number | boolean | null

/** A literal, or an operator before its operands: `['<', ['get', 'certificate.thicknessMm'], 30]`. */
export type PairExpression = Scalar | readonly PairExpression[]

export interface PairRule {
  readonly rulePackId: string
  /** The name of the pack. */
  readonly packName: string
  readonly ruleId: string
  readonly severity: Severity
  readonly clause: string
  readonly explanation: string
  /** The rule in words of the rule language, compiled. If it is true, the pair has the finding. */
  readonly when: PairExpression
}

/** The records that the first words of a path name. */
export type Pair = Readonly<Record<'certificate' | 'line' | 'order', object>>

/** The values that the rule reads, by their paths; undefined where one is missing. */
export function valuesOf({ when }: PairRule, pair: Pair): ReadonlyMap<string, Scalar | undefined> {
  return new Map(pathsIn(when).map((path) => [path, valueAt(pair, path)]))
}

function pathsIn(expression: PairExpression): readonly string[] {
  if (!isOperation(expression)) return []
  const [operator, ...operands] = expression
  return operator === 'get' ? [String(operands[0])] : operands.flatMap(pathsIn)
}

function isOperation(expression: PairExpression): expression is readonly PairExpression[] {
  return Array.isArray(expression)
}

function valueAt(pair: Pair, path: string): Scalar | undefined {
  const value = path
    .split('.')
    .reduce<unknown>((part, name) => (part as Record<string, unknown> | null | undefined)?.[name], pair)
  return (value as Scalar) ?? undefined
}

/**
 * Return the value of the expression; undefined where a missing value decides. As in the rule language, `&&` and `||` may
 * decide without it.
 */
export function evaluate(expression: PairExpression, pair: Pair): Scalar | undefined {
  if (!isOperation(expression)) return expression
  const [operator, ...operands] = expression
  if (operator === 'get') return valueAt(pair, String(operands[0]))
  const values = operands.map((operand) => evaluate(operand, pair))
  if (operator === 'has') return values[0] !== undefined
  if (operator === '&&' || operator === '||') {
    const decisive = operator === '||'
    if (values.includes(decisive)) return decisive
    return values.includes(undefined) ? undefined : !decisive
  }
  if (values.includes(undefined)) return undefined
  // The types of the operands were checked when the expression was compiled.
  return strict[String(operator)]!(...(values as unknown as [never, never]))
}

type Strict = (one: never, other: never, ...others: never[]) => Scalar

/** The operators that have no value without each of their operands. */
const strict: Readonly<Record<string, Strict>> = {
  '==': (one, other) => one === other,
  '!=': (one, other) => one !== other,
  '<': (one, other) => one < other,
  '<=': (one, other) => one <= other,
  '>': (one, other) => one > other,
  '>=': (one, other) => one >= other,
  '+': (one: number, other: number) => one + other,
  '-': (one: number, other: number) => one - other,
  '*': (one: number, other: number) => one * other,
  '/': (one: number, other: number) => one / other,
  '-_': (one: number) => -one,
  '!_': (one) => !one,
  in: (one, ...others) => others.includes(one),
  startsWith: (one: string, other: string) => one.startsWith(other),
  endsWith: (one: string, other: string) => one.endsWith(other),
  contains: (one: string, other: string) => one.includes(other),
}

/** The operators of pair rules. */
export const pairOperators: ReadonlySet<string> = new Set([...Object.keys(strict), '&&', '||', 'has'])
