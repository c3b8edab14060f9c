import type { At, ReadRow } from './readRow.ts'

/** The record that results from a row and the decisions of a person. */

/** A person's decision on one field. `null` leaves the field out. */
export interface Decision {
  readonly row: number
  readonly field: string
  readonly value: unknown
}

/** The longest path of a field, and the largest index in it. */
const deepest = 6
const mostItems = 1_000

/** Whether a text names a field, such as `tests.0.rmMpa`. */
export function isField(text: string): boolean {
  const steps = text.split('.')
  return (
    steps.length <= deepest &&
    steps.every((step) =>
      /^\d{1,4}$/.test(step) ? Number(step) < mostItems : /^[a-zA-Z][a-zA-Z0-9]*$/.test(step),
    )
  )
}

/**
 * Put the values of a row together. A decided value replaces the one that was read. The values of the row itself stay as
 * they are.
 */
export function contentOf({ values }: ReadRow, decisions: readonly Decision[] = []): object {
  const decided = new Map(decisions.map(({ field, value }) => [field, value]))
  const content: Members = {}
  for (const { field, value } of values)
    if (!decided.has(field)) setField(content, field.split('.'), structuredClone(value))
  for (const [field, value] of decided)
    if (value !== null) setField(content, field.split('.'), structuredClone(value))
  return content
}

type Members = Record<string, unknown>

/** Set a field. A step that is a number is an index of an array; missing items before it become empty objects. */
function setField(content: Members, [step, ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) {
    define(content, step!, value)
    return
  }
  const isList = /^\d+$/.test(rest[0]!)
  const present = Object.hasOwn(content, step!) ? content[step!] : undefined
  if (isList) {
    const items = Array.isArray(present) ? present : []
    define(content, step!, items)
    const index = Number(rest[0])
    while (items.length <= index) items.push({})
    if (rest.length > 1 && !isMembers(items[index])) items[index] = {}
    if (rest.length === 1) items[index] = value
    else setField(items[index] as Members, rest.slice(1), value)
    return
  }
  const members = isMembers(present) ? present : {}
  define(content, step!, members)
  setField(members, rest, value)
}

function define(content: Members, name: string, value: unknown): void {
  Object.defineProperty(content, name, { value, enumerable: true, configurable: true, writable: true })
}

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Return the place where the field of this JSON Pointer was read: its own, that of a part of it, or that of the row. */
export function placeOf({ values, undecided, at }: ReadRow, pointer: string): { field: string; at: At } {
  const field = pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
    .join('.')
  const known = [...values, ...undecided]
  const found =
    known.find((one) => one.field === field) ??
    known.find((one) => one.field.startsWith(`${field}.`)) ??
    known.find((one) => field.startsWith(`${one.field}.`))
  return { field, at: found?.at ?? at }
}
