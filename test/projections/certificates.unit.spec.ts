import { expect, it } from 'vitest'
import { certificates } from '../../src/projections/certificates.ts'
import { certificateContent, certificateIdentity, certificateRegistered } from '../domain/facts.ts'
import { bob, rowsOf, timeOf } from '../support/given.ts'

const row = {
  ...{ ...certificateIdentity, ...certificateContent() },
  ...{ certificateKey: 'MC-2026-0001', heatKey: 'H 4711' },
  ...{ registeredAt: timeOf(0), updatedAt: timeOf(0), updatedBy: 'alice', revision: 0 },
}

it('shows a certificate as it was sent, ordered by its numbers in one spelling', () =>
  expect(rowsOf(certificates, certificateRegistered())).toStrictEqual({ certificate: [row] }))

it('shows a correction with its time and author, and still when it was registered', () => {
  const content = certificateContent({
    grade: 'S235JR',
    manufacturer: 'Works',
    mechanical: null,
    chemistry: null,
  })
  const corrected = {
    type: 'MillCertificateCorrected',
    data: { ...certificateIdentity, ...content, changes: [] },
    metadata: { actor: bob },
  }
  expect(rowsOf(certificates, certificateRegistered(), corrected)).toStrictEqual({
    certificate: [{ ...row, ...content, updatedAt: timeOf(1), updatedBy: 'bob', revision: 1 }],
  })
  expect(rowsOf(certificates, corrected)).toStrictEqual({ certificate: [] })
})
