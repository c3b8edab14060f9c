/** One part of a JSON value, and a function that returns the whole with another part in its place. */
export interface Place {
  readonly part: unknown
  readonly put: (other: unknown) => unknown
}

/** Yield the value itself, and each part of it. */
export function* placesIn(part: unknown, put: Place['put'] = (other) => other): Iterable<Place> {
  yield { part, put }
  if (typeof part !== 'object' || part === null) return
  for (const [name, member] of Object.entries(part))
    yield* placesIn(member, (other) =>
      put(Array.isArray(part) ? part.with(Number(name), other) : { ...part, [name]: other }),
    )
}

export function isObject(part: unknown): part is object {
  return typeof part === 'object' && part !== null && !Array.isArray(part)
}

/** Return the object as JSON with members of these names. An object itself would take `__proto__` for its prototype. */
export function withMembers(part: object, names: readonly string[]): string {
  const members = [...Object.entries(part), ...names.map((name) => [name, 1] as const)]
  return `{${members.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join(',')}}`
}
