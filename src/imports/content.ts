import { atOnce, inTurns } from '../lib/inTurns.ts'
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

/** The most items of all lists that decisions name. A plan with the most bars, and the most cuts in each, has half of them. */
export const mostItemsDecided = 200_000

/** Return the number of items of all lists that decisions name, when each list is filled up to the largest index. */
export function itemsDecided(decisions: readonly Pick<Decision, 'row' | 'field'>[]): number {
  const lengths = new Map<string, number>()
  for (const { row, field } of decisions) {
    let list = String(row)
    for (const step of field.split('.')) {
      if (/^\d+$/.test(step)) lengths.set(list, Math.max(lengths.get(list) ?? 0, Number(step) + 1))
      list += `.${step}`
    }
  }
  return lengths.values().reduce((sum, length) => sum + length, 0)
}

/** Return the places of the decisions about a field that an earlier one decides about. */
export function repeatedDecisions(decisions: readonly Pick<Decision, 'row' | 'field'>[]): number[] {
  const places = new Set<string>()
  return decisions.flatMap(({ row, field }, index) => {
    const before = places.size
    return places.add(`${row} ${field}`).size === before ? [index] : []
  })
}

/**
 * Put the values of a row together. A decided value replaces the one that was read. The values of the row itself stay as
 * they are.
 */
export function contentOf(row: ReadRow, decisions: readonly Decision[] = []): object {
  return atOnce(startBuilding(row, decisions))
}

/** Do the same in portions, so that other requests have their turn: a plan may have 200,000 values. */
export function contentInTurns(row: ReadRow, decisions: readonly Decision[]): Promise<object> {
  return inTurns(startBuilding(row, decisions))
}

/** Other requests have their turn after this many values. */
const valuesOfTurn = 5_000

function* startBuilding({ values }: ReadRow, decisions: readonly Decision[]): Generator<void, object> {
  const decided = new Map(decisions.map(({ field, value }) => [field, value]))
  const content: Members = {}
  for (const [index, { field, value }] of values.entries()) {
    if (!decided.has(field)) setField(content, field.split('.'), copyOf(value))
    if (index % valuesOfTurn === valuesOfTurn - 1) yield
  }
  for (const [field, value] of decided) if (value !== null) setField(content, field.split('.'), copyOf(value))
  return content
}

/** A row may have 200,000 texts and numbers, for which a clone would take a second. */
function copyOf(value: unknown): unknown {
  return typeof value === 'object' ? structuredClone(value) : value
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

type FindPlace = (pointer: string) => { field: string; at: At }

/**
 * Return a function that finds where the field of a JSON Pointer was read: the place of the field, or else of its first
 * part. If neither is known, look in the same way for the nearest field that it is a part of, and at last take the place
 * of the row. A row may have many thousands of fields and faults: this is work for `inTurns`.
 */
export function* placesIn({ values, undecided, at }: ReadRow): Generator<void, FindPlace> {
  const places = new Map<string, At>()
  const firstParts = new Map<string, At>()
  for (const [index, one] of [...values, ...undecided].entries()) {
    if (index % valuesOfTurn === valuesOfTurn - 1) yield
    if (!places.has(one.field)) places.set(one.field, one.at)
    for (const above of fieldsAbove(one.field)) if (!firstParts.has(above)) firstParts.set(above, one.at)
  }
  return (pointer) => {
    const field = pointer
      .split('/')
      .slice(1)
      .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
      .join('.')
    for (const one of [field, ...fieldsAbove(field)]) {
      const place = places.get(one) ?? firstParts.get(one)
      if (place) return { field, at: place }
    }
    return { field, at }
  }
}

/** Return `tests.0` and `tests` for `tests.0.rmMpa`. */
function fieldsAbove(field: string): string[] {
  const above: string[] = []
  for (let end = field.lastIndexOf('.'); end > 0; end = field.lastIndexOf('.', end - 1))
    above.push(field.slice(0, end))
  return above.slice(-deepest)
}
