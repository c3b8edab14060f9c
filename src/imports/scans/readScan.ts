import { type Box, type Page, type Run, rounded } from '../pages/page.ts'
import { unreadable } from '../unreadable.ts'
import { type DrawnPage, drawPages, type PictureFormat } from './drawPages.ts'
import { loadModels, type Models } from './models.ts'
import { boxBefore, type PixelBox } from './picture.ts'
import { type ReadText, readText, withoutParts } from './readTexts.ts'
import { standUpright, type UprightPage } from './upright.ts'

/** Read the texts of a scan with their places, as the text layer of a PDF would hold them. */

/** The most pages of a scan: each takes about ten seconds. */
export const mostScannedPages = 5

/** A page whose texts stand upright, though the scanner may have turned it. */
export interface ScannedPage extends Page {
  readonly texts: readonly ScannedText[]
  /** Return the box on the page as it was scanned. */
  onScan(box: Box): Box
}

export interface ScannedText {
  readonly box: Box
  /** The certainty of the least certain letter, from 0 to 1. */
  readonly confidence: number
}

/** @throws Failure `unreadable` */
export async function readScan(
  format: PictureFormat | 'pdf',
  bytes: Uint8Array,
): Promise<readonly ScannedPage[]> {
  const models = await loadModels()
  const pages: ScannedPage[] = []
  for await (const drawn of drawPages(format, bytes)) {
    if (pages.length === mostScannedPages)
      throw unreadable(
        `The scan has more than ${mostScannedPages} pages. Send the pages of the certificate alone.`,
      )
    pages.push(await readPage(drawn, pages.length + 1, models))
  }
  return pages
}

async function readPage(drawn: DrawnPage, page: number, models: Models): Promise<ScannedPage> {
  const upright = await standUpright(drawn, models)
  const found: ReadText[] = []
  for (const box of upright.boxes) {
    const text = await readText(upright.picture, box, upright.threshold, models)
    if (text) found.push(text)
  }
  const texts = withoutParts(found)
  const { width, height } = upright.picture
  const onPage = (box: PixelBox) => pointsOf(box, height, drawn.scale)
  const runs = texts.map(({ text, box }): Run => {
    const place = onPage(box)
    return { text, box: place, size: place[3] - place[1], font: 'scan' }
  })
  return {
    page,
    box: onPage([0, 0, width, height]),
    runs,
    text: inLines(runs),
    levelRules: upright.levelRules.map(onPage),
    texts: texts.map(({ confidence, box }) => ({ confidence, box: onPage(box) })),
    onScan: (box) => onScan(box, upright, drawn),
  }
}

function pointsOf([left, top, right, bottom]: PixelBox, height: number, scale: number): Box {
  return [
    rounded(left / scale),
    rounded((height - bottom) / scale),
    rounded(right / scale),
    rounded((height - top) / scale),
  ]
}

function onScan([left, bottom, right, top]: Box, { picture, turn }: UprightPage, drawn: DrawnPage): Box {
  const { scale } = drawn
  const { height } = picture
  const box: PixelBox = [left * scale, height - top * scale, right * scale, height - bottom * scale]
  return pointsOf(boxBefore(box, drawn, turn), drawn.height, scale)
}

/** Return the texts from the top, those of one height side by side. */
function inLines(runs: readonly Run[]): string {
  const lines: { middle: number; runs: Run[] }[] = []
  for (const run of runs.toSorted((one, other) => other.box[3] - one.box[3])) {
    const middle = (run.box[1] + run.box[3]) / 2
    const line = lines.find((one) => Math.abs(one.middle - middle) < run.size / 2)
    if (line) line.runs.push(run)
    else lines.push({ middle, runs: [run] })
  }
  return lines
    .map((line) => line.runs.toSorted((one, other) => one.box[0] - other.box[0]))
    .map((line) => line.map(({ text }) => text).join(' '))
    .join('\n')
}
