import { packType } from '../../domain/documents/document.ts'
import {
  issuePack as decideToIssuePack,
  orderPacks,
  orderPacksKey,
  type PackFacts,
} from '../../domain/orders/orderPacks.ts'
import { storeDocument, type UploadedObject } from '../documents/documents.ts'
import { type Command, onStream, type Workflow } from '../executor/command.ts'

/** Issue a pack: keep its ZIP file as a document of the company, then record that it was issued. */
export function issuePack(pack: PackFacts, uploadId: string, object: UploadedObject): Workflow<PackFacts> {
  const { companyId, documentId, sha256, bytes, fileName } = pack
  const file = { companyId, documentId, sha256, bytes, fileName, uploadId, mediaType: packType }
  return {
    aggregate: orderPacks,
    async run(tools, context) {
      await storeDocument(file, object).run(tools, context)
      return tools.execute(recordPack(pack), context)
    },
  }
}

function recordPack(pack: PackFacts): Command<PackFacts> {
  return onStream({
    aggregate: orderPacks,
    id: orderPacksKey(pack.companyId, pack.orderId),
    decide: (issued) => decideToIssuePack(issued, pack),
    answer: (issued) => ({ body: issued.get(pack.packId)!, etag: undefined }),
  })
}
