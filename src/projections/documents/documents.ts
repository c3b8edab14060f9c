import type { AttachmentEvent } from '../../domain/documents/certificateDocuments.ts'
import type { DocumentEvent } from '../../domain/documents/document.ts'
import type { PackIssued } from '../../domain/orders/orderPacks.ts'
import {
  bigint,
  boolean,
  defineProjection,
  integer,
  json,
  nullable,
  table,
  text,
  timestamptz,
  uuid,
} from '../engine/projection.ts'

/** The documents of a company, and the mill certificates that they are attached to. */

const file = { sha256: text, bytes: bigint, mediaType: text, fileName: text }

const tables = {
  document: table({
    columns: {
      companyId: uuid,
      documentId: uuid,
      ...file,
      /** The last part of the key of its object. */
      uploadId: uuid,
      uploadedAt: timestamptz,
      uploadedBy: text,
      deletedAt: nullable(timestamptz),
      /** The mill certificates that it is attached to. */
      attachments: integer,
      revision: bigint,
    },
    key: ['companyId', 'documentId'],
    indexes: [['companyId', 'uploadedAt', 'documentId']],
  }),
  attachment: table({
    columns: {
      companyId: uuid,
      millCertificationId: uuid,
      documentId: uuid,
      ...file,
      attachedAt: timestamptz,
      attachedBy: text,
    },
    key: ['companyId', 'millCertificationId', 'documentId'],
    indexes: [['companyId', 'documentId', 'millCertificationId']],
    versioned: true,
  }),
  pack: table({
    columns: {
      companyId: uuid,
      orderId: uuid,
      packId: uuid,
      documentId: uuid,
      sha256: text,
      bytes: bigint,
      fileName: text,
      /** It shows the facts up to this position of the store. */
      factsPosition: bigint,
      checkpointSize: bigint,
      cleared: boolean,
      cutIds: nullable(json<readonly string[]>()),
      issuedAt: timestamptz,
      issuedBy: text,
      revision: bigint,
    },
    key: ['companyId', 'orderId', 'packId'],
    indexes: [['companyId', 'orderId', 'issuedAt', 'packId']],
  }),
}

export const documents = defineProjection<DocumentEvent | AttachmentEvent | PackIssued>()({
  name: 'documents',
  version: 1,
  tables,
  handlers: {
    DocumentStored: {
      touches: ({ data }) => ({ document: [[data.companyId, data.documentId]] }),
      apply: (rows, { data, metadata, revision }) => {
        const { companyId, documentId, sha256, bytes, mediaType, fileName, uploadId } = data
        rows.document.put({
          companyId,
          documentId,
          sha256,
          bytes,
          mediaType,
          fileName,
          uploadId,
          uploadedAt: metadata.occurredAt,
          uploadedBy: metadata.actor.id,
          deletedAt: null,
          attachments: rows.document.get([companyId, documentId])?.attachments ?? 0,
          revision,
        })
      },
    },
    DocumentDeleted: {
      touches: ({ data }) => ({ document: [[data.companyId, data.documentId]] }),
      apply: (rows, { data: { companyId, documentId }, metadata, revision }) =>
        rows.document.update([companyId, documentId], { deletedAt: metadata.occurredAt, revision }),
    },
    DocumentAttached: {
      touches: ({ data }) => attachmentTouched(data),
      apply: (rows, { data, metadata }) => {
        const { companyId, millCertificationId, documentId, sha256, bytes, mediaType, fileName } = data
        rows.attachment.put({
          companyId,
          millCertificationId,
          documentId,
          sha256,
          bytes,
          mediaType,
          fileName,
          attachedAt: metadata.occurredAt,
          attachedBy: metadata.actor.id,
        })
        rows.document.update([companyId, documentId], ({ attachments }) => ({ attachments: attachments + 1 }))
      },
    },
    DocumentDetached: {
      touches: ({ data }) => attachmentTouched(data),
      apply: (rows, { data: { companyId, millCertificationId, documentId } }) => {
        rows.attachment.delete([companyId, millCertificationId, documentId])
        rows.document.update([companyId, documentId], ({ attachments }) => ({ attachments: attachments - 1 }))
      },
    },
    PackIssued: {
      touches: ({ data: { companyId, orderId, packId } }) => ({ pack: [[companyId, orderId, packId]] }),
      apply: (rows, { data, metadata, revision }) => {
        const { companyId, orderId, packId, documentId, sha256, bytes, fileName } = data
        const { position: factsPosition, checkpointSize, cleared, cutIds } = data
        rows.pack.put({
          companyId,
          orderId,
          packId,
          documentId,
          sha256,
          bytes,
          fileName,
          factsPosition,
          checkpointSize,
          cleared,
          cutIds,
          issuedAt: metadata.occurredAt,
          issuedBy: metadata.actor.id,
          revision,
        })
      },
    },
  },
})

function attachmentTouched({ companyId, millCertificationId, documentId }: AttachmentEvent['data']) {
  return { document: [[companyId, documentId]], attachment: [[companyId, millCertificationId, documentId]] }
}
