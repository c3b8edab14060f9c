/** The values of the names in expressions. */
type Variables = ReadonlyMap<string, unknown>
export type Run = (variables: Variables) => unknown

/** Return a function that reads a path like `order.lineItems[].grade`. A missing value is null. */
export function pathReader(path: string): Run {
  const steps = path.split('.').map((step) => ({ name: step.replace('[]', ''), isList: step.endsWith('[]') }))
  const read = (value: unknown, index: number): unknown => {
    if (index === steps.length) return value ?? null
    if (typeof value !== 'object' || value === null) return null
    const { name, isList } = steps[index]!
    const member = value instanceof Map ? value.get(name) : (value as Record<string, unknown>)[name]
    if (!isList) return read(member, index + 1)
    return Array.isArray(member) ? member.map((item) => read(item, index + 1)) : null
  }
  return (variables) => read(variables, 0)
}
