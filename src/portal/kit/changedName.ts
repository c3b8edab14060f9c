interface Names {
  readonly fieldName: (path: string) => string
  readonly lineName: (n: string) => string
}

/** Name a changed field, such as `lineItems/10/grade`: "Line 10 · Grade". */
export function changedName(field: string, { fieldName, lineName }: Names): string {
  const [first = '', second, ...others] = field.split('/')
  const name = fieldName(others.at(-1) ?? second ?? first)
  if (first === 'lineItems' && second !== undefined)
    return [lineName(second), ...(others.length > 0 ? [name] : [])].join(' · ')
  return first === 'byExecutionClass' && second !== undefined ? `${name} (${second})` : name
}
