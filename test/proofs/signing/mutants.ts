import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { parseAst } from 'vite'
/** Copies of a verifier, each without one of its checks. */

export interface Mutant<Verifier> {
  /** The line of the verifier, and what was taken out there. */
  readonly name: string
  /** The text of the check that was taken out. */
  readonly check: string
  load(): Promise<Verifier>
}

interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
}

interface Edit {
  readonly node: Node
  readonly text: string
  readonly check: Node
}

const folder = new URL('../../../examples/verify/', import.meta.url)

/**
 * Return a mutant for each error that the verifier throws, and for each part of a condition with `||` that leads to
 * one: without it, the verifier goes on. Conditions that lead to `return undefined` count, too, for a function whose
 * caller takes undefined for an error.
 * @param file the name of the verifier
 * @param refusing the names of such functions
 */
export function mutants<Verifier>(
  file: string,
  refusing: readonly string[] = [],
): readonly Mutant<Verifier>[] {
  // Types become spaces, so every line stays where it was.
  const source = stripTypeScriptTypes(readFileSync(new URL(file, folder), 'utf8')).replace(
    // A module without an address finds no file beside it.
    /'\.\/(\w+\.ts)'/g,
    (_, name) => `'${new URL(name, folder)}'`,
  )
  const edits: Edit[] = []
  visit(parseAst(source), (node) => {
    if (node.type === 'ThrowStatement')
      edits.push({ node: { ...node, end: node.start + 5 }, text: 'void ', check: node })
    if (node.type === 'FunctionDeclaration') {
      const { id } = node as Node & { id: { name: string } }
      if (refusing.includes(id.name))
        visit(node, (within) => {
          if (within.type === 'IfStatement') takeAlternatives(within, 'ReturnStatement')
        })
    }
    if (node.type === 'IfStatement') takeAlternatives(node, 'ThrowStatement')
  })
  function takeAlternatives(node: Node, leadsTo: string): void {
    const { test, consequent } = node as Node & { test: Node; consequent: Node }
    const parts = alternatives(test)
    if (consequent.type !== leadsTo || (parts.length === 1 && leadsTo === 'ThrowStatement')) return
    for (const part of parts) edits.push({ node: part, text: 'false', check: consequent })
  }
  return edits.map(({ node, text, check }) => {
    const line = source.slice(0, node.start).split('\n').length
    const taken = source.slice(node.start, text === 'false' ? node.end : check.end).replace(/\s+/g, ' ')
    const mutated = source.slice(0, node.start) + text + source.slice(node.end)
    return {
      name: `line ${line}: ${taken}`,
      check: source.slice(check.start, check.end),
      load: () => import(`data:text/javascript;base64,${Buffer.from(mutated).toString('base64')}`),
    }
  })
}

/** The operands of a condition that are joined by `||`. */
function alternatives(test: Node): Node[] {
  const { operator, left, right } = test as Node & { operator?: string; left: Node; right: Node }
  return test.type === 'LogicalExpression' && operator === '||'
    ? [...alternatives(left), ...alternatives(right)]
    : [test]
}

function visit(node: object, see: (node: Node) => void): void {
  if ('type' in node && 'start' in node) see(node as Node)
  for (const child of Object.values(node)) if (typeof child === 'object' && child !== null) visit(child, see)
}
