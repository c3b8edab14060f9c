import { expect, it } from 'vitest'
import { certificates } from '../../src/projections/certificates.ts'
import { certificateContent, certificateIdentity, certificateRegistered } from '../domain/facts.ts'
import { bob, rowsOf, timeOf } from '../support/given.ts'

const row = {
  ...{ ...certificateIdentity, ...certificateContent() },
  ...{ certificateKey: 'MC-2026-0001', heatKey: 'H 4711', registeredAt: timeOf(0), revision: 0 },
}

it('shows a certificate as it was sent, ordered by its numbers in one spelling', () =>
  expect(rowsOf(certificates, certificateRegistered())).toStrictEqual({ certificate: [row] }))

it('shows a correction, and still when it was registered', () => {
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
    certificate: [{ ...row, ...content, revision: 1 }],
  })
  expect(rowsOf(certificates, corrected)).toStrictEqual({ certificate: [] })
})
