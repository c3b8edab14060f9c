/** The cells of a table that leaves the service as CSV or XLSX. */

export type Cell = string | number | boolean | null | undefined

/**
 * Return the text of a cell; an absent value is empty. A text that a spreadsheet would take for a formula gets an
 * apostrophe in front (OWASP, CSV injection). Some spreadsheets take the wide signs of East Asian keyboards for the
 * usual ones. A number is never a formula, so it stays as it is.
 */
export function asText(cell: Cell): string {
  if (cell === null || cell === undefined) return ''
  return typeof cell === 'string' ? escapeFormula(cell) : String(cell)
}

/** A text with apostrophes before the sign gets one more, so that `unescapeFormula` finds every text again. */
const formulaLike = /^'*[=+\-@\t\r\n＝＋－＠]/

/**
 * A spreadsheet that takes another sign for the separator begins a cell in the middle of a text, and then quotes do not
 * count. A sign there begins a formula that can do harm only with a call or a link: "0;-20" stays as it is.
 */
const formulaAt = /(?<=[;,\t\r\n])(?=['"]*[=+\-@＝＋－＠][^;,\t\r\n]*[(|!（])/g
const escapedAt = /(?<=[;,\t\r\n])'(?=['"]*[=+\-@＝＋－＠][^;,\t\r\n]*[(|!（])/g

export function escapeFormula(text: string): string {
  const inside = text.replace(formulaAt, "'")
  return formulaLike.test(inside) ? `'${inside}` : inside
}

/** Return the text that `escapeFormula` was given. */
export function unescapeFormula(text: string): string {
  const inside = text.startsWith("'") && formulaLike.test(text) ? text.slice(1) : text
  return inside.replace(escapedAt, '')
}

/** Return the name of a cell in a spreadsheet, such as AB12. @param column from 1 */
export function cellName(line: number, column: number): string {
  let letters = ''
  for (let left = column; left > 0; left = Math.floor((left - 1) / 26))
    letters = String.fromCharCode(65 + ((left - 1) % 26)) + letters
  return `${letters}${line}`
}
