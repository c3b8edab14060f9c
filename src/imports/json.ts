import { numbersIn } from './numbers.ts'

/** Walk through JSON of unknown shape, and know the JSON Pointer of each part. */

/**
 * Parse JSON. A number that no double holds, such as 1e400, becomes the text `Infinity` or `-Infinity`, which no reader
 * takes for a number. As a number it would become null in the proposal. @throws SyntaxError
 */
export function parseJson(text: string): unknown {
  const root: Record<string, unknown> = { value: JSON.parse(text) }
  // Not recursive, because the nesting has no bound yet.
  const open = [root]
  for (let part = open.pop(); part; part = open.pop())
    for (const [name, value] of Object.entries(part))
      if (typeof value === 'number' && !Number.isFinite(value)) part[name] = String(value)
      else if (typeof value === 'object' && value !== null) open.push(value as Record<string, unknown>)
  return root.value
}

export interface Part {
  readonly value: unknown
  /** RFC 6901. */
  readonly pointer: string
}

/** Return a member of an object; its value is undefined when there is none. */
export function memberOf(part: Part, ...names: readonly string[]): Part {
  return names.reduce<Part>(
    ({ value, pointer }, name) => ({ value: own(value, name), pointer: step(pointer, name) }),
    part,
  )
}

/** Return the members of an array, or the part itself if it is one value. */
export function itemsOf(part: Part): readonly Part[] {
  if (part.value === undefined || part.value === null) return []
  if (!Array.isArray(part.value)) return [part]
  return part.value.map((value, index) => ({ value, pointer: `${part.pointer}/${index}` }))
}

/** Return the members of an object whose names match. */
export function membersNamed(part: Part, pattern: RegExp): readonly Part[] {
  if (!isObject(part.value)) return []
  return Object.keys(part.value)
    .filter((name) => pattern.test(name))
    .map((name) => memberOf(part, name))
}

/** Return the trimmed text of a part. A number counts as the text it was written as. */
export function textOf({ value }: Part): string | undefined {
  if (typeof value === 'number' && Number.isFinite(value)) return String(value)
  if (typeof value !== 'string') return undefined
  const text = value.trim()
  return text === '' ? undefined : text
}

/** Return the numbers that a part may state: several for an ambiguous text, none for anything else than a number. */
export function numbersOf(part: Part): readonly number[] {
  return typeof part.value === 'number' ? [part.value] : numbersIn(textOf(part) ?? '')
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Whether arrays and objects are nested deeper than this many levels. */
export function isDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((part) => isDeeperThan(levels - 1, part))
}

function own(value: unknown, name: string): unknown {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined
}

function step(pointer: string, name: string): string {
  return `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
}
