import { Map as ImmutableMap } from 'immutable'
import { describe, expect, it } from 'vitest'
import {
  type Certificate,
  correctCertificate,
  type MillCertificateEvent,
  millCertificate,
  millCertificateKey,
  registerCertificate,
  upsertCertificate,
} from '../../../src/domain/certificates/certificate.ts'
import type { CertificateContent } from '../../../src/domain/certificates/certificateContent.ts'
import { noDocuments } from '../../../src/domain/documents/certificateDocuments.ts'
import { type Change, changesOf } from '../../../src/domain/kernel/changes.ts'
import { replaceMembers } from '../../../src/domain/kernel/edit.ts'
import type { Actor } from '../../../src/domain/kernel/event.ts'
import { bob, given, timeOf } from '../../support/given.ts'
import {
  assignmentsReplaced,
  certificateContent,
  certificateIdentity,
  certificateRegistered,
} from '../verdict/facts.ts'

const register =
  (content: CertificateContent, identity = certificateIdentity) =>
  (state: unknown) =>
    registerCertificate(state as Certificate, identity, content)
function correct(content: CertificateContent) {
  return (state: Certificate) => correctCertificate(state, content)
}

function corrected(
  content: Partial<CertificateContent>,
  changes: readonly Change[] = [],
): MillCertificateEvent {
  return {
    type: 'MillCertificateCorrected',
    data: { ...certificateIdentity, ...certificateContent(content), changes },
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
  const { millCertificationId } = certificateIdentity
  for (const other of [{ grade: 'S235JR' }, { issuedOn: null }, { chemistry: { C: 0.18, Mn: 1.4 } }])
    given(millCertificate, certificateRegistered())
      .when(register(certificateContent(other)))
      .refuses('certificate-already-registered', {
        millCertificationId,
        differences: changesOf(certificateContent(), certificateContent(other)),
      })
})

it('is corrected by an upsert of a higher revision, and not by one of a lower revision', () => {
  const registered = given(millCertificate, certificateRegistered())
  const upsert = (documentRevision: number) => (state: Certificate) =>
    upsertCertificate(
      state,
      certificateIdentity,
      { whole: certificateContent, edit: replaceMembers<CertificateContent>({ documentRevision }) },
      'bob',
    )
  const difference = (to: number) => ({ field: 'documentRevision', from: 1, to })
  registered.when(upsert(0)).refuses('certificate-already-registered', {
    millCertificationId: certificateIdentity.millCertificationId,
    differences: [difference(0)],
  })
  registered.when(upsert(2)).records(corrected({ documentRevision: 2 }, [difference(2)]))
})

it('is refused with a number that looks like that of the existing one, also by an upsert', () => {
  const deceiving = { ...certificateIdentity, heatNumber: 'Н 4711' }
  const details = {
    other: certificateIdentity.heatNumber,
    millCertificationId: certificateIdentity.millCertificationId,
  }
  const whole = certificateContent()
  const wanted = { whole: () => whole, edit: replaceMembers<CertificateContent>({ grade: 'S235JR' }) }
  const registered = given(millCertificate, certificateRegistered())
  registered.when(register(whole, deceiving)).refuses('looks-like-another', details)
  registered
    .when((state) => upsertCertificate(state, deceiving, wanted, 'alice'))
    .refuses('looks-like-another', details)
})

it('takes the content of the registration and the present content for a repeat, and no other', () => {
  const after = given(
    millCertificate,
    certificateRegistered(),
    corrected({ grade: 'S275JR' }),
    corrected({ grade: 'S235JR' }),
  )
  after.when(register(certificateContent())).recordsNothing()
  after.when(register(certificateContent({ grade: 'S235JR' }))).recordsNothing()
  after.when(register(certificateContent({ grade: 'S275JR' }))).refuses('certificate-already-registered', {
    millCertificationId: certificateIdentity.millCertificationId,
    differences: [{ field: 'grade', from: 'S235JR', to: 'S275JR' }],
  })
})

describe('an upsert', () => {
  const whole = certificateContent()
  const upsert = (sent: Partial<CertificateContent>, callerId = 'alice', complete = () => whole) => {
    const wanted = { whole: complete, edit: replaceMembers<CertificateContent>(sent) }
    return (state: unknown) => upsertCertificate(state as Certificate, certificateIdentity, wanted, callerId)
  }
  const by = (actor: Actor) => ({ metadata: { actor } })

  it('registers what is new from the whole content', () =>
    given(millCertificate)
      .when(upsert({ grade: 'ignored' }))
      .records(certificateRegistered()))

  it('corrects what differs, and keeps what it leaves out', () =>
    given(millCertificate, certificateRegistered())
      .when(upsert({ grade: 'S235JR' }))
      .records(corrected({ grade: 'S235JR' }, [{ field: 'grade', from: 'S355J2+N', to: 'S235JR' }])))

  it('does not ask for the whole content of a certificate that exists', () =>
    given(millCertificate, certificateRegistered())
      .when(
        upsert({ grade: 'S355J2+N' }, 'alice', () => {
          throw new Error('it is incomplete')
        }),
      )
      .recordsNothing())

  it('records nothing when it equals the present content', () =>
    given(millCertificate, certificateRegistered()).when(upsert(whole, 'bob')).recordsNothing())

  it('is refused when it names another manufacturer than the recorded one', () => {
    const known = certificateRegistered({ manufacturer: 'Ostwerk' })
    given(millCertificate, known)
      .when(upsert({ manufacturer: 'Westwerk', grade: 'S235JR' }))
      .refuses('another-manufacturer', {
        manufacturer: 'Ostwerk',
        millCertificationId: certificateIdentity.millCertificationId,
        errors: [
          {
            path: '/manufacturer',
            code: 'unconfirmed',
            message: 'is recorded from Ostwerk; this row says Westwerk',
          },
        ],
      })
    given(millCertificate, known)
      .when(upsert({ manufacturer: 'OSTWERK' }, 'bob'))
      .records(
        corrected({ manufacturer: 'OSTWERK' }, [{ field: 'manufacturer', from: 'Ostwerk', to: 'OSTWERK' }]),
      )
    given(millCertificate, known)
      .when(upsert({ manufacturer: null }))
      .records(corrected({ manufacturer: null }, [{ field: 'manufacturer', from: 'Ostwerk', to: null }]))
  })

  it('does not undo a correction by others when its caller repeats what it recorded last', () => {
    const after = given(millCertificate, certificateRegistered(), {
      ...corrected({ grade: 'S235JR' }),
      ...by(bob),
    })
    after.when(upsert(whole)).recordsNothing()
    after.when(upsert({ grade: 'S355J2+N' })).recordsNothing()
    const back = corrected({}, [{ field: 'grade', from: 'S235JR', to: 'S355J2+N' }])
    after.when(upsert(whole, 'carol')).records(back)
    after.when(upsert(whole, 'bob')).records(back)
    const later = given(millCertificate, certificateRegistered(), corrected({ grade: 'S275JR' }), {
      ...corrected({ grade: 'S235JR' }),
      ...by(bob),
    })
    later.when(upsert(certificateContent({ grade: 'S275JR' }))).recordsNothing()
    later.when(upsert(whole)).records(back)
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
  const facts = { ...certificateIdentity, ...certificateContent({ grade: 'S235JR' }) }
  expect(state).toStrictEqual({
    facts,
    registered: { ...certificateIdentity, ...certificateContent() },
    registeredAt: timeOf(0),
    registeredBy: 'alice',
    updatedAt: timeOf(1),
    updatedBy: 'alice',
    recordedBy: ImmutableMap({ alice: facts }),
    revision: 1,
    assignments: { manual: [], manualRevision: 2, byRules: {} },
    status: 'Received',
    replacedBy: null,
    documents: noDocuments,
  })
})

it('ignores events that it cannot place', () => {
  const unknown = { type: 'MillCertificateFramed', data: {} } as unknown as MillCertificateEvent
  expect(given(millCertificate, corrected({}), assignmentsReplaced([], [])).state).toBeUndefined()
  expect(given(millCertificate, certificateRegistered(), unknown).state).toStrictEqual(
    given(millCertificate, certificateRegistered()).state,
  )
})

it('reads a value that its event lacks as null', () => {
  const { thicknessMm: _, ...lacking } = { ...certificateIdentity, ...certificateContent() }
  const registered = { type: 'MillCertificateRegistered', data: lacking } as unknown as MillCertificateEvent
  expect(given(millCertificate, registered).state?.facts.thicknessMm).toBeNull()
})
