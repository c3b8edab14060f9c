import { sameValue } from '../../domain/kernel/changes.ts'
import type { ReadRow } from '../readRow.ts'
import type { PageParts } from './pageTables.ts'

/** The certificates of a file: a person may scan several in one go. */

/** A page states these in words or labels, and two pages of one certificate do not differ in them. */
const ofCertificate = `
  standard grade profile nominalDiameterMm thicknessMm widthMm deliveryCondition purchaseOrder
  issuedOn inspectionDocument
`
  .trim()
  .split(/\s+/)
const pageNumber =
  /(?<!\p{L})(?:page|seite|blatt|sheet|p\.|s\.)\s*:?\s*(\d{1,3})\s*(?:\/|of|von|de)\s*\d{1,3}/iu

type Values = ReadonlyMap<string, unknown>

/** Part the pages into those of each certificate. A page that tells nothing belongs to the certificate before it. */
export function certificatesOf(
  parts: readonly PageParts[],
  read: (part: PageParts) => ReadRow,
): readonly (readonly PageParts[])[] {
  const certificates: { values: Map<string, unknown>; parts: PageParts[] }[] = []
  for (const part of parts) {
    const values: Values = new Map(read(part).values.map(({ field, value }) => [field, value]))
    const last = certificates.at(-1)
    if (last && !isOther(values, last.values, pageNumber.exec(part.page.text)?.[1])) {
      last.parts.push(part)
      for (const [field, value] of values) if (!last.values.has(field)) last.values.set(field, value)
    } else certificates.push({ values: new Map(values), parts: [part] })
  }
  return certificates.map((certificate) => certificate.parts)
}

/** Whether a page begins another certificate. Its number decides, then the number of the page, then its values. */
function isOther(page: Values, certificate: Values, number: string | undefined): boolean {
  const [own, before] = [page.get('certificateNumber'), certificate.get('certificateNumber')]
  if (own !== undefined && before !== undefined) return !sameValue(own, before)
  if (number !== undefined) return Number(number) === 1
  return ofCertificate.some(
    (field) =>
      page.has(field) && certificate.has(field) && !sameValue(page.get(field), certificate.get(field)),
  )
}
