/** The cells of a table that leaves the service as CSV or XLSX. */

export type Cell = string | number | boolean | null | undefined

/**
 * Return the text of a cell; an absent value is empty. A text that a spreadsheet would take for a formula gets an
 * apostrophe in front (OWASP, CSV injection). A number never is one, so it stays as it is.
 */
export function asText(cell: Cell): string {
  if (cell === null || cell === undefined) return ''
  return typeof cell === 'string' ? escaped(cell) : String(cell)
}

/** A text with apostrophes before the sign gets one more, so that `unescaped` finds every text again. */
const formulaLike = /^'*[=+\-@\t\r]/

export function escaped(text: string): string {
  return formulaLike.test(text) ? `'${text}` : text
}

/** Return the text that `escaped` was given. */
export function unescaped(text: string): string {
  return text.startsWith("'") && formulaLike.test(text) ? text.slice(1) : text
}

/** Return the name of a cell in a spreadsheet, such as AB12. @param column from 1 */
export function cellName(line: number, column: number): string {
  let letters = ''
  for (let left = column; left > 0; left = Math.floor((left - 1) / 26))
    letters = String.fromCharCode(65 + ((left - 1) % 26)) + letters
  return `${letters}${line}`
}
