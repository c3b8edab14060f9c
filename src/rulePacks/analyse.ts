import { type ASTNode, serialize } from '@marcbachmann/cel-js'
import type { Family } from '../domain/tag.ts'
import { checkedType, isAllowed, macros, partsOf } from './language.ts'
import type { TableValues } from './rulePack.ts'
import { isObjectType, maxLineItems, memberType, rootOf, rootTypeOf } from './subjects.ts'

/** What is known of an expression before it is ever evaluated: faults, cost, and what it looks at. */
export interface Analysis {
  readonly faults: readonly { readonly column: number; readonly message: string }[]
  /** Steps that it takes at the very most, for any subject that the interface admits. */
  readonly cost: number
  /** Fields of the subject, e.g. `certificate.chemistry.C`; `order.lineItems[].grade` is that of every line. */
  readonly paths: readonly string[]
  /** Parts that find a single value in a table, as they are written. */
  readonly lookups: readonly string[]
  readonly definitions: readonly string[]
}

export interface Known {
  readonly family: Family
  readonly tables: Readonly<Record<string, TableValues>>
  readonly definitions: ReadonlySet<string>
}

/** A part of an expression, seen from the part around it. */
interface Part {
  /** Of the subject or a part of it; undefined for anything else. */
  readonly type?: string | undefined
  readonly path?: string
  readonly table?: boolean
  /** Elements to go through, or in each of which to go on. */
  readonly size: number
  readonly cost: number
}

/** Of lists that the analysis knows nothing about: pieces of a text. */
const unknownSize = 100
/** A function of a text of some hundred characters, in steps. */
const callCost = 10

const scalars = new Set(['string', 'double', 'bool', 'int'])

const sizeOf = (table: TableValues): number => {
  if (typeof table === 'number') return 1
  return Array.isArray(table) ? table.length : Object.keys(table).length
}

export const analyse = (ast: ASTNode, known: Known): Analysis => {
  const faults: { column: number; message: string }[] = []
  const paths = new Set<string>()
  const lookups = new Set<string>()
  const definitions = new Set<string>()
  const root = rootOf[known.family]

  const fault = (node: ASTNode, message: string): void => {
    faults.push({ column: node.range.start + 1, message })
  }

  const visitName = (name: string, scope: ReadonlyMap<string, Part>): Part => {
    const variable = scope.get(name)
    if (variable) return variable
    if (name === root) return { type: rootTypeOf[known.family], path: root, size: 1, cost: 1 }
    if (Object.hasOwn(known.tables, name)) return { table: true, size: sizeOf(known.tables[name]!), cost: 1 }
    if (known.definitions.has(name)) definitions.add(name)
    return { size: unknownSize, cost: 1 }
  }

  const visitField = (node: ASTNode, base: Part, field: string): Part => {
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

  const visitMacro = (receiver: Part, args: readonly ASTNode[], scope: ReadonlyMap<string, Part>): Part => {
    const [variable, ...bodies] = args
    const element: Part = {
      type: receiver.type && memberType(receiver.type, undefined),
      path: `${receiver.path}[]`,
      size: unknownSize,
      cost: 1,
    }
    const inner = new Map(scope).set(variable?.op === 'id' ? variable.args : '', element)
    const parts = bodies.map((body) => visit(body, inner))
    const each = parts.reduce((sum, { cost }) => sum + cost, 1)
    return { size: receiver.size, cost: receiver.cost + receiver.size * each }
  }

  const visitCall = (node: ASTNode, name: string, parts: readonly Part[]): Part => {
    if (!isAllowed(name)) fault(node, `${name} is not a function of rule packs`)
    const cost = parts.reduce((sum, part) => sum + part.cost, callCost)
    return { size: unknownSize, cost, table: name === 'maximum' || name === 'minimum' }
  }

  const visitInner = (node: ASTNode, scope: ReadonlyMap<string, Part>): Part => {
    if (node.op === 'id') return visitName(node.args, scope)
    if (node.op === '.') return visitField(node, visit(node.args[0], scope), node.args[1])
    if (node.op === 'rcall' && macros.has(node.args[0]))
      return visitMacro(visit(node.args[1], scope), node.args[2], scope)

    const parts = partsOf(node).map((part) => visit(part, scope))
    if (node.op === 'call' || node.op === 'rcall') return visitCall(node, node.args[0], parts)
    const cost = parts.reduce((sum, part) => sum + part.cost, 1)
    if (node.op === 'list') return { size: parts.length, cost }
    if (node.op === 'in') return { size: 1, cost: cost + parts[1]!.size }
    if (node.op === '?:') return { ...parts[1]!, type: undefined, cost }
    if (node.op === '[]') {
      const key = checkedType(node.args[0])?.keyType?.name
      const index = checkedType(node.args[1])?.name
      if (key && key !== index) fault(node.args[1], `The table is indexed by ${key}, not by ${index}`)
      return { size: unknownSize, cost, table: parts[0]!.table ?? false }
    }
    return { size: parts.reduce((sum, { size }) => sum + size, 0), cost }
  }

  const visit = (node: ASTNode, scope: ReadonlyMap<string, Part>): Part => {
    const part = visitInner(node, scope)
    const isLookup = part.table && node.op !== 'id' && scalars.has(checkedType(node)?.name ?? '')
    if (isLookup && !usesAny(node, scope)) lookups.add(serialize(node))
    return part
  }

  const { cost } = visit(ast, new Map())
  return { faults, cost, paths: [...paths], lookups: [...lookups], definitions: [...definitions] }
}

/** Whether it uses a variable of a macro, and so means something else for every element. */
const usesAny = (node: ASTNode, scope: ReadonlyMap<string, Part>): boolean =>
  scope.size > 0 &&
  (node.op === 'id' ? scope.has(node.args) : partsOf(node).some((part) => usesAny(part, scope)))
