import { packType } from '../../domain/documents/document.ts'
import * as packs from '../../domain/orders/orderPacks.ts'
import { storeDocument, type UploadedObject } from '../documents/documents.ts'
import { type Command, onStream, type Workflow } from '../executor/command.ts'

/** Issue a pack: keep its ZIP file as a document of the company, then record that it was issued. */
export function issuePack(
  pack: packs.PackFacts,
  uploadId: string,
  object: UploadedObject,
): Workflow<packs.PackFacts> {
  const { companyId, documentId, sha256, bytes, fileName } = pack
  const file = { companyId, documentId, sha256, bytes, fileName, uploadId, mediaType: packType }
  return {
    aggregate: packs.orderPacks,
    async run(tools, context) {
      await storeDocument(file, object).run(tools, context)
      return tools.execute(recordPack(pack), context)
    },
  }
}

function recordPack(pack: packs.PackFacts): Command<packs.PackFacts> {
  return onStream({
    aggregate: packs.orderPacks,
    id: packs.orderPacksKey(pack.companyId, pack.orderId),
    decide: (issued) => packs.issuePack(issued, pack),
    answer: (issued) => ({ body: issued.get(pack.packId)!, etag: undefined }),
  })
}
