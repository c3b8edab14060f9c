import { readCertificate } from '../pages/certificate.ts'
import type { ReadRow } from '../readRow.ts'
import { readTextLayer } from './textLayer.ts'

/** Read the mill certificates of a PDF. */

export { extractPages, loadPdfJs } from './textLayer.ts'

/** Read the text layer, or else the pictures of the pages. @throws Failure `unreadable` */
export async function readPdf(bytes: Uint8Array, onScan: () => void = () => {}): Promise<readonly ReadRow[]> {
  const pages = await readTextLayer(bytes)
  if (pages) return readCertificate(pages)
  onScan()
  const { readScannedCertificates } = await import('../scans/certificates.ts')
  return readScannedCertificates('pdf', bytes)
}
