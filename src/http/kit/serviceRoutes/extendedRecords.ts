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
    .sort(([, a], [, b]) => sizeOf(b) - sizeOf(a))
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => {
      const base = isOpenRecord(schema) && records.find(([, other]) => isPartOf(other, schema))
      return [name, base ? extension(schema, base) : schema]
    }),
  )
}

/** A closed record cannot be extended, because its schema refuses the members of the other. */
function isOpenRecord(schema: Json): schema is RecordSchema {
  return schema.type === 'object' && Array.isArray(schema.required) && schema.additionalProperties !== false
}

function sizeOf({ properties }: RecordSchema): number {
  return Object.keys(properties).length
}

function isPartOf(part: RecordSchema, whole: RecordSchema): boolean {
  return (
    sizeOf(part) >= fewest &&
    sizeOf(part) < sizeOf(whole) &&
    part.required.every((name) => whole.required.includes(name)) &&
    Object.entries(part.properties).every(
      ([name, schema]) => JSON.stringify(schema) === JSON.stringify(whole.properties[name]),
    )
  )
}

function extension(whole: RecordSchema, [name, part]: readonly [string, RecordSchema]): Json {
  const { properties, required, ...rest } = whole
  const further = required.filter((one) => !part.required.includes(one))
  return {
    ...rest,
    allOf: [{ $ref: `#/components/schemas/${name}` }],
    properties: Object.fromEntries(
      Object.entries(properties).filter(([member]) => !(member in part.properties)),
    ),
    ...(further.length > 0 && { required: further }),
  }
}
