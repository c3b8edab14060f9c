import { expect, it } from 'vitest'
import type { CertificateContent } from '../../src/domain/certificateContent.ts'
import {
  type Certificate,
  correctCertificate,
  type MillCertificateEvent,
  millCertificate,
  millCertificateKey,
  registerCertificate,
} from '../../src/domain/millCertificate.ts'
import { given, timeOf } from '../support/given.ts'
import {
  assignmentsReplaced,
  certificateContent,
  certificateIdentity,
  certificateRegistered,
} from './facts.ts'

const register =
  (content: CertificateContent, identity = certificateIdentity) =>
  (state: unknown) =>
    registerCertificate(state as Certificate, identity, content)
function correct(content: CertificateContent) {
  return (state: Certificate) => correctCertificate(state, content)
}

function corrected(content: Partial<CertificateContent>): MillCertificateEvent {
  return {
    type: 'MillCertificateCorrected',
    data: { ...certificateIdentity, ...certificateContent(content), changes: [] },
  }
}

it('lives in a stream of its own', () => {
  const { companyId, millCertificationId } = certificateIdentity
  expect(millCertificate.streamName(millCertificateKey(companyId, millCertificationId))).toBe(
    `millCertificate-${companyId}_${millCertificationId}`,
  )
})

it('is registered with the values that were sent', () =>
  given(millCertificate).when(register(certificateContent())).records(certificateRegistered()))

it('is registered once: the same content again, in any spelling of the numbers, records nothing', () => {
  const registered = given(millCertificate, certificateRegistered())
  registered.when(register(certificateContent({ chemistry: { Mn: 1.4, C: 0.17 } }))).recordsNothing()
  const respelt = { ...certificateIdentity, certificateNumber: 'MC-2026-0001', heatNumber: 'h 4711' }
  registered.when(register(certificateContent(), respelt)).recordsNothing()
})

it('is refused with other content, and the refusal names the existing one', () => {
  const details = { millCertificationId: certificateIdentity.millCertificationId }
  for (const other of [{ grade: 'S235JR' }, { issuedOn: null }, { chemistry: { C: 0.18, Mn: 1.4 } }])
    given(millCertificate, certificateRegistered())
      .when(register(certificateContent(other)))
      .refuses('certificate-already-registered', details)
})

it('compares a repeat with the registration, not with later corrections', () => {
  const after = given(millCertificate, certificateRegistered(), corrected({ grade: 'S235JR' }))
  after.when(register(certificateContent())).recordsNothing()
  after.when(register(certificateContent({ grade: 'S235JR' }))).refuses('certificate-already-registered', {
    millCertificationId: certificateIdentity.millCertificationId,
  })
})

it('is corrected as a whole, and the event names the changes', () => {
  const wanted = certificateContent({ thicknessMm: 25, chemistry: null })
  given(millCertificate, certificateRegistered())
    .when(correct(wanted))
    .records({
      type: 'MillCertificateCorrected',
      data: {
        ...certificateIdentity,
        ...wanted,
        changes: [
          { field: 'thicknessMm', from: 20, to: 25 },
          { field: 'chemistry', from: { C: 0.17, Mn: 1.4 }, to: null },
        ],
      },
    })
})

it('records no correction that changes nothing', () => {
  given(millCertificate, certificateRegistered()).when(correct(certificateContent())).recordsNothing()
  given(millCertificate, certificateRegistered(), corrected({ grade: 'S235JR' }))
    .when(correct(certificateContent({ grade: 'S235JR' })))
    .recordsNothing()
})

it('folds to its current content, with the revision of its own last change', () => {
  const { state } = given(
    millCertificate,
    certificateRegistered(),
    corrected({ grade: 'S235JR' }),
    assignmentsReplaced([], []),
  )
  expect(state).toStrictEqual({
    facts: { ...certificateIdentity, ...certificateContent({ grade: 'S235JR' }) },
    registered: { ...certificateIdentity, ...certificateContent() },
    registeredAt: timeOf(0),
    revision: 1,
    assignments: { manual: [], manualRevision: 2, byRules: {} },
  })
})

it('ignores events that it cannot place', () => {
  const unknown = { type: 'MillCertificateFramed', data: {} } as unknown as MillCertificateEvent
  expect(given(millCertificate, corrected({}), assignmentsReplaced([], [])).state).toBeUndefined()
  expect(given(millCertificate, certificateRegistered(), unknown).state).toStrictEqual(
    given(millCertificate, certificateRegistered()).state,
  )
})

it('reads a value that an older event does not have as null', () => {
  const { thicknessMm: _, ...older } = { ...certificateIdentity, ...certificateContent() }
  const registered = { type: 'MillCertificateRegistered', data: older } as unknown as MillCertificateEvent
  expect(given(millCertificate, registered).state?.facts.thicknessMm).toBeNull()
})
