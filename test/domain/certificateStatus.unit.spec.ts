import { describe, expect, it } from 'vitest'
import type { CertificateDecision } from '../../src/domain/certificateStatus.ts'
import { millCertificate } from '../../src/domain/millCertificate.ts'
import { given, id, timeOf } from '../support/given.ts'
import { certificateIdentity, certificateRegistered } from './facts.ts'

const { companyId, millCertificationId } = certificateIdentity
const ref = { companyId, millCertificationId }
const released: CertificateDecision = { type: 'CertificateReleased', data: { ...ref, note: null } }
const rejected: CertificateDecision = { type: 'CertificateRejected', data: { ...ref, reason: 'Wrong.' } }
const reopened: CertificateDecision = { type: 'CertificateReopened', data: { ...ref, reason: 'Seen.' } }
const voided: CertificateDecision = {
  type: 'CertificateVoided',
  data: { ...ref, reason: 'Twice.', replacedBy: id(7) },
}
const reinstated: CertificateDecision = { type: 'CertificateReinstated', data: { ...ref, reason: 'Right.' } }

describe('a decision on a certificate', () => {
  it.each([
    ['Released', [released], null],
    ['Rejected', [released, rejected], null],
    ['Received', [rejected, reopened], null],
    ['Voided', [released, voided], id(7)],
    ['Received', [voided, reinstated], null],
  ] as const)('makes it %s', (status, decisions, replacedBy) => {
    const { state } = given(millCertificate, certificateRegistered(), ...decisions)
    const last = decisions.length
    expect(state).toMatchObject({ status, replacedBy, updatedAt: timeOf(last), revision: last })
  })

  it('leaves its facts and the person who registered it', () => {
    const { state: before } = given(millCertificate, certificateRegistered())
    const { state } = given(millCertificate, certificateRegistered(), released)
    expect(state).toEqual({ ...before, status: 'Released', updatedAt: timeOf(1), revision: 1 })
  })
})
