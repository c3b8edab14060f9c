import { expect, it } from 'vitest'
import { documents } from '../../../src/projections/documents/documents.ts'
import { alice, companyId, id, rowsOf, timeOf } from '../../support/given.ts'

const ref = { companyId, documentId: id(1) }
const file = { sha256: 'ab'.repeat(32), bytes: 90, mediaType: 'application/pdf', fileName: 'Zeugnis.pdf' }
const stored = { type: 'DocumentStored', data: { ...ref, ...file, uploadId: id(2) } }
const attached = (n: number) => ({
  type: 'DocumentAttached',
  data: { ...ref, ...file, millCertificationId: id(n) },
})
const detached = (n: number) => ({ type: 'DocumentDetached', data: { ...ref, millCertificationId: id(n) } })
const document = {
  ...ref,
  ...file,
  uploadId: id(2),
  uploadedAt: timeOf(0),
  uploadedBy: alice.id,
  deletedAt: null,
  attachments: 0,
  revision: 0,
}
const attachment = (n: number, at: number) => ({
  ...ref,
  ...file,
  millCertificationId: id(n),
  attachedAt: timeOf(at),
  attachedBy: alice.id,
})

it('shows a document, and the certificates that it is attached to', () => {
  expect(rowsOf(documents, stored)).toEqual({ document: [document], attachment: [], pack: [] })
  expect(rowsOf(documents, stored, attached(11), attached(12), detached(11))).toEqual({
    document: [{ ...document, attachments: 1 }],
    attachment: [attachment(12, 2)],
    pack: [],
  })
})

it('keeps a deleted document, with its attachments when it is stored again', () => {
  const deleted = { type: 'DocumentDeleted', data: ref }
  const gone = rowsOf(documents, stored, attached(11), deleted)
  expect(gone.document).toEqual([{ ...document, deletedAt: timeOf(2), attachments: 1, revision: 1 }])
  const again = { ...stored, data: { ...stored.data, uploadId: id(3) } }
  expect(rowsOf(documents, stored, attached(11), deleted, again).document).toEqual([
    { ...document, uploadId: id(3), uploadedAt: timeOf(3), attachments: 1, revision: 2 },
  ])
})

it('shows a pack as it was issued', () => {
  const { mediaType: _, ...zip } = file
  const pack = { ...ref, orderId: id(20), packId: id(21), ...zip, cutIds: [id(22)] }
  const data = { ...pack, position: 7, checkpointSize: 5, cleared: true }
  const { position: factsPosition, ...shown } = data
  expect(rowsOf(documents, { type: 'PackIssued', data }).pack).toEqual([
    { ...shown, factsPosition, issuedAt: timeOf(0), issuedBy: alice.id, revision: 0 },
  ])
})
