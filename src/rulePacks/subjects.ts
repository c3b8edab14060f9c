import { certificateFields } from '../domain/certificateContent.ts'
import type { FieldKind, ObjectKind } from '../domain/fields.ts'
import { orderFields } from '../domain/orderContent.ts'
import type { RuleSubject } from '../domain/ruleBook.ts'
import type { Family } from '../domain/tag.ts'

/** The variable that holds the subject. */
export const rootOf: Readonly<Record<Family, string>> = { millCert: 'certificate', order: 'order' }

/** As many as the interface admits. */
export const maxLineItems = 500

export type Fields = Readonly<Record<string, string>>

interface ObjectType {
  readonly name: string
  /** CEL tells objects of one type from those of another by their constructor. */
  readonly ctor: new () => object
  readonly fields: Fields
}

const certificate: ObjectKind = {
  name: 'Certificate',
  fields: { certificateNumber: 'text', heatNumber: 'text', ...certificateFields },
}

const order: ObjectKind = { name: 'Order', fields: { orderNumber: 'text', ...orderFields } }

/** The object types of the rule language, by the declared fields. Inner types come first. */
export const objectTypes: readonly ObjectType[] = [certificate, order].flatMap(objectTypesOf)

function objectTypesOf({ name, fields }: ObjectKind): ObjectType[] {
  const inner = Object.values(fields).flatMap((kind) => objectKindOf(kind) ?? [])
  const types = Object.entries(fields).map(([field, kind]) => [field, celType(kind)])
  return [...inner.flatMap(objectTypesOf), { name, ctor: class {}, fields: Object.fromEntries(types) }]
}

function objectKindOf(kind: FieldKind): ObjectKind | undefined {
  if (typeof kind === 'string') return undefined
  return 'listOf' in kind ? kind.listOf : kind
}

/** Every number is a double. */
function celType(kind: FieldKind): string {
  if (kind === 'text') return 'string'
  if (kind === 'number') return 'double'
  return 'listOf' in kind ? `list<${kind.listOf.name}>` : kind.name
}

/** The CEL type of the subject's variable. */
export const rootTypeOf: Readonly<Record<Family, string>> = {
  millCert: certificate.name,
  order: order.name,
}

const typesByName = new Map(objectTypes.map((type) => [type.name, type]))

/** The type of a field, or of the elements of a list (`field` undefined); undefined when there is none. */
export const memberType = (type: string, field: string | undefined): string | undefined => {
  if (field === undefined) return type.startsWith('list<') ? type.slice(5, -1) : undefined
  const fields = typesByName.get(type)?.fields
  return fields && Object.hasOwn(fields, field) ? fields[field] : undefined
}

export const isObjectType = (type: string): boolean => typesByName.has(type)

const whatIsSaid = (type: string, value: unknown): unknown => {
  if (value === null || value === undefined) return undefined
  const element = memberType(type, undefined)
  if (element) return Array.isArray(value) ? value.map((item) => build(element, item)) : undefined
  if (!isObjectType(type)) return value
  const built = build(type, value)
  return Object.keys(built).length > 0 ? built : undefined
}

/** Of the fields, those that say something: null counts as absent, and so does an object without a value. */
const build = (typeName: string, value: unknown): object => {
  const { ctor, fields } = typesByName.get(typeName)!
  const built = new ctor() as Record<string, unknown>
  if (typeof value !== 'object' || value === null) return built
  for (const [field, raw] of Object.entries(value)) {
    if (!Object.hasOwn(fields, field)) continue
    const said = whatIsSaid(fields[field]!, raw)
    if (said !== undefined) built[field] = said
  }
  return built
}

/** The variables of an evaluation: fields that say nothing are left out, so that CEL finds them missing. */
export const contextOf = ({ family, content }: RuleSubject): Record<string, unknown> => ({
  [rootOf[family]]: build(rootTypeOf[family], content),
})
