import {
  importKey,
  importPagesKey,
  importRowsKey,
  incomingKey,
  type ObjectStore,
} from '../../documents/objects.ts'
import { receive } from '../../documents/receive.ts'
import { formatOf, hasPages, type ImportFormat, type ImportKind, isPicture } from '../../imports/read.ts'
import { xlsxType } from '../../lib/sheets/xlsx.ts'
import { mediaTypeOf } from '../kit/body/body.ts'
import { refuseKey } from '../kit/routing/bulkRoute.ts'
import type { Exchange } from '../kit/routing/route.ts'
import { bodyOf } from '../kit/routing/uploadRoute.ts'
import type { Services } from '../kit/services.ts'
import { answerProposal } from './answerProposal.ts'
import { keepRows, readKeptRows } from './intake/keptRows.ts'
import { refusalOf } from './intake/proposedImport.ts'
import { requireKind } from './kindAccess.ts'

/** The upload of a file for an import, which is answered with the proposal. */

export const mediaTypes: Readonly<Record<ImportFormat, string>> = {
  csv: 'text/csv',
  nc1: 'text/plain',
  xlsx: xlsxType,
  json: 'application/json',
  pdf: 'application/pdf',
  jpeg: 'image/jpeg',
  png: 'image/png',
  tiff: 'image/tiff',
}
const formats = Object.keys(mediaTypes) as ImportFormat[]

export async function answerUpload(exchange: Exchange, services: Services): Promise<void> {
  const { req, params, query, caller } = exchange
  const kind = query.kind as ImportKind
  const companyId = params.companyId!
  refuseKey(req.headers)
  await requireKind(exchange, kind)
  const objects = await services.documents.objects()
  await services.imports.refuseTooMany(companyId)
  const importId = services.newId()
  const fileKey = incomingKey(importId)
  let isKept = false
  try {
    const mediaType = mediaTypeOf(req)
    const { scan, arriving } = services.documents
    const { sha256 } = await arriving.run(companyId, () =>
      receive(objects, importId, bodyOf(req), { mediaType }, scan, mediaTypeIn),
    )
    await exchange.requireAccess()
    const format = formats.find((one) => mediaTypes[one] === mediaType)!
    const open = async () => (await objects.get(fileKey))!.content
    await keepRows(objects, importId, services.importReader.read(companyId, { kind, format }, open))
    await removeExpired(services)
    if (isOriginal(format)) await objects.move(fileKey, importKey(importId))
    await answerProposal({ importId, kind, sha256 }, exchange, services, async () => {
      await services.imports.keep(companyId, { importId, kind, format, sha256 }, caller!.id)
      isKept = true
    })
  } catch (error) {
    throw refusalOf(error)
  } finally {
    const left = isKept ? [fileKey] : [fileKey, importKey(importId), importRowsKey(importId)]
    // If a deletion fails, a sweep removes the object.
    for (const key of left) await objects.delete(key).catch(() => {})
  }
}

/** Whether a file becomes the original of the certificate that is confirmed from it. */
export function isOriginal(format: ImportFormat): boolean {
  return format === 'pdf' || isPicture(format)
}

/** Return the media type that the beginning of a file shows. */
async function mediaTypeIn(head: Buffer): Promise<string | undefined> {
  const format = formatOf(head)
  return format && mediaTypes[format]
}

/** Each upload removes some imports that are too old, the object before its row: a row is what finds an object. */
async function removeExpired({ imports, documents }: Services): Promise<void> {
  const expired = await imports.findExpired()
  if (expired.length === 0) return
  const objects = await documents.objects()
  for (const { importId, format } of expired) {
    const pages = hasPages(format) ? await pagesOfCertificates(objects, importId) : []
    const keys = pages.map((some) => importPagesKey(importId, some))
    // The rows are last, because they name the pages.
    for (const key of [...keys, importKey(importId), importRowsKey(importId)]) await objects.delete(key)
    await imports.forget(importId)
  }
}

/**
 * Return the pages of each certificate of an import. If its rows are gone or damaged, nothing names the pages, and a sweep
 * removes their objects.
 */
async function pagesOfCertificates(
  objects: ObjectStore,
  importId: string,
): Promise<readonly (readonly number[])[]> {
  try {
    const rows = await Array.fromAsync(readKeptRows(objects, importId))
    return rows.flatMap(({ onPages }) => (onPages ? [onPages] : []))
  } catch {
    return []
  }
}
