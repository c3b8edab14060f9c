import type { WholeFile } from '../../documents/wholeFile.ts'
import type { AttachmentEvent } from '../../domain/documents/certificateDocuments.ts'
import type { DocumentEvent } from '../../domain/documents/document.ts'
import type { Recorded } from '../../domain/kernel/event.ts'

/** The documents of a company, as its events name them. */

interface IndexedDocument extends WholeFile {
  readonly mediaType: string
  readonly bytes: number
}

export interface DocumentIndex {
  /** Take the next event of the company. */
  add(event: Recorded): void
  /** Return the documents that the company has after these events. One that is deleted stays while it is attached. */
  documents(): readonly IndexedDocument[]
}

export function createDocumentIndex(): DocumentIndex {
  const stored = new Map<string, IndexedDocument>()
  const deleted = new Set<string>()
  const attachments = new Map<string, number>()
  return {
    add(event) {
      if (event.isJson === false) return
      const { type, data } = event as unknown as DocumentEvent | AttachmentEvent
      if (type === 'DocumentStored') {
        const { companyId, documentId, sha256, uploadId, fileName, mediaType, bytes } = data
        stored.set(documentId, { companyId, documentId, sha256, uploadId, fileName, mediaType, bytes })
        deleted.delete(documentId)
      } else if (type === 'DocumentDeleted') deleted.add(data.documentId)
      else if (type === 'DocumentAttached' || type === 'DocumentDetached') {
        const change = type === 'DocumentAttached' ? 1 : -1
        attachments.set(data.documentId, (attachments.get(data.documentId) ?? 0) + change)
      }
    },
    documents: () =>
      [...stored.values()].filter(
        ({ documentId }) => !deleted.has(documentId) || (attachments.get(documentId) ?? 0) > 0,
      ),
  }
}
