import { numbersIn } from './numbers.ts'

/** Walk through parsed JSON of unknown shape, and know the JSON Pointer of each part. */

export interface Part {
  readonly value: unknown
  /** RFC 6901. */
  readonly pointer: string
}

/** Return a member of an object; its value is undefined when there is none. */
export function member(part: Part, ...names: readonly string[]): Part {
  return names.reduce<Part>(
    ({ value, pointer }, name) => ({ value: own(value, name), pointer: step(pointer, name) }),
    part,
  )
}

/** Return the members of an array, or the part itself if it is one value. */
export function items(part: Part): readonly Part[] {
  if (part.value === undefined || part.value === null) return []
  if (!Array.isArray(part.value)) return [part]
  return part.value.map((value, index) => ({ value, pointer: `${part.pointer}/${index}` }))
}

/** Return the members of an object whose names match. */
export function membersNamed(part: Part, pattern: RegExp): readonly Part[] {
  if (!isObject(part.value)) return []
  return Object.keys(part.value)
    .filter((name) => pattern.test(name))
    .map((name) => member(part, name))
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
