import type { EventHeader, FilterRequest } from './storage/types.ts'

/** Whether an event is wanted. */
export type Filter = (event: Pick<EventHeader, 'stream' | 'type'>) => boolean

/**
 * Turns the filter of a request into a test.
 * @throws SyntaxError when the regular expression is none. It is read as JavaScript's, not .NET's: what
 *   both write alike works.
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
