import { unescaped } from '../../lib/sheets/cells.ts'
import { deliveryCode, deliveryConditionsIn, documentTypesIn } from '../certificates/words.ts'
import { isDeeperThan, isObject, parseJson } from '../json.ts'
import { converted, numberOf, numbersIn } from '../numbers.ts'
import type { At, Draft } from '../readRow.ts'
import { cellText, isDay, isoDate, type TableCell } from './table.ts'

/** Read one cell into one field. An empty cell proposes nothing. */
export type ReadCell = (draft: Draft, field: string, cell: TableCell, at: At) => void

export const readText: ReadCell = (draft, field, cell, at) => {
  const text = cellText(cell)
  if (text !== undefined) draft.propose(field, unescaped(text), at)
}

/** A limit such as "<0,005" is not a result. */
const limit = /^[<>≤≥]=?\s*(.+)$/

/** A share, such as a percentage: it has no thousands, so `1.250` is 1.25. */
export function readNumber(): ReadCell {
  return readNumbers((cell) => numbersInCell(cell).slice(0, 1))
}

/** A length, a quantity or a strength: `6.000` may be 6 or 6000, so it stays open. @param factor one unit of the column, in units of the field */
export function readQuantity(factor = 1): ReadCell {
  return readNumbers(numbersInCell, factor)
}

/** Return the numbers that a cell may state: several for an ambiguous text, none for anything but a number. */
export function numbersInCell(cell: TableCell): readonly number[] {
  if (typeof cell === 'number') return Number.isFinite(cell) ? [cell] : []
  return typeof cell === 'string' ? numbersIn(cell) : []
}

/** @param meanings returns the numbers that a cell may state */
function readNumbers(meanings: (cell: TableCell) => readonly number[], factor = 1): ReadCell {
  return (draft, field, cell, at) => {
    const text = cellText(cell)
    if (text === undefined) return
    const isLimit = limit.exec(text)?.[1]
    const values = converted(meanings(isLimit ?? cell), factor)
    if (values.length === 0)
      draft.refuse({
        field,
        at,
        code: 'wrong-type',
        message: `must be a number, but is "${text.slice(0, 50).toWellFormed()}"`,
      })
    else if (values.length === 1 && isLimit === undefined) draft.propose(field, values[0], at)
    else draft.leaveOpen(field, values, at, text)
  }
}

export const readDate: ReadCell = (draft, field, cell, at) => {
  const text = cellText(cell)
  if (text === undefined) return
  const days = datesIn(cell, text)
  if (days.length === 1) draft.propose(field, days[0], at)
  else if (days.length > 1) draft.leaveOpen(field, days, at, text)
  else draft.refuse({ field, at, code: 'wrong-format', message: 'must be a date, as in 2026-03-31' })
}

/** Return the days that a cell may mean, as in RFC 3339. */
function datesIn(cell: TableCell, text: string): readonly string[] {
  if (cell instanceof Date) return isDay(cell) ? [isoDate(cell)] : []
  const number = numberOf(text)
  if (number !== undefined) return isSerial(number) ? [fromSerial(number)] : []
  const iso = /^(\d{4})-(\d{2})-(\d{2})(?:[T ].*)?$/.exec(text)
  if (iso) return valid([iso[1]!, iso[2]!, iso[3]!])
  const written = /^(\d{1,2})([./-])\s?(\d{1,2})\2\s?(\d{4}|\d{2})$/.exec(text)
  if (!written) return []
  const [, one, sign, other, year] = written as unknown as [string, string, string, string, string]
  const full = year.length === 2 ? `20${year}` : year
  const dayFirst = valid([full, other, one])
  // Only a date with dots certainly begins with the day.
  return sign === '.' ? dayFirst : [...new Set([...dayFirst, ...valid([full, one, other])])]
}

function valid([year, month, day]: readonly [string, string, string]): readonly string[] {
  const date = new Date(0)
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day))
  const isReal = date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day)
  return isReal ? [isoDate(date)] : []
}

/** A date as days since 30 December 1899. The bounds are the years 1954 and 2119, because a smaller number is hardly a date. */
function isSerial(number: number): boolean {
  return number >= 20_000 && number <= 80_000
}

function fromSerial(serial: number): string {
  return isoDate(new Date(Date.UTC(1899, 11, 30) + Math.floor(serial) * 86_400_000))
}

/**
 * Document types of EN 10204. A spreadsheet whose dates are written with dots turns 3.1 into 3 January. No document type
 * is a date, so this is undone.
 */
export const readDocumentType: ReadCell = (draft, field, cell, at) => {
  const text = cellText(cell)
  if (text === undefined) return
  const type = typeOfDate(cell, text) ?? text.replace(/^([23])[,]([12])$/, '$1.$2')
  if (documentTypesIn(type)[0] === type) draft.propose(field, type, at)
  else draft.leaveOpen(field, documentTypesIn(type), at, text)
}

function typeOfDate(cell: TableCell, text: string): string | undefined {
  const shortened = /^0?([23])\.\s?(?:(Jan|Feb)\p{L}*\.?|0?([12])\.?)$/iu.exec(text)
  if (shortened) {
    const [, day, month, number] = shortened
    return `${day}.${number ?? (month!.toLowerCase() === 'jan' ? 1 : 2)}`
  }
  const [date] = datesIn(cell, text)
  const [, month, day] = date?.split('-').map(Number) ?? []
  return date === undefined ? undefined : `${day}.${month}`
}

export const readDelivery: ReadCell = (draft, field, cell, at) => {
  const text = cellText(cell)
  if (text === undefined) return
  const code = deliveryCode(text)
  const meant = deliveryConditionsIn(text)
  if (code === undefined && meant.length > 0) draft.leaveOpen(field, meant, at, text)
  else draft.propose(field, code ?? unescaped(text), at)
}

/** Read a value of a list, by its name or by words for it. Any other text is proposed, and the check of the record refuses it. */
export function readOneOf(values: readonly string[], words: Readonly<Record<string, RegExp>>): ReadCell {
  return (draft, field, cell, at) => {
    const text = cellText(cell)
    if (text === undefined) return
    const found = values.find((name) => name.toLowerCase() === text.toLowerCase() || words[name]?.test(text))
    draft.propose(field, found ?? text, at)
  }
}

export const readFlag: ReadCell = (draft, field, cell, at) => {
  const text = cellText(cell)
  if (text === undefined) return
  if (/^(?:true|yes|ja|wahr|x|1)$/i.test(text)) draft.propose(field, true, at)
  else if (/^(?:false|no|nein|falsch|0)$/i.test(text)) draft.propose(field, false, at)
  else draft.refuse({ field, at, code: 'wrong-type', message: 'must be true or false' })
}

/** The deepest cell of JSON: a list of tests with lists of values. */
const mostLevels = 8

/** A cell of JSON, as an export writes a list of objects. */
export const readJson: ReadCell = (draft, field, cell, at) => {
  const value = jsonIn(draft, field, cell, at)
  if (value !== undefined) draft.propose(field, value, at)
}

/** A cell of JSON with members that have no column of their own. */
export const readMembers: ReadCell = (draft, field, cell, at) => {
  const value = jsonIn(draft, field, cell, at)
  if (value === undefined) return
  if (!isObject(value)) {
    draft.refuse({ field, at, code: 'wrong-type', message: 'must be a JSON object' })
    return
  }
  // A dot would make a path of the name.
  for (const [name, part] of Object.entries(value))
    if (/^[a-z]+$/i.test(name)) draft.propose(`${field}.${name}`, part, at)
    else {
      const message = `has no member "${name.slice(0, 50).toWellFormed()}"`
      draft.refuse({ field, at, code: 'unknown-member', message })
    }
}

function jsonIn(draft: Draft, field: string, cell: TableCell, at: At): unknown {
  const text = cellText(cell)
  if (text === undefined) return undefined
  try {
    const value = parseJson(unescaped(text))
    if (!isDeeperThan(mostLevels, value)) return value
    const message = `must not be nested deeper than ${mostLevels}`
    draft.refuse({ field, at, code: 'out-of-bounds', message })
  } catch {
    draft.refuse({ field, at, code: 'wrong-format', message: 'must be JSON' })
  }
  return undefined
}
