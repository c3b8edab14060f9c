import type { FaultCode } from '../../src/problems/faults.ts'

/** Makes values from JSON Schema as our OpenAPI document has it: one that fits, and others that are just wrong. */

export interface Schema {
  readonly $ref?: string
  readonly anyOf?: readonly Schema[]
  readonly type?: string | readonly string[]
  readonly enum?: readonly string[]
  readonly format?: string
  readonly pattern?: string
  readonly examples?: readonly unknown[]
  readonly default?: unknown
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | Schema
  readonly allOf?: readonly Schema[]
  readonly unevaluatedProperties?: boolean
  readonly propertyNames?: Schema
}

/** A body with one part changed. */
export interface Variant {
  readonly what: string
  readonly body: unknown
  readonly path: string
  /** The kind of the fault; undefined when the part is still right. */
  readonly wrong: FaultCode | undefined
}

export type Resolve = (reference: string) => Schema

const safest = 9_007_199_254_740_991

/** Return a text that the pattern allows. @throws Error when a schema needs an example of its own */
function fitting(pattern: string, unique: string): string {
  const text = [unique, 'a', '1', '#123', '2026-01-02', 'a@b.org'].find((one) =>
    new RegExp(pattern, 'u').test(one),
  )
  if (text === undefined) throw new Error(`give an example of ${pattern}`)
  return text
}

/** Make a value that fits; `unique` makes it differ from others where the schema allows it. */
export function sample(given: Schema, resolve: Resolve, unique = 'a'): unknown {
  const { schema } = plain(given, resolve)
  if (schema.examples && schema.type !== 'object') return schema.examples[0]
  if (schema.enum) return schema.enum[0]
  if (schema.default !== undefined) return schema.default
  switch (schema.type) {
    case 'string':
      if (schema.format === 'uuid') return '7a1d2c3b-4e5f-4a6b-8c7d-9e0f1a2b3c4d'
      if (schema.format === 'date') return '2026-01-02'
      if (schema.format === 'date-time') return new Date().toISOString()
      if (schema.pattern) return fitting(schema.pattern, unique)
      return unique.slice(0, schema.maxLength ?? unique.length).padEnd(schema.minLength ?? 0, 'x')
    case 'integer':
    case 'number':
      return schema.minimum ?? (schema.exclusiveMinimum ?? 0) + 1
    case 'boolean':
      return true
    case 'array':
      return Array.from({ length: schema.minItems ?? 0 }, () => sample(schema.items!, resolve, unique))
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([name, part]) => [name, sample(part, resolve, unique)]),
      )
    default:
      return {}
  }
}

const otherTypes: Record<string, readonly unknown[]> = {
  string: [7, true, [], {}],
  number: ['7', true, [], {}],
  integer: ['7', true, [], {}, 1.5],
  boolean: ['true', 1, [], {}],
  array: ['x', 7, {}],
  object: ['x', 7, []],
}

const wrongUuids = [
  '',
  'x',
  '7a1d2c3b4e5f4a6b8c7d9e0f1a2b3c4d',
  '7a1d2c3b-4e5f-4a6b-8c7d-9e0f1a2b3c4',
  '7a1d2c3b-4e5f-4a6b-8c7d-9e0f1a2b3c4d0',
  '7a1d2c3b-4e5f-4a6b-8c7d-9e0f1a2b3c4g',
  '{7a1d2c3b-4e5f-4a6b-8c7d-9e0f1a2b3c4d}',
  'urn:uuid:7a1d2c3b-4e5f-4a6b-8c7d-9e0f1a2b3c4d',
  ' 7a1d2c3b-4e5f-4a6b-8c7d-9e0f1a2b3c4d',
  '7a1d2c3b-4e5f-4a6b-8c7d-9e0f1a2b3c4d\n',
]

export { wrongUuids }

interface Value {
  readonly what: string
  readonly value: unknown
  readonly wrong: FaultCode | undefined
}

/** List the ways in which one part of a fitting value can be wrong or at a bound. */
export function* variants(given: Schema, resolve: Resolve, whole: unknown): Iterable<Variant> {
  yield* within(given, resolve, whole, '', (part) => part)
}

function* within(
  given: Schema,
  resolve: Resolve,
  part: unknown,
  path: string,
  put: (part: unknown) => unknown,
): Iterable<Variant> {
  const { schema, nullable } = plain(given, resolve)
  for (const { what, value, wrong } of valuesOf(schema, nullable, identifying.test(path)))
    yield { what: `${path || 'the body'}: ${what}`, body: put(value), path, wrong }

  if (schema.type === 'object') {
    const members = part as Record<string, unknown>
    if (schema.additionalProperties === false || schema.unevaluatedProperties === false)
      yield {
        what: `${path}: an unknown field`,
        body: put({ ...members, zz: 1 }),
        path: `${path}/zz`,
        wrong: 'unknown-member',
      }
    for (const [name, member] of Object.entries(schema.properties ?? {})) {
      const { [name]: _, ...others } = members
      yield {
        what: `${path}${step(name)}: absent`,
        body: put(others),
        path: path + step(name),
        wrong: schema.required?.includes(name) ? 'required' : undefined,
      }
      yield* within(member, resolve, members[name], path + step(name), (value) =>
        put({ ...members, [name]: value }),
      )
    }
  }

  if (schema.type === 'array') {
    const items = part as unknown[]
    const item = items[0] ?? sample(schema.items!, resolve)
    const many = (count: number) => put(Array.from({ length: count }, () => item))
    if (schema.minItems)
      yield { what: `${path}: too few`, body: many(schema.minItems - 1), path, wrong: 'out-of-bounds' }
    if (schema.maxItems !== undefined && schema.maxItems < 1_000_000)
      yield { what: `${path}: too many`, body: many(schema.maxItems + 1), path, wrong: 'out-of-bounds' }
    yield* within(schema.items!, resolve, item, `${path}/0`, (value) => put([value, ...items.slice(1)]))
  }
}

function right(what: string, value: unknown): Value {
  return { what, value, wrong: undefined }
}

function wrong(what: string, value: unknown, code: FaultCode): Value {
  return { what, value, wrong: code }
}

/** Resolve references, join the members of `allOf`, and drop a null that the schema allows. */
function plain(given: Schema, resolve: Resolve): { schema: Schema; nullable: boolean } {
  if (given.$ref) return plain(resolve(given.$ref), resolve)
  const bases = (given.allOf ?? []).map((base) => plain(base, resolve).schema.properties)
  const schema = given.allOf ? { ...given, properties: Object.assign({}, ...bases, given.properties) } : given
  // The empty schema allows any value.
  if (!schema.anyOf) {
    const types = [schema.type ?? []].flat()
    if (!types.includes('null')) return { schema, nullable: Object.keys(schema).length === 0 }
    return { schema: { ...schema, type: types[0]! }, nullable: true }
  }
  const others = schema.anyOf.filter(({ type }) => type !== 'null')
  if (others.length !== 1) throw new Error(`no variants of ${JSON.stringify(schema)}`)
  return { schema: plain(others[0]!, resolve).schema, nullable: others.length < schema.anyOf.length }
}

function valuesOf(schema: Schema, nullable: boolean, isIdentifying: boolean): Value[] {
  const types = [schema.type ?? []].flat()
  const others = types[0] ? otherTypes[types[0]]! : []
  return [
    ...others
      .filter(
        (value) => types.length === 1 || !types.includes(Number.isInteger(value) ? 'integer' : typeof value),
      )
      .map((value) => wrong('another type', value, schema.enum ? 'not-one-of' : 'wrong-type')),
    nullable ? right('null', null) : wrong('null', null, schema.enum ? 'not-one-of' : 'wrong-type'),
    ...(schema.enum ? ['none of these', ''].map((value) => wrong('none of these', value, 'not-one-of')) : []),
    ...(schema.type === 'string' && !schema.enum ? strings(schema, isIdentifying) : []),
    ...(schema.type === 'number' || schema.type === 'integer' ? numbers(schema) : []),
  ]
}

/** Members by which people tell records apart. No JSON Schema says that they must not hide characters. */
const identifying = /\/(?:name|label|item|pieceMark|deliveryNote|(?:certificate|heat|order)Number)$/

function strings({ format, pattern, minLength = 0, maxLength }: Schema, isIdentifying: boolean): Value[] {
  const turned = '\u202eab\u2066'.padEnd(minLength, 'a')

  return [
    wrong('NUL', 'a\0', 'not-storable'),
    wrong('an unpaired surrogate', 'a\ud83d', 'not-storable'),
    ...(format === 'uuid' ? wrongUuids.map((value) => wrong('no UUID', value, 'wrong-format')) : []),
    ...(format === 'date'
      ? ['', '2026-02-29', '2026-13-01', '02.01.2026', '2026-01-02T00:00:00Z'].map((value) =>
          wrong('no date', value, 'wrong-format'),
        )
      : []),
    ...(pattern && format === undefined ? [wrong('another pattern', 'no such thing', 'wrong-format')] : []),
    ...(minLength > 0 ? [wrong('too short', text(minLength - 1), 'out-of-bounds')] : []),
    ...(maxLength === undefined
      ? []
      : [
          right('as long as may be', '𝔸'.repeat(maxLength)),
          wrong('too long', text(maxLength + 1), 'out-of-bounds'),
        ]),
    ...(isIdentifying ? [wrong('marks of direction', turned, 'wrong-format')] : []),
    ...(format === undefined && !pattern && !isIdentifying ? [right('marks of direction', turned)] : []),
  ]
}

function text(length: number): string {
  return 'm'.repeat(length)
}

function numbers({ type, minimum, maximum, exclusiveMinimum }: Schema): Value[] {
  return [
    ...(minimum === undefined || minimum <= -safest
      ? []
      : [right('the least', minimum), wrong('too little', minimum - 1, 'out-of-bounds')]),
    ...(exclusiveMinimum === undefined ? [] : [wrong('too little', exclusiveMinimum, 'out-of-bounds')]),
    ...(maximum === undefined || maximum >= safest
      ? []
      : [
          right('the most', maximum),
          wrong('too much', type === 'integer' ? maximum + 1 : maximum * 1.001, 'out-of-bounds'),
        ]),
  ]
}

function step(key: string | number): string {
  return `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`
}
