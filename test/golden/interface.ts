/**
 * The HTTP interface that callers have come to rely on: the OpenAPI document without its texts. `breaksOf` says where
 * a later interface breaks the promise of docs/compatibility.md.
 */

export const interfaceFile = new URL('./interface.json', import.meta.url).pathname

/** A JSON Schema of the document, or a reference to one. */
export interface Schema {
  readonly [keyword: string]: unknown
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly properties?: Schemas
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly additionalProperties?: boolean | Schema
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
}
type Schemas = Readonly<Record<string, Schema>>

interface Parameter {
  readonly required: boolean
  readonly schema: Schema
}

export interface Operation {
  readonly method: string
  readonly path: string
  /** The names of the accepted security schemes; none when anybody may call. */
  readonly security: readonly string[]
  /** By place and name, such as `query limit`. */
  readonly parameters: Readonly<Record<string, Parameter>>
  /** By media type. */
  readonly body?: Schemas
  /** A request may come without the body. */
  readonly isBodyOptional?: true
  /** By status. */
  readonly answers: Readonly<
    Record<string, { readonly headers: readonly string[]; readonly content: Schemas }>
  >
  /** The codes of problems by status. Each code has a schema of its name. */
  readonly problems: Readonly<Record<string, readonly string[]>>
}

export interface Interface {
  /** By operationId. */
  readonly operations: Readonly<Record<string, Operation>>
  readonly schemas: Schemas
}

// biome-ignore lint/suspicious/noExplicitAny: a JSON document.
export function interfaceOf({ paths, components }: any): Interface {
  const operations = Object.entries<object>(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => [
      operation.operationId,
      operationOf(method, path, operation),
    ]),
  )
  return { operations: Object.fromEntries(operations), schemas: withoutTexts(components.schemas) }
}

/** List what a caller of the interface before can no longer rely on after it. */
export function breaksOf(before: Interface, after: Interface): string[] {
  return [...interfaceBreaks(before, after)]
}

const problemType = 'application/problem+json'

// biome-ignore lint/suspicious/noExplicitAny: a part of a JSON document.
function operationOf(method: string, path: string, operation: any): Operation {
  const { parameters, requestBody, responses, security } = operation
  const answers: Record<string, Operation['answers'][string]> = {}
  const problems: Record<string, readonly string[]> = {}
  // biome-ignore lint/suspicious/noExplicitAny: a part of a JSON document.
  for (const [status, { headers = {}, content = {} }] of Object.entries<any>(responses)) {
    if (problemType in content) problems[status] = codesIn(content[problemType].schema)
    else answers[status] = { headers: Object.keys(headers), content: schemasIn(content) }
  }
  return {
    ...{ method, path },
    security: security.flatMap(Object.keys),
    parameters: Object.fromEntries(
      parameters.map(({ in: place, name, required, schema }: Record<string, string> & Parameter) => [
        `${place} ${name}`,
        { required, schema: withoutTexts(schema) },
      ]),
    ),
    ...(requestBody && { body: schemasIn(requestBody.content) }),
    ...(requestBody?.required === false && { isBodyOptional: true }),
    ...{ answers, problems },
  }
}

function codesIn({ oneOf, $ref }: Schema): string[] {
  return (oneOf ?? [{ $ref }]).map((code) => nameIn(code.$ref!))
}

function nameIn(reference: string): string {
  return reference.split('/').at(-1)!
}

function schemasIn(content: Readonly<Record<string, { readonly schema: Schema }>>): Schemas {
  return Object.fromEntries(
    Object.entries(content).map(([mediaType, { schema }]) => [mediaType, withoutTexts(schema)]),
  )
}

const texts = ['title', 'description', 'examples']

/** A member may have the name of a text, but then it is a schema. */
function withoutTexts<Part>(part: Part): Part {
  if (Array.isArray(part)) return part.map(withoutTexts) as Part
  if (typeof part !== 'object' || part === null) return part
  return Object.fromEntries(
    Object.entries(part)
      .filter(([name, value]) => !texts.includes(name) || isSchema(value))
      .map(([name, value]) => [name, withoutTexts(value)]),
  ) as Part
}

function isSchema(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function* interfaceBreaks(before: Interface, after: Interface): Iterable<string> {
  const schemaBreaks = createSchemaBreaks(before.schemas, after.schemas)
  const codes = new Set<string>()
  for (const [operationId, old] of Object.entries(before.operations)) {
    const now = after.operations[operationId]
    if (!now) yield `${operationId} is gone`
    else yield* operationBreaks(old, now, operationId, schemaBreaks)
    for (const code of Object.values(old.problems).flat()) codes.add(code)
  }
  for (const code of codes)
    yield* schemaBreaks(before.schemas[code]!, after.schemas[code] ?? {}, 'answered', `problem ${code}`)
}

function* operationBreaks(old: Operation, now: Operation, at: string, schemaBreaks: SchemaBreaks) {
  const address = ({ method, path }: Operation) => `${method.toUpperCase()} ${path}`
  if (address(old) !== address(now)) yield `${at} has moved from ${address(old)} to ${address(now)}`
  yield* missing(old.security, now.security, (scheme) => `${at} no longer accepts ${scheme}`)
  if (old.security.length === 0 && now.security.length > 0) yield `${at} is no longer open`

  for (const [name, { required, schema }] of Object.entries(now.parameters)) {
    const known = old.parameters[name]
    if (required && !known?.required) yield `${at}: ${name} is now required`
    if (known) yield* schemaBreaks(known.schema, schema, 'sent', `${at}: ${name}`)
  }
  yield* missing(Object.keys(old.parameters), Object.keys(now.parameters), (name) => `${at}: ${name} is gone`)

  const needsBody = ({ body, isBodyOptional }: Operation) => body !== undefined && !isBodyOptional
  if (needsBody(now) && !needsBody(old)) yield `${at} now needs a body`
  for (const [mediaType, schema] of Object.entries(old.body ?? {})) {
    const known = now.body?.[mediaType]
    if (known) yield* schemaBreaks(schema, known, 'sent', `${at}: body`)
    else yield `${at} no longer takes ${mediaType}`
  }
  for (const [status, { headers, content }] of Object.entries(old.answers)) {
    const known = now.answers[status]
    if (!known) yield `${at} no longer answers ${status}`
    yield* missing(headers, known?.headers ?? headers, (name) => `${at}: ${status} has no ${name} any more`)
    for (const [mediaType, schema] of Object.entries(known ? content : {})) {
      const shown = known!.content[mediaType]
      if (shown) yield* schemaBreaks(schema, shown, 'answered', `${at}: ${status}`)
      else yield `${at}: ${status} is no longer ${mediaType}`
    }
  }
  for (const [status, codes] of Object.entries(old.problems))
    yield* missing(codes, now.problems[status] ?? [], (code) => `${at} no longer answers ${status} ${code}`)
}

function* missing(old: readonly string[], now: readonly string[], said: (name: string) => string) {
  for (const name of old) if (!now.includes(name)) yield said(name)
}

/** Callers send values of a schema, or are answered with them. */
type Direction = 'sent' | 'answered'
type SchemaBreaks = (old: Schema, now: Schema, direction: Direction, at: string) => Iterable<string>

/** Compare schemas of two interfaces. A schema that refers to itself is compared once. */
function createSchemaBreaks(before: Schemas, after: Schemas): SchemaBreaks {
  const underWay = new Set<string>()

  function* schemaBreaks(old: Schema, now: Schema, direction: Direction, at: string): Iterable<string> {
    const pair = `${direction} ${old.$ref} ${now.$ref}`
    if (old.$ref && now.$ref && underWay.has(pair)) return
    underWay.add(pair)
    const [olds, nows] = [alternatives(old, before), alternatives(now, after)]
    for (const one of olds) {
      const found = ofSameType(one, nows).map((other) => [...partBreaks(one, other, direction, at)])
      if (found.length > 0) yield* found.find((breaks) => breaks.length === 0) ?? found[0]!
      else yield `${at} can no longer be ${typeOf(one)}`
    }
    if (direction === 'answered')
      for (const one of nows) if (ofSameType(one, olds).length === 0) yield `${at} can now be ${typeOf(one)}`
    underWay.delete(pair)
  }

  function* partBreaks(old: Schema, now: Schema, direction: Direction, at: string): Iterable<string> {
    yield* valueBreaks(old, now, direction, at)
    if (direction === 'sent') yield* boundBreaks(old, now, at)
    const { properties = {}, required = [] } = old
    for (const [name, schema] of Object.entries(properties)) {
      const known = now.properties?.[name]
      if (known) yield* schemaBreaks(schema, known, direction, `${at}.${name}`)
      else yield `${at}.${name} is gone`
    }
    if (direction === 'sent')
      yield* missing(now.required ?? [], required, (name) => `${at}.${name} is now required`)
    else yield* missing(required, now.required ?? [], (name) => `${at}.${name} may now be absent`)
    for (const part of ['items', 'additionalProperties', 'propertyNames'] as const) {
      const [known, shown] = [old[part], now[part]]
      if (isSchema(known) && isSchema(shown))
        yield* schemaBreaks(known as Schema, shown as Schema, direction, `${at}[]`)
      else if (isNarrower(known, shown, direction)) yield `${at} has other ${part}`
    }
  }

  return schemaBreaks
}

/** Whether a part that is no schema on both sides takes less than before, or is answered with more. */
function isNarrower(old: unknown, now: unknown, direction: Direction): boolean {
  return direction === 'sent' ? old !== false && (now === false || isSchema(now)) : isSchema(old)
}

/** Return the alternatives of a schema, each with one type. */
function alternatives(schema: Schema, schemas: Schemas): Schema[] {
  if (schema.$ref) return alternatives(schemas[nameIn(schema.$ref)] ?? {}, schemas)
  const { anyOf, oneOf, allOf, type } = schema
  const either = anyOf ?? oneOf
  if (either) return either.flatMap((one) => alternatives(one, schemas))
  if (Array.isArray(type)) return type.map((one) => ({ ...schema, type: one }))
  if (!allOf) return [schema]
  const parts = [...allOf.flatMap((part) => alternatives(part, schemas)), schema]
  return [
    {
      ...schema,
      properties: Object.assign({}, ...parts.map(({ properties }) => properties)),
      required: parts.flatMap(({ required = [] }) => required),
    },
  ]
}

function ofSameType(schema: Schema, others: readonly Schema[]): Schema[] {
  return others.filter((other) => typeOf(other) === typeOf(schema))
}

function typeOf({ type, const: value, enum: values }: Schema): string {
  return String(
    type ??
      (value === undefined && values === undefined ? 'anything' : typeof (value ?? (values as unknown[])[0])),
  )
}

/** A list of values may grow. It is open in answers already, so a list must not begin or end there. */
function* valueBreaks(old: Schema, now: Schema, direction: Direction, at: string): Iterable<string> {
  const valuesOf = ({ const: value, enum: values }: Schema) =>
    (value === undefined ? values : [value]) as readonly unknown[] | undefined
  const [known, shown] = [valuesOf(old), valuesOf(now)]
  if (!known && shown && direction === 'sent') yield `${at} must now be one of ${shown.join(', ')}`
  if (known && !shown && direction === 'answered') yield `${at} is no longer one of ${known.join(', ')}`
  if (known && shown)
    yield* missing(known.map(String), shown.map(String), (value) => `${at} is no longer ${value}`)
  if (direction === 'answered' && old.format !== now.format) yield `${at} has another format`
}

const least = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems']
const most = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems']

/** Bounds are only widened. */
function* boundBreaks(old: Schema, now: Schema, at: string): Iterable<string> {
  for (const bound of least)
    if (now[bound] !== undefined && !((old[bound] as number) >= (now[bound] as number)))
      yield `${at}: ${bound} is narrower`
  for (const bound of most)
    if (now[bound] !== undefined && !((old[bound] as number) <= (now[bound] as number)))
      yield `${at}: ${bound} is narrower`
  for (const rule of ['pattern', 'format', 'default'])
    if (now[rule] !== undefined && now[rule] !== old[rule]) yield `${at} has another ${rule}`
}
