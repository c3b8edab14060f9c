/** Tables as they come from CSV and spreadsheets, before their headings are understood. */

/** A spreadsheet knows numbers, dates (midnight UTC) and truth values; CSV knows texts alone. */
export type TableCell = string | number | boolean | Date | null

export interface TableRow {
  /** The line of the file or the row of the sheet, from 1. */
  readonly line: number
  readonly cells: readonly TableCell[]
}

export interface Table {
  readonly isSpreadsheet: boolean
  readonly rows: AsyncIterable<TableRow> | Iterable<TableRow>
}

/** The most rows of an import, without headings. */
export const mostRows = 10_000
/** The most columns of a table. */
export const mostColumns = 300

/** Return the text of a cell; undefined for an empty cell, or a cell with a mark for "nothing". */
export function cellText(cell: TableCell | undefined): string | undefined {
  if (cell === null || cell === undefined) return undefined
  if (cell instanceof Date && isDay(cell)) return isoDate(cell)
  const text = String(cell).trim()
  return text === '' || /^(?:[-–—]+|n\.?\s?a\.?|k\.\s?A\.|\/)$/i.test(text) ? undefined : text
}

/** Whether RFC 3339 can write the day: a cell may hold any number of days, and be shown as a date. */
export function isDay(date: Date): boolean {
  const year = date.getUTCFullYear()
  return year >= 1 && year <= 9_999
}

/** @param date a day */
export function isoDate(date: Date): string {
  return date.toISOString().slice(0, 10)
}
