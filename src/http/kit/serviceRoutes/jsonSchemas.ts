import { z } from 'zod'

/** The JSON Schemas of the OpenAPI document. A schema with a name becomes a component, to which the others refer. */

export type Json = Record<string, unknown>
export type SchemaOf = (schema: z.ZodType, io: 'input' | 'output') => Json

/** A JSON Schema that replaces the derived one, for example for a number that arrives as text. */
declare module 'zod' {
  interface GlobalMeta {
    readonly as?: Json
  }
}

/** Return the name of a list of values; undefined for a list that only one schema has. */
export type NameOfEnum = (values: readonly unknown[]) => string | undefined

interface JsonSchemas {
  /** Every named schema that was met so far. */
  readonly components: Record<string, Json>
  readonly schemaOf: SchemaOf
}

export function collectSchemas(nameOfEnum: NameOfEnum): JsonSchemas {
  const components: Record<string, Json> = {}
  const answered = new Set<string>()
  const add = (name: string, schema: Json, io: 'input' | 'output') => {
    if (io === 'output') answered.add(name)
    // A schema that answers share with requests is as open as answers are.
    else if (answered.has(name)) return
    components[name] = schema
  }
  const withNamedEnum = (schema: Json): Json => {
    const { type = 'string', enum: values, ...rest } = schema
    const name = Array.isArray(values) ? nameOfEnum(values) : undefined
    if (!name) return schema
    components[name] = { type, enum: values }
    return { $ref: `#/components/schemas/${name}`, ...rest }
  }
  const schemaOf: SchemaOf = (schema, io) => {
    const {
      $defs = {},
      $schema: _,
      ...own
    } = z.toJSONSchema(schema, { io, unrepresentable: 'any', override: (derived) => override(derived, io) })
    for (const [name, part] of Object.entries($defs)) add(name, simplify(part as Json, withNamedEnum), io)
    return simplify(own as Json, withNamedEnum)
  }
  return { components, schemaOf }
}

type Derived = Parameters<NonNullable<z.core.ToJSONSchemaParams['override']>>[0]

function override({ zodSchema, jsonSchema }: Derived, io: 'input' | 'output'): void {
  const { as, description, examples } = z.globalRegistry.get(zodSchema) ?? {}
  if (as) {
    for (const key of Object.keys(jsonSchema)) delete jsonSchema[key as never]
    Object.assign(jsonSchema, as, description && { description })
  }
  // Zod drops the examples of a body that it transforms. They show the body as it is sent.
  if (examples) Object.assign(jsonSchema, { examples })
  // Later releases add members to answers, so only a strict object of a request excludes unknown ones.
  const isClosed = jsonSchema.additionalProperties === false
  const isStrict = (zodSchema._zod.def as z.core.$ZodObjectDef).catchall !== undefined
  if (isClosed && (io === 'output' || !isStrict)) delete jsonSchema.additionalProperties
  describeDefault(jsonSchema)
}

/** Say the default in words: generators require a member that has the keyword. */
function describeDefault(jsonSchema: Derived['jsonSchema']): void {
  const { default: value, description } = jsonSchema
  delete jsonSchema.default
  if (value === undefined || (Array.isArray(value) && value.length === 0)) return
  jsonSchema.description = [description, `The default is ${value}.`].filter(Boolean).join(' ')
}

/** Point references at the document, name enums, and drop keywords that say nothing more. */
function simplify(schema: Json, withNamedEnum: (schema: Json) => Json): Json {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/'), (_, part) =>
    isObject(part) ? orNull(withNamedEnum(withoutRepetition(part))) : part,
  )
}

function isObject(part: unknown): part is Json {
  return typeof part === 'object' && part !== null && !Array.isArray(part)
}

/** Write a type that may be null in the short way. A list of values would have to list null, too. */
function orNull(schema: Json): Json {
  const { anyOf, ...rest } = schema
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return schema
  const [some, none] = anyOf as Json[] as [Json, Json]
  const isShort = typeof some.type === 'string' && !('enum' in some) && !('const' in some)
  return isShort && none.type === 'null' ? { ...some, ...rest, type: [some.type, 'null'] } : schema
}

/** Drop a pattern beside a format, which says the same, and the bounds of safe integers. */
function withoutRepetition(schema: Json): Json {
  return Object.fromEntries(
    Object.entries(schema).filter(
      ([keyword, value]) =>
        !(keyword === 'pattern' && typeof schema.format === 'string') &&
        value !== Number.MIN_SAFE_INTEGER &&
        value !== Number.MAX_SAFE_INTEGER,
    ),
  )
}
