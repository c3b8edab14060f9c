import type { EventHeader, FilterRequest } from './storage/types.ts'

/** Whether a subscriber wants an event. */
export type Filter = (event: Pick<EventHeader, 'stream' | 'type'>) => boolean

/**
 * Turns the filter of a request into a test. Regular expressions are JavaScript's; .NET's that mean the same
 * in both work.
 * @throws SyntaxError when the filter is not a regular expression
 */
export function compileFilter({ on, regex, prefixes }: FilterRequest): Filter {
  const matches = regex === undefined ? prefixTest(prefixes) : regexTest(regex)
  return on === 'stream' ? (event) => matches(event.stream) : (event) => matches(event.type)
}

function prefixTest(prefixes: string[]): (value: string) => boolean {
  return (value) => prefixes.some((prefix) => value.startsWith(prefix))
}

function regexTest(regex: string): (value: string) => boolean {
  const expression = new RegExp(regex)
  return (value) => expression.test(value)
}
