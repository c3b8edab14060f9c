import { cellName } from '../../lib/sheets/cells.ts'
import type { At, Draft } from '../readRow.ts'
import { Unreadable } from '../unreadable.ts'
import { cellText, mostRows, type Table, type TableCell, type TableRow } from './table.ts'

/** Find the headings of a table, and read each row below them. */

/** Reads a cell of one column into the draft of its row. */
export type ReadColumn = (draft: Draft, cell: TableCell, at: At) => void

/** Return how to read the column with this heading; undefined when the heading is unknown. */
export type Recognise = (heading: string) => ReadColumn | undefined

/** Headings are within the first rows, below a title, an address or a logo. */
export const rowsBeforeData = 20

/** The most characters of a heading. The patterns of headings are slow on much longer texts. */
const longestHeading = 200

export interface DataRow {
  readonly line: number
  /** Read all cells of the row. */
  read(draft: Draft): void
}

/**
 * Yield the rows below the headings, at most `mostRows`. Empty rows, rows of units and totals are passed over.
 * @throws Unreadable
 */
export async function* dataRows(table: Table, recognise: Recognise): AsyncIterable<DataRow> {
  let count = 0
  for await (const row of allRows(table, recognise)) {
    count += 1
    if (count > mostRows) throw new Unreadable(`The file has more than ${mostRows} rows. Split it.`)
    yield row
  }
}

async function* allRows(table: Table, recognise: Recognise): AsyncIterable<DataRow> {
  const first: TableRow[] = []
  let columns: Columns | undefined
  for await (const row of table.rows) {
    if (columns) yield* dataRow(row, columns, table)
    else if (first.push(row) === rowsBeforeData) {
      const found = findHeadings(first, recognise)
      columns = found.columns
      for (const early of found.below) yield* dataRow(early, columns, table)
    }
  }
  if (columns) return
  const found = findHeadings(first, recognise)
  for (const early of found.below) yield* dataRow(early, found.columns, table)
}

/** How to read each column, by its place from 0. */
type Columns = ReadonlyMap<number, ReadColumn>

function* dataRow({ line, cells }: TableRow, columns: Columns, { isSpreadsheet }: Table): Iterable<DataRow> {
  const texts = cells.map(cellText).filter((text) => text !== undefined)
  if (texts.length === 0 || texts.every(isUnit) || isTotal(texts)) return
  yield {
    line,
    read(draft) {
      for (const [index, read] of columns) {
        const column = index + 1
        const cell = isSpreadsheet ? { cell: cellName(line, column) } : {}
        read(draft, cells[index] ?? null, { line, column, ...cell })
      }
    },
  }
}

/** A row of units below the headings, such as "%" and "MPa". */
function isUnit(text: string): boolean {
  return /^[[(]?(?:%|mm|cm|m|MPa|N\/mm(?:²|2)|J|°C|kg|t|ppm|Gew\.?-?\s?%)[\])]?$/i.test(text)
}

/** A row that adds up the others says so in its first cell. */
function isTotal([first]: readonly string[]): boolean {
  return /^(?:Σ|Sum(?:me)?|Gesamt(?:summe)?|(?:Grand )?Total|Zwischensumme)\s*:?$/iu.test(first!)
}

/** Return how many cells of a row are known headings. */
export function knownIn(cells: TableRow['cells'], recognise: Recognise): number {
  return cells.filter((cell) => recogniseCell(cell, recognise) !== undefined).length
}

function recogniseCell(cell: TableCell | undefined, recognise: Recognise): ReadColumn | undefined {
  const text = typeof cell === 'string' ? cellText(cell) : undefined
  return text === undefined || text.length > longestHeading ? undefined : recognise(text)
}

/**
 * Find the headings: the first row with at least half as many known headings as the best row. Merged headings fill two
 * rows: the row above or below then names the columns for which this row has no heading.
 */
function findHeadings(rows: readonly TableRow[], recognise: Recognise) {
  const known = rows.map(({ cells }) => knownIn(cells, recognise))
  const most = Math.max(0, ...known)
  if (most < 2)
    throw new Unreadable(
      'The first rows have no known headings, so the table was not read. Use those of the template.',
    )
  const index = known.findIndex((count) => count >= 2 && count * 2 >= most)
  const columns = new Map(readersIn(rows[index]!, recognise))
  const isDouble = index + 1 < rows.length && goesOn(rows[index + 1]!, columns, recognise)
  const others = [...rows.slice(Math.max(0, index - 1), index), ...(isDouble ? [rows[index + 1]!] : [])]
  for (const row of others)
    for (const [column, read] of readersIn(row, recognise))
      if (!columns.has(column)) columns.set(column, read)
  return { columns, below: rows.slice(index + (isDouble ? 2 : 1)) }
}

function readersIn({ cells }: TableRow, recognise: Recognise): [number, ReadColumn][] {
  return cells.flatMap((cell, column) => {
    const read = recogniseCell(cell, recognise)
    return read ? [[column, read] as [number, ReadColumn]] : []
  })
}

/** A second row of headings holds nothing but headings, and only in columns where the first row has none. */
function goesOn({ cells }: TableRow, columns: Columns, recognise: Recognise): boolean {
  const filled = [...cells.entries()].filter(([, cell]) => cellText(cell) !== undefined)
  return (
    filled.length > 0 &&
    filled.every(([column, cell]) => !columns.has(column) && recogniseCell(cell, recognise) !== undefined)
  )
}
