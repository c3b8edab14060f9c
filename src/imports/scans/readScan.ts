import { type Box, type Page, type Run, roundPoints, type Turned } from '../pages/page.ts'
import { unreadable } from '../unreadable.ts'
import { type DrawnPage, drawPages, type PictureFormat } from './drawPages.ts'
import { loadModels, type Models } from './models.ts'
import { boxBefore, type PixelBox } from './picture.ts'
import { type ReadText, readText, withoutParts } from './readTexts.ts'
import { standUpright, type UprightPage } from './upright.ts'

/** Read the texts of a scan with their places, as the text layer of a PDF would hold them. */

/** The most pages of a scan: each takes about ten seconds. */
const mostScannedPages = 5

/** @throws Failure `unreadable` */
export async function readScan(format: PictureFormat | 'pdf', bytes: Uint8Array): Promise<readonly Page[]> {
  const models = await loadModels()
  const pages: Page[] = []
  for await (const drawnPage of drawPages(format, bytes)) {
    if (pages.length === mostScannedPages)
      throw unreadable(
        'too-large',
        `The scan has more than ${mostScannedPages} pages. Send the pages of the certificate alone.`,
      )
    pages.push(await readPage(drawnPage, pages.length + 1, models))
  }
  return pages
}

async function readPage(drawnPage: DrawnPage, page: number, models: Models): Promise<Page> {
  const upright = await standUpright(drawnPage, models)
  const readTexts: ReadText[] = []
  for (const box of upright.boxes) {
    const text = await readText(upright.picture, box, upright.threshold, models)
    if (text) readTexts.push(text)
  }
  const texts = withoutParts(readTexts)
  const { width, height } = upright.picture
  const onPage = (box: PixelBox) => pointsOf(box, height, drawnPage.scale)
  const runs = texts.map(({ text, box }): Run => {
    const place = onPage(box)
    return { text, box: place, size: place[3] - place[1], font: 'scan' }
  })
  const lines = inLines(runs)
  return {
    page,
    box: onPage([0, 0, width, height]),
    runs: lines.flat(),
    text: lines.map((line) => line.map(({ text }) => text).join(' ')).join('\n'),
    levelRules: upright.levelRules.map(onPage),
    scan: {
      texts: texts.map(({ confidence, box }) => ({ confidence, box: onPage(box) })),
      placeOf: (box) => placeOnScan(box, upright, drawnPage),
    },
  }
}

function pointsOf([left, top, right, bottom]: PixelBox, height: number, scale: number): Box {
  return [
    roundPoints(left / scale),
    roundPoints((height - bottom) / scale),
    roundPoints(right / scale),
    roundPoints((height - top) / scale),
  ]
}

function placeOnScan([left, bottom, right, top]: Box, { picture, turn }: UprightPage, drawnPage: DrawnPage) {
  const { scale } = drawnPage
  const { height } = picture
  const box: PixelBox = [left * scale, height - top * scale, right * scale, height - bottom * scale]
  const turned = ((360 - 90 * turn.quarters) % 360) as 0 | Turned
  return {
    box: pointsOf(boxBefore(box, drawnPage, turn), drawnPage.height, scale),
    ...(turned && { turned }),
  }
}

/**
 * Return the texts in lines, from the top and from the left. Those of one line get the same lower edge, because the ink of
 * a comma or a `p` reaches lower than that of other letters.
 */
function inLines(runs: readonly Run[]): readonly (readonly Run[])[] {
  const lines: { middle: number; runs: Run[] }[] = []
  for (const run of runs.toSorted((one, other) => middleOf(other) - middleOf(one))) {
    const line = lines.at(-1)
    const size = Math.min(run.size, ...(line?.runs.map((one) => one.size) ?? []))
    if (line && line.middle - middleOf(run) < size / 2) {
      line.runs.push(run)
      line.middle = medianOf(line.runs.map(middleOf))
    } else lines.push({ middle: middleOf(run), runs: [run] })
  }
  return lines.map((line) => {
    const bottom = medianOf(line.runs.map(({ box }) => box[1]))
    return line.runs
      .map((run): Run => ({ ...run, box: [run.box[0], bottom, run.box[2], run.box[3]] }))
      .toSorted((one, other) => one.box[0] - other.box[0])
  })
}

function middleOf({ box }: Run): number {
  return (box[1] + box[3]) / 2
}

function medianOf(numbers: readonly number[]): number {
  return numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)]!
}
