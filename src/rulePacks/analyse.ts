import { type ASTNode, serialize } from '@marcbachmann/cel-js'
import { type Extent, extentOfTable, joinExtents, listOf, one, stepsThrough, unionOf } from './extent.ts'
import { isAllowed, macros, partsOf, typeOf } from './language.ts'
import type { TableValues } from './rulePack.ts'
import { extentOfField, extentOfVariable, isObjectType, maxTextLength, memberType } from './subjects.ts'

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
  /** The length of the longest text that is written out in it. */
  readonly longestText: number
  /** The extent of its value. */
  readonly extent: Extent
}

/** The names that an expression may use. */
export interface Known {
  /** CEL types of the variables that hold the subject and the subscription, by name. */
  readonly variables: Readonly<Record<string, string>>
  readonly tables: Readonly<Record<string, TableValues>>
  /** The extent of each definition, by its name. */
  readonly definitions: ReadonlyMap<string, Extent>
}

/** A part of an expression, seen from the part around it. */
interface Part {
  /** The CEL type of a value inside the subject; undefined for any other value. */
  readonly type?: string | undefined
  readonly path?: string
  readonly table?: boolean
  readonly extent: Extent
  /** In steps: the most that its evaluation takes. */
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
  longestText: number
}

/** The cost of a function call in steps, without going through its arguments. */
const callCost = 10
/** The characters of a number that is written as text. */
const numberLength = 32

const scalars = new Set(['string', 'double', 'bool', 'int'])
const comparisons = new Set(['==', '!=', '<', '<=', '>', '>='])

export function analyse(ast: ASTNode, known: Known): Analysis {
  const walk: Walk = {
    known,
    faults: [],
    paths: new Set(),
    guarded: new Set(),
    lookups: new Set(),
    definitions: new Set(),
    longestText: 0,
  }
  const { cost, extent } = visit(walk, ast, new Map())
  const { faults, paths, guarded, lookups, definitions, longestText } = walk
  return {
    faults,
    cost,
    extent,
    longestText,
    paths: [...paths],
    guarded: [...guarded],
    lookups: [...lookups],
    definitions: [...definitions],
  }
}

function visit(walk: Walk, node: ASTNode, scope: Scope): Part {
  const part = visitNode(walk, node, scope)
  const isLookup = part.table && node.op !== 'id' && scalars.has(typeOf(node)?.name ?? '')
  if (isLookup && !usesAny(node, scope)) walk.lookups.add(serialize(node))
  return part
}

function visitNode(walk: Walk, node: ASTNode, scope: Scope): Part {
  if (node.op === 'value') return visitValue(walk, node.args)
  if (node.op === 'id') return visitName(walk, node.args, scope)
  if (node.op === '.') return visitField(walk, node, visit(walk, node.args[0], scope), node.args[1])
  if (node.op === 'rcall' && macros.has(node.args[0]))
    return visitMacro(walk, node.args[0], visit(walk, node.args[1], scope), node.args[2], scope)

  const parts = partsOf(node).map((part) => visit(walk, part, scope))
  if (node.op === 'call' || node.op === 'rcall') return visitCall(walk, node, node.args[0], parts)
  if (node.op === '[]') checkIndex(walk, node.args[0], node.args[1])
  return visitOperator(node, parts)
}

/** A text counts by its length. */
function visitValue(walk: Walk, value: unknown): Part {
  const { length = 1 } = value instanceof Uint8Array || typeof value === 'string' ? value : {}
  if (typeof value === 'string') walk.longestText = Math.max(walk.longestText, length)
  return { extent: { size: length }, cost: Math.max(1, length) }
}

function visitOperator(node: ASTNode, parts: readonly Part[]): Part {
  const cost = parts.reduce((sum, part) => sum + part.cost, 1)
  const [first, second, third] = parts.map(({ extent }) => extent) as [Extent, Extent, Extent]
  if (node.op === 'list') {
    const elements = parts.map(({ extent }) => extent)
    return { extent: listOf(elements.length, elements.reduce(unionOf, one)), cost: cost + elements.length }
  }
  if (node.op === '?:') return { ...parts[1]!, type: undefined, extent: unionOf(second, third), cost }
  if (node.op === '[]') {
    const table = parts[0]!.table ?? false
    return { extent: first.of ?? one, cost: cost + stepsThrough(second), table }
  }
  if (node.op === '+' && !isNumber(node)) {
    const extent = joinExtents(first, second)
    return { extent, cost: cost + stepsThrough(extent) }
  }
  if (node.op === 'in') {
    const each = 1 + Math.min(stepsThrough(first), stepsThrough(second.of ?? one))
    return { extent: one, cost: cost + second.size * each }
  }
  const compared = comparisons.has(node.op) ? Math.min(stepsThrough(first), stepsThrough(second)) : 0
  return { extent: one, cost: cost + compared }
}

function isNumber(node: ASTNode): boolean {
  return ['double', 'int', 'uint'].includes(typeOf(node)?.name ?? '')
}

function visitName({ known, paths, definitions }: Walk, name: string, scope: Scope): Part {
  const variable = scope.get(name)
  if (variable) return variable
  if (Object.hasOwn(known.variables, name)) {
    const type = known.variables[name]!
    const element = memberType(type, undefined)
    if (!isObjectType(element ?? type)) paths.add(name)
    return { type, path: name, extent: extentOfVariable(type, name), cost: 1 }
  }
  if (Object.hasOwn(known.tables, name))
    return { table: true, extent: extentOfTable(known.tables[name]!), cost: 1 }
  const definition = known.definitions.get(name)
  if (definition) definitions.add(name)
  return { extent: definition ?? one, cost: 1 }
}

function visitField({ faults, paths }: Walk, node: ASTNode, base: Part, field: string): Part {
  const cost = base.cost + 1
  if (!base.type || !isObjectType(base.type))
    return { ...base, type: undefined, extent: base.extent.of ?? one, cost }
  const type = memberType(base.type, field)
  if (!type) {
    faults.push({ column: node.range.end - field.length + 1, message: `There is no field ${field}` })
    return { extent: one, cost }
  }
  const path = `${base.path}.${field}`
  if (!isObjectType(memberType(type, undefined) ?? type)) paths.add(path)
  return { type, path, extent: extentOfField(base.type, field), cost }
}

function visitMacro(walk: Walk, name: string, receiver: Part, args: readonly ASTNode[], scope: Scope): Part {
  const [variable, ...bodies] = args
  const element: Part = {
    type: receiver.type && memberType(receiver.type, undefined),
    path: `${receiver.path}[]`,
    extent: receiver.extent.of ?? { size: maxTextLength },
    cost: 1,
  }
  const inner = new Map(scope).set(variable?.op === 'id' ? variable.args : '', element)
  const parts = bodies.map((body) => visit(walk, body, inner))
  const { size } = receiver.extent
  const cost = receiver.cost + size * parts.reduce((sum, part) => sum + part.cost, 1)
  if (name === 'map') return { extent: listOf(size, parts.at(-1)?.extent), cost }
  return { extent: name === 'filter' ? receiver.extent : one, cost }
}

function visitCall(walk: Walk, node: ASTNode, name: string, parts: readonly Part[]): Part {
  if (!isAllowed(name)) report(walk, node, `${name} is not a function of rule packs`)
  if (name === 'has') walk.guarded.add(parts[0]?.path ?? '')
  const [first = one, second = one] = parts.map(({ extent }) => extent)
  const evaluated = parts.reduce((sum, part) => sum + part.cost + stepsThrough(part.extent), callCost)
  // The text is looked for from each character on.
  const searched = name === 'contains' || name === 'split' ? stepsThrough(first) * second.size : 0
  return {
    extent: extentOfCall(name, first),
    cost: evaluated + searched + (name === 'split' ? first.size : 0),
    table: name === 'maximum' || name === 'minimum',
  }
}

function extentOfCall(name: string, first: Extent): Extent {
  if (name === 'split') return listOf(first.size + 1, first)
  if (name === 'string') return { size: Math.max(first.size, numberLength) }
  return ['substring', 'upperAscii', 'lowerAscii', 'trim'].includes(name) ? first : one
}

function checkIndex(walk: Walk, table: ASTNode, index: ASTNode): void {
  const expected = typeOf(table)?.keyType?.name
  const actual = typeOf(index)?.name
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
