/** One field that changed, for an auditor to read. */
export interface Change {
  readonly field: string
  readonly from: unknown
  readonly to: unknown
}

type Members = Readonly<Record<string, unknown>>

function isEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || !a || !b) return false
  const names = Object.keys(a)
  if (Array.isArray(a) !== Array.isArray(b) || names.length !== Object.keys(b).length) return false
  for (const name of names) {
    const [one, other] = [(a as Members)[name], (b as Members)[name]]
    if (!Object.hasOwn(b, name) || (one !== other && !isEqual(one, other))) return false
  }
  return true
}

/** Whether two JSON values are equal. The order of members does not count, and undefined counts as null. */
export function sameValue(a: unknown, b: unknown): boolean {
  return isEqual(a ?? null, b ?? null)
}

/** List the fields of `to` that differ from `from`. */
export function changesOf<Fields extends object>(from: Partial<Fields>, to: Fields): Change[] {
  return (Object.keys(to) as (keyof Fields & string)[])
    .filter((field) => !sameValue(from[field], to[field]))
    .map((field) => ({ field, from: from[field] ?? null, to: to[field] ?? null }))
}
