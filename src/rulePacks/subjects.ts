import { certificateFields } from '../domain/certificates/certificateContent.ts'
import { averageOf, materialTest } from '../domain/certificates/materialTests.ts'
import type { FieldKind, ObjectKind } from '../domain/kernel/fields.ts'
import { orderFields } from '../domain/orders/orderContent.ts'
import type { RuleSubject } from '../domain/rulePacks/ruleBook.ts'
import type { Family } from '../domain/tags/tag.ts'
import { type Extent, listOf, one } from './extent.ts'
import { type Named, steelKind, steelsOf } from './steels.ts'

/** The variable that holds the subject. */
const rootOf: Readonly<Record<Family, string>> = { millCert: 'certificate', order: 'order' }

/** The API accepts at most this many members of a list; in any other, 500. */
const maxLengths = new Map([
  ['tests', 200],
  ['valuesJoule', 6],
])
const maxLength = 500
/** The API accepts at most this many characters in a field; in any other, 100. */
const maxTextLengths = new Map([
  ['description', 500],
  ['customer', 200],
  ['manufacturer', 200],
  ['inspector', 200],
])
/** No text of a subject is longer. */
export const maxTextLength = 500
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
}

const certificate: ObjectKind = {
  name: 'Certificate',
  fields: { certificateNumber: 'text', heatNumber: 'text', item: 'text', ...certificateFields },
}

const order: ObjectKind = { name: 'Order', fields: { orderNumber: 'text', ...orderFields } }

/** The object types of the rule language, derived from the declared fields. Inner types come first. */
export const objectTypes: readonly ObjectType[] = [certificate, order, steelKind].flatMap(objectTypesOf)

/** The CEL type of the subject's variable. */
const rootTypeOf: Readonly<Record<Family, string>> = { millCert: certificate.name, order: order.name }

/** The variables with texts about the grade. */
const gradeTexts = ['unread', 'contradictions', 'unknownConditions'] as const satisfies (keyof Named)[]

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

const typesByName = new Map(objectTypes.map((type) => [type.name, type]))

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

/** Return the extent of a variable or field of a CEL type, for the largest subject that the API accepts. */
export function extentOfVariable(type: string, name: string): Extent {
  const element = memberType(type, undefined)
  if (element)
    return listOf(
      maxLengths.get(name) ?? maxLength,
      element === 'string' ? { size: maxNameLengths.get(name) ?? maxNameLength } : one,
    )
  return type === 'string' ? { size: maxTextLengths.get(name) ?? 100 } : one
}

export function isObjectType(type: string): boolean {
  return typesByName.has(type)
}

function objectTypesOf({ name, fields }: ObjectKind): ObjectType[] {
  const inner = Object.values(fields).flatMap((kind) => objectKindOf(kind) ?? [])
  const types = Object.entries(fields).map(([field, kind]) => [field, celType(kind)])
  return [...inner.flatMap(objectTypesOf), { name, ctor: class {}, fields: Object.fromEntries(types) }]
}

function objectKindOf(kind: FieldKind): ObjectKind | undefined {
  if (typeof kind === 'string') return undefined
  return 'listOf' in kind ? objectKindOf(kind.listOf) : kind
}

/** Every number is a double, because JSON does not tell integers from other numbers. */
function celType(kind: FieldKind): string {
  if (kind === 'text') return 'string'
  if (kind === 'number') return 'double'
  if (kind === 'flag') return 'bool'
  return 'listOf' in kind ? `list<${celType(kind.listOf)}>` : kind.name
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
  if (typeName === materialTest.name) addAverage(built)
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
