import { elementSymbols } from '../domain/elements.ts'
import type { RuleSubject } from '../domain/ruleBook.ts'
import type { Family } from '../domain/tagCatalogue.ts'

/** The variable that holds the subject. */
export const rootOf: Readonly<Record<Family, string>> = { millCert: 'certificate', order: 'order' }

/** As many as the interface admits. */
export const maxLineItems = 500

// CEL tells objects of one type from those of another by their constructor.
class Chemistry {}
class Mechanical {}
class Certificate {}
class LineItem {}
class Order {}

export type Fields = Readonly<Record<string, string>>

/** The object types of the rule language: CEL types by field. Every number is a double. */
export const objectTypes: readonly { name: string; ctor: new () => object; fields: Fields }[] = [
  {
    name: 'Chemistry',
    ctor: Chemistry,
    fields: Object.fromEntries(elementSymbols.map((symbol) => [symbol, 'double'])),
  },
  {
    name: 'Mechanical',
    ctor: Mechanical,
    fields: {
      reHMpa: 'double',
      rmMpa: 'double',
      a5Percent: 'double',
      kvJoule: 'double',
      kvTemperatureC: 'double',
    },
  },
  {
    name: 'Certificate',
    ctor: Certificate,
    fields: {
      certificateNumber: 'string',
      heatNumber: 'string',
      standard: 'string',
      grade: 'string',
      inspectionDocument: 'string',
      manufacturer: 'string',
      productForm: 'string',
      thicknessMm: 'double',
      chemistry: 'Chemistry',
      mechanical: 'Mechanical',
      issuedOn: 'string',
    },
  },
  {
    name: 'LineItem',
    ctor: LineItem,
    fields: {
      lineNumber: 'double',
      description: 'string',
      grade: 'string',
      lengthMm: 'double',
      quantity: 'double',
    },
  },
  {
    name: 'Order',
    ctor: Order,
    fields: {
      orderNumber: 'string',
      customer: 'string',
      requiredInspectionDocument: 'string',
      executionClass: 'string',
      lineItems: 'list<LineItem>',
    },
  },
]

/** The CEL type of the subject's variable. */
export const rootTypeOf: Readonly<Record<Family, string>> = { millCert: 'Certificate', order: 'Order' }

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
