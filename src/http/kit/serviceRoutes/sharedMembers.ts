import type { Json } from './jsonSchemas.ts'

/** The bodies that register, correct and patch a record refer to one component with the members that are equal in all. */

/** The name of that component. It is metadata of each of these bodies. */
declare module 'zod' {
  interface GlobalMeta {
    readonly sharedMembers?: string
  }
}

interface BodySchema extends Json {
  readonly properties: Readonly<Record<string, Json>>
}

type Sharing = readonly [name: string, schema: BodySchema]

/** Return these schemas with a component for each name in `sharedMembers`. */
export function shareMembers(schemas: Readonly<Record<string, Json>>): Record<string, Json> {
  const sharing = Object.entries(schemas).filter(
    (entry): entry is [string, BodySchema] => entry[1].sharedMembers !== undefined,
  )
  const families = Map.groupBy(sharing, ([, schema]) => String(schema.sharedMembers))
  return Object.assign({}, schemas, ...[...families].map(([name, family]) => withComponent(name, family)))
}

function withComponent(name: string, family: readonly Sharing[]): Record<string, Json> {
  const properties = commonMembers(family.map(([, schema]) => schema))
  const reference = { $ref: `#/components/schemas/${name}` }
  return {
    [name]: { type: 'object', properties },
    ...Object.fromEntries(family.map(([own, schema]) => [own, extensionOf(schema, reference, properties)])),
  }
}

/** Return the members that all schemas have alike, each from a schema that describes it. */
function commonMembers(schemas: readonly BodySchema[]): Record<string, Json> {
  const names = Object.keys(schemas[0]!.properties)
  return Object.fromEntries(
    names.flatMap((name) => {
      const all = schemas.map(({ properties }) => properties[name])
      if (new Set(all.map(shapeOf)).size > 1) return []
      return [[name, all.find((one) => one?.description !== undefined) ?? all[0]!]]
    }),
  )
}

/** A member without its description, in one order of keywords. */
function shapeOf(member: Json | undefined): string {
  const { description: _, ...shape } = member ?? {}
  return JSON.stringify(Object.entries(shape).sort())
}

/** `additionalProperties` would refuse the members of the component, so a closed body says `unevaluatedProperties`. */
function extensionOf(schema: BodySchema, reference: Json, shared: Readonly<Record<string, Json>>): Json {
  const { sharedMembers: _, properties, additionalProperties, ...rest } = schema
  const own = Object.entries(properties).filter(([name]) => !(name in shared))
  return {
    ...rest,
    allOf: [reference],
    ...(own.length > 0 && { properties: Object.fromEntries(own) }),
    ...(additionalProperties === false && { unevaluatedProperties: false }),
  }
}
