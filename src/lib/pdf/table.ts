import { atOnce } from '../inTurns.ts'
import { type Font, features, margin, type Pdf, toPrintable } from './page.ts'

/** Tables of a PDF that continue on the next page, under the same headings. */

export interface Column<Row> {
  readonly heading: string
  /** Its share of the width of the page. */
  readonly share: number
  readonly align?: 'left' | 'right'
  readonly font?: Font
  readonly text: (row: Row) => string
}

export const ink = '#16181d'
export const quiet = '#5b6270'
export const hairline = '#c9ced6'

const size = 8.5
const padding = 4

/** Write a short table from the present place down. The place after it is below the last row. */
export function writeTable<Row>(pdf: Pdf, columns: readonly Column<Row>[], rows: readonly Row[]): void {
  atOnce(writingTable(pdf, columns, rows))
}

/** The same for a table of any length, as work for `inTurns`: a row takes some milliseconds. */
export function* writingTable<Row>(
  pdf: Pdf,
  columns: readonly Column<Row>[],
  rows: readonly Row[],
): Generator<void, void> {
  const cells = placesOf(pdf, columns)
  const headings = columns.map(({ heading }) => heading)
  const writeHeadings = () => {
    const style = { font: 'bold', colour: quiet } as const
    writeRow(pdf, cells, headings, { ...style, height: heightOf(pdf, cells, headings) })
  }
  startOnPage(pdf, 3 * lineHeight(pdf) + 4 * padding)
  writeHeadings()
  for (const row of rows) {
    const texts = columns.map(({ text }) => toPrintable(text(row)))
    const height = heightOf(pdf, cells, texts)
    if (pdf.y + height > bottomOf(pdf)) {
      pdf.addPage()
      writeHeadings()
    }
    writeRow(pdf, cells, texts, { colour: ink, height })
    yield
  }
}

/** Begin a new page unless so much room is left on this one. */
export function startOnPage(pdf: Pdf, height: number): void {
  if (pdf.y + height > bottomOf(pdf)) pdf.addPage()
}

interface Cell {
  readonly x: number
  readonly width: number
  readonly align: 'left' | 'right'
  readonly font: Font
}

function placesOf<Row>(pdf: Pdf, columns: readonly Column<Row>[]): Cell[] {
  const whole = columns.reduce((sum, { share }) => sum + share, 0)
  const room = pdf.page.width - 2 * margin
  let x = margin
  return columns.map(({ share, align = 'left', font = 'regular' }) => {
    const width = (room * share) / whole
    const cell = { x, width: width - 2 * padding, align, font }
    x += width
    return cell
  })
}

function writeRow(
  pdf: Pdf,
  cells: readonly Cell[],
  texts: readonly string[],
  { font, colour, height }: { readonly font?: Font; readonly colour: string; readonly height: number },
): void {
  const top = pdf.y + padding
  for (const [index, cell] of cells.entries()) {
    pdf.font(font ?? cell.font, size).fillColor(colour)
    pdf.text(texts[index]!, cell.x, top, { width: cell.width, align: cell.align, features })
  }
  const below = top - padding + height
  pdf.moveTo(margin, below).lineTo(pdf.page.width - margin, below)
  pdf.lineWidth(0.5).strokeColor(hairline).stroke()
  pdf.x = margin
  pdf.y = below
}

function heightOf(pdf: Pdf, cells: readonly Cell[], texts: readonly string[]): number {
  const heights = cells.map(({ width, font }, index) =>
    pdf.font(font, size).heightOfString(texts[index] || ' ', { width, features }),
  )
  return Math.max(...heights) + 2 * padding
}

function lineHeight(pdf: Pdf): number {
  return pdf.font('regular', size).currentLineHeight(true)
}

/** The foot of the page is below. */
function bottomOf(pdf: Pdf): number {
  return pdf.page.height - margin - 24
}
