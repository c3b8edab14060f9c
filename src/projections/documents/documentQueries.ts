import type { AttachedDocument } from '../../domain/documents/certificateDocuments.ts'
import {
  columnsOf,
  fieldsSql,
  jsonList,
  type ListQuery,
  listQuery,
  type Page,
  singleQuery,
} from '../engine/reading/listQuery.ts'
import type { Reader, Reading } from '../engine/reading/reader.ts'
import { documents } from './documents.ts'

/** Queries of the documents, of their files, and of the packs of orders. */

/**
 * SQL that is true for a document `d` of the company. One that was attached at the moment when it was deleted stays
 * until it is detached.
 */
const isThere = '(d.deleted_at IS NULL OR d.attachments > 0)'

function documentFields(reading: Reading) {
  return {
    ...columnsOf(documents.tables.document, 'd', ['uploadId', 'deletedAt', 'attachments', 'revision']),
    attachedTo: `ARRAY(
      SELECT a.mill_certification_id FROM ${reading.table(documents, 'attachment')} a
      WHERE a.company_id = d.company_id AND a.document_id = d.document_id ORDER BY a.mill_certification_id)`,
  }
}

/** The documents of a company, oldest first. */
export function listDocuments(reading: Reading, companyId: string, page?: Page): ListQuery {
  return listQuery(
    {
      select: documentFields(reading),
      from: `${reading.table(documents, 'document')} d`,
      where: `d.company_id = $1 AND ${isThere}`,
      values: [companyId],
      order: ['d.uploaded_at', 'd.document_id'],
    },
    page,
  )
}

interface DocumentAddress {
  readonly companyId: string
  readonly documentId: string
}

/** One document, with its `revision`. */
export function findDocument(reading: Reading, { companyId, documentId }: DocumentAddress): ListQuery {
  return singleQuery({
    select: { ...documentFields(reading), revision: 'd.revision' },
    from: `${reading.table(documents, 'document')} d`,
    where: `d.company_id = $1 AND d.document_id = $2 AND ${isThere}`,
    values: [companyId, documentId],
  })
}

/** The room that the documents of a company take. */
export interface FoundRoom {
  /** The bytes of all documents, and of those that were deleted so lately that no sweep may have removed them. */
  readonly bytes: number
  /** Whether one of them is the document that was asked for. */
  readonly isStored: boolean
}

/**
 * A sweep leaves younger objects alone, because an event may be about to name them, and the bytes of documents that were
 * deleted later. An upload ends within minutes.
 */
export const sweptAfterHours = 24

/**
 * A file that was deleted and stored again is there several times until a sweep: each event of its stream but the first
 * either deletes it or stores it.
 * @param documentId null: no document is asked for
 */
export function findRoom(reading: Reading, companyId: string, documentId: string | null): ListQuery {
  const isLate = (column: string) => `${column} > clock_timestamp() - interval '${sweptAfterHours} hours'`
  const copies = `CASE WHEN ${isLate('d.uploaded_at')} OR ${isLate('d.deleted_at')} THEN d.revision / 2 + 1 ELSE 1 END`
  return {
    text: `SELECT coalesce(sum(d.bytes * (${copies})), 0)::bigint AS bytes,
        coalesce(bool_or(d.document_id = $2::uuid AND ${isThere}), false) AS "isStored"
      FROM ${reading.table(documents, 'document')} d
      WHERE d.company_id = $1 AND (${isThere} OR ${isLate('d.deleted_at')})`,
    values: [companyId, documentId],
  }
}

/** The facts that are needed to read the bytes of a document. */
export interface FoundFile {
  readonly companyId: string
  readonly documentId: string
  readonly sha256: string
  readonly uploadId: string
  readonly bytes: number
  readonly mediaType: string
  readonly fileName: string
}

export function findFile(reading: Reading, { companyId, documentId }: DocumentAddress): ListQuery {
  return singleQuery({
    select: fileFields,
    from: `${reading.table(documents, 'document')} d`,
    where: `d.company_id = $1 AND d.document_id = $2 AND ${isThere}`,
    values: [companyId, documentId],
  })
}

const fileFields = {
  companyId: 'd.company_id',
  documentId: 'd.document_id',
  sha256: 'd.sha256',
  uploadId: 'd.upload_id',
  bytes: 'd.bytes',
  mediaType: 'd.media_type',
  fileName: 'd.file_name',
} satisfies Record<keyof FoundFile, string>

/** The place of a file in the order of all files. */
export type PlaceInFiles = Pick<FoundFile, 'companyId' | 'documentId'>

const leastId = '00000000-0000-0000-0000-000000000000'

/** The files of all companies, some at a time. */
export function listFiles(
  { table }: Pick<Reading, 'table'>,
  limit: number,
  after: PlaceInFiles = { companyId: leastId, documentId: leastId },
): ListQuery {
  return {
    text: `SELECT ${fieldsSql(fileFields)} FROM ${table(documents, 'document')} d
      WHERE (d.company_id, d.document_id) > ($1::uuid, $2::uuid) AND ${isThere}
      ORDER BY d.company_id, d.document_id LIMIT $3`,
    values: [after.companyId, after.documentId, limit],
  }
}

/** The files that were stored last. */
export function listNewestFiles({ table }: Pick<Reading, 'table'>, limit: number): ListQuery {
  return {
    text: `SELECT ${fieldsSql(fileFields)} FROM ${table(documents, 'document')} d
      WHERE ${isThere} ORDER BY d.uploaded_at DESC LIMIT $1`,
    values: [limit],
  }
}

/**
 * The uploads among these that must stay: an event names them, and their document was not deleted before the given
 * time. A later deletion may meet an attachment that is about to be recorded.
 */
export function findNamedUploads(
  { table }: Pick<Reading, 'table'>,
  uploads: readonly Pick<FoundFile, 'companyId' | 'documentId' | 'uploadId'>[],
  deletedBefore: Date,
): ListQuery {
  return {
    text: `SELECT d.upload_id AS "uploadId"
      FROM unnest($1::uuid[], $2::uuid[], $3::uuid[]) AS upload (company_id, document_id, upload_id)
      JOIN ${table(documents, 'document')} d USING (company_id, document_id, upload_id)
      WHERE ${isThere} OR d.deleted_at >= $4`,
    values: [
      uploads.map(({ companyId }) => companyId),
      uploads.map(({ documentId }) => documentId),
      uploads.map(({ uploadId }) => uploadId),
      deletedBefore.toISOString(),
    ],
  }
}

/** The mill certificates that a document is attached to. @throws PostgresUnavailable */
export async function findAttachedTo(
  reader: Pick<Reader, 'read'>,
  { companyId, documentId }: DocumentAddress,
): Promise<readonly string[]> {
  const { value } = await reader.read([documents], (reading) =>
    reading.query<{ millCertificationId: string }>({
      text: `SELECT mill_certification_id AS "millCertificationId" FROM ${reading.table(documents, 'attachment')}
        WHERE company_id = $1 AND document_id = $2 ORDER BY mill_certification_id`,
      values: [companyId, documentId],
    }),
  )
  return value.map(({ millCertificationId }) => millCertificationId)
}

const attachedFields = {
  documentId: 'a.document_id',
  sha256: 'a.sha256',
  bytes: 'a.bytes',
  mediaType: 'a.media_type',
  fileName: 'a.file_name',
  attachedAt: 'a.attached_at',
  attachedBy: 'a.attached_by',
} satisfies Record<keyof AttachedDocument, string>

/** SQL of the documents (`original.documents`) that are attached to the mill certificate `row`. */
export function attachedDocuments(reading: Reading, row: string): string {
  return `SELECT ${jsonList(attachedFields, 'a.attached_at, a.document_id')} AS documents
    FROM ${reading.table(documents, 'attachment')} a
    WHERE a.company_id = ${row}.company_id AND a.mill_certification_id = ${row}.mill_certification_id`
}

/** A file as it is attached to a mill certificate, with what it takes to read its bytes. */
export interface AttachedFile extends AttachedDocument {
  readonly millCertificationId: string
  readonly uploadId: string
  /** Whether its bytes are kept. A sweep may have removed those of a document that was detached and deleted since. */
  readonly isKept: boolean
}

/**
 * The files that are attached to some mill certificates, in the order in which each certificate lists them.
 * @param present the present tables, when `reading` has those of an earlier time
 */
export function listAttachedFiles(
  reading: Reading,
  present: Reading,
  companyId: string,
  millCertificationIds: readonly string[],
): ListQuery {
  const select = {
    ...attachedFields,
    millCertificationId: 'a.mill_certification_id',
    uploadId: 'd.upload_id',
    isKept: isThere,
  } satisfies Record<keyof AttachedFile, string>
  return {
    text: `SELECT ${fieldsSql(select)} FROM ${reading.table(documents, 'attachment')} a
      JOIN ${present.table(documents, 'document')} d USING (company_id, document_id)
      WHERE company_id = $1 AND a.mill_certification_id = ANY($2::uuid[])
      ORDER BY a.mill_certification_id, a.attached_at, a.document_id`,
    values: [companyId, millCertificationIds],
  }
}

interface OfOrder {
  readonly companyId: string
  readonly orderId: string
}

const packFields = columnsOf(documents.tables.pack, 'p', ['revision'])

/** The packs of an order, oldest first. */
export function listPacks(reading: Reading, { companyId, orderId }: OfOrder, page?: Page): ListQuery {
  return listQuery(
    {
      select: packFields,
      from: `${reading.table(documents, 'pack')} p`,
      where: 'p.company_id = $1 AND p.order_id = $2',
      values: [companyId, orderId],
      order: ['p.issued_at', 'p.pack_id'],
    },
    page,
  )
}

interface PackAddress extends OfOrder {
  readonly packId: string
}

/** One pack, with its `revision`. */
export function findPack(reading: Reading, { companyId, orderId, packId }: PackAddress): ListQuery {
  return singleQuery({
    select: { ...packFields, revision: 'p.revision' },
    from: `${reading.table(documents, 'pack')} p`,
    where: 'p.company_id = $1 AND p.order_id = $2 AND p.pack_id = $3',
    values: [companyId, orderId, packId],
  })
}

/** The file of a pack. */
export function findPackFile(reading: Reading, { companyId, orderId, packId }: PackAddress): ListQuery {
  return singleQuery({
    select: fileFields,
    from: `${reading.table(documents, 'pack')} p
      JOIN ${reading.table(documents, 'document')} d
        ON d.company_id = p.company_id AND d.document_id = p.document_id`,
    where: 'p.company_id = $1 AND p.order_id = $2 AND p.pack_id = $3',
    values: [companyId, orderId, packId],
  })
}
