export type Values = Readonly<Record<string, string | number>>

const placeholder = /\{(\w+)(?::([^|}]*)\|([^}]*))?\}/g

/** Fill a text: `{n}` with a value, and `{n:piece|pieces}` with the word for one thing or for another number of them. */
export function filled(text: string, values: Values): string {
  return text.replace(placeholder, (_, name: string, one?: string, many?: string) => {
    const value = String(values[name] ?? '')
    return one === undefined ? value : value === '1' ? one : many!
  })
}
