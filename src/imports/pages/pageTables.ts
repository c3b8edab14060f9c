import { numbersIn } from '../numbers.ts'
import type { Draft } from '../readRow.ts'
import { recogniseCertificateHeading } from '../tables/certificates.ts'
import type { ReadColumn } from '../tables/findHeadings.ts'
import { type Cell, type Line, placeOf } from './lines.ts'
import { likelyHeadings } from './misread.ts'
import type { Box, Page } from './page.ts'

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

/** A line of a table has at least this many numbers, and a table this many columns that are known. */
const leastNumbers = 3
const leastKnown = 4
/** Lines further apart than this many sizes of their letters are not of one table, and headings reach no higher. */
const widestGap = 5
const headingsWithin = 12
/** Lines of headings stand closer to each other than this: what is further up is no heading. */
const widestGapOfHeadings = 3

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

/** Return the lines of each table: lines of numbers that follow each other, and lines of fewer cells between them. */
function blocksOf(lines: readonly Line[]): readonly (readonly Line[])[] {
  const blocks: Line[][] = []
  let between: Line[] = []
  for (const line of lines) {
    const block = blocks.at(-1)
    const last = between.at(-1) ?? block?.at(-1)
    const isNear = last !== undefined && last.bottom - line.bottom <= widestGap * sizeOf(line)
    if (line.cells.filter(isNumber).length >= leastNumbers) {
      if (block && isNear) block.push(...between, line)
      else blocks.push([line])
      between = []
    } else if (isNear && line.cells.some(isNumber)) between.push(line)
    else between = []
  }
  return blocks
}

function sizeOf(line: Line): number {
  return Math.max(...line.runs.map(({ size }) => size))
}

function isNumber({ text }: Cell): boolean {
  return numbersIn(text.replace(/^[<>≤≥]=?\s*/, '')).length > 0
}

interface Column {
  readonly left: number
  readonly right: number
}

function tableOf(
  page: Page,
  block: readonly Line[],
  above: readonly Line[],
  before: PageTable | undefined,
): PageTable | undefined {
  const columns = columnsOf(block)
  const slots = columns.map((_, index) => slotOf(columns, index))
  const cellIn = (line: Line, index: number) => line.cells.find((cell) => isIn(cell.box, slots[index]!))
  const isOfHeats = (heading: string, index: number) =>
    heatName.test(heading) ||
    (heatWord.test(heading) && areNumbers(block.flatMap((line) => cellIn(line, index) ?? [])))
  const headingLines = headingsOf(block[0]!, above)
  const own = slots.map((slot) => headingOf(slot, headingLines))
  const goesOn = before?.headings.length === own.length && !own.some(isOfHeats)
  const headings = goesOn ? before.headings : own
  const heatColumn = headings.findIndex(isOfHeats)
  const readers = headings.map((heading, index) => (index === heatColumn ? undefined : readerOf(heading)))
  // Lines of numbers that were taken for headings would leave their heats to others.
  const hasHeatInHeading = heatColumn >= 0 && /\d{4}/.test(headings[heatColumn]!)
  if (
    heatColumn < 0 ||
    hasHeatInHeading ||
    readers.filter((reader) => reader !== undefined).length < leastKnown - 1
  )
    return undefined
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
      const index = slots.findIndex((slot) => isIn(cell.box, slot))
      const isTaken = index === heatColumn || readers[index] !== undefined
      return isTaken ? [] : [{ heading: headings[index] || cell.text, cell }]
    }),
  )
  const heats = bandsOf(page, block, slots[heatColumn]!).flatMap((band) =>
    heatsIn(band, (line) => cellIn(line, heatColumn)),
  )
  return {
    headings,
    lines: new Set([...(goesOn ? [] : headingLines), ...block]),
    columns: readers.flatMap((reader, index) =>
      reader ? [block.flatMap((line) => cellIn(line, index) ?? [])] : [],
    ),
    heats: heats.map(({ heat, lines }) => ({ heat, rows: lines.map(pageRow) })),
    others,
  }
}

/** A gap between columns may be crossed by this share of the cells beside it: by texts that were read as one. */
const mostCrossing = 0.25

interface Stretch extends Column {
  /** The number of cells that reach over it. */
  readonly cells: number
}

/** Return the columns: cells of all lines that stand above each other. */
function columnsOf(block: readonly Line[]): readonly Column[] {
  const boxes = block.flatMap((line) => line.cells.map(({ box }) => box))
  const edges = [...new Set(boxes.flatMap(([left, , right]) => [left, right]))].toSorted(
    (one, other) => one - other,
  )
  const stretches = edges.slice(1).map((right, index): Stretch => {
    const left = edges[index]!
    return { left, right, cells: boxes.filter((box) => box[0] <= left && box[2] >= right).length }
  })
  return [...partedAtGaps(stretches)].map((parts) => ({ left: parts[0]!.left, right: parts.at(-1)!.right }))
}

function* partedAtGaps(stretches: readonly Stretch[]): Generator<readonly Stretch[]> {
  const most = (parts: readonly Stretch[]) => Math.max(0, ...parts.map(({ cells }) => cells))
  const gap = stretches.findIndex(
    ({ cells }, index) =>
      cells <= mostCrossing * Math.min(most(stretches.slice(0, index)), most(stretches.slice(index + 1))),
  )
  if (gap < 0) {
    if (most(stretches) > 0) yield stretches
    return
  }
  yield* partedAtGaps(stretches.slice(0, gap))
  yield* partedAtGaps(stretches.slice(gap + 1))
}

/** Return the room of a column: up to the middle of the gaps beside it. */
function slotOf(columns: readonly Column[], index: number): Column {
  const [before, here, next] = [columns[index - 1], columns[index]!, columns[index + 1]]
  const width = here.right - here.left
  return {
    left: before ? (before.right + here.left) / 2 : here.left - width,
    right: next ? (here.right + next.left) / 2 : here.right + width,
  }
}

/** A heading that reaches over several columns names none of them. */
const leastInside = 0.8

function isIn([left, , right]: Box, slot: Column): boolean {
  const inside = Math.min(right, slot.right) - Math.max(left, slot.left)
  return inside >= leastInside * (right - left)
}

/** Return the lines of headings above a table, from the top. */
function headingsOf(first: Line, above: readonly Line[]): readonly Line[] {
  const headings: Line[] = []
  const size = sizeOf(first)
  let bottom = first.bottom
  for (const line of above.toReversed()) {
    const widest = (headings.length === 0 ? widestGap : widestGapOfHeadings) * size
    if (bottom - first.bottom > headingsWithin * size || line.bottom - bottom > widest) break
    headings.unshift(line)
    bottom = line.bottom
  }
  return headings
}

/** Return the words above a column, from the top, with units as people write them without spaces. */
function headingOf(slot: Column, lines: readonly Line[]): string {
  return lines
    .flatMap(({ runs }) => runs.filter(({ box }) => isIn(box, slot)).map(({ text }) => text))
    .join(' ')
    .replaceAll(/\s*\/\s*/g, '/')
}

const heatName = /(?:^|\s)(?:heat|cast|melt|schmelzen?|chargen?)\s*[-.]?\s*(?:no|nr|number|nummer|id)?\.?$/i
/** A heading that was not read whole. */
const heatWord = /(?<!\p{L})(?:heat|cast|melt|schmelzen?|chargen?)(?!\p{L})/iu
/** This stands behind a name and is no part of it: "RE-BEND TEST (do) 7". */
const behindName = /(?:\s+(?:\([^)]*\)|\d+))+$/

/**
 * Return how to read a column. Its heading may begin with the title of a group of columns, so that words are left out
 * from its beginning, but none that names a column of its own: two columns may stand in one.
 */
function readerOf(heading: string): ReadColumn | undefined {
  for (const written of [heading, ...likelyHeadings(heading)]) {
    const words = written.split(' ')
    for (let from = 0; from < words.length; from += 1) {
      if (from > 0 && recogniseCertificateHeading(words[from - 1]!)) break
      const name = words.slice(from).join(' ')
      const read =
        recogniseCertificateHeading(name) ?? recogniseCertificateHeading(name.replace(behindName, ''))
      if (read) return read
    }
  }
  return undefined
}

/** Whether cells look like the numbers of heats, where the heading is not certain: "HEAT N JMBER". */
function areNumbers(cells: readonly Cell[]): boolean {
  return cells.length > 0 && cells.every(({ text }) => /^[A-Z]{0,3}[ -]?\d[\dA-Z/-]{3,}$/.test(text))
}

/** Return the lines between ruled lines that cross the column of heats; all lines, where nothing is ruled. */
function bandsOf(page: Page, block: readonly Line[], slot: Column): readonly (readonly Line[])[] {
  // A ruled line may be broken, so its pieces count together.
  const ruled = (from: number, to: number) =>
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
      ruled(before.bottom + sizeOf(before) / 2, line.bottom) > (slot.right - slot.left) / 2
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
  const named = band.filter((line) => heatOf(line) !== undefined)
  const [only] = named
  if (!only) return [{ heat: undefined, lines: band }]
  if (named.length === 1 && (only === band[0] || isInMiddle(only, band)))
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
