import {
  type Certificate,
  type MillCertificateEvent,
  millCertificate,
  millCertificateKey,
} from '../../domain/certificates/certificate.ts'
import {
  attachDocument as decideToAttachDocument,
  detachDocument as decideToDetachDocument,
} from '../../domain/documents/certificateDocuments.ts'
import { type Document, type DocumentFacts, document, documentKey } from '../../domain/documents/document.ts'
import { notFound } from '../../domain/kernel/refusal.ts'
import type { TagCatalogue } from '../../domain/tags/tagCatalogue.ts'
import { refusals } from '../../problems/catalogue.ts'
import { type CertificateRecord, presentCertificate } from '../certificates/certificates.ts'
import { type Command, onRecord, type Workflow } from '../executor/command.ts'
import { catalogueOf } from '../tags/catalogue.ts'
import { storeDocument, type UploadedObject } from './documents.ts'

interface AttachmentAddress {
  readonly companyId: string
  readonly millCertificationId: string
  readonly documentId: string
}

/** Attach a document to a certificate. */
export function attachDocument(address: AttachmentAddress): Command<CertificateRecord> {
  return {
    ...onCertificate(address, (certificate, stored) => {
      if (!stored || stored.isDeleted) throw notFound('document-not-found', address.documentId)
      return decideToAttachDocument(certificate, stored.facts)
    }),
    answer: (certificate: Certificate, _recorded: unknown, { catalogue }: Dependencies) =>
      presentCertificate(certificate, catalogue),
  }
}
attachDocument.refuses = refusals('certificate-not-found', 'document-not-found', 'too-many-documents')

/** Store a file as a document, and attach it to a certificate. A repeat records nothing. */
export function attachFile(
  facts: DocumentFacts,
  object: UploadedObject,
  millCertificationId: string,
): Workflow<CertificateRecord> {
  const { companyId, documentId } = facts
  return {
    aggregate: millCertificate,
    async run(tools, context) {
      await storeDocument(facts, object).run(tools, context)
      return tools.execute(attachDocument({ companyId, millCertificationId, documentId }), context)
    },
  }
}

/** Detach a document from a certificate. It stays among the company's documents. */
export function detachDocument(address: AttachmentAddress): Command<undefined> {
  return onCertificate(address, (certificate, stored) => {
    if (!stored) throw notFound('document-not-found', address.documentId)
    return decideToDetachDocument(certificate, address.documentId)
  })
}
detachDocument.refuses = refusals('certificate-not-found', 'document-not-found')

interface Dependencies {
  readonly catalogue: TagCatalogue
  readonly stored: Document
}

function onCertificate(
  { companyId, millCertificationId, documentId }: AttachmentAddress,
  decide: (certificate: Certificate, stored: Document) => readonly MillCertificateEvent[],
) {
  return onRecord({
    aggregate: millCertificate,
    id: millCertificateKey(companyId, millCertificationId),
    record: { missing: 'certificate-not-found', id: millCertificationId, find: (state) => state },
    dependencies: async (load) => ({
      catalogue: await catalogueOf(companyId)(load),
      stored: (await load(document, documentKey(companyId, documentId))).state,
    }),
    decide: (certificate, _context, { stored }) => decide(certificate, stored),
  })
}
