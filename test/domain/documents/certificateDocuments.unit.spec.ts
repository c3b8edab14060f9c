import { expect, it } from 'vitest'
import {
  type Certificate,
  type MillCertificateEvent,
  millCertificate,
} from '../../../src/domain/certificates/certificate.ts'
import { attachDocument, detachDocument } from '../../../src/domain/documents/certificateDocuments.ts'
import { alice, given, id, timeOf } from '../../support/given.ts'
import { certificateIdentity, certificateRegistered } from '../verdict/facts.ts'

const { companyId, millCertificationId } = certificateIdentity
const ref = { companyId, millCertificationId, documentId: id(870) }
const sheet = {
  sha256: 'ab'.repeat(32),
  bytes: 146_515,
  mediaType: 'application/pdf',
  fileName: 'MC.pdf',
} as const
const attached: MillCertificateEvent = { type: 'DocumentAttached', data: { ...ref, ...sheet } }
const detached: MillCertificateEvent = {
  type: 'DocumentDetached',
  data: { ...ref, sha256: sheet.sha256, fileName: sheet.fileName },
}
const { companyId: _c, millCertificationId: _m, ...document } = { ...ref, ...sheet }

it('attaches a document once, with who attached it and when', () => {
  const attach = (state: Certificate) => attachDocument(state, { companyId, uploadId: id(871), ...document })
  given(millCertificate, certificateRegistered()).when(attach).records(attached)
  const before = given(millCertificate, certificateRegistered(), attached)
  before.when(attach).recordsNothing()
  expect(before.state).toMatchObject({ updatedAt: timeOf(1), revision: 1 })
  expect(before.state!.documents.toJS()).toEqual({
    [ref.documentId]: { ...document, attachedAt: timeOf(1), attachedBy: alice.id },
  })
})

it('has at most 20 documents', () => {
  const attachedAs = (n: number): MillCertificateEvent => ({
    type: 'DocumentAttached',
    data: { ...ref, ...sheet, documentId: id(900 + n) },
  })
  const nineteen = Array.from({ length: 19 }, (_, n) => attachedAs(n))
  const attach = (state: Certificate) => attachDocument(state, { companyId, uploadId: id(871), ...document })
  given(millCertificate, certificateRegistered(), ...nineteen)
    .when(attach)
    .records(attached)
  given(millCertificate, certificateRegistered(), ...nineteen, attachedAs(19))
    .when(attach)
    .refuses('too-many-documents')
})

it('detaches a document once', () => {
  const detach = (state: Certificate) => detachDocument(state, ref.documentId)
  given(millCertificate, certificateRegistered(), attached).when(detach).records(detached)
  const after = given(millCertificate, certificateRegistered(), attached, detached)
  after.when(detach).recordsNothing()
  expect(after.state).toMatchObject({ updatedAt: timeOf(2), revision: 2 })
  expect(after.state!.documents.size).toBe(0)
})
