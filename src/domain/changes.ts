/** One field that changed, for an auditor to read. */
export interface Change {
  readonly field: string
  readonly from: unknown
  readonly to: unknown
}

type Members = Readonly<Record<string, unknown>>

const isStructured = (value: unknown): value is Members => typeof value === 'object' && value !== null

const equal = (a: unknown, b: unknown): boolean => {
  if (!isStructured(a) || !isStructured(b)) return a === b
  if (Array.isArray(a) !== Array.isArray(b)) return false
  const names = Object.keys(a)
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && equal(a[name], b[name]))
  )
}

/** Equal as JSON values: the order of an object's members does not count, absent as a whole counts as null. */
export const sameValue = (a: unknown, b: unknown): boolean => equal(a ?? null, b ?? null)

/** The fields of `to` that differ from `from`. */
export const changesOf = <Fields extends object>(from: Partial<Fields>, to: Fields): Change[] =>
  (Object.keys(to) as (keyof Fields & string)[])
    .filter((field) => !sameValue(from[field], to[field]))
    .map((field) => ({ field, from: from[field] ?? null, to: to[field] ?? null }))
