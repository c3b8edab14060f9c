import { type AuditedAggregate, eventsAbout } from '../audit/audited.ts'
import type { DomainEvent, Stored } from '../kernel/event.ts'
import { derivedId } from '../kernel/identifiers.ts'
import { conflict, notFound } from '../kernel/refusal.ts'
import { sentence } from '../verdict/sentence.ts'

/**
 * One file of a company, such as the original of a mill certificate. Its content is its identity: the same file is
 * stored once. The bytes are an object, and are durable before an event names them.
 */
export function documentStream(id: string): string {
  return `document-${id}`
}
/** The aggregate's id. */
export function documentKey(companyId: string, documentId: string): string {
  return `${companyId}_${documentId}`
}

/** The same file has the same id in a company, and another one in another company. */
export function documentIdOf(companyId: string, sha256: string): string {
  return derivedId(companyId, 'document', sha256)
}

/** The kinds of files that callers store. */
export const uploadTypes = [
  'application/pdf',
  'image/png',
  'image/jpeg',
  'image/tiff',
  'application/xml',
  'application/json',
] as const
export type UploadType = (typeof uploadTypes)[number]

/** An issued pack of an order. */
export const packType = 'application/zip' as const

export const documentTypes = [...uploadTypes, packType] as const
export type DocumentType = (typeof documentTypes)[number]

/** A file as it was stored. */
export interface StoredFile {
  /** In lower-case hexadecimal. */
  readonly sha256: string
  readonly bytes: number
  readonly mediaType: DocumentType
  /** As the caller named it. */
  readonly fileName: string
}

export interface DocumentFacts extends StoredFile {
  readonly companyId: string
  readonly documentId: string
  /** The last part of the key of its object. */
  readonly uploadId: string
}

export type DocumentStored = DomainEvent<'DocumentStored', DocumentFacts>
export type DocumentDeleted = DomainEvent<
  'DocumentDeleted',
  Pick<DocumentFacts, 'companyId' | 'documentId' | 'sha256' | 'fileName'>
>
export type DocumentEvent = DocumentStored | DocumentDeleted

export interface KnownDocument {
  readonly facts: DocumentFacts
  readonly uploadedAt: string
  readonly uploadedBy: string
  readonly isDeleted: boolean
  readonly revision: number
}
export type Document = KnownDocument | undefined

export const document: AuditedAggregate<Document, DocumentEvent> = {
  name: 'document',
  streamName: documentStream,
  initial: undefined,
  evolve,
  events: eventsAbout('document', 'documentId', {
    DocumentStored: {
      bound: 'day',
      tell: ({ fileName, bytes, sha256 }) => sentence('DocumentStored', { file: fileName, bytes, sha256 }),
    },
    DocumentDeleted: {
      bound: 'none',
      tell: ({ fileName, sha256 }) => sentence('DocumentDeleted', { file: fileName, sha256 }),
    },
  }),
}

function evolve(state: Document, event: Stored<DocumentEvent>): Document {
  const { revision, metadata } = event
  if (event.type === 'DocumentStored') {
    const { companyId, documentId, sha256, bytes, mediaType, fileName, uploadId } = event.data
    return {
      facts: { companyId, documentId, sha256, bytes, mediaType, fileName, uploadId },
      uploadedAt: metadata.occurredAt,
      uploadedBy: metadata.actor.id,
      isDeleted: false,
      revision,
    }
  }
  return event.type === 'DocumentDeleted' && state ? { ...state, isDeleted: true, revision } : state
}

/**
 * A file that the company has already records nothing. A deleted one is stored again, with the object of this upload. An
 * upload that was deleted is not stored again, because a sweep may be removing its object.
 * @throws Refusal 404 `document-not-found`
 */
export function storeDocument(state: Document, facts: DocumentFacts): readonly DocumentStored[] {
  if (state?.isDeleted && state.facts.uploadId === facts.uploadId)
    throw notFound('document-not-found', facts.documentId)
  return state && !state.isDeleted ? [] : [{ type: 'DocumentStored', data: facts }]
}

/** @param attachedTo the certificates that it is attached to */
export function deleteDocument(
  { facts, isDeleted }: KnownDocument,
  attachedTo: readonly string[],
): readonly DocumentDeleted[] {
  if (isDeleted) return []
  const { companyId, documentId, sha256, fileName } = facts
  if (facts.mediaType === packType)
    throw conflict(
      'document-attached',
      `Document ${documentId} is an issued pack of an order, so it cannot be deleted. Issue a new pack if it is out of date.`,
      { millCertificationIds: [] },
    )
  if (attachedTo.length > 0)
    throw conflict(
      'document-attached',
      `Document ${documentId} is attached to ${attachedTo.length === 1 ? 'a mill certificate' : `${attachedTo.length} mill certificates`}. Detach it there first.`,
      { millCertificationIds: attachedTo },
    )
  return [{ type: 'DocumentDeleted', data: { companyId, documentId, sha256, fileName } }]
}
