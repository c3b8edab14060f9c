import { describe, expect, it } from 'vitest'
import { certificates } from '../../../src/projections/certificates/certificates.ts'
import {
  assignment,
  assignmentsReplaced,
  certificateContent,
  certificateIdentity,
  certificateRegistered,
} from '../../domain/verdict/facts.ts'
import { bob, id, rowsOf, timeOf } from '../../support/given.ts'
import { wordsIn } from '../words.ts'

const row = {
  ...certificateIdentity,
  ...certificateContent(),
  certificateKey: 'MC-2026-0001',
  heatKey: 'H 4711',
  heatNearKey: 'H4711',
  manufacturerKey: null,
  registeredAt: timeOf(0),
  updatedAt: timeOf(0),
  updatedBy: 'alice',
  status: 'Received',
  replacedBy: null,
  tagIds: '',
  revision: 0,
}

it('shows a certificate as it was sent, ordered by its numbers in one spelling', () =>
  expect(rowsOf(certificates, certificateRegistered())).toMatchObject({
    certificate: [row],
    certificateTag: [],
  }))

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
  expect(rowsOf(certificates, certificateRegistered(), corrected)).toMatchObject({
    certificate: [
      { ...row, ...content, manufacturerKey: 'WORKS', updatedAt: timeOf(1), updatedBy: 'bob', revision: 1 },
    ],
    certificateTag: [],
  })
  expect(rowsOf(certificates, corrected)).toStrictEqual({
    certificate: [],
    certificateTag: [],
    certificateGrade: [],
  })
})

const { companyId, millCertificationId } = certificateIdentity
it.each([
  ['CertificateReleased', { status: 'Released' }],
  ['CertificateRejected', { status: 'Rejected' }],
  ['CertificateReopened', { status: 'Received' }],
  ['CertificateVoided', { status: 'Voided', replacedBy: id(7) }],
  ['CertificateReinstated', { status: 'Received' }],
  ['DocumentAttached', {}],
  ['DocumentDetached', {}],
])('shows %s with its time and its revision', (type, change) => {
  const happened = { type, data: { companyId, millCertificationId, ...change } }
  expect(rowsOf(certificates, certificateRegistered(), happened).certificate).toMatchObject([
    { ...row, ...change, updatedAt: timeOf(1), revision: 1 },
  ])
})

describe('the steels of a certificate', () => {
  const steel = (ordinal: number, steelKey: string, profileKey = 'HEA200') => ({
    companyId,
    millCertificationId,
    ordinal,
    steelKey,
    profileKey,
    registeredAt: timeOf(0),
  })
  const dual = certificateRegistered({ grade: 'S355J2 / S355K2', deliveryCondition: null, zQuality: null })

  it('have a row for each name, with the profile', () =>
    expect(rowsOf(certificates, dual).certificateGrade).toStrictEqual([
      steel(0, 'S355J2'),
      steel(1, 'S355K2'),
    ]))

  it('follow a correction', () => {
    const content = certificateContent({ grade: 'S235JR', profile: null, zQuality: null })
    const changes = [
      { field: 'grade', from: 'S355J2 / S355K2', to: 'S235JR' },
      { field: 'deliveryCondition', from: null, to: 'N' },
      { field: 'profile', from: 'HEA 200', to: null },
    ]
    const data = { ...certificateIdentity, ...content, changes }
    const corrected = { type: 'MillCertificateCorrected', data }
    expect(rowsOf(certificates, dual, corrected).certificateGrade).toStrictEqual([steel(0, 'S235JR+N', '')])
  })
})

describe('the tags of a certificate', () => {
  const tag = (n: number) => assignment(id(n), id(100 + n), timeOf(0))
  const tagRow = (n: number) => ({ companyId, millCertificationId, tagId: id(100 + n), heatKey: 'H 4711' })

  it('stand in its row and in rows of their own, and move the time of its last change', () => {
    const events = [
      certificateRegistered(),
      assignmentsReplaced([], [tag(1), tag(2)]),
      assignmentsReplaced([tag(1), tag(2)], [tag(2), tag(3)]),
    ]
    expect(rowsOf(certificates, ...events)).toMatchObject({
      certificate: [{ ...row, tagIds: `${id(102)} ${id(103)}`, updatedAt: timeOf(2) }],
      certificateTag: [tagRow(2), tagRow(3)],
    })
  })

  it('stay as they are when a tag gets or loses one of several ways in which it is assigned', () => {
    const { data } = assignmentsReplaced([], [tag(1)])
    const again = { type: 'RuleAssignmentsReplaced', data: { ...data, usage: { gained: [], lost: [] } } }
    expect(rowsOf(certificates, certificateRegistered(), again)).toMatchObject({
      certificate: [row],
      certificateTag: [],
    })
  })

  it('are no tags of an order', () => {
    const { data, ...event } = assignmentsReplaced([], [tag(1)])
    const other = { ...event, data: { ...data, family: 'order' } }
    expect(rowsOf(certificates, certificateRegistered(), other).certificateTag).toStrictEqual([])
  })
})

describe('the words of a certificate', () => {
  const wordsAfter = (...events: Parameters<typeof rowsOf> extends [unknown, ...infer E] ? E : never) => {
    const rows = rowsOf(certificates, ...events).certificate!
    return rows.flatMap(({ words }) => wordsIn(words)).sort()
  }

  it('come from its numbers and its manufacturer, each once and in one spelling', () =>
    expect(wordsAfter(certificateRegistered({ manufacturer: 'Stahl-Süd/ＭＣ  v. Straße' }))).toStrictEqual([
      '0001',
      '2026',
      '4711',
      'H',
      'H4711',
      'MC',
      'MC20260001',
      'STAHL',
      'STRASSE',
      'SÜD',
      'V',
    ]))

  it('follow its manufacturer', () => {
    const corrected = (from: string | null, to: string | null) => ({
      type: 'MillCertificateCorrected',
      data: {
        ...certificateIdentity,
        ...certificateContent({ manufacturer: to }),
        changes: [{ field: 'manufacturer', from, to }],
      },
    })
    const registered = certificateRegistered({ manufacturer: 'Works 4711' })
    const numbers = ['0001', '2026', '4711', 'H', 'H4711', 'MC', 'MC20260001']
    expect(wordsAfter(registered, corrected('Works 4711', 'Hut'))).toStrictEqual([...numbers, 'HUT'].sort())
    expect(wordsAfter(registered, corrected('Works 4711', null))).toStrictEqual(numbers)
    expect(wordsAfter(corrected('Works 4711', 'Hut'))).toStrictEqual([])
  })

  it('are cut where an index could not hold them', () =>
    expect(wordsAfter(certificateRegistered({ manufacturer: '𝔸🐀'.repeat(40) }))).toContain('A🐀'.repeat(25)))
})
