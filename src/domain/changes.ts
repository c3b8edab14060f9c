import { fromJS, is } from 'immutable'

/** One field that changed, for an auditor to read. */
export interface Change {
  readonly field: string
  readonly from: unknown
  readonly to: unknown
}

/** Equal as JSON values: the order of an object's members does not count, absent counts as null. */
export const sameValue = (a: unknown, b: unknown): boolean => is(fromJS(a ?? null), fromJS(b ?? null))

/** The fields of `to` that differ from `from`. */
export const changesOf = <Fields extends object>(from: Partial<Fields>, to: Fields): Change[] =>
  (Object.keys(to) as (keyof Fields & string)[])
    .filter((field) => !sameValue(from[field], to[field]))
    .map((field) => ({ field, from: from[field] ?? null, to: to[field] ?? null }))
