import { openPdf } from './openPdf.ts'
import type { PdfText } from './pdfPlaces.ts'

/** Pages whose texts are read. */
const mostPages = 8

/** Read the texts of a PDF with their places. A page that was scanned has none. */
export async function textsOfPdf(file: Blob): Promise<readonly PdfText[]> {
  const document = await openPdf(file)
  const texts: PdfText[] = []
  for (let page = 1; page <= Math.min(document.numPages, mostPages); page += 1) {
    const opened = await document.getPage(page)
    const viewport = opened.getViewport({ scale: 1 })
    const { items } = await opened.getTextContent()
    for (const item of items) {
      if (!('str' in item) || item.str.trim() === '') continue
      const [, , , , left, base] = item.transform as number[]
      const corners = viewport.convertToViewportRectangle([
        left!,
        base!,
        left! + item.width,
        base! + item.height,
      ])
      const [x = 0, y = 0, otherX = 0, otherY = 0] = corners
      const box = [
        Math.min(x, otherX) / viewport.width,
        Math.min(y, otherY) / viewport.height,
        Math.abs(otherX - x) / viewport.width,
        Math.abs(otherY - y) / viewport.height,
      ] as const
      texts.push({ page, text: item.str, box })
    }
  }
  await document.destroy()
  return texts
}
