const placeholder = /\{(\w+)(?::([^|}]*)\|([^}]*))?\}/g

/** Fill a text: `{n}` with a value, and `{n:piece|pieces}` with the word for one thing or for another number of them. */
export function fillText(text: string, wordFor: (name: string) => string): string {
  return text.replace(placeholder, (_, name: string, one?: string, many?: string) => {
    const value = wordFor(name)
    return one === undefined ? value : value === '1' ? one : many!
  })
}
