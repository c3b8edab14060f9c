import type { ImportRow } from '../../api/generated.ts'

/** Decisions of a person about the fields of an import. */

/** Decisions by row and field. `null` leaves the field out. */
export type Decisions = ReadonlyMap<string, unknown>

export const keyOf = (row: number, field: string) => `${row} ${field}`

export interface Deciding {
  readonly decisions: Decisions
  readonly onDecide: (key: string, value: unknown) => void
  /** Leave the field as it was read. */
  readonly onUndo: (key: string) => void
}

/** A field of the file, with the decision on it. */
export interface DecidedField {
  /** Where in the file the field was read, or is left open. */
  readonly place: string
  readonly isDecided: boolean
  readonly decided: unknown
  readonly onDecide: (value: unknown) => void
}

/**
 * Return what keeps a row from being recorded: its fields that need a decision and have none, and the messages of
 * faults that belong to no field.
 */
export function lacksOf({ row, undecided, faults }: ImportRow, decisions: Decisions): readonly string[] {
  const isOpen = (field: string) => {
    const decided = decisions.get(keyOf(row, field))
    return decided === undefined || decided === null
  }
  const neededFields = undecided
    .filter(({ field, required }) => required && isOpen(field))
    .map(({ field }) => field)
  const faulty = faults.flatMap(({ field, message }) => {
    if (field === undefined) return [message]
    return decisions.has(keyOf(row, field)) ? [] : [field]
  })
  return [...new Set([...neededFields, ...faulty])]
}

/** Whether the row has a fault that no decision has mended. A missing decision is no fault. */
export function isRefused({ row, faults }: ImportRow, decisions: Decisions): boolean {
  return faults.some(
    ({ field, code }) => code !== 'unconfirmed' && (field === undefined || !decisions.has(keyOf(row, field))),
  )
}

/** Whether a value was read with doubt, so that a person must confirm or correct it. */
export function isDoubted({ faults }: ImportRow, field: string): boolean {
  return faults.some((fault) => fault.field === field && fault.code === 'unconfirmed')
}

/** Fields of numbers that may have thousands: lengths, strengths and quantities. */
const withThousands = /(?:Mm|Mpa|quantity|lineNumber)$/
/** Fields of numbers that have none: shares, energies and temperatures. */
const withoutThousands = /(?:Percent|Joule|TemperatureC)$|^(?:chemistry\.|statedCev$|solubleAluminium$)/

/** A decimal number. The decimal sign may be typed before the decimals. */
const decimal = /^[+-]?\d+(?:[.,]\d*)?$/
/** One group of three digits may be a fraction or thousands. */
const oneGroup = /^[+-]?[1-9]\d{0,2}[.,]\d{3}$/

/**
 * Return the values that a typed text may mean in the field: two numbers for `1,234`, which may be 1.234 or 1234. A text
 * that is no number stays a text, which the service refuses in place of a number.
 */
export function typedValues(typed: string, field: string): readonly unknown[] {
  const text = typed.trim()
  if (text === '') return [null]
  const mayHaveThousands = withThousands.test(field)
  const number = Number(text.replace(',', '.'))
  const isNumber = mayHaveThousands || withoutThousands.test(field)
  if (!isNumber || !decimal.test(text) || !Number.isFinite(number)) return [text]
  return mayHaveThousands && oneGroup.test(text) ? [number, Number(text.replace(/[.,]/, ''))] : [number]
}

/** Return a value as text, with the decimal sign that the person types. */
export function typedText(value: unknown, language: string): string {
  const text = String(value ?? '')
  return typeof value === 'number' && language === 'de' ? text.replace('.', ',') : text
}

/** Return a conversion, such as "56.5 ksi = 390 MPa", with the decimal sign of the language. */
export function conversionText(conversion: string, language: string): string {
  return language === 'de' ? conversion.replaceAll(/(?<=\d)\.(?=\d)/g, ',') : conversion
}
