import { Map as ImmutableMap } from 'immutable'
import { eventsAbout } from '../audit/audited.ts'
import { changeOf } from '../audit/words.ts'
import type { CertificateRef } from '../certificates/certificateStatus.ts'
import type { DomainEvent, Stored } from '../kernel/event.ts'
import { byCodePoint } from '../kernel/identifiers.ts'
import { conflict } from '../kernel/refusal.ts'
import { sentence } from '../verdict/sentence.ts'
import type { DocumentFacts, StoredFile } from './document.ts'

/** The documents that are attached to a mill certificate, such as the original that the mill has signed. */

export type DocumentAttached = DomainEvent<
  'DocumentAttached',
  CertificateRef & { readonly documentId: string } & StoredFile
>
export type DocumentDetached = DomainEvent<
  'DocumentDetached',
  CertificateRef & { readonly documentId: string } & Pick<StoredFile, 'sha256' | 'fileName'>
>
export type AttachmentEvent = DocumentAttached | DocumentDetached

export const attachmentEvents = eventsAbout<AttachmentEvent>('certificate', 'millCertificationId', {
  DocumentAttached: {
    bound: 'day',
    tell: ({ fileName, sha256 }) => sentence('DocumentAttached', { file: fileName, sha256 }),
    listChanges: ({ documentId, fileName, sha256 }) =>
      changeOf('documents', null, { documentId, fileName, sha256 }),
  },
  DocumentDetached: {
    bound: 'none',
    tell: ({ fileName, sha256 }) => sentence('DocumentDetached', { file: fileName, sha256 }),
    listChanges: ({ documentId, fileName, sha256 }) =>
      changeOf('documents', { documentId, fileName, sha256 }, null),
  },
})

export interface AttachedDocument extends StoredFile {
  readonly documentId: string
  readonly attachedAt: string
  readonly attachedBy: string
}

/** By the id of the document. */
export type CertificateDocuments = ImmutableMap<string, AttachedDocument>

export const noDocuments: CertificateDocuments = ImmutableMap()

/** The most documents of one certificate. */
const mostDocuments = 20

export function attachmentsAfter(
  documents: CertificateDocuments,
  event: Stored<AttachmentEvent>,
): CertificateDocuments {
  const { documentId } = event.data
  if (event.type === 'DocumentDetached') return documents.delete(documentId)
  const { sha256, bytes, mediaType, fileName } = event.data
  const { occurredAt, actor } = event.metadata
  return documents.set(documentId, {
    documentId,
    sha256,
    bytes,
    mediaType,
    fileName,
    attachedAt: occurredAt,
    attachedBy: actor.id,
  })
}

interface CertificateWithDocuments {
  readonly facts: CertificateRef
  readonly documents: CertificateDocuments
}

/** A document that is attached already records nothing. */
export function attachDocument(
  { facts, documents }: CertificateWithDocuments,
  { documentId, sha256, bytes, mediaType, fileName }: DocumentFacts,
): readonly DocumentAttached[] {
  if (documents.has(documentId)) return []
  const { companyId, millCertificationId } = facts
  if (documents.size >= mostDocuments)
    throw conflict(
      'too-many-documents',
      `A mill certificate has at most ${mostDocuments} documents, so this one was not attached. Detach one that is no longer needed.`,
    )
  return [
    {
      type: 'DocumentAttached',
      data: { companyId, millCertificationId, documentId, sha256, bytes, mediaType, fileName },
    },
  ]
}

/** A document that is not attached records nothing. */
export function detachDocument(
  { facts, documents }: CertificateWithDocuments,
  documentId: string,
): readonly DocumentDetached[] {
  const attached = documents.get(documentId)
  if (!attached) return []
  const { companyId, millCertificationId } = facts
  const { sha256, fileName } = attached
  return [
    { type: 'DocumentDetached', data: { companyId, millCertificationId, documentId, sha256, fileName } },
  ]
}

/** The documents in the order in which an answer lists them. */
export function listedDocuments(documents: CertificateDocuments): readonly AttachedDocument[] {
  return [...documents.values()].sort(
    (one, other) =>
      byCodePoint(one.attachedAt, other.attachedAt) || byCodePoint(one.documentId, other.documentId),
  )
}
