import { unescapeFormula } from '../../lib/sheets/cells.ts'
import { deliveryCode, deliveryConditionsIn, documentTypesIn } from '../certificates/words.ts'
import { isDeeperThan, isObject, parseJson } from '../json.ts'
import { numberOf, numbersIn } from '../numbers.ts'
import type { At, Draft } from '../readRow.ts'
import { type FieldUnit, type InUnit, inUnit, numberAndUnit } from '../units.ts'
import { cellText, isDay, isoDate, type TableCell } from './table.ts'

/** Read one cell into one field. An empty cell proposes nothing. */
export type ReadCell = (draft: Draft, field: string, cell: TableCell, at: At) => void

export const readText: ReadCell = (draft, field, cell, at) => {
  const text = cellText(cell)
  if (text !== undefined) draft.propose(field, unescapeFormula(text), at)
}

/** A limit such as "<0,005" is not a result. */
const limit = /^[<>≤≥]=?\s*(.+)$/

/** A quantity of pieces: `6.000` may be 6 or 6000, so it stays open. */
export const readQuantity: ReadCell = (draft, field, cell, at) =>
  readMeasured(draft, field, at, measureIn(cell, { mayHaveThousands: true }))

/** The quantity that a column measures. */
export interface Measure {
  readonly unit?: FieldUnit
  /** A share has no thousands, so `1.250` is 1.25. A length or a strength has, so `6.000` stays open. */
  readonly mayHaveThousands: boolean
}

export const megapascals = { unit: 'MPa', mayHaveThousands: true } as const satisfies Measure
export const millimetres = { unit: 'mm', mayHaveThousands: true } as const satisfies Measure
export const joules = { unit: 'J', mayHaveThousands: false } as const satisfies Measure
export const celsius = { unit: '°C', mayHaveThousands: false } as const satisfies Measure
export const kilogramsPerMetre = { unit: 'kg/m', mayHaveThousands: false } as const satisfies Measure
export const percent = { unit: '%', mayHaveThousands: false } as const satisfies Measure

/** Read a number in the unit of its cell, or else of its column. @param ofColumn the unit in the heading */
export function readMeasure(measure: Measure, ofColumn?: string): ReadCell {
  return (draft, field, cell, at) => readMeasured(draft, field, at, measureIn(cell, measure, ofColumn))
}

/** The number of a cell, as it may be meant. */
export interface Measured extends InUnit {
  /** The text, with the unit of its column where that unit is unknown. */
  readonly text: string
  readonly hasUnknownUnit: boolean
  /** "<0,005" is a limit, not a result. */
  readonly isLimit: boolean
}

/** Return what a cell measures; undefined for an empty cell. */
export function measureIn(cell: TableCell, measure: Measure, ofColumn?: string): Measured | undefined {
  const text = cellText(cell)
  if (text === undefined) return undefined
  const limited = limit.exec(text)?.[1]
  const isLimit = limited !== undefined
  const { numbers, unit = ofColumn } = numbersWithUnit(limited ?? cell, measure)
  const inField = measure.unit === undefined ? { values: numbers } : inUnit(numbers, measure.unit, unit)
  if (inField || numbers.length === 0)
    return { values: [], conversion: undefined, ...inField, text, hasUnknownUnit: false, isLimit }
  const quote = text.endsWith(unit!) ? text : `${text} ${unit}`
  return { values: [], conversion: undefined, text: quote, hasUnknownUnit: true, isLimit }
}

/** Return the numbers that a cell may state, and the unit behind them. */
function numbersWithUnit(cell: TableCell, { unit: ofField, mayHaveThousands }: Measure) {
  const alone = numbersInCell(cell)
  const { number, unit } =
    alone.length > 0 || ofField === undefined || typeof cell !== 'string'
      ? { number: cell }
      : numberAndUnit(cell)
  const numbers = alone.length > 0 ? alone : numbersInCell(number)
  return { numbers: mayHaveThousands ? numbers : numbers.slice(0, 1), unit }
}

/** Return the numbers that a cell may state: several for an ambiguous text, none for anything but a number. */
export function numbersInCell(cell: TableCell): readonly number[] {
  if (typeof cell === 'number') return Number.isFinite(cell) ? [cell] : []
  return typeof cell === 'string' ? numbersIn(cell) : []
}

function readMeasured(draft: Draft, field: string, at: At, measured?: Measured): void {
  if (!measured) return
  const { values, conversion, text, hasUnknownUnit, isLimit } = measured
  if (values.length === 0 && !hasUnknownUnit)
    draft.refuse({
      field,
      at,
      code: 'wrong-type',
      message: `must be a number, but is "${text.slice(0, 50).toWellFormed()}"`,
    })
  else if (values.length === 1 && !isLimit) draft.propose(field, values[0], at, conversion)
  else draft.leaveOpen(field, values, at, text)
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
  if (iso) return isoDatesOf([iso[1]!, iso[2]!, iso[3]!])
  const match = /^(\d{1,2})([./-])\s?(\d{1,2})\2\s?(\d{4}|\d{2})$/.exec(text)
  if (!match) return []
  const [, one, sign, other, year] = match as unknown as [string, string, string, string, string]
  const full = year.length === 2 ? `20${year}` : year
  const dayFirst = isoDatesOf([full, other, one])
  // A date certainly begins with the day only if it has dots.
  return sign === '.' ? dayFirst : [...new Set([...dayFirst, ...isoDatesOf([full, one, other])])]
}

function isoDatesOf([year, month, day]: readonly [string, string, string]): readonly string[] {
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
  else draft.propose(field, code ?? unescapeFormula(text), at)
}

/** Read a value of a list, by its name or by words for it. Any other text is proposed, and the check of the record refuses it. */
export function readOneOf(values: readonly string[], words: Readonly<Record<string, RegExp>>): ReadCell {
  return (draft, field, cell, at) => {
    const text = cellText(cell)
    if (text === undefined) return
    const name = values.find((name) => name.toLowerCase() === text.toLowerCase() || words[name]?.test(text))
    draft.propose(field, name ?? text, at)
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
    const value = parseJson(unescapeFormula(text))
    if (!isDeeperThan(mostLevels, value)) return value
    const message = `must not be nested deeper than ${mostLevels}`
    draft.refuse({ field, at, code: 'out-of-bounds', message })
  } catch {
    draft.refuse({ field, at, code: 'wrong-format', message: 'must be JSON' })
  }
  return undefined
}
