import { describe, expect, it } from 'vitest'
import { type AuditedEvent, auditedEvents } from '../../../src/domain/aggregates.ts'
import type { EntrySubject, StateBefore } from '../../../src/domain/audit/audited.ts'
import { furtherRecordsOf } from '../../../src/domain/audit/changedRecords.ts'
import { changesIn, toldOf } from '../../../src/domain/audit/sentences.ts'
import { isPerson, type Recorded } from '../../../src/domain/kernel/event.ts'
import { entries } from '../../../src/projections/audit/entries.ts'
import { bareCertificate, certificateIdentity, certificateRegistered } from '../../domain/verdict/facts.ts'
import { story } from '../../golden/story.ts'
import { companyId, id, rowsOf } from '../../support/given.ts'
import { foldInMemory } from '../foldInMemory.ts'

function about(kind: EntrySubject, id: string, types: readonly string[]) {
  return Object.fromEntries(types.map((type) => [type, [kind, id] as const]))
}

/** The kind of the record that an event is about, with the field of the event that has its id. */
const subjectOf: Readonly<Record<string, readonly [kind: EntrySubject, id: string]>> = {
  ...about('tag', 'tagId', ['TagCreated', 'TagUpdated', 'TagSoftDeleted', 'TagRestored']),
  ...about('rulePack', 'rulePackId', [
    'RulePackSubscribed',
    'RulePackUpgraded',
    'RulePackUnsubscribed',
    'RulePackValidated',
  ]),
  ...about('rulePack', 'rulePackId', ['RulePackDefined', 'OwnRulePackAdded', 'OwnRulePackWithdrawn']),
  ...about('certificate', 'millCertificationId', ['MillCertificateRegistered', 'MillCertificateCorrected']),
  ...about('certificate', 'millCertificationId', ['CertificateReleased', 'CertificateRejected']),
  ...about('certificate', 'millCertificationId', ['CertificateReopened', 'CertificateVoided']),
  ...about('certificate', 'millCertificationId', ['CertificateReinstated']),
  ...about('certificate', 'millCertificationId', ['DocumentAttached', 'DocumentDetached']),
  ...about('certificate', 'subjectId', ['ManualAssignmentsReplaced', 'RuleAssignmentsReplaced']),
  ...about('delivery', 'deliveryId', ['DeliveryRecorded', 'DeliveryCorrected', 'DeliveryVoided']),
  ...about('document', 'documentId', ['DocumentStored', 'DocumentDeleted']),
  ...about('order', 'orderId', ['OrderRegistered', 'OrderCorrected', 'OrderDispatched', 'PackIssued']),
  ...about('plan', 'planId', ['ProductionPlanCreated', 'BarsPlanned']),
  ...about('bar', 'barId', ['BarOpened', 'BarApproved', 'BarApprovalWithdrawn', 'FindingsOverridden']),
  ...about('bar', 'barId', ['BarCertificateSet', 'BarHeatRead', 'BarStarted', 'BarCompleted']),
  ...about('bar', 'barId', ['BarReverted', 'BarCancelled', 'CutScrapped', 'RemnantTaken']),
  ...about('bar', 'barId', ['CutStatusChanged']),
  ...about('filterProfile', 'profileId', ['FilterProfileSaved', 'FilterProfileUpdated']),
  ...about('filterProfile', 'profileId', ['FilterProfileSoftDeleted']),
  ...about('company', 'companyId', ['CompanyRegistered', 'ReleasePolicySet', 'CompanySettingsSet']),
  ...about('webhook', 'webhookId', ['WebhookAdded', 'WebhookChanged', 'WebhookResumed']),
  ...about('webhook', 'webhookId', ['WebhookSecretRolled', 'WebhookDeleted']),
  ...about('member', 'userId', ['MemberRolesSet', 'MemberRemoved', 'MemberKeysNarrowed', 'PersonErased']),
}
const nothingBefore: StateBefore = { tagNames: new Map(), certificateNumbers: new Map() }

describe('entries', () => {
  it('has a handler for each type of event that a company may have', () => {
    expect(Object.keys(entries.handlers).sort()).toEqual(Object.keys(auditedEvents).sort())
  })

  it.each(
    story.filter(({ type, streamName }) => type in entries.handlers && !streamName.startsWith('account-')),
  )('tells of $type at $position in a sentence, with its author and its time', (event) => {
    const { type: kind, metadata, position, id: eventId } = event
    const data = event.data as Record<string, string>
    const [subjectType, idIn] = subjectOf[kind]!
    const { actor, occurredAt, performedAt = null, correlationId } = metadata
    const further = furtherRecordsOf(event as Recorded<AuditedEvent>)
    expect(foldInMemory(entries, [event]).entry).toEqual([
      {
        companyId: data.companyId,
        subjectType,
        subjectId: data[idIn],
        position,
        eventId,
        kind,
        occurredAt,
        performedAt,
        correlationId,
        actorId: actor.id,
        actorKind: actor.kind,
        actorName: isPerson(actor) ? '' : actor.name,
        actorIsPerson: isPerson(actor),
        actorNameHash: actor.nameHash ?? null,
        ...toldOf(event as Recorded<AuditedEvent>, nothingBefore),
        changes: changesIn(event as Recorded<AuditedEvent>, nothingBefore),
        further: further.length > 0 ? further : null,
      },
    ])
  })

  const odd = (more: Partial<Recorded>): Recorded => ({
    id: id(1),
    type: 'Scanned',
    position: 10,
    revision: 0,
    data: {},
    created: '2026-03-01T10:00:00.000Z',
    streamName: `scans-${companyId}_7`,
    metadata: undefined as never,
    ...more,
  })
  const entryOf = (event: Recorded) => foldInMemory(entries, [event]).entry![0]

  it('tells of an event that this release does not know', () => {
    expect(entryOf(odd({}))).toEqual({
      companyId,
      subjectType: 'other',
      subjectId: `scans-${companyId}_7`,
      position: 10,
      eventId: id(1),
      kind: 'Scanned',
      correlationId: '',
      changes: [],
      further: null,
      occurredAt: '2026-03-01T10:00:00.000Z',
      performedAt: null,
      actorId: '',
      actorKind: 'service',
      actorName: '',
      actorIsPerson: false,
      actorNameHash: null,
      message: 'An event of the type "Scanned" was recorded, which this release does not know.',
      sentence: { text: 'UnknownEvent', values: { type: 'Scanned' } },
    })
    expect(entryOf(odd({ type: 'TagCreated', isJson: false, data: { base64: 'AA==' } }))).toMatchObject({
      subjectType: 'other',
      kind: 'TagCreated',
    })
  })

  it('leaves out events of accounts and of the store', () => {
    for (const streamName of [`account-${companyId}`, 'heatmark', 'scans-7'])
      expect(entryOf(odd({ streamName })), streamName).toBeUndefined()
  })

  it('keeps the author and the time that another program wrote', () => {
    const actor = { id: 'u1', name: '', kind: 'user', nameHash: 'ab' }
    const metadata = { actor, occurredAt: '2026-03-01T12:00:00+02:00', correlationId: 'c' }
    expect(entryOf(odd({ metadata: metadata as never }))).toMatchObject({
      actorId: 'u1',
      actorKind: 'user',
      actorIsPerson: true,
      actorNameHash: 'ab',
      occurredAt: '2026-03-01T10:00:00.000Z',
      correlationId: 'c',
    })
  })

  it('stores whatever another program wrote in the place of a text or a time', () => {
    for (const wrong of [
      null,
      7,
      'x',
      [],
      { actor: null },
      { actor: 'u1' },
      { actor: { id: 7, kind: 'cat' } },
    ])
      expect(entryOf(odd({ metadata: wrong as never })), JSON.stringify(wrong)).toMatchObject({
        actorId: '',
        actorKind: 'service',
        occurredAt: '2026-03-01T10:00:00.000Z',
      })
    for (const occurredAt of ['never', '0000-01-01T00:00:00Z', '+012026-01-01T00:00:00Z', 7])
      expect(entryOf(odd({ metadata: { occurredAt } as never })), String(occurredAt)).toMatchObject({
        occurredAt: '2026-03-01T10:00:00.000Z',
      })
    const type = `\0\ud800${'x'.repeat(10_000)}`
    expect(entryOf(odd({ type }))).toMatchObject({ kind: `\ufffd\ufffd${'x'.repeat(198)}` })
    expect(entryOf(odd({ created: undefined as never }))).toMatchObject({
      occurredAt: '1970-01-01T00:00:00.000Z',
    })
  })

  it('names tags and certificates as they were called before', () => {
    const tag = (type: string, name: string) => ({
      type,
      data: { companyId, tagId: id(101), name, severity: null, changes: [] },
    })
    const tagged = { companyId, family: 'order', subjectId: id(2), added: [{ tagId: id(101) }], removed: [] }
    const assigned = { type: 'ManualAssignmentsReplaced', data: tagged }
    const registered = { ...certificateIdentity, ...bareCertificate }
    const { certificateNumber, millCertificationId } = certificateIdentity
    const set = { companyId, barId: id(3), millCertificationId, formerMillCertificationId: null }
    const told = rowsOf(
      entries,
      tag('TagCreated', 'Hold'),
      assigned,
      { ...tag('TagUpdated', 'Quarantine') },
      assigned,
      { type: 'MillCertificateRegistered', data: registered },
      { type: 'BarCertificateSet', data: set },
    )
    const sentences = told.entry!.map(({ message }) => message)
    expect([sentences[1], sentences[3]]).toEqual(
      ['Hold', 'Quarantine'].map((name) => expect.stringContaining(`"${name}"`)),
    )
    expect(sentences[5]).toContain(certificateNumber)
    expect(told.entry![1]).toMatchObject({ subjectType: 'order' })
  })

  it('names the certificate that replaces a voided one', () => {
    const other = { ...certificateRegistered().data, millCertificationId: id(77), certificateNumber: 'MC-77' }
    const { data } = certificateRegistered()
    const { entry } = rowsOf(
      entries,
      certificateRegistered(),
      { type: 'MillCertificateRegistered', data: other },
      { type: 'CertificateVoided', data: { ...data, reason: 'Twice.', replacedBy: id(77) } },
    )
    expect(entry!.at(-1)!.message).toContain('MC-77')
  })

  it.each([
    [['CertificateReleased'], 'Released'],
    [['CertificateRejected'], 'Rejected'],
    [['CertificateVoided'], 'Voided'],
    [[], 'Received'],
    [['CertificateRejected', 'CertificateReopened'], 'Received'],
    [['CertificateVoided', 'CertificateReinstated'], 'Received'],
    [['CertificateReleased', 'MillCertificateCorrected'], 'Received'],
  ] as const)('keeps the status after %j for the next sentence', (types, status) => {
    const { millCertificationId, certificateNumber } = certificateIdentity
    const why = {
      reason: 'Twice.',
      replacedBy: null,
      changes: [{ field: 'grade', from: 'S235', to: 'S355' }],
    }
    const decisions = types.map((type) => ({ type, data: { ...certificateRegistered().data, ...why } }))
    expect(rowsOf(entries, certificateRegistered(), ...decisions).toldCertificate).toEqual([
      { companyId, millCertificationId, certificateNumber, status },
    ])
  })
})
