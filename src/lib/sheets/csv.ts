import { asText, type Cell } from './cells.ts'

/** Write CSV (RFC 4180), a portion of rows at a time, so that a long list is never in memory as a whole. */

/**
 * `comma`: the form of RFC 4180. `semicolon`: the form of spreadsheets where the comma is the decimal sign: numbers have
 * a decimal comma, and the text begins with a byte order mark, without which such a spreadsheet misreads umlauts.
 */
export const csvForms = ['comma', 'semicolon'] as const
export type CsvForm = (typeof csvForms)[number]

/** The media type of either form. */
export const csvType = 'text/csv; charset=utf-8'

/** Return what the text begins with, before its first line. */
export function csvStart(form: CsvForm = 'comma'): string {
  return form === 'semicolon' ? '\uFEFF' : ''
}

/** Return the lines of these rows, each with its line break. */
export function csvLines(rows: Iterable<readonly Cell[]>, form: CsvForm = 'comma'): string {
  const separator = form === 'semicolon' ? ';' : ','
  let lines = ''
  for (const row of rows)
    lines += `${row.map((cell) => quote(writeCell(cell, form), separator)).join(separator)}\r\n`
  return lines
}

function writeCell(cell: Cell, form: CsvForm): string {
  if (typeof cell !== 'number') return asText(cell)
  // 12.125 could be 12125 in groups of three digits, and 12.1250 is no group.
  const text = String(cell).replace(/^(-?[1-9]\d{0,2}\.\d{3})$/, '$10')
  return form === 'semicolon' ? text.replace('.', ',') : text
}

function quote(text: string, separator: string): string {
  return /["\r\n]/.test(text) || text.includes(separator) ? `"${text.replaceAll('"', '""')}"` : text
}
