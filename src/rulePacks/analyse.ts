import { type ASTNode, serialize } from '@marcbachmann/cel-js'
import { checkedType, isAllowed, macros, partsOf } from './language.ts'
import type { TableValues } from './rulePack.ts'
import { isObjectType, maxLineItems, memberType } from './subjects.ts'

/** The result of the static analysis of an expression, before it is ever evaluated. */
export interface Analysis {
  readonly faults: readonly { readonly column: number; readonly message: string }[]
  /** The number of steps for the largest subject that the API accepts. */
  readonly cost: number
  /** Fields of the subject, e.g. `certificate.chemistry.C`. `order.lineItems[].grade` is the grade of every line. */
  readonly paths: readonly string[]
  /** The fields and objects that it tests with has(). */
  readonly guarded: readonly string[]
  /** The source text of each part that looks up a single value in a table. */
  readonly lookups: readonly string[]
  readonly definitions: readonly string[]
}

/** The names that an expression may use. */
export interface Known {
  /** The version of the language. */
  readonly version: number
  /** CEL types of the variables that hold the subject and the subscription, by name. */
  readonly variables: Readonly<Record<string, string>>
  readonly tables: Readonly<Record<string, TableValues>>
  readonly definitions: Pick<ReadonlySet<string>, 'has'>
}

/** A part of an expression, seen from the part around it. */
interface Part {
  /** The CEL type of a value inside the subject; undefined for any other value. */
  readonly type?: string | undefined
  readonly path?: string
  readonly table?: boolean
  /** The largest number of elements that a macro visits. */
  readonly size: number
  readonly cost: number
}

/** The variables of the macros around a part. */
type Scope = ReadonlyMap<string, Part>

/** The state of the analysis: the known names, and the findings so far. */
interface Walk {
  readonly known: Known
  readonly faults: { readonly column: number; readonly message: string }[]
  readonly paths: Set<string>
  readonly guarded: Set<string>
  readonly lookups: Set<string>
  readonly definitions: Set<string>
}

/** The assumed size of a list that the analysis knows nothing about, for example of the pieces of a text. */
const unknownSize = 100
/** In steps. It is the cost of a function on a text of some hundred characters. */
const callCost = 10

const scalars = new Set(['string', 'double', 'bool', 'int'])

export function analyse(ast: ASTNode, known: Known): Analysis {
  const walk: Walk = {
    known,
    faults: [],
    paths: new Set(),
    guarded: new Set(),
    lookups: new Set(),
    definitions: new Set(),
  }
  const { cost } = visit(walk, ast, new Map())
  const { faults, paths, guarded, lookups, definitions } = walk
  return {
    faults,
    cost,
    paths: [...paths],
    guarded: [...guarded],
    lookups: [...lookups],
    definitions: [...definitions],
  }
}

function visit(walk: Walk, node: ASTNode, scope: Scope): Part {
  const part = visitNode(walk, node, scope)
  const isLookup = part.table && node.op !== 'id' && scalars.has(checkedType(node)?.name ?? '')
  if (isLookup && !usesAny(node, scope)) walk.lookups.add(serialize(node))
  return part
}

function visitNode(walk: Walk, node: ASTNode, scope: Scope): Part {
  if (node.op === 'id') return visitName(walk, node.args, scope)
  if (node.op === '.') return visitField(walk, node, visit(walk, node.args[0], scope), node.args[1])
  if (node.op === 'rcall' && macros.has(node.args[0]))
    return visitMacro(walk, visit(walk, node.args[1], scope), node.args[2], scope)

  const parts = partsOf(node).map((part) => visit(walk, part, scope))
  if (node.op === 'call' || node.op === 'rcall') return visitCall(walk, node, node.args[0], parts)
  const cost = parts.reduce((sum, part) => sum + part.cost, 1)
  if (node.op === 'list') return { size: parts.length, cost }
  if (node.op === 'in') return { size: 1, cost: cost + parts[1]!.size }
  if (node.op === '?:') return { ...parts[1]!, type: undefined, cost }
  if (node.op === '[]') {
    checkIndex(walk, node.args[0], node.args[1])
    return { size: unknownSize, cost, table: parts[0]!.table ?? false }
  }
  return { size: parts.reduce((sum, { size }) => sum + size, 0), cost }
}

function visitName({ known, paths, definitions }: Walk, name: string, scope: Scope): Part {
  const variable = scope.get(name)
  if (variable) return variable
  if (Object.hasOwn(known.variables, name)) {
    const type = known.variables[name]!
    const element = memberType(type, undefined)
    if (!isObjectType(element ?? type)) paths.add(name)
    return { type, path: name, size: element ? maxLineItems : 1, cost: 1 }
  }
  if (Object.hasOwn(known.tables, name)) return { table: true, size: sizeOf(known.tables[name]!), cost: 1 }
  if (known.definitions.has(name)) definitions.add(name)
  return { size: unknownSize, cost: 1 }
}

function visitField({ faults, paths }: Walk, node: ASTNode, base: Part, field: string): Part {
  const cost = base.cost + 1
  if (!base.type || !isObjectType(base.type)) return { ...base, type: undefined, size: unknownSize, cost }
  const type = memberType(base.type, field)
  if (!type) {
    faults.push({ column: node.range.end - field.length + 1, message: `There is no field ${field}` })
    return { size: 1, cost }
  }
  const path = `${base.path}.${field}`
  if (!isObjectType(type) && !memberType(type, undefined)) paths.add(path)
  return { type, path, size: maxLineItems, cost }
}

function visitMacro(walk: Walk, receiver: Part, args: readonly ASTNode[], scope: Scope): Part {
  const [variable, ...bodies] = args
  const element: Part = {
    type: receiver.type && memberType(receiver.type, undefined),
    path: `${receiver.path}[]`,
    size: unknownSize,
    cost: 1,
  }
  const inner = new Map(scope).set(variable?.op === 'id' ? variable.args : '', element)
  const parts = bodies.map((body) => visit(walk, body, inner))
  const each = parts.reduce((sum, { cost }) => sum + cost, 1)
  return { size: receiver.size, cost: receiver.cost + receiver.size * each }
}

function visitCall(walk: Walk, node: ASTNode, name: string, parts: readonly Part[]): Part {
  if (!isAllowed(walk.known.version, name)) report(walk, node, `${name} is not a function of rule packs`)
  if (name === 'has') walk.guarded.add(parts[0]?.path ?? '')
  const cost = parts.reduce((sum, part) => sum + part.cost, callCost)
  return { size: unknownSize, cost, table: name === 'maximum' || name === 'minimum' }
}

function checkIndex(walk: Walk, table: ASTNode, index: ASTNode): void {
  const expected = checkedType(table)?.keyType?.name
  const actual = checkedType(index)?.name
  if (expected && expected !== actual)
    report(walk, index, `The table is indexed by ${expected}, not by ${actual}`)
}

function report({ faults }: Walk, node: ASTNode, message: string): void {
  faults.push({ column: node.range.start + 1, message })
}

/** Return whether the part uses a variable of a macro, so that its value differs from element to element. */
function usesAny(node: ASTNode, scope: Scope): boolean {
  if (scope.size === 0) return false
  return node.op === 'id' ? scope.has(node.args) : partsOf(node).some((part) => usesAny(part, scope))
}

function sizeOf(table: TableValues): number {
  if (typeof table === 'number') return 1
  return Array.isArray(table) ? table.length : Object.keys(table).length
}
