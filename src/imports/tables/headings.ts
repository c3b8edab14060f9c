import { cellName } from '../../lib/sheets/cells.ts'
import type { At, Draft, NotTaken } from '../readRow.ts'
import { isUnitAlone } from '../units.ts'
import { unreadable } from '../unreadable.ts'
import { type Column, findHeadings, type Recognise, rowsBeforeData } from './findHeadings.ts'
import { cellText, mostRows, type Table, type TableRow } from './table.ts'

/** Read each row below the headings of a table. */

export interface DataRow {
  readonly line: number
  /** Read all cells of the row. */
  read(draft: Draft): void
}

interface DataRows {
  /**
   * The rows below the headings, at most `mostRows`. Empty rows, rows of units and totals are passed over. Throws
   * Failure `unreadable`.
   */
  readonly rows: AsyncIterable<DataRow>
  /** Return the columns with values that no field takes, when all rows are read. */
  notTaken(): readonly NotTaken[]
}

export function dataRows(table: Table, recognise: Recognise): DataRows {
  const counts = new Map<Column, number>()
  const count = (column: Column) => counts.set(column, (counts.get(column) ?? 0) + 1)
  return {
    rows: bound(allRows(table, recognise, count)),
    notTaken: () =>
      [...counts].map(([{ heading, line, index }, values]) => ({
        heading,
        values,
        at: placeOf(line, index, table),
      })),
  }
}

async function* bound(rows: AsyncIterable<DataRow>): AsyncIterable<DataRow> {
  let count = 0
  for await (const row of rows) {
    count += 1
    if (count > mostRows) throw unreadable('too-large', `The file has more than ${mostRows} rows. Split it.`)
    yield row
  }
}

type CountValue = (column: Column) => void

async function* allRows(table: Table, recognise: Recognise, count: CountValue): AsyncIterable<DataRow> {
  const first: TableRow[] = []
  let columns: readonly Column[] | undefined
  const begin = function* (): Iterable<DataRow> {
    const headings = findHeadings(first, recognise)
    columns = headings.columns
    for (const early of headings.below) yield* dataRow(early, columns, count, table)
  }
  for await (const row of table.rows) {
    if (columns) yield* dataRow(row, columns, count, table)
    else if (first.push(row) === rowsBeforeData) yield* begin()
  }
  if (!columns) yield* begin()
}

function* dataRow(
  { line, cells }: TableRow,
  columns: readonly Column[],
  count: CountValue,
  table: Table,
): Iterable<DataRow> {
  const texts = cells.map(cellText).filter((text) => text !== undefined)
  if (texts.length === 0 || texts.every(isUnitAlone) || isTotal(texts)) return
  for (const column of columns) if (!column.read && cellText(cells[column.index]) !== undefined) count(column)
  yield {
    line,
    read(draft) {
      for (const { index, read } of columns) read?.(draft, cells[index] ?? null, placeOf(line, index, table))
    },
  }
}

function placeOf(line: number, index: number, { isSpreadsheet }: Table): At {
  const column = index + 1
  return { line, column, ...(isSpreadsheet && { cell: cellName(line, column) }) }
}

/** A row with the sum of the others is marked in its first cell. */
function isTotal([first]: readonly string[]): boolean {
  return /^(?:Σ|Sum(?:me)?|Gesamt(?:summe)?|(?:Grand )?Total|Zwischensumme)\s*:?$/iu.test(first!)
}
