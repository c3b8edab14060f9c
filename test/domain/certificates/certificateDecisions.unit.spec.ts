import { describe, expect, it } from 'vitest'
import { type Certificate, millCertificate } from '../../../src/domain/certificates/certificate.ts'
import {
  type CertificateDecision,
  type ReleaseRequest,
  rejectCertificate,
  releaseCertificate,
  reopenCertificate,
  voidCertificate,
} from '../../../src/domain/certificates/certificateDecisions.ts'
import { isJudgedField, statusAfterCorrection } from '../../../src/domain/certificates/certificateStatus.ts'
import type { Change } from '../../../src/domain/kernel/changes.ts'
import { judgedBy } from '../../../src/domain/verdict/judgedBy.ts'
import type { Finding } from '../../../src/domain/verdict/verdict.ts'
import { alice, bob, given, id, timeOf } from '../../support/given.ts'
import { certificateContent, certificateIdentity, certificateRegistered } from '../verdict/facts.ts'

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

describe('a release with four eyes', () => {
  const registered = certificateRegistered()
  const corrected = {
    type: 'MillCertificateCorrected' as const,
    metadata: { actor: bob },
    data: { ...certificateIdentity, ...certificateContent({ manufacturer: 'Another mill' }), changes: [] },
  }
  const by =
    ({ id: callerId }: { readonly id: string }, fourEyes = true) =>
    (state: unknown) =>
      releaseCertificate(state as Certificate, {}, { callerId, fourEyes, findings: [] })

  it('is refused to the person who registered the certificate, and to the one who corrected it last', () => {
    const ofBoth = given(millCertificate, registered, corrected)
    ofBoth.when(by(alice)).refuses('four-eyes')
    ofBoth.when(by(bob)).refuses('four-eyes')
    ofBoth.when(by({ id: 'carol' })).records(released)
    given(millCertificate, registered).when(by(bob)).records(released)
  })

  it('is for anybody when the company does not ask for four eyes', () =>
    given(millCertificate, registered, corrected).when(by(alice, false)).records(released))
})

describe('a release of a certificate with findings', () => {
  const sentence = { text: 'not-judged' } as const
  const flag: Finding = {
    key: 'f',
    code: 'not-judged',
    severity: 'Flag',
    message: 'Values are missing.',
    sentence,
  }
  const block: Finding = {
    key: 'b',
    code: 'certificate-tag',
    severity: 'Block',
    message: 'Sulphur is high.',
    sentence,
  }
  const release = (findings: readonly Finding[], asked: ReleaseRequest) => (state: unknown) =>
    releaseCertificate(state as Certificate, asked, { callerId: 'quality', fourEyes: false, findings })
  const received = given(millCertificate, certificateRegistered())

  it('needs a reason for a Block, and keeps what the reason covers', () => {
    received.when(release([flag, block], {})).refuses('certificate-blocked', { findings: [block] })
    const reason = 'Our laboratory has measured 0.021.'
    received.when(release([flag, block], { reason })).records({
      type: 'CertificateReleased',
      data: { ...ref, note: null, reason, findings: [block], judgedBy },
    })
    given(millCertificate, certificateRegistered(), released)
      .when(release([block], {}))
      .recordsNothing()
  })

  it('needs none for a Flag', () => received.when(release([flag], {})).records(released))
})

describe('a decision', () => {
  const on = (...decisions: CertificateDecision[]) =>
    given(millCertificate, certificateRegistered(), ...decisions)
  const reject = (state: unknown) => rejectCertificate(state as Certificate, 'Wrong.')
  const reopen = (state: unknown) => reopenCertificate(state as Certificate, 'Seen.')

  it('rejects a certificate that is Received or Released, and no other', () => {
    on().when(reject).records(rejected)
    on(released).when(reject).records(rejected)
    on(rejected).when(reject).recordsNothing()
    on(voided).when(reject).refuses('certificate-not-allowed', { state: 'Voided' })
  })

  it('reopens a certificate that is Released or Rejected, and no other', () => {
    on(released).when(reopen).records(reopened)
    on(rejected).when(reopen).records(reopened)
    on().when(reopen).recordsNothing()
    on(voided).when(reopen).refuses('certificate-not-allowed', { state: 'Voided' })
  })

  it('voids a certificate once, and adds a replacement while none is known', () => {
    const voidFor = (replacedBy: string | null) => (state: unknown) =>
      voidCertificate(state as NonNullable<Certificate>, 'Twice.', replacedBy)
    const unreplaced = { ...voided, data: { ...voided.data, replacedBy: null } } as CertificateDecision
    on(rejected)
      .when(voidFor(id(7)))
      .records(voided)
    on(unreplaced).when(voidFor(null)).recordsNothing()
    on(unreplaced)
      .when(voidFor(id(7)))
      .records(voided)
    for (const same of [null, id(7)]) on(voided).when(voidFor(same)).recordsNothing()
    on(voided)
      .when(voidFor(id(8)))
      .refuses('certificate-not-allowed', { state: 'Voided' })
  })
})

describe('a correction', () => {
  const change = (field: string): Change => ({ field, from: null, to: 'new' })

  it('takes a release back when any of its values was judged', () => {
    expect(isJudgedField(change('manufacturer'))).toBe(false)
    expect(statusAfterCorrection('Released', [change('manufacturer'), change('grade')])).toBe('Received')
    expect(statusAfterCorrection('Released', [change('manufacturer')])).toBe('Released')
    // The release vouched for the earlier revision of the document.
    expect(statusAfterCorrection('Released', [change('documentRevision')])).toBe('Received')
    expect(statusAfterCorrection('Rejected', [change('grade')])).toBe('Rejected')
  })
})
