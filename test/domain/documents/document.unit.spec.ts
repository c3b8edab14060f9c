import { describe, expect, it } from 'vitest'
import {
  type Certificate,
  type MillCertificateEvent,
  millCertificate,
} from '../../../src/domain/certificates/certificate.ts'
import {
  attachDocument,
  detachDocument,
  listedDocuments,
} from '../../../src/domain/documents/certificateDocuments.ts'
import {
  type DocumentFacts,
  deleteDocument,
  document,
  documentIdOf,
  storeDocument,
} from '../../../src/domain/documents/document.ts'
import { companyId, given, id, timeOf } from '../../support/given.ts'
import { certificateIdentity, certificateRegistered } from '../verdict/facts.ts'

function file(n: number): DocumentFacts {
  const sha256 = String(n).padStart(64, '0')
  return {
    companyId,
    documentId: documentIdOf(companyId, sha256),
    uploadId: id(n),
    sha256,
    bytes: 1_000 + n,
    mediaType: 'application/pdf',
    fileName: `${n}.pdf`,
  }
}
const stored = (facts: DocumentFacts) => ({ type: 'DocumentStored', data: facts }) as const
const { documentId, sha256, fileName } = file(1)
const deleted = { type: 'DocumentDeleted', data: { companyId, documentId, sha256, fileName } } as const

describe('a document', () => {
  it('has an id that follows from the company and the content', () => {
    expect(documentIdOf(companyId, sha256)).toBe(documentId)
    expect(documentIdOf(id(1), sha256)).not.toBe(documentId)
  })

  it('is stored once, and again after it was deleted', () => {
    const again = { ...file(1), uploadId: id(2), fileName: 'other.pdf' }
    expect(storeDocument(undefined, file(1))).toEqual([stored(file(1))])
    expect(storeDocument(given(document, stored(file(1))).state, again)).toEqual([])
    const { state } = given(document, stored(file(1)), deleted)
    expect(storeDocument(state, again)).toEqual([stored(again)])
    expect(() => storeDocument(state, file(1))).toThrow('There is no document')
    expect(given(document, stored(file(1)), deleted, stored(again)).state).toMatchObject({
      facts: again,
      isDeleted: false,
      revision: 2,
      uploadedAt: timeOf(2),
    })
  })

  it('is deleted once, and not while a certificate has it', () => {
    const known = given(document, stored(file(1))).state!
    expect(deleteDocument(known, [])).toEqual([deleted])
    expect(deleteDocument(given(document, stored(file(1)), deleted).state!, [])).toEqual([])
    expect(() => deleteDocument(known, [id(7)])).toThrow('is attached to a mill certificate.')
    expect(() => deleteDocument(known, [id(7), id(8)])).toThrow('is attached to 2 mill certificates.')
  })
})

describe('the documents of a mill certificate', () => {
  const certificateWith = (...events: readonly MillCertificateEvent[]): Certificate =>
    given(millCertificate, certificateRegistered(), ...events).state!
  const attached = (n: number) => attachDocument(certificateWith(), file(n))[0]!

  it('are attached and detached once each', () => {
    const { millCertificationId } = certificateIdentity
    const { uploadId: _, ...named } = file(1)
    expect(attached(1)).toEqual({ type: 'DocumentAttached', data: { millCertificationId, ...named } })
    const certificate = certificateWith(attached(1))
    expect(attachDocument(certificate, file(1))).toEqual([])
    expect(certificate).toMatchObject({ revision: 1, updatedAt: timeOf(1), updatedBy: 'alice' })
    const [detached] = detachDocument(certificate, documentId)
    expect(detached).toEqual({
      type: 'DocumentDetached',
      data: { companyId, millCertificationId, documentId, sha256, fileName },
    })
    expect(listedDocuments(certificateWith(attached(1), detached!).documents)).toEqual([])
    expect(detachDocument(certificateWith(), documentId)).toEqual([])
  })

  it('are listed in the order in which they were attached, and are at most 20', () => {
    const events = Array.from({ length: 20 }, (_, n) => attached(n))
    const certificate = certificateWith(...events)
    expect(listedDocuments(certificate.documents).map((one) => one.fileName)).toEqual(
      events.map(({ data }) => data.fileName),
    )
    expect(() => attachDocument(certificate, file(20))).toThrow('at most 20 documents')
    expect(attachDocument(certificate, file(3))).toEqual([])
  })
})
