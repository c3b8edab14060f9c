/**
 * The fields of a record, declared once: the rule language takes its types from here, and events, states and rows
 * take exactly these fields. A flag is true or false; every other field may be null.
 */
export type FieldKind = 'text' | 'number' | 'flag' | ObjectKind | { readonly listOf: ObjectKind | 'number' }

export interface ObjectKind {
  /** The type's name in the rule language. */
  readonly name: string
  readonly fields: FieldKinds
}

export type FieldKinds<Name extends string = string> = Readonly<Record<Name, FieldKind>>

/** Return these fields and no others. A field that is left out is null, and a flag is false. */
export function pick<Fields extends object>(
  kinds: FieldKinds<keyof Fields & string>,
  from: Fields,
): { readonly [Name in keyof Fields]: Fields[Name] } {
  const names = Object.keys(kinds) as (keyof Fields & string)[]
  return Object.fromEntries(names.map((name) => [name, from[name] ?? absent(kinds[name])])) as Fields
}

function absent(kind: FieldKind): false | null {
  return kind === 'flag' ? false : null
}
