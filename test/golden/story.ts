import { productionPlanBar, productionPlanBarKey } from '../../src/domain/bars/bar.ts'
import { productionPlan, productionPlanKey } from '../../src/domain/bars/plan.ts'
import { millCertificate, millCertificateKey } from '../../src/domain/certificates/certificate.ts'
import { account } from '../../src/domain/company/account.ts'
import { company } from '../../src/domain/company/company.ts'
import { filterProfiles } from '../../src/domain/company/filterProfiles.ts'
import { webhooks } from '../../src/domain/company/webhooks.ts'
import { delivery, deliveryIdOf, deliveryKey } from '../../src/domain/deliveries/delivery.ts'
import { document, documentIdOf, documentKey } from '../../src/domain/documents/document.ts'
import type { Recorded } from '../../src/domain/kernel/event.ts'
import { order, orderKey } from '../../src/domain/orders/order.ts'
import { orderDispatches, orderDispatchesKey } from '../../src/domain/orders/orderDispatches.ts'
import { orderPacks, orderPacksKey } from '../../src/domain/orders/orderPacks.ts'
import { ownRulePack, ownRulePackKey } from '../../src/domain/rulePacks/ownRulePack.ts'
import type { MatchedRule, NotEvaluated } from '../../src/domain/tags/assignments.ts'
import { tagCatalogue } from '../../src/domain/tags/tagCatalogue.ts'
import * as facts from '../domain/verdict/facts.ts'
import { ownDocument } from '../rulePacks/ownDocument.ts'
import { alice, companyId, id, timeOf } from '../support/given.ts'
import { at, happened } from './happened.ts'

const delivered = {
  companyId,
  deliveryId: deliveryIdOf(companyId, { deliveryNote: 'LS 4711', supplier: 'Stahlhandel Nord' }),
  deliveryNote: 'LS 4711',
  supplier: 'Stahlhandel Nord',
  date: '2026-03-01',
  items: [
    {
      millCertificationId: facts.certificateIdentity.millCertificationId,
      heatNumber: null,
      inspectionDocument: '2.2' as const,
      profile: 'HEB 400',
      pieces: 10,
      lengthMm: 12_000,
      widthMm: null,
      massKg: 18_600,
      purchaseOrder: 'PO 17',
    },
  ],
}
const tag = { companyId, family: 'millCert', tagId: id(101) } as const
const content = facts.tagContent({
  name: 'Zurückgestellt',
  description: 'Nicht schneiden',
  severity: 'Block',
})
const { certificateIdentity: certificate, orderIdentity: orderRef } = facts
const certificateRef = { companyId, millCertificationId: certificate.millCertificationId }
const replacement = 'e3f4ebc7-0ce6-5876-a76a-03fb350c908f'
const assigned = { assignmentId: id(51), tagId: tag.tagId, assignedAt: timeOf(9) }
const bar = { companyId, planId: id(500), barId: id(600) }
const pairRules = [
  {
    rulePackId: ownDocument.id,
    packName: ownDocument.name,
    ruleId: 'thick-plates',
    severity: 'Block' as const,
    clause: 'House rule 3',
    explanation: 'A plate of {certificate.thicknessMm} mm is tested by ultrasound.',
    when: ['>', ['get', 'certificate.thicknessMm'], 30],
  },
]
/** A rule book's versions do not matter to the shape of an event. */
const judgedBy = { verdict: 1, steelGrades: 1 }
const mismatch = {
  key: id(71),
  code: 'grade-mismatch' as const,
  severity: 'Block' as const,
  message: 'S355K2 is demanded, and the steel is S355J2+N. Use a heat of the demanded steel.',
  sentence: {
    text: 'grade-mismatch',
    values: { expected: 'S355K2', actual: 'S355J2+N', advice: { text: 'use-demanded' } },
  },
  millCertificationId: certificate.millCertificationId,
  expected: 'S355K2',
  actual: 'S355J2+N',
} as const
const unsureDemand = {
  key: id(72),
  code: 'demand-unstated' as const,
  severity: 'Flag' as const,
  message: 'Order 4711 does not state the execution class. Correct the order.',
  sentence: {
    text: 'demand-unstated',
    values: {
      subject: { text: 'order', values: { order: '4711' } },
      demand: { text: 'demand-class' },
    },
  },
  orderId: orderRef.orderId,
  expected: 'the execution class',
} as const
const override = { findings: [mismatch.key], reason: 'The designer agreed.', reference: 'DR 17' }
const sheet = {
  sha256: 'ab'.repeat(32),
  bytes: 146_515,
  mediaType: 'application/pdf' as const,
  fileName: 'Zeugnis 2026-0815.pdf',
} as const
const sheetRef = { companyId, documentId: documentIdOf(companyId, sheet.sha256) }
const { bytes: _bytes, mediaType: _mediaType, ...namedSheet } = sheet
const webhook = { companyId, webhookId: id(990), url: 'https://erp.example.com/heatmark' }
const lineItem = { orderId: orderRef.orderId, lineItemId: facts.lineItemIds[10]! }
const cuts = [
  { cutId: id(703), ...lineItem, lengthMm: 2_000.5, pieceMark: 'B-17', status: 'Accepted' },
  { cutId: id(704), ...lineItem, lengthMm: 1_500, pieceMark: null, status: 'Proposed' },
] as const
const profile = { companyId, profileId: id(800) }
const owner = { userId: alice.id, userKind: alice.kind }
const key = {
  keyId: id(901),
  label: 'Saw',
  prefix: 'hmk_Ab12',
  hash: 'ab'.repeat(32),
  expiresAt: null,
  snapshot: [
    { companyId, roles: ['Admin', 'Editor'] },
    { companyId: id(1), roles: ['Viewer'] },
  ],
} as const
const rolledKey = { ...key, keyId: id(903), prefix: 'hmk_Ef56', hash: 'ef'.repeat(32), rolledFrom: key.keyId }
const pack = { rulePackId: 'en10025', name: 'EN 10025', version: 1, hash: '12'.repeat(32) }
const upgraded = { ...pack, version: 2, hash: '34'.repeat(32), parameters: { edition: '2008' } }
const byRule = { assignmentId: id(52), tagId: tag.tagId, ruleId: 'thickness', assignedAt: timeOf(27) }
const match: MatchedRule = { ...byRule, clause: '7.3', values: { thicknessMm: 25.5 } }
const unsure: NotEvaluated = { tagId: byRule.tagId, reason: 'no Charpy test', ruleIds: ['toughness'] }

/** One event of every type, with all of its members, as this release stores it. */
export const story: readonly Recorded[] = [
  ...happened(company, companyId, [
    facts.companyRegistered,
    facts.memberRolesChanged('bob', ['Viewer'], 'Editor', 'Planner'),
    { type: 'MemberRemoved', data: { companyId, userId: 'bob', keepsKeys: true } },
    facts.memberKeysNarrowed(alice.id, [rolledKey.keyId], 'Planner'),
    facts.personErased('bob', 3),
    {
      type: 'ReleasePolicySet',
      data: {
        companyId,
        severities: { 'certificate-not-released': 'Block' },
        byExecutionClass: { EXC1: { 'grade-substitute': 'Flag' } },
        defaultInspectionDocument: '3.1',
        fourEyes: true,
        qualityOnly: false,
        changes: [{ field: 'severities/certificate-not-released', from: 'Off', to: 'Block' }],
      },
    },
    {
      type: 'CompanySettingsSet',
      data: {
        companyId,
        requireIfMatch: true,
        cutterIdleMinutes: 480,
        longestKeyDays: 365,
        changes: [
          { field: 'cutterIdleMinutes', from: 30, to: 480 },
          { field: 'longestKeyDays', from: null, to: 365 },
        ],
      },
    },
  ]),
  ...happened(account, alice.id, [
    { type: 'ApiKeyCreated', data: { ...owner, ...key } },
    { type: 'ApiKeysRolled', data: { ...owner, ...rolledKey } },
    {
      type: 'ApiKeyNarrowed',
      data: { companyId, userId: alice.id, keyId: rolledKey.keyId, roles: ['Planner'] },
    },
    { type: 'ApiKeyDeleted', data: { userId: alice.id, keyId: rolledKey.keyId } },
  ]),
  ...happened(tagCatalogue, companyId, [
    facts.tagCreated(tag.tagId, { severity: 'Flag' }),
    {
      type: 'TagUpdated',
      data: { ...tag, ...content, changes: [{ field: 'name', from: 'Hold', to: content.name }] },
    },
    facts.tagSoftDeleted(tag.tagId, content.name),
    facts.tagRestored(tag.tagId, content.name),
    { type: 'OwnRulePackAdded', data: { companyId, rulePackId: ownDocument.id, name: ownDocument.name } },
    {
      type: 'RulePackSubscribed',
      data: {
        companyId,
        ...pack,
        tagIds: { 'too-thick': tag.tagId },
        cost: 120,
        pairRules,
        parameters: { edition: '2018' },
      },
    },
    {
      type: 'RulePackUpgraded',
      data: {
        companyId,
        ...upgraded,
        tagIds: { 'too-thick': tag.tagId },
        cost: 130,
        pairRules,
        fromVersion: 1,
      },
    },
    { type: 'RulePackUnsubscribed', data: { companyId, ...upgraded, tagIds: {} } },
    { type: 'OwnRulePackWithdrawn', data: { companyId, rulePackId: ownDocument.id, name: ownDocument.name } },
  ]),
  ...happened(ownRulePack, ownRulePackKey(companyId, ownDocument.id), [
    {
      type: 'RulePackDefined',
      data: {
        companyId,
        rulePackId: ownDocument.id,
        name: ownDocument.name,
        version: 1,
        hash: 'cd'.repeat(32),
        cost: 120,
        pairRules,
        document: ownDocument,
      },
    },
  ]),
  ...happened(document, documentKey(companyId, sheetRef.documentId), [
    { type: 'DocumentStored', data: { ...sheetRef, ...sheet, uploadId: id(870) } },
    { type: 'DocumentDeleted', data: { ...sheetRef, ...namedSheet } },
  ]),
  ...happened(millCertificate, millCertificateKey(companyId, certificate.millCertificationId), [
    facts.certificateRegistered(),
    {
      type: 'MillCertificateCorrected',
      data: {
        ...certificate,
        ...facts.certificateContent({ mechanical: null, profile: 'HEB 400' }),
        changes: [{ field: 'profile', from: 'HEA 200', to: 'HEB 400' }],
      },
    },
    facts.assignmentsReplaced([], [assigned]),
    {
      type: 'RuleAssignmentsReplaced',
      data: {
        companyId,
        family: 'millCert',
        subjectId: certificate.millCertificationId,
        subjectLabel: certificate.certificateNumber,
        ...pack,
        matched: [match],
        notEvaluated: [unsure],
        added: [byRule.ruleId],
        removed: [],
        settled: [],
        usage: { gained: [], lost: [] },
      },
      metadata: { actor: { id: pack.rulePackId, name: pack.name, kind: 'rulePack' } },
    },
    { type: 'DocumentAttached', data: { ...sheetRef, ...certificateRef, ...sheet } },
    { type: 'DocumentDetached', data: { ...sheetRef, ...certificateRef, ...namedSheet } },
    {
      type: 'CertificateReleased',
      data: {
        ...certificateRef,
        note: 'Seen with the steel.',
        reason: 'Our laboratory has measured again.',
        findings: [mismatch],
        judgedBy,
      },
    },
    {
      type: 'CertificateRejected',
      data: { ...certificateRef, reason: 'The stamp is of another heat.' },
    },
    {
      type: 'CertificateReopened',
      data: { ...certificateRef, reason: 'The mill has explained the stamp.' },
    },
    {
      type: 'CertificateVoided',
      data: { ...certificateRef, reason: 'Registered twice.', replacedBy: replacement },
    },
    { type: 'CertificateReinstated', data: { ...certificateRef, reason: 'It was the right one.' } },
  ]),
  ...happened(order, orderKey(companyId, orderRef.orderId), [
    facts.orderRegistered(),
    {
      type: 'OrderCorrected',
      data: {
        ...orderRef,
        ...facts.orderContent({ customer: null }),
        lineItems: [facts.lineItem(10), facts.lineItem(20, { description: 'Brace', cancelled: true })],
        changes: [{ field: 'customer', from: 'Bridge & Beam', to: null }],
      },
    },
  ]),
  ...happened(productionPlanBar, productionPlanBarKey(companyId, bar.barId), [
    {
      type: 'BarOpened',
      data: {
        ...bar,
        stockLengthMm: 6_000,
        grade: 'S355J2+N',
        profile: 'HEA 200',
        cuts,
        remnantMm: 2_499.5,
        millCertificationId: replacement,
        fromBarId: id(605),
        heatRead: { heatNumber: 'H 4711', marked: true, by: alice.id, at: timeOf(164) },
      },
    },
    {
      type: 'BarApproved',
      data: { ...bar, findings: [mismatch, unsureDemand], judgedBy, override },
    },
    {
      type: 'BarCertificateSet',
      data: {
        ...bar,
        barStatus: 'Approved',
        reason: 'The stamp says so.',
        millCertificationId: certificate.millCertificationId,
        formerMillCertificationId: replacement,
        findings: [mismatch, unsureDemand],
        judgedBy,
      },
    },
    { type: 'FindingsOverridden', data: { ...bar, ...override, reference: null, overridden: [mismatch] } },
    { type: 'BarApprovalWithdrawn', data: { ...bar, findings: [mismatch], judgedBy } },
    {
      type: 'BarHeatRead',
      data: { ...bar, heatNumber: 'H 4712', formerHeatNumber: 'H 4711', reason: 'The stamp says so.' },
    },
    { type: 'BarStarted', data: { ...bar, lineItems: [{ ...lineItem, accepted: 1 }] } },
    {
      type: 'CutStatusChanged',
      data: {
        ...bar,
        barStatus: 'Started',
        cutId: id(704),
        ...lineItem,
        from: 'Proposed',
        to: 'Accepted',
        remnantMm: 2_499.5,
        findings: [unsureDemand],
        judgedBy,
      },
    },
    {
      type: 'BarCompleted',
      data: {
        ...bar,
        lineItems: [{ ...lineItem, accepted: 2 }],
        uncovered: [mismatch],
        markTransferred: true,
        reason: 'It was cut before the Block came.',
      },
    },
    {
      type: 'RemnantTaken',
      data: { ...bar, takenBy: { planId: bar.planId, barId: id(602) }, stockLengthMm: 2_000 },
    },
    {
      type: 'CutScrapped',
      data: { ...bar, barStatus: 'Completed', cutId: id(704), ...lineItem, reason: 'Cut too short.' },
      metadata: { performedAt: timeOf(100) },
    },
    {
      type: 'BarReverted',
      data: {
        ...bar,
        from: 'Completed',
        to: 'Approved',
        reason: 'The wrong bar.',
        findings: [unsureDemand],
        judgedBy,
        lineItems: [{ ...lineItem, accepted: 1 }],
      },
    },
    {
      type: 'BarCancelled',
      data: {
        ...bar,
        from: 'Approved',
        reason: 'The order is cancelled.',
        lineItems: [{ ...lineItem, accepted: 1 }],
      },
    },
  ]),
  ...happened(productionPlan, productionPlanKey(companyId, bar.planId), [
    {
      type: 'ProductionPlanCreated',
      data: { companyId, planId: bar.planId, name: 'Week 10', barIds: [bar.barId] },
    },
    {
      type: 'BarsPlanned',
      data: { companyId, planId: bar.planId, barIds: [bar.barId], lineItems: [{ ...lineItem, accepted: 1 }] },
    },
  ]),
  ...happened(orderDispatches, orderDispatchesKey(companyId, orderRef.orderId), [
    {
      type: 'OrderDispatched',
      data: {
        companyId,
        orderId: orderRef.orderId,
        dispatchId: id(850),
        date: '2026-03-01',
        reference: 'DN 17',
        cuts: [{ barId: bar.barId, cutId: id(703) }],
        override,
        overridden: [mismatch],
        gaps: 1,
      },
    },
  ]),
  ...happened(orderPacks, orderPacksKey(companyId, orderRef.orderId), [
    {
      type: 'PackIssued',
      data: {
        companyId,
        orderId: orderRef.orderId,
        packId: id(880),
        documentId: id(881),
        cutIds: [id(703)],
        sha256: 'ef'.repeat(32),
        bytes: 90_210,
        fileName: 'Order-pack-SO-1001.zip',
        position: 200,
        checkpointSize: 99,
        cleared: true,
      },
    },
  ]),
  ...happened(filterProfiles, companyId, [
    {
      type: 'FilterProfileSaved',
      data: { ...profile, name: 'Offcuts', filters: { grades: ['S355J2+N'], remnantMm: { min: 500 } } },
    },
    { type: 'FilterProfileUpdated', data: { ...profile, name: 'Long offcuts', filters: {} } },
    { type: 'FilterProfileSoftDeleted', data: { ...profile, name: 'Long offcuts' } },
  ]),
  ...happened(delivery, deliveryKey(companyId, delivered.deliveryId), [
    { type: 'DeliveryRecorded', data: delivered },
    {
      type: 'DeliveryCorrected',
      data: {
        ...delivered,
        date: '2026-03-02',
        changes: [{ field: 'date', from: '2026-03-01', to: '2026-03-02' }],
      },
    },
    { type: 'DeliveryVoided', data: { ...delivered, date: '2026-03-02', reason: 'It went to site.' } },
  ]),
  ...happened(tagCatalogue, companyId, [
    {
      type: 'RulePackValidated',
      data: {
        ...{ companyId, rulePackId: upgraded.rulePackId, name: upgraded.name, version: 2 },
        ...{ by: 'Q. Manager', edition: 'EN 10025-2:2019', date: '2026-03-02', note: 'Against our copy.' },
      },
    },
  ]),
  ...happened(webhooks, companyId, [
    { type: 'WebhookAdded', data: { ...webhook, types: ['heatmark.bar'], active: true } },
    {
      type: 'WebhookChanged',
      data: { ...webhook, types: [], active: false, changes: [{ field: 'active', from: true, to: false }] },
    },
    { type: 'WebhookResumed', data: { ...webhook, after: 200 } },
    { type: 'WebhookSecretRolled', data: { ...webhook, overlapHours: 24 } },
    { type: 'WebhookDeleted', data: webhook },
  ]),
  ...happened(account, alice.id, [
    { type: 'ApiKeyRolled', data: { ...owner, ...rolledKey, rolledFromExpiresAt: timeOf(99) } },
  ]),
].map((event, index) => at(event, index + 1))
