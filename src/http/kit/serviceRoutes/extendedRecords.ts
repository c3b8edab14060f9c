import type { Json } from './jsonSchemas.ts'

/** A record that has all members of another one refers to it, instead of repeating them. */

interface RecordSchema extends Json {
  readonly type: 'object'
  readonly properties: Json
  readonly required: readonly string[]
}

/** The fewest members that are a record of their own. */
const fewest = 4

/** Return these schemas, each record with the largest other one that is part of it. */
export function extendRecords(schemas: Readonly<Record<string, Json>>): Record<string, Json> {
  const records = Object.entries(schemas)
    .filter((entry): entry is [string, RecordSchema] => isOpenRecord(entry[1]))
    .sort(([, a], [, b]) => lengthOf(b) - lengthOf(a))
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => {
      const base = isOpenRecord(schema) && records.find(([, other]) => isPartOf(other, schema))
      return [name, base ? extensionOf(schema, base) : schema]
    }),
  )
}

/** A closed record cannot be extended, because its schema refuses the members of the other. */
function isOpenRecord(schema: Json): schema is RecordSchema {
  return schema.type === 'object' && Array.isArray(schema.required) && schema.additionalProperties !== false
}

function lengthOf(schema: RecordSchema): number {
  return JSON.stringify(schema).length
}

function isPartOf(part: RecordSchema, whole: RecordSchema): boolean {
  return (
    Object.keys(part.properties).length >= fewest && lengthOf(part) < lengthOf(whole) && isWider(part, whole)
  )
}

/** Whether a schema surely takes every value that the other takes. Descriptions do not count. */
function isWider(wide: unknown, narrow: unknown): boolean {
  if (JSON.stringify(withoutDescription(wide)) === JSON.stringify(withoutDescription(narrow))) return true
  if (!isJson(wide) || !isJson(narrow)) return false
  if (Array.isArray(wide.anyOf) && Array.isArray(narrow.anyOf) && wide.anyOf.length === narrow.anyOf.length)
    return wide.anyOf.every((one, index) => isWider(one, (narrow.anyOf as unknown[])[index]))
  const { properties = {}, required = [] } = wide as { properties?: Json; required?: readonly string[] }
  const isOpen = isJson(wide.properties) && wide.additionalProperties !== false
  return (
    isOpen &&
    JSON.stringify(wide.type) === JSON.stringify(narrow.type) &&
    required.every((name) => (narrow.required as readonly string[] | undefined)?.includes(name)) &&
    Object.entries(properties).every(
      ([name, member]) => isJson(narrow.properties) && isWider(member, narrow.properties[name]),
    )
  )
}

function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null
}

function withoutDescription(schema: unknown): unknown {
  if (!isJson(schema)) return schema
  const { description: _, ...rest } = schema
  return rest
}

function extensionOf(whole: RecordSchema, [name, part]: readonly [string, RecordSchema]): Json {
  const { properties, required, ...rest } = whole
  const further = required.filter((one) => !part.required.includes(one))
  return {
    ...rest,
    allOf: [{ $ref: `#/components/schemas/${name}` }],
    properties: Object.fromEntries(
      Object.entries(properties).filter(
        ([member, schema]) => JSON.stringify(schema) !== JSON.stringify(part.properties[member]),
      ),
    ),
    ...(further.length > 0 && { required: further }),
  }
}
