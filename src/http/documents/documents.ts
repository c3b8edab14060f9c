import { z } from 'zod'
import { type DocumentRecord, deleteDocument, storeDocument } from '../../commands/documents/documents.ts'
import { objectKey } from '../../documents/objects.ts'
import { maxFileBytes } from '../../documents/receive.ts'
import {
  documentIdOf,
  documentTypes,
  packType,
  type UploadType,
  uploadTypes,
} from '../../domain/documents/document.ts'
import {
  type FoundFile,
  findAttachedTo,
  findDocument,
  findFile,
  listDocuments,
} from '../../projections/documents/documentQueries.ts'
import { documents } from '../../projections/documents/documents.ts'
import type { Reader } from '../../projections/engine/reading/reader.ts'
import { toDecide } from '../../projections/engine/reading/toDecide.ts'
import { refuseWithoutRoom } from '../imports/intake/room.ts'
import { listRoute } from '../kit/lists/listRoute.ts'
import { commandRoute } from '../kit/routing/commandRoute.ts'
import { contentRoute } from '../kit/routing/contentRoute.ts'
import { recordRoute } from '../kit/routing/readRoute.ts'
import type { Route } from '../kit/routing/route.ts'
import { fileName, uploadRoute } from '../kit/routing/uploadRoute.ts'
import { oneOf, sortedAt, timestamp, uuid } from '../kit/schemas/fields.ts'

/** Documents: the files of a company, such as the originals of mill certificates. */

const all = '/api/company/{companyId}/documents'
const one = `${all}/{documentId}` as const
const group = 'Documents'
const reading = { tag: group, access: { company: 'view' } } as const
const writing = { tag: group, access: { company: 'document' } } as const

const document = z
  .object({
    companyId: uuid,
    documentId: uuid,
    sha256: z.string().meta({ description: 'The SHA-256 of the file, in lower-case hexadecimal.' }),
    bytes: z.int(),
    mediaType: oneOf(documentTypes),
    fileName: z.string(),
    uploadedAt: timestamp,
    uploadedBy: z.string().meta({ description: 'The userId of the caller who has stored it.' }),
    attachedTo: z
      .array(uuid)
      .meta({ description: 'The ids of the mill certificates that it is attached to.' }),
  })
  .meta({ id: 'Document' })

export const documentRoutes: Route[] = [
  uploadRoute({
    ...writing,
    path: all,
    operationId: 'storeDocument',
    summary: 'Store a file',
    description: `The body is the file itself: PDF, PNG, JPEG, TIFF, XML or JSON, of at most ${maxFileBytes} bytes. The content must be of the kind that Content-Type declares. A file that the company has already is answered as it is, whatever its name. The answer comes when the file is stored durably.`,
    query: z.strictObject({ fileName }),
    mediaTypes: uploadTypes,
    maxBytes: maxFileBytes,
    problems: refuseWithoutRoom.refuses,
    refuse: ({ params: { companyId }, file: { sha256, bytes } }, services) =>
      refuseWithoutRoom(services, {
        companyId,
        file: { documentId: documentIdOf(companyId, sha256), bytes },
      }),
    store: ({ params: { companyId }, query, file }, object) => {
      const { sha256, bytes, mediaType, uploadId } = file
      const facts = {
        companyId,
        documentId: documentIdOf(companyId, sha256),
        sha256,
        bytes,
        mediaType,
        fileName: query.fileName ?? `document.${endings[mediaType]}`,
        uploadId,
      }
      return storeDocument(facts, {
        keep: () => object.keep(objectKey(facts)),
        drop: () => object.drop(objectKey(facts)),
      })
    },
    record: document,
    present: presentStored,
    location: ({ companyId, documentId }) => `/api/company/${companyId}/documents/${documentId}`,
  }),
  listRoute({
    ...reading,
    path: all,
    operationId: 'listDocuments',
    summary: 'List the documents, oldest first',
    reads: [documents],
    rows: (snapshot, { params }, page) => listDocuments(snapshot, params.companyId, page),
    sortKey: z.tuple([sortedAt, uuid]),
    item: document,
  }),
  recordRoute({
    ...reading,
    path: one,
    operationId: 'getDocument',
    summary: 'Read the record of one document',
    reads: [documents],
    find: (snapshot, { params }) => findDocument(snapshot, params),
    missing: { code: 'document-not-found', id: 'documentId' },
    record: document,
  }),
  commandRoute({
    ...writing,
    method: 'delete',
    path: one,
    operationId: 'deleteDocument',
    summary: 'Delete a document that is attached nowhere',
    description:
      "The record is gone at once. The operator's next sweep deletes the file, a day later at the earliest. The history keeps the name and the hash.",
    command: ({ params }, { reader }) =>
      deleteDocument(params, (address) => findAttachedTo(toDecide(reader, address.companyId), address)),
    conditional: true,
    problems: deleteDocument.refuses,
  }),
  contentRoute({
    ...reading,
    path: `${one}/content`,
    operationId: 'getDocumentContent',
    summary: 'Download the file of a document',
    description:
      'The answer is an attachment, so that no browser shows it as a page of the service. `Range` answers one part; with `If-Range`, only if the ETag is still the same. The ETag is the SHA-256 of the file. The pack of an order is answered only to those who may read packs.',
    mediaTypes: documentTypes,
    reads: [documents],
    find: (snapshot, params) => findFile(snapshot, params),
    missing: { code: 'document-not-found', id: 'documentId' },
    key: (file: FoundFile) => objectKey(file),
    needs: ({ mediaType }) => (mediaType === packType ? 'readPack' : undefined),
  }),
]

const endings: Readonly<Record<UploadType, string>> = {
  'application/pdf': 'pdf',
  'image/png': 'png',
  'image/jpeg': 'jpeg',
  'image/tiff': 'tiff',
  'application/xml': 'xml',
  'application/json': 'json',
}

/** Without a reader, the attachments are unknown. A new document has none. */
async function presentStored(stored: DocumentRecord, reader?: Reader): Promise<object> {
  const { companyId, documentId, sha256, bytes, mediaType, fileName, uploadedAt, uploadedBy } = stored
  const attachedTo = reader ? await findAttachedTo(reader, stored) : []
  return { companyId, documentId, sha256, bytes, mediaType, fileName, uploadedAt, uploadedBy, attachedTo }
}
