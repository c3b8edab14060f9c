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

/** Fields that hold numbers. */
const ofNumbers = /(?:Mm|Mpa|Percent|Joule|TemperatureC|quantity|lineNumber)$|^(?:chemistry\.|statedCev$)/

export const isNumber = (field: string) => ofNumbers.test(field)

/** Return what was typed as the field has it. The service refuses a text in place of a number. */
export function typedValue(typed: string, isNumber: boolean): unknown {
  const text = typed.trim()
  if (text === '') return null
  const number = Number(text.replace(',', '.'))
  return isNumber && !Number.isNaN(number) ? number : text
}
