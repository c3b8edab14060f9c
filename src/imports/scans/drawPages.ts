import { buffer } from 'node:stream/consumers'
import { type Failure, isFailure } from '../../lib/failure.ts'
import { unreadable } from '../unreadable.ts'
import { notInstalled } from './models.ts'
import type { Picture } from './picture.ts'

/** Draw the pages of a scan: of a PDF, of a photo (JPEG), of a picture (PNG), or of a fax (TIFF). */

/** A page as a picture. */
export interface DrawnPage extends Picture {
  /** Pixels for each point of the page; of a picture without pages, a pixel is a point. */
  readonly scale: number
}

/** The longer side of a drawn page, in pixels: about 200 dots per inch of A4. Less is drawn of a smaller picture. */
const longestSide = 2_400
/** The largest picture, in pixels: A3 at 600 dots per inch. */
export const mostPixels = 70_000_000

export type PictureFormat = 'jpeg' | 'png' | 'tiff'

/** Yield the pages. @throws Failure `unreadable` */
export async function* drawPages(format: PictureFormat | 'pdf', bytes: Uint8Array): AsyncIterable<DrawnPage> {
  if (format === 'tiff') yield* drawTiff(bytes)
  else yield* drawPdf(format === 'pdf' ? bytes : await pdfOf(bytes), format === 'pdf')
}

async function* drawPdf(bytes: Uint8Array, isPdf: boolean): AsyncIterable<DrawnPage> {
  const { PDFiumLibrary } = await import('@hyzyla/pdfium').catch(notInstalled)
  const library = await PDFiumLibrary.init()
  try {
    const document = await library.loadDocument(bytes).catch(refuseDamaged)
    for (const page of document.pages()) {
      const { originalWidth, originalHeight } = page.getOriginalSize()
      const side = Math.max(originalWidth, originalHeight)
      // A picture is not drawn larger than it is.
      const scale = isPdf ? longestSide / side : Math.min(1, longestSide / side)
      const { width, height, data } = await page
        .render({ scale, colorSpace: 'Gray', render: 'bitmap' })
        .catch(refuseDamaged)
      yield { width, height, grey: data, scale }
    }
  } finally {
    library.destroy()
  }
}

function refuseDamaged(): never {
  throw unreadable('damaged', 'This picture is damaged, or it is no picture. Ask for it again.')
}

/** A method of pdfkit that its types do not have. */
interface ImageOpener {
  openImage(file: Buffer): { readonly width: number; readonly height: number; readonly orientation?: number }
}

/**
 * Put a picture on the page of a PDF, turned as its camera says: one program then draws them all. @throws Failure
 * `unreadable`
 */
async function pdfOf(bytes: Uint8Array): Promise<Uint8Array> {
  const { default: PdfDocument } = await import('pdfkit')
  const document = new PdfDocument({ autoFirstPage: false })
  try {
    const image = (document as unknown as ImageOpener).openImage(Buffer.from(bytes))
    const isSideways = (image.orientation ?? 1) > 4
    const size: [number, number] = isSideways ? [image.height, image.width] : [image.width, image.height]
    if (size[0] * size[1] > mostPixels) throw tooLarge(size)
    document.addPage({ size, margin: 0 })
    document.image(image as unknown as Buffer, 0, 0, { width: size[0], height: size[1] })
    document.end()
    return await buffer(document)
  } catch (error) {
    if (isFailure(error, 'unreadable')) throw error
    return refuseDamaged()
  }
}

function tooLarge([width, height]: readonly [number, number]): Failure {
  return unreadable(
    'too-large',
    `The picture has ${width} × ${height} pixels, which is more than ${mostPixels / 1_000_000} million. Scan the page at 300 dots per inch.`,
  )
}

async function* drawTiff(bytes: Uint8Array): AsyncIterable<DrawnPage> {
  // Its types do not say that it is a CommonJS module.
  const module: unknown = await import('utif2').catch(notInstalled)
  const { default: tiff } = module as { default: Tiff }
  let pages: ReturnType<typeof tiff.decode>
  try {
    pages = tiff.decode(Buffer.from(bytes))
  } catch {
    refuseDamaged()
  }
  for (const page of pages) {
    const size = [page.t256, page.t257].map((values) => Number((values as unknown[])?.[0])) as [
      number,
      number,
    ]
    if (!size.every((side) => side >= 1)) refuseDamaged()
    if (size[0] * size[1] > mostPixels) throw tooLarge(size)
    yield reduce(colours(tiff, bytes, page))
  }
}

type Tiff = typeof import('utif2')

function colours(tiff: Tiff, bytes: Uint8Array, page: ReturnType<Tiff['decode']>[number]): Picture {
  try {
    tiff.decodeImage(Buffer.from(bytes), page)
    const rgba = tiff.toRGBA8(page)
    const { width, height } = page
    const grey = new Uint8Array(width * height)
    for (let at = 0; at < grey.length; at += 1)
      grey[at] = (rgba[4 * at]! * 299 + rgba[4 * at + 1]! * 587 + rgba[4 * at + 2]! * 114) / 1_000
    return { width, height, grey }
  } catch {
    refuseDamaged()
  }
}

/** Return the picture no larger than a drawn page. Each pixel is the mean of those that it stands for. */
function reduce(picture: Picture): DrawnPage {
  const scale = Math.min(1, longestSide / Math.max(picture.width, picture.height))
  if (scale === 1) return { ...picture, scale }
  const width = Math.floor(picture.width * scale)
  const height = Math.floor(picture.height * scale)
  const grey = new Uint8Array(width * height)
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) grey[y * width + x] = meanOf(picture, x / scale, y / scale, 1 / scale)
  return { width, height, grey, scale }
}

function meanOf({ width, height, grey }: Picture, left: number, top: number, side: number): number {
  let [sum, count] = [0, 0]
  for (let y = Math.floor(top); y < Math.min(height, top + side); y += 1)
    for (let x = Math.floor(left); x < Math.min(width, left + side); x += 1) {
      sum += grey[y * width + x]!
      count += 1
    }
  return sum / count
}
