import type { Draft } from '../readRow.ts'
import { impactColumns } from './impactColumns.ts'
import { type Cell, type Line, placeOf } from './lines.ts'
import type { Page } from './page.ts'
import { type Column, columnsOf, isIn, slotOf } from './tableColumns.ts'
import { headingOf, headingsOf, isOfHeats, readerOf, type Slot, titlesOf } from './tableHeadings.ts'
import { blocksOf, sizeOf } from './tableLines.ts'

/**
 * Tables on a page that name the heat of each row. The columns come from the places of the values, the headings from the
 * texts above them, and the heats from the ruled lines, because the number of a heat may stand in the middle of its rows.
 */
export interface HeatRows {
  /** The number as it is written; undefined where no number stands beside the rows. */
  readonly heat: Cell | undefined
  readonly rows: readonly PageRow[]
}

export interface PageRow {
  readonly line: Line
  /** Read the cells of all known columns but that of the heat. */
  read(draft: Draft): void
}

export interface PageTable {
  /** The words above each column. */
  readonly headings: readonly string[]
  /** The words above each column that it shares with others. */
  readonly titles: readonly string[]
  /** The lines of the page that belong to the table, headings included. */
  readonly lines: ReadonlySet<Line>
  readonly heats: readonly HeatRows[]
  /** The cells of each column that is read. */
  readonly columns: readonly (readonly Cell[])[]
  /** The cells of columns that no field takes, each with its heading, and those that are in no column. */
  readonly others: readonly { readonly heading: string; readonly cell: Cell }[]
}

/** A page with what was found on it. */
export interface PageParts {
  readonly page: Page
  readonly tables: readonly PageTable[]
  /** The lines outside of tables of heats. */
  readonly others: readonly Line[]
}

/** A table has at least this many columns that are known. */
const leastKnown = 4

/**
 * Find the tables of a page that have a column of heats.
 * @param before the last table of the pages before, which may go on without headings
 */
export function heatTablesOf(page: Page, lines: readonly Line[], before?: PageTable): readonly PageTable[] {
  return blocksOf(lines).flatMap((block) => {
    const above = lines.slice(0, lines.indexOf(block[0]!))
    const table = tableOf(page, block, above, before)
    return table ? [table] : []
  })
}

function tableOf(
  page: Page,
  block: readonly Line[],
  above: readonly Line[],
  before: PageTable | undefined,
): PageTable | undefined {
  const columns = columnsOf(block)
  const slots = columns.map((column, index): Slot => ({ column, room: slotOf(columns, index) }))
  const cellIn = (line: Line, index: number) => line.cells.find((cell) => isIn(cell.box, slots[index]!.room))
  const headingLines = headingsOf(block[0]!, above, slots)
  const own = slots.map((slot) => headingOf(slot, slots, headingLines))
  const isHeat = (heading: string, index: number) =>
    isOfHeats(
      heading,
      block.flatMap((line) => cellIn(line, index) ?? []),
    )
  const goesOn = before?.headings.length === own.length && !own.some(isHeat)
  const headings = goesOn ? before.headings : own
  const heatColumn = headings.findIndex(isHeat)
  const titles = goesOn ? before.titles : slots.map((slot) => titlesOf(slot, slots, headingLines))
  const impact = impactColumns(headings, titles)
  const readers = headings.map((heading, index) =>
    index === heatColumn ? undefined : (impact.get(index) ?? readerOf(heading)),
  )
  const readColumns = readers.filter((reader) => reader !== undefined)
  if (heatColumn < 0 || readColumns.length < leastKnown - 1) return undefined
  const pageRow = (line: Line): PageRow => ({
    line,
    read(draft) {
      for (const [index, read] of readers.entries()) {
        const cell = cellIn(line, index)
        if (cell) read?.(draft, cell.text, placeOf(line, cell))
      }
    },
  })
  const others = block.flatMap((line) =>
    line.cells.flatMap((cell) => {
      const index = slots.findIndex(({ room }) => isIn(cell.box, room))
      const isTaken = index === heatColumn || readers[index] !== undefined
      return isTaken ? [] : [{ heading: headings[index] || cell.text, cell }]
    }),
  )
  const heats = bandsOf(page, block, slots[heatColumn]!.room).flatMap((band) =>
    heatsIn(band, (line) => cellIn(line, heatColumn)),
  )
  return {
    headings,
    titles,
    lines: new Set([...(goesOn ? [] : headingLines), ...block]),
    columns: readers.flatMap((reader, index) =>
      reader ? [block.flatMap((line) => cellIn(line, index) ?? [])] : [],
    ),
    heats: heats.map(({ heat, lines }) => ({ heat, rows: lines.map(pageRow) })),
    others,
  }
}

/** Return the lines between ruled lines that cross the column of heats; all lines, where nothing is ruled. */
function bandsOf(page: Page, block: readonly Line[], slot: Column): readonly (readonly Line[])[] {
  // A ruled line may be broken, so its pieces count together.
  const ruledWidth = (from: number, to: number) =>
    page.levelRules
      .filter(([, bottom]) => bottom < from && bottom > to)
      .reduce(
        (sum, [left, , right]) => sum + Math.max(0, Math.min(right, slot.right) - Math.max(left, slot.left)),
        0,
      )
  const bands: Line[][] = []
  for (const line of block) {
    const before = bands.at(-1)?.at(-1)
    const isParted =
      before !== undefined &&
      ruledWidth(before.bottom + sizeOf(before) / 2, line.bottom) > (slot.right - slot.left) / 2
    if (before === undefined || isParted) bands.push([line])
    else bands.at(-1)!.push(line)
  }
  return bands
}

/**
 * Return the heats of a band, each with its lines. A number in the middle of a band without other numbers is that of all
 * its lines. If several heats stand in the middle of lines that nothing parts, or one stands elsewhere, lines without a
 * number belong to nobody.
 */
function heatsIn(band: readonly Line[], heatOf: (line: Line) => Cell | undefined) {
  const linesOfHeats = band.filter((line) => heatOf(line) !== undefined)
  const [only] = linesOfHeats
  if (!only) return [{ heat: undefined, lines: band }]
  if (linesOfHeats.length === 1 && (only === band[0] || isInMiddle(only, band)))
    return [{ heat: heatOf(only), lines: band }]
  const areCentred = heatOf(band[0]!) === undefined
  const heats: { heat: Cell | undefined; lines: Line[] }[] = []
  for (const line of band) {
    const heat = heatOf(line)
    const last = heats.at(-1)
    if (heat || !last || (areCentred && last.heat)) heats.push({ heat, lines: [line] })
    else last.lines.push(line)
  }
  return heats
}

/** Whether a line stands in the middle of others, or beside it where their number is even. */
function isInMiddle({ bottom }: Line, band: readonly Line[]): boolean {
  const middle = (band[0]!.bottom + band.at(-1)!.bottom) / 2
  const height = (band[0]!.bottom - band.at(-1)!.bottom) / (band.length - 1)
  return Math.abs(bottom - middle) < 0.75 * height
}
