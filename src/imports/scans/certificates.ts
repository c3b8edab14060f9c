import { readCertificate } from '../pages/certificate.ts'
import type { ReadRow } from '../readRow.ts'
import { unreadable } from '../unreadable.ts'
import type { PictureFormat } from './drawPages.ts'
import { readScan } from './readScan.ts'

/** Read the mill certificates of a scan. @throws Failure `unreadable` */
export async function readScannedCertificates(
  format: PictureFormat | 'pdf',
  bytes: Uint8Array,
): Promise<readonly ReadRow[]> {
  const pages = await readScan(format, bytes)
  if (pages.every(({ runs }) => runs.length === 0))
    throw unreadable(
      'no-text',
      'There is no text on the pages of this scan. Scan it again, at 300 dots per inch.',
    )
  return readCertificate(pages)
}
