import type { At, Draft } from '../readRow.ts'
import { isUnitAlone } from '../units.ts'
import { unreadable } from '../unreadable.ts'
import { cellText, mostColumns, type TableCell, type TableRow } from './table.ts'

/** Find the headings of a table, which may fill several rows, and the units below them. */

/** Reads a cell of one column into the draft of its row. */
export type ReadColumn = (draft: Draft, cell: TableCell, at: At) => void

/** Return how to read the column with this heading; undefined when the heading is unknown. */
export type Recognise = (heading: string) => ReadColumn | undefined

export interface Column {
  /** The place of the column, from 0. */
  readonly index: number
  /** The line of the headings. */
  readonly line: number
  /** Empty for a column without a heading. */
  readonly heading: string
  /** undefined: the heading is not understood. */
  readonly read: ReadColumn | undefined
}

/** Headings are within the first rows, below a title, an address or a logo. */
export const rowsBeforeData = 20

/** The most characters of a heading. The patterns of headings are slow on much longer texts. */
const longestHeading = 200

/** A heading has at most this many rows below the first one, such as "Yield", "point" and "N/mm2". */
const rowsOfHeading = 3

/** Return how many cells of a row are known headings. */
export function countKnown(cells: TableRow['cells'], recognise: Recognise): number {
  return cells.filter((cell) => isKnown(headingIn(cell), recognise)).length
}

function headingIn(cell: TableCell | undefined): string {
  const text = typeof cell === 'string' ? (cellText(cell) ?? '') : ''
  return text.length > longestHeading ? '' : text
}

function isKnown(heading: string, recognise: Recognise): boolean {
  return heading !== '' && recognise(heading) !== undefined
}

/**
 * Find the headings: the first row with at least half as many known headings as the best row, and the rows below it
 * that go on with them. The row above names the columns for which these rows have no heading.
 * @throws Failure `unreadable`
 */
export function findHeadings(rows: readonly TableRow[], recognise: Recognise) {
  const knownCounts = rows.map(({ cells }) => countKnown(cells, recognise))
  const most = Math.max(0, ...knownCounts)
  if (most < 2)
    throw unreadable(
      'no-headings',
      'The first rows have no known headings, so the table was not read. Use those of the template.',
    )
  const first = knownCounts.findIndex((count) => count >= 2 && count * 2 >= most)
  const head = rows[first]!
  const further: (readonly string[])[] = []
  let units: readonly string[] = []
  // The last row has values: a table of headings alone is not sent.
  for (const row of rows.slice(first + 1, first + 1 + rowsOfHeading).filter((row) => row !== rows.at(-1))) {
    const texts = row.cells.map(headingIn)
    const isOfUnits = areUnits(row)
    if (!isOfUnits && !goesOn(row, [head.cells.map(headingIn), ...further], recognise)) break
    if (isOfUnits) units = texts
    else further.push(texts)
  }
  const below = rows.slice(first + 1 + further.length + (units.length > 0 ? 1 : 0))
  const above = rows[first - 1]?.cells ?? []
  const columns = Array.from({ length: mostColumns }, (_, index): Column => {
    const parts = [head.cells.map(headingIn), ...further].flatMap((texts) => texts[index] || [])
    const names = [...namesIn(parts), headingIn(above[index])]
    const name = names.find((one) => isKnown(one, recognise)) ?? parts.join(' ')
    const unit = units[index] ?? ''
    const read = name === '' ? undefined : (unit !== '' && recognise(`${name} [${unit}]`)) || recognise(name)
    return { index, line: head.line, heading: name, read }
  })
  return { columns, below }
}

/** Return the names that the parts of a heading may give: all of them, or without the title of a group of columns. */
function namesIn(parts: readonly string[]): readonly string[] {
  const [first = ''] = parts
  return [...parts.map((_, from) => parts.slice(from).join(' ')), first]
}

/** Most cells of a row of units are known units, and none is a number. */
function areUnits({ cells }: TableRow): boolean {
  const texts = cells.map((cell) => cellText(cell)).filter((text) => text !== undefined)
  const units = texts.filter(isUnitAlone)
  return units.length * 2 > texts.length && texts.every((text) => isUnitAlone(text) || !/\d/.test(text))
}

/**
 * Whether a row goes on with the headings above it: most of its cells name columns that have no heading yet, or make a
 * known heading with the text above them, and the others have no digits.
 */
function goesOn({ cells }: TableRow, above: readonly (readonly string[])[], recognise: Recognise): boolean {
  const filled = [...cells.entries()].filter(([, cell]) => cellText(cell) !== undefined)
  const isNamed = ([column, cell]: [number, TableCell]) => {
    const heading = above.flatMap((texts) => texts[column] || []).join(' ')
    const text = headingIn(cell)
    if (!isKnown(heading, recognise) && isKnown(text, recognise)) return true
    // "ReH 377" is a heading with its value.
    const mayBeName = text !== '' && (!/\d/.test(text) || isKnown(text, recognise))
    return mayBeName && isKnown(`${heading} ${text}`, recognise)
  }
  const namedCells = filled.filter((one) => isNamed(one))
  return (
    namedCells.length > 0 &&
    namedCells.length * 2 >= filled.length &&
    filled.every((one) => isNamed(one) || !/\d/.test(cellText(one[1])!))
  )
}
