import type { ASTNode } from '@marcbachmann/cel-js'

/**
 * A name that a condition begins with, and the value that it must have: `judged && !isThin && …` needs `judged` to be
 * true and `isThin` to be false. Most rules are about other steel, and such names say so at a fraction of the cost of an
 * evaluation.
 */
export interface Guard {
  readonly name: string
  readonly needed: boolean
}

/** Return the guards of an expression, from left to right, up to the first operand that is more than a name. */
export function guardsOf(expression: ASTNode): readonly Guard[] {
  const guards: Guard[] = []
  for (const operand of operandsOf(expression)) {
    const needed = operand.op !== '!_'
    const inner = operand.op === '!_' ? operand.args : operand
    if (inner.op !== 'id') break
    guards.push({ name: inner.args, needed })
  }
  return guards
}

/** Whether a guard makes the expression false. A name without a value leaves the decision to the evaluation. */
export function isRuledOut(guards: readonly Guard[], variables: ReadonlyMap<string, unknown>): boolean {
  for (const { name, needed } of guards) {
    const value = variables.get(name)
    if (typeof value !== 'boolean') return false
    if (value !== needed) return true
  }
  return false
}

/** The operands of the conjunctions at the top. A name alone is evaluated as quickly without guards. */
function operandsOf(expression: ASTNode): readonly ASTNode[] {
  const flatten = (node: ASTNode): readonly ASTNode[] =>
    node.op === '&&' ? node.args.flatMap(flatten) : [node]
  return expression.op === '&&' ? flatten(expression) : []
}
