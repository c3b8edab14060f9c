import { generate } from 'lean-qr'
import { type Font, features, type Pdf, toPrintable } from './page.ts'

/** Labels with a QR code: sheets of A4 with 24 labels of 70 × 37 mm, or a roll of 62 mm with a page for each label. */

export interface Label {
  readonly title: string
  readonly lines: readonly string[]
  /** The text of the QR code. */
  readonly code: string
}

export const labelPapers = ['A4', 'roll62'] as const
export type LabelPaper = (typeof labelPapers)[number]

const mm = 72 / 25.4

interface Sheet {
  readonly page: readonly [number, number]
  readonly columns: number
  readonly rows: number
  readonly width: number
  readonly height: number
}

/** All measures are points. The sheet leaves 0.5 mm at the top and at the bottom. */
const sheets: Readonly<Record<LabelPaper, Sheet>> = {
  A4: { page: [210 * mm, 297 * mm], columns: 3, rows: 8, width: 70 * mm, height: 37 * mm },
  roll62: { page: [62 * mm, 30 * mm], columns: 1, rows: 1, width: 62 * mm, height: 30 * mm },
}

const edge = 3 * mm
const titleSize = 13
const lineSize = 7.5
const smallest = 5

/** Write the labels, one in each step. */
export function* writingLabels(pdf: Pdf, paper: LabelPaper, labels: readonly Label[]): Generator<void, void> {
  const { page, columns, rows, width, height } = sheets[paper]
  const top = (page[1] - rows * height) / 2
  for (const [index, label] of labels.entries()) {
    const place = index % (columns * rows)
    if (place === 0) pdf.addPage({ size: [...page], margin: 0 })
    const x = (place % columns) * width
    const y = top + Math.floor(place / columns) * height
    writeLabel(pdf, label, { x: x + edge, y: y + edge, width: width - 2 * edge, height: height - 2 * edge })
    yield
  }
}

interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

function writeLabel(pdf: Pdf, { title, lines, code }: Label, { x, y, width, height }: Box): void {
  drawCode(pdf, code, { x: x + width - height, y, width: height, height })
  const room = width - height - edge
  let below = y + writeLine(pdf, title, { x, y, width: room }, { font: 'bold', size: titleSize })
  for (const line of lines)
    below += writeLine(pdf, line, { x, y: below, width: room }, { font: 'regular', size: lineSize })
}

/** Write a text on one line, smaller if it is long, and cut off if it is very long. Return its height. */
function writeLine(
  pdf: Pdf,
  text: string,
  { x, y, width }: Omit<Box, 'height'>,
  { font, size }: { readonly font: Font; readonly size: number },
): number {
  const shown = toPrintable(text)
  const natural = pdf.font(font, size).widthOfString(shown, { features })
  pdf.fontSize(Math.max(smallest, Math.min(size, (size * width) / natural)))
  const height = pdf.currentLineHeight(true)
  pdf.fillColor('#000').text(shown, x, y, { width, height, ellipsis: true, features })
  return height + 1
}

function drawCode(pdf: Pdf, text: string, { x, y, width }: Box): void {
  const code = generate(text)
  const side = width / code.size
  for (let row = 0; row < code.size; row += 1)
    for (let from = 0, to = 0; from < code.size; from = to + 1) {
      for (to = from; code.get(to, row); ) to += 1
      if (to > from) pdf.rect(x + from * side, y + row * side, (to - from) * side, side)
    }
  pdf.fill('#000')
}
