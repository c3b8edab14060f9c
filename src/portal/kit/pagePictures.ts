import { openPdf } from './openPdf.ts'

/** The pages of a file as pictures. */

interface PagePicture {
  readonly source: CanvasImageSource
  readonly width: number
  readonly height: number
  /** Pixels for each point of the page. */
  readonly scale: number
}

/** The longer side of a drawn page of a PDF, in pixels: about 200 dots per inch of A4. */
const longestSide = 2_400

const files = new WeakMap<Blob, (page: number) => Promise<PagePicture>>()

/** Return a page, from 1. Each page is drawn once. */
export function pagePicture(file: Blob, page: number): Promise<PagePicture> {
  const pageOf = files.get(file)
  if (pageOf) return pageOf(page)
  const draw = drawPages(file)
  const pictureOfPage = new Map<number, Promise<PagePicture>>()
  const drawOnce = (wanted: number) => {
    const picture = pictureOfPage.get(wanted) ?? draw(wanted)
    pictureOfPage.set(wanted, picture)
    return picture
  }
  files.set(file, drawOnce)
  return drawOnce(page)
}

function drawPages(file: Blob): (page: number) => Promise<PagePicture> {
  if (file.type === 'image/tiff') return (page) => drawTiff(file, page)
  if (file.type !== 'application/pdf') return () => drawImage(file)
  const opened = openPdf(file)
  return async (page) => {
    const proxy = await (await opened).getPage(page)
    const { width, height } = proxy.getViewport({ scale: 1 })
    const scale = longestSide / Math.max(width, height)
    const canvas = new OffscreenCanvas(Math.ceil(width * scale), Math.ceil(height * scale))
    const viewport = proxy.getViewport({ scale })
    await proxy.render({ canvas: canvas as unknown as HTMLCanvasElement, viewport }).promise
    return { source: canvas, width: canvas.width, height: canvas.height, scale }
  }
}

async function drawImage(file: Blob): Promise<PagePicture> {
  const source = await createImageBitmap(file)
  return { source, width: source.width, height: source.height, scale: 1 }
}

/** Decode the page here, because only Safari draws TIFF. */
async function drawTiff(file: Blob, page: number): Promise<PagePicture> {
  const { default: tiff } = (await import('utif2')) as unknown as { default: typeof import('utif2') }
  const bytes = await file.arrayBuffer()
  const picture = tiff.decode(bytes)[page - 1]!
  tiff.decodeImage(bytes, picture)
  const colours = new Uint8ClampedArray(tiff.toRGBA8(picture))
  const source = await createImageBitmap(new ImageData(colours, picture.width, picture.height))
  return { source, width: source.width, height: source.height, scale: 1 }
}
