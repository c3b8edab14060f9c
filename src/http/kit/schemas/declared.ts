import { z } from 'zod'
import type { Field, Fields, ObjectKind, ValueOf } from '../../../domain/kernel/fields.ts'
import { listOf } from './collections.ts'
import { asEdit } from './edit.ts'
import { between, fullDate, identifying, millimetres, oneOf, orNull, text, wholeBetween } from './fields.ts'

/** The schemas of declared fields: in the body of a new record, in the body of a change, and in an answer. */

type SchemasOf<Declared extends Fields> = {
  readonly [Name in keyof Declared]: z.ZodType<ValueOf<Declared[Name]>>
}

/** Each field in the body of a new record. */
export function bodyOf<Declared extends Fields>(fields: Declared): SchemasOf<Declared> {
  return schemasOf(fields, (field) => {
    const schema = bodyValue(field)
    const read = field.isNullable ? orNull(schema) : schema
    return field.about === undefined ? read : read.meta({ description: field.about })
  })
}

/** Each field in a merge patch. Within objects, too, members that are left out stay, and null removes one. */
export function patchOf<Declared extends Fields>(fields: Declared) {
  const parts = Object.entries(fields).flatMap(([name, { kind }]): [string, z.ZodType][] => {
    if (kind.is === 'object') return [[name, z.strictObject(asEdit(bodyOf(kind.fields))).nullish()]]
    return kind.is === 'numbers' ? [[name, patchedNumbers(kind)]] : []
  })
  return { ...asEdit(bodyOf(fields)), ...(Object.fromEntries(parts) as object) }
}

/** Each field in an answer. */
export function answerOf<Declared extends Fields>(fields: Declared): SchemasOf<Declared> {
  return schemasOf(fields, (field) => {
    const schema = answerValue(field)
    return field.isNullable ? schema.nullable() : schema
  })
}

function schemasOf<Declared extends Fields>(fields: Declared, schemaOf: (field: Field) => z.ZodType) {
  const schemas = Object.entries(fields).map(([name, field]) => [name, schemaOf(field)])
  return Object.fromEntries(schemas) as SchemasOf<Declared>
}

function bodyValue({ kind }: Field): z.ZodType {
  switch (kind.is) {
    case 'text':
      return text(kind.least, kind.most)
    case 'identifier':
      return identifying(kind.most)
    case 'colour':
      return z
        .string()
        .regex(/^#(?:[0-9A-Fa-f]{3}|[0-9A-Fa-f]{6})$/, 'must be #RGB or #RRGGBB')
        .meta({ examples: ['#1f77b4'] })
    case 'date':
      return fullDate
    case 'flag':
      return z.boolean().default(false)
    case 'whole':
      return wholeBetween(kind.least, kind.most)
    case 'number':
      return between(kind.least, kind.most)
    case 'length':
      return millimetres(kind.most)
    case 'oneOf':
      return oneOf(kind.values)
    case 'numbers':
      return numbersOf(kind)
    case 'object':
      return reported(kind)
    case 'variants':
      return z
        .discriminatedUnion(
          'kind',
          variantsOf(kind.variants, ({ name, fields }, only) =>
            z.strictObject({ kind: only, ...bodyOf(fields) }).meta({ id: `Reported${name}` }),
          ),
          { error: `must have the kind ${Object.keys(kind.variants).join(' or ')}` },
        )
        .meta({ id: `Reported${kind.name}` })
    case 'list':
      return listOf(bodyValue(kind.of), kind)
  }
}

function answerValue({ kind }: Field): z.ZodType {
  switch (kind.is) {
    case 'text':
    case 'identifier':
    case 'colour':
      return z.string()
    case 'date':
      return z.string().meta({ format: 'date' })
    case 'flag':
      return z.boolean()
    case 'whole':
      return z.int()
    case 'number':
    case 'length':
      return z.number()
    case 'oneOf':
      return oneOf(kind.values)
    case 'numbers':
      return z.record(z.string(), z.number())
    case 'object':
      return answered(kind)
    case 'variants':
      return z.discriminatedUnion(
        'kind',
        variantsOf(kind.variants, ({ name, fields }, only) =>
          z.object({ kind: only, ...answerOf(fields) }).meta({ id: name }),
        ),
      )
    case 'list':
      return z.array(answerValue(kind.of))
  }
}

/** Several fields may hold objects of one kind. They share its schema, because the document has each name once. */
function shareByKind(make: (kind: ObjectKind) => z.ZodType): (kind: ObjectKind) => z.ZodType {
  const made = new WeakMap<ObjectKind, z.ZodType>()
  return (kind) => {
    const schema = made.get(kind) ?? make(kind)
    made.set(kind, schema)
    return schema
  }
}

const reported = shareByKind(({ name, fields }) =>
  z.strictObject(bodyOf(fields)).meta({ id: `Reported${name}` }),
)
const answered = shareByKind(({ name, fields }) => z.object(answerOf(fields)).meta({ id: name }))

type Numbers = Extract<Field['kind'], { readonly is: 'numbers' }>

/** One member for each name. Zod's records would drop a member named `__proto__` instead of refusing it. */
function numbersOf({ name, names, least, most }: Numbers) {
  const value = between(least, most).optional()
  const additionalProperties = { type: 'number', minimum: least, maximum: most }
  const as = { type: 'object', propertyNames: { type: 'string', enum: names }, additionalProperties }
  return z.strictObject(shapeOf(names, value)).meta({ id: name, as })
}

function patchedNumbers({ names, least, most }: Numbers) {
  const value = between(least, most).nullish()
  const additionalProperties = { type: ['number', 'null'], minimum: least, maximum: most }
  const as = {
    type: ['object', 'null'],
    propertyNames: { type: 'string', enum: names },
    additionalProperties,
  }
  return z.strictObject(shapeOf(names, value)).nullish().meta({ as })
}

function shapeOf<Schema>(names: readonly string[], schema: Schema): Record<string, Schema> {
  return Object.fromEntries(names.map((name) => [name, schema]))
}

type Variant = z.ZodObject<{ kind: z.ZodLiteral<string> }>

function variantsOf(
  variants: Readonly<Record<string, ObjectKind>>,
  schemaOf: (object: ObjectKind, only: z.ZodLiteral<string>) => Variant,
): [Variant, ...Variant[]] {
  const [first, ...others] = Object.entries(variants).map(([kind, object]) =>
    schemaOf(object, z.literal(kind)),
  )
  return [first!, ...others]
}
