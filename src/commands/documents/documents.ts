import {
  type Document,
  type DocumentFacts,
  deleteDocument as decideToDeleteDocument,
  storeDocument as decideToStoreDocument,
  document,
  documentKey,
  type KnownDocument,
} from '../../domain/documents/document.ts'
import { refusals } from '../../problems/catalogue.ts'
import { type Command, onRecord, onStream, type Workflow } from '../executor/command.ts'

/** A document as it is answered. The read models know what it is attached to. */
export interface DocumentRecord extends Omit<DocumentFacts, 'companyId'> {
  readonly companyId: string
  readonly uploadedAt: string
  readonly uploadedBy: string
}

/** The object of an upload. */
export interface UploadedObject {
  /** Make it durable under the key that the event will name. */
  keep(): Promise<void>
  /** Remove it, because no event names it. */
  drop(): Promise<void>
}

/**
 * Record a file whose bytes have arrived. The object is durable before the event. If this breaks off in between, the
 * object stays behind, and a sweep removes it: only a later look tells whether the event was recorded.
 */
export function storeDocument(facts: DocumentFacts, object: UploadedObject): Workflow<DocumentRecord> {
  return {
    aggregate: document,
    async run({ execute }, context) {
      await object.keep()
      const outcome = await execute(recordDocument(facts), context)
      if (outcome.body.uploadId !== facts.uploadId) await object.drop()
      return outcome
    },
  }
}

function recordDocument(facts: DocumentFacts): Command<DocumentRecord> {
  const { companyId, documentId } = facts
  return onStream({
    aggregate: document,
    id: documentKey(companyId, documentId),
    opensStream: true,
    decide: (state) => decideToStoreDocument(state, facts),
    answer: ({ facts: known, uploadedAt, uploadedBy, revision }) => ({
      body: { ...known, uploadedAt, uploadedBy },
      etag: revision,
    }),
  })
}

export interface DocumentAddress {
  readonly companyId: string
  readonly documentId: string
}

/**
 * Delete a document that is attached nowhere. A certificate that it is attached to at the same moment keeps it: nothing
 * that an event names is ever removed while it is attached.
 * @param findAttachedTo looks into the read models, which may be behind by moments
 */
export function deleteDocument(
  { companyId, documentId }: DocumentAddress,
  findAttachedTo: (document: DocumentAddress) => Promise<readonly string[]>,
): Command<undefined> {
  return onRecord({
    aggregate: document,
    id: documentKey(companyId, documentId),
    record: {
      missing: 'document-not-found',
      id: documentId,
      // A repeat finds the deleted document, and records nothing.
      find: (state: Document) =>
        state && { ...state, revision: state.isDeleted ? undefined : state.revision },
    },
    dependencies: () => findAttachedTo({ companyId, documentId }),
    decide: (known, _context, attachedTo) => decideToDeleteDocument(known as KnownDocument, attachedTo),
  })
}
deleteDocument.refuses = refusals('document-not-found', 'document-attached')
