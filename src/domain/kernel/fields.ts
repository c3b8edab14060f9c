/**
 * The fields of a record, each declared once. Types, events, states, columns, request bodies, answers, columns of
 * imports, the rule language and the rows of the portal follow from the declaration.
 */

export interface Field<Value = unknown> {
  readonly kind: Kind
  readonly isNullable: boolean
  /** For callers of the API, where the name does not say it. */
  readonly about?: string | undefined
  /** Holds only the type, and is never set. */
  readonly value?: Value
}

export type Fields = Readonly<Record<string, Field>>

export type Kind =
  /** The bounds are in code points. */
  | { readonly is: 'text'; readonly least: number; readonly most: number }
  /** A number or a name that people know a record by, such as `H 4711`: one line, without letters that deceive. */
  | { readonly is: 'identifier'; readonly most: number }
  /** `#RGB` or `#RRGGBB`. */
  | { readonly is: 'colour' }
  /** RFC 3339 full-date. */
  | { readonly is: 'date' }
  | { readonly is: 'flag' }
  | { readonly is: 'whole'; readonly least: number; readonly most: number }
  | { readonly is: 'number'; readonly least: number; readonly most: number; readonly unit: string }
  /** More than 0 mm. */
  | { readonly is: 'length'; readonly most: number; readonly unit: 'mm' }
  | ListOfValues
  | NumbersByName
  | ObjectKind
  | {
      readonly is: 'variants'
      readonly name: string
      readonly variants: Readonly<Record<string, ObjectKind>>
    }
  | { readonly is: 'list'; readonly of: Field; readonly least: 0 | 1; readonly most: number }

/** One of a list of values, which has a name in the API. */
interface ListOfValues {
  readonly is: 'oneOf'
  readonly name: string
  readonly values: readonly string[]
}

/** A number for each of some names, such as the percentage of each element. */
interface NumbersByName {
  readonly is: 'numbers'
  readonly name: string
  readonly names: readonly string[]
  readonly least: number
  readonly most: number
}

export interface ObjectKind<Declared extends Fields = Fields> {
  readonly is: 'object'
  /** The name of the type in the API and in the rule language. */
  readonly name: string
  readonly fields: Declared
}

export type ValueOf<Declared extends Field> = Declared extends Field<infer Value> ? Value : never
export type ContentOf<Declared extends Fields> = {
  readonly [Name in keyof Declared]: ValueOf<Declared[Name]>
}

interface About {
  readonly about?: string
}
interface Bounds extends About {
  readonly least: number
  readonly most: number
}

export function text({ least = 1, most, about }: Partial<Bounds> & Pick<Bounds, 'most'>): Field<string> {
  return field({ is: 'text', least, most }, about)
}

export function identifier({ most = 50, about }: Partial<Omit<Bounds, 'least'>> = {}): Field<string> {
  return field({ is: 'identifier', most }, about)
}

export function colour(): Field<string> {
  return field({ is: 'colour' })
}

export function date({ about }: About = {}): Field<string> {
  return field({ is: 'date' }, about)
}

/** A flag that is left out is false. */
export function flag({ about }: About = {}): Field<boolean> {
  return field({ is: 'flag' }, about)
}

export function whole({ least, most, about }: Bounds): Field<number> {
  return field({ is: 'whole', least, most }, about)
}

export function number({ least, most, unit, about }: Bounds & { readonly unit: string }): Field<number> {
  return field({ is: 'number', least, most, unit }, about)
}

export function length({ most, about }: Omit<Bounds, 'least'>): Field<number> {
  return field({ is: 'length', most, unit: 'mm' }, about)
}

export function oneOf<Value extends string>(
  name: string,
  values: readonly Value[],
  { about }: About = {},
): Field<Value> {
  return field({ is: 'oneOf', name, values }, about)
}

export function numbersByName({
  about,
  ...kind
}: Omit<NumbersByName, 'is'> & About): Field<Readonly<Record<string, number>>> {
  return field({ is: 'numbers', ...kind }, about)
}

export function objectKind<Declared extends Fields>(name: string, fields: Declared): ObjectKind<Declared> {
  return { is: 'object', name, fields }
}

export function object<Declared extends Fields>(
  name: string,
  fields: Declared,
  { about }: About = {},
): Field<ContentOf<Declared>> {
  return field(objectKind(name, fields), about)
}

/** One of several objects, which the member `kind` tells apart. */
export function variants<Variants extends Readonly<Record<string, ObjectKind>>>(
  name: string,
  variants: Variants,
): Field<VariantOf<Variants>> {
  return field({ is: 'variants', name, variants })
}

type VariantOf<Variants extends Readonly<Record<string, ObjectKind>>> = {
  [Kind in keyof Variants]: { readonly kind: Kind } & ContentOf<Variants[Kind]['fields']>
}[keyof Variants]

export function listOf<Value>(
  of: Field<Value>,
  { least = 0, most, about }: About & { readonly least?: 0 | 1; readonly most: number },
): Field<readonly Value[]> {
  return field({ is: 'list', of, least, most }, about)
}

export function orNull<Value>(declared: Field<Value>): Field<Value | null> {
  return { kind: declared.kind, about: declared.about, isNullable: true }
}

function field(kind: Kind, about?: string): Field<never> {
  return { kind, about, isNullable: false }
}

/** Return these fields and no others. A field that is left out is null, and a flag is false. */
export function pick<Declared extends Fields>(
  fields: Declared,
  from: { readonly [Name in keyof Declared]?: ValueOf<Declared[Name]> | undefined },
): ContentOf<Declared> {
  const picked: Record<string, unknown> = {}
  for (const [name, { kind }] of Object.entries(fields))
    picked[name] = from[name] ?? (kind.is === 'flag' ? false : null)
  return picked as never
}
