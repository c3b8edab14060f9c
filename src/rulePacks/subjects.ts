import { certificateFields, certificateNumbers } from '../domain/certificates/certificateContent.ts'
import { averageOf } from '../domain/certificates/materialTests.ts'
import {
  type Fields as DeclaredFields,
  type Kind,
  number,
  type ObjectKind,
  objectKind,
  text,
} from '../domain/kernel/fields.ts'
import { mostLineItems, orderFields, orderNumbers } from '../domain/orders/orderContent.ts'
import type { RuleSubject } from '../domain/rulePacks/ruleBook.ts'
import type { Family } from '../domain/tags/tag.ts'
import { type Extent, listOf, one } from './extent.ts'
import { type Named, steelKind, steelsOf } from './steels.ts'

/** The variable that holds the subject. */
const rootOf: Readonly<Record<Family, string>> = { millCert: 'certificate', order: 'order' }

/** The most line items, and the most parts of their grades. */
const maxLength = mostLineItems
/** No text of a subject is longer. */
export const maxTextLength = 500
/** No text of a parameter is longer. */
const maxParameterLength = 100
/** No name in a list is longer. Such names are the parts of a grade, and the ids of rule packs. */
const maxNameLength = 60
/** A contradiction consists of two parts of a grade. */
const maxNameLengths = new Map([['contradictions', 130]])

export type Fields = Readonly<Record<string, string>>

interface ObjectType {
  readonly name: string
  /** CEL recognises the type of an object by its constructor. */
  readonly ctor: new () => object
  readonly fields: Fields
  readonly extents: Readonly<Record<string, Extent>>
}

const certificate = objectKind('Certificate', { ...certificateNumbers, ...certificateFields })
const order = objectKind('Order', { ...orderNumbers, ...orderFields })

const typesByName = new Map(
  [certificate, order, steelKind].flatMap(objectTypesOf).map((type) => [type.name, type]),
)

/** The object types of the rule language, derived from the declared fields. Inner types come first. */
export const objectTypes: readonly ObjectType[] = [...typesByName.values()]

/** The CEL type of the subject's variable. */
const rootTypeOf: Readonly<Record<Family, string>> = { millCert: certificate.name, order: order.name }

/** The CEL types of the records that a rule on a pair looks at. */
export const rootTypes = { certificate: certificate.name, line: 'LineItem', order: order.name } as const

/** The variables with texts about the grade. */
const gradeTexts = [
  'unread',
  'contradictions',
  'unknownConditions',
  'withdrawn',
] as const satisfies (keyof Named)[]

/** The variables of a family, with their CEL types. */
export function variablesIn(family: Family): Readonly<Record<string, string>> {
  const subject = { [rootOf[family]]: rootTypeOf[family] }
  const steels: Readonly<Record<Family, Fields>> = {
    millCert: { steel: steelKind.name },
    order: { steels: `list<${steelKind.name}>` },
  }
  const texts = [...gradeTexts, 'subscribed'].map((name) => [name, 'list<string>'] as const)
  return { ...subject, ...steels[family], ...Object.fromEntries(texts) }
}

/**
 * Return the variables that hold the subject. Fields that are null or empty are left out, so that they are missing in
 * the sense of CEL. A certificate that names several steels is judged by each of them, so it has variables for each.
 */
export function variablesOf(subject: RuleSubject): BySteel {
  const before = builtBefore.get(subject)
  if (before) return before
  const built = build(subject)
  builtBefore.set(subject, built)
  return built
}

type BySteel = readonly Record<string, unknown>[]

/** All packs of a company judge one subject in turn. */
const builtBefore = new WeakMap<RuleSubject, BySteel>()

function build(subject: RuleSubject): BySteel {
  const { family, content } = subject
  const grade = steelsOf(subject)
  const variables = {
    [rootOf[family]]: objectOf(rootTypeOf[family], content),
    ...Object.fromEntries(gradeTexts.map((name) => [name, grade[name]])),
  }
  const named = grade.steels.map((steel) => objectOf(steelKind.name, steel))
  if (family === 'order') return [{ ...variables, steels: named }]
  const each = named.length > 0 ? named : [objectOf(steelKind.name, null)]
  return each.map((steel) => ({ ...variables, steel }))
}

/** Return the type of a field, or of the elements of a list when `field` is undefined. */
export function memberType(type: string, field: string | undefined): string | undefined {
  if (field === undefined) return type.startsWith('list<') ? type.slice(5, -1) : undefined
  const fields = typesByName.get(type)?.fields
  return fields && Object.hasOwn(fields, field) ? fields[field] : undefined
}

/** Return the extent of a variable, for the largest subject that the API accepts. */
export function extentOfVariable(type: string, name: string): Extent {
  const element = memberType(type, undefined)
  if (!element) return type === 'string' ? { size: maxParameterLength } : one
  return listOf(maxLength, element === 'string' ? { size: maxNameLengths.get(name) ?? maxNameLength } : one)
}

/** Return the extent of a field, for the largest subject that the API accepts. */
export function extentOfField(type: string, field: string): Extent {
  return typesByName.get(type)!.extents[field]!
}

export function isObjectType(type: string): boolean {
  return typesByName.has(type)
}

function objectTypesOf({ name, fields }: ObjectKind): ObjectType[] {
  const inner = Object.values(fields).flatMap(({ kind }) => objectKindOf(kind) ?? [])
  return [
    ...inner.flatMap(objectTypesOf),
    { name, ctor: class {}, fields: ofEach(fields, celType), extents: ofEach(fields, extentOf) },
  ]
}

function ofEach<Value>(fields: DeclaredFields, readKind: (kind: Kind) => Value): Record<string, Value> {
  return Object.fromEntries(Object.entries(fields).map(([name, { kind }]) => [name, readKind(kind)]))
}

/** The rule language knows one type of object for all variants, and one for numbers by name. */
function objectKindOf(kind: Kind): ObjectKind | undefined {
  switch (kind.is) {
    case 'object':
      return kind
    case 'numbers': {
      const value = number({ ...kind, unit: '' })
      return objectKind(kind.name, Object.fromEntries(kind.names.map((name) => [name, value])))
    }
    case 'variants': {
      const fields = Object.values(kind.variants).map((variant) => variant.fields)
      return objectKind(kind.name, Object.assign({ kind: text({ most: 50 }) }, ...fields))
    }
    case 'list':
      return objectKindOf(kind.of.kind)
    default:
      return undefined
  }
}

/** Every number is a double, because JSON does not tell integers from other numbers. */
function celType(kind: Kind): string {
  switch (kind.is) {
    case 'whole':
    case 'number':
    case 'length':
      return 'double'
    case 'flag':
      return 'bool'
    case 'list':
      return `list<${celType(kind.of.kind)}>`
    default:
      return objectKindOf(kind)?.name ?? 'string'
  }
}

function extentOf(kind: Kind): Extent {
  switch (kind.is) {
    case 'text':
    case 'identifier':
      return { size: kind.most }
    case 'oneOf':
      return { size: Math.max(...kind.values.map((value) => value.length)) }
    case 'date':
    case 'colour':
      return { size: 10 }
    case 'list':
      return listOf(kind.most, extentOf(kind.of.kind))
    default:
      return one
  }
}

/** Build an object of a CEL type from the fields that have a value. */
function objectOf(typeName: string, value: unknown): object {
  const { ctor, fields } = typesByName.get(typeName)!
  const built = new ctor() as Record<string, unknown>
  if (typeof value !== 'object' || value === null) return built
  for (const [field, raw] of Object.entries(value)) {
    if (!Object.hasOwn(fields, field)) continue
    const present = presentValue(fields[field]!, raw)
    if (present !== undefined) built[field] = present
  }
  if (typeName === 'Test') addAverage(built)
  return built
}

/** An impact test may state its single values alone. An average above theirs is a slip of the pen. */
function addAverage(test: { valuesJoule?: unknown; averageJoule?: unknown }): void {
  const { valuesJoule, averageJoule } = test
  if (!Array.isArray(valuesJoule) || valuesJoule.length === 0) return
  const average = averageOf(valuesJoule)
  test.averageJoule = typeof averageJoule === 'number' ? Math.min(averageJoule, average) : average
}

/** Return the value for CEL, or undefined when it counts as missing: null, or an object without a value. */
function presentValue(type: string, value: unknown): unknown {
  if (value === null || value === undefined) return undefined
  const element = memberType(type, undefined)
  if (element && !isObjectType(element)) return value
  if (element) return Array.isArray(value) ? value.map((item) => objectOf(element, item)) : undefined
  if (!isObjectType(type)) return value
  const built = objectOf(type, value)
  return Object.keys(built).length > 0 ? built : undefined
}
