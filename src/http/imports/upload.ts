import type { Readable } from 'node:stream'
import { importKey, incomingKey } from '../../documents/objects.ts'
import { receive } from '../../documents/receive.ts'
import { formatOf, type ImportFormat, type ImportKind } from '../../imports/read.ts'
import { xlsxType } from '../../lib/sheets/xlsx.ts'
import { mediaTypeOf } from '../kit/body/body.ts'
import { streamBody } from '../kit/lists/streamList.ts'
import { refuseKey } from '../kit/routing/bulkRoute.ts'
import type { Exchange } from '../kit/routing/route.ts'
import { bodyOf } from '../kit/routing/uploadRoute.ts'
import type { Services } from '../kit/services.ts'
import { proposalOf } from './intake/importedFile.ts'
import { requireKind } from './kindAccess.ts'

/** The upload of a file for an import, which is answered with the proposal. */

export const mediaTypes: Readonly<Record<ImportFormat, string>> = {
  csv: 'text/csv',
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
  refuseKey(req.headers)
  await requireKind(exchange, kind)
  const objects = await services.documents.objects()
  await services.imports.refuseTooMany(params.companyId!)
  const importId = services.newId()
  const [fileKey, rowsKey] = [incomingKey(importId), incomingKey(services.newId())]
  try {
    const mediaType = mediaTypeOf(req)
    const { scan, arriving } = services.documents
    const { sha256 } = await arriving.run(params.companyId!, () =>
      receive(objects, importId, bodyOf(req), { mediaType }, scan, mediaTypeIn),
    )
    await exchange.requireAccess()
    const format = formats.find((one) => mediaTypes[one] === mediaType)!
    const file = { keys: [fileKey], kind, format, sha256 }
    // A client that reads slowly must not hold the proposal in memory.
    const proposal = await proposalOf(file, exchange, services, (rows) => objects.put(rowsKey, rows))
    await removeExpired(services)
    await objects.move(fileKey, importKey(importId))
    await services.imports.keep(params.companyId!, { importId, kind, format, sha256 }, caller!.id)
    await answerProposal(exchange, { importId, proposal }, (await objects.get(rowsKey))!.content)
  } finally {
    // If a deletion fails, a sweep removes the object.
    for (const key of [fileKey, rowsKey]) await objects.delete(key).catch(() => {})
  }
}

async function answerProposal(
  { res }: Exchange,
  { importId, proposal }: { importId: string; proposal: string },
  rows: Readable,
): Promise<void> {
  const parts = async function* () {
    yield `{"importId":"${importId}","proposal":"${proposal}","rows":[`
    yield* rows as AsyncIterable<Buffer>
    yield ']}'
  }
  res.statusCode = 200
  res.setHeader('Content-Type', 'application/json')
  res.setHeader('Cache-Control', 'no-store')
  await streamBody(res, parts())
}

/** Return the media type that the beginning of a file shows. */
async function mediaTypeIn(head: Buffer): Promise<string | undefined> {
  const format = formatOf(head)
  return format && mediaTypes[format]
}

/** Each upload removes some imports that are too old, the object before its row: a row is what finds an object. */
async function removeExpired({ imports, documents }: Services): Promise<void> {
  const expired = await imports.expired()
  if (expired.length === 0) return
  const objects = await documents.objects()
  for (const importId of expired) {
    await objects.delete(importKey(importId))
    await imports.forget(importId)
  }
}
