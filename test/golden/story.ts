import { account } from '../../src/domain/account.ts'
import type { Aggregate } from '../../src/domain/aggregate.ts'
import type { Finding } from '../../src/domain/assignments.ts'
import { company } from '../../src/domain/company.ts'
import { document, documentIdOf, documentKey } from '../../src/domain/document.ts'
import type { DomainEvent, Recorded } from '../../src/domain/event.ts'
import { filterProfiles } from '../../src/domain/filterProfiles.ts'
import { millCertificate, millCertificateKey } from '../../src/domain/millCertificate.ts'
import { order, orderKey } from '../../src/domain/order.ts'
import { orderDispatches, orderDispatchesKey } from '../../src/domain/orderDispatches.ts'
import { orderPacks, orderPacksKey } from '../../src/domain/orderPacks.ts'
import { ownRulePack, ownRulePackKey } from '../../src/domain/ownRulePack.ts'
import { productionPlan, productionPlanKey } from '../../src/domain/productionPlan.ts'
import { productionPlanBar, productionPlanBarKey } from '../../src/domain/productionPlanBar.ts'
import { companyOfStream } from '../../src/domain/streams.ts'
import { tagCatalogue } from '../../src/domain/tagCatalogue.ts'
import * as facts from '../domain/facts.ts'
import { ownDocument } from '../rulePacks/ownDocument.ts'
import { alice, companyId, type Given, id, timeOf } from '../support/given.ts'

/** A company that chooses parameters of a rule pack. */
const choosingId = id(860)
const tag = { companyId, family: 'millCert', tagId: id(101) } as const
const content = facts.tagContent({
  name: 'Zurückgestellt',
  description: 'Nicht schneiden',
  severity: 'Block',
})
const { certificateIdentity: certificate, orderIdentity: orderRef } = facts
const certificateId = millCertificateKey(companyId, certificate.millCertificationId)
const thirdCertificate = {
  ...{ ...certificate, item: 'HEB 300' },
  millCertificationId: 'e3f4ebc7-0ce6-5876-a76a-03fb350c908f',
}
const thirdCertificateRef = { companyId, millCertificationId: thirdCertificate.millCertificationId }
const thirdCertificateId = millCertificateKey(companyId, thirdCertificate.millCertificationId)
const fourthCertificate = {
  ...{ ...certificate, item: 'HEB 400' },
  millCertificationId: '5c308694-8d48-5b8c-9b91-cb60afab0403',
}
const fourthCertificateId = millCertificateKey(companyId, fourthCertificate.millCertificationId)
const secondOrder = { companyId, orderId: '65264798-de6a-5d6a-bc70-c115c30a6f4b', orderNumber: 'SO-1002' }
const secondOrderId = orderKey(companyId, secondOrder.orderId)
const assigned = { assignmentId: id(51), tagId: tag.tagId, assignedAt: timeOf(9) }
const bar = { companyId, planId: id(500), barId: id(600) }
const planId = productionPlanKey(companyId, bar.planId)
const barId = productionPlanBarKey(companyId, bar.barId)
const secondBar = { ...bar, barId: id(601) }
const secondBarId = productionPlanBarKey(companyId, secondBar.barId)
const thirdBar = { ...bar, barId: id(603) }
const thirdBarId = productionPlanBarKey(companyId, thirdBar.barId)
/** The versions of the release that first kept them. */
const judgedBy = { verdict: 1, steelGrades: 2 }
const mismatch = {
  ...{
    key: id(71),
    code: 'grade-mismatch' as const,
    severity: 'Block' as const,
    message: 'S355K2 is demanded.',
  },
  ...{ millCertificationId: certificate.millCertificationId, expected: 'S355K2', actual: 'S355J2+N' },
} as const
const unsureDemand = {
  ...{
    key: id(72),
    code: 'demand-unstated' as const,
    severity: 'Flag' as const,
    message: 'The order states no class.',
  },
  ...{ orderId: orderRef.orderId, expected: 'the execution class' },
} as const
const override = { findings: [mismatch.key], reason: 'The designer agreed.', reference: 'DR 17' }
const sheet = {
  ...{ sha256: 'ab'.repeat(32), bytes: 146_515, mediaType: 'application/pdf' as const },
  fileName: 'Zeugnis 2026-0815.pdf',
} as const
const sheetRef = { companyId, documentId: documentIdOf(companyId, sheet.sha256) }
const sheetKey = documentKey(companyId, sheetRef.documentId)
const { bytes: _bytes, mediaType: _mediaType, ...namedSheet } = sheet
const lineItem = { orderId: orderRef.orderId, lineItemId: facts.lineItemIds[10]! }
const cuts = [
  { cutId: id(703), ...lineItem, lengthMm: 2_000.5, pieceMark: 'B-17', status: 'Accepted' },
  { cutId: id(704), ...lineItem, lengthMm: 1_500, pieceMark: null, status: 'Proposed' },
] as const
const profile = { companyId, profileId: id(800) }
const filters = { grades: ['S355J2+N'], remnantMm: { min: 500 } }
const owner = { userId: alice.id, userName: '', userKind: alice.kind }
const snapshot = [{ companyId, roles: ['Admin', 'Editor'] }] as const
const key = {
  keyId: id(901),
  label: 'Saw',
  prefix: 'hmk_Ab12',
  hash: 'ab'.repeat(32),
  expiresAt: null,
  snapshot,
}
const rolledKey = {
  ...{ ...key, keyId: id(903), prefix: 'hmk_Ef56', hash: 'ef'.repeat(32), rolledFrom: id(902) },
  snapshot: [...snapshot, { companyId: id(1), roles: ['Viewer'] }],
} as const
const pack = { rulePackId: 'en10025', name: 'EN 10025', version: 1, hash: '12'.repeat(32) }
const byRule = { assignmentId: id(52), tagId: tag.tagId, ruleId: 'thickness', assignedAt: timeOf(27) }
const finding: Finding = {
  ...{ ruleId: byRule.ruleId, tagId: byRule.tagId, clause: '7.3', reason: null, result: 'matched' as const },
  ...{ expression: 'thicknessMm > 25.0', explanation: 'Too thick', values: { thicknessMm: 25.5 } },
}
const unsure: Finding = {
  ...{ ...finding, ruleId: 'toughness', result: 'not-evaluated', reason: 'no Charpy test' },
  ...{ expression: 'mechanical.kvJoule < 27.0', values: { 'mechanical.kvJoule': null } },
}

/**
 * One event of every type as this release stores it. Positions and revisions are literals, because those of stored
 * events never change.
 */
export const story: readonly Recorded[] = [
  happened(101, company, companyId, 100, facts.companyRegistered),
  happened(102, company, companyId, 101, facts.memberRolesSet('bob', 'Editor', 'Planner')),
  happened(103, company, companyId, 102, facts.memberRemoved('bob')),
  happened(104, tagCatalogue, companyId, 100, facts.tagCreated(tag.tagId, { severity: 'Flag' })),
  happened(105, tagCatalogue, companyId, 101, {
    type: 'TagUpdated',
    data: { ...tag, ...content, changes: [{ field: 'name', from: 'Hold', to: content.name }] },
  }),
  happened(106, tagCatalogue, companyId, 102, facts.tagSoftDeleted(tag.tagId, content.name)),
  happened(107, tagCatalogue, companyId, 103, facts.tagRestored(tag.tagId, content.name)),
  happened(109, millCertificate, certificateId, 101, facts.assignmentsReplaced([], [assigned])),
  happened(113, productionPlan, planId, 100, {
    type: 'ProductionPlanCreated',
    data: { companyId, planId: bar.planId, name: 'Week 10', barIds: [bar.barId] },
  }),
  happened(115, productionPlan, planId, 101, {
    type: 'BarsPlanned',
    data: { companyId, planId: bar.planId, barIds: [bar.barId], lineItems: [{ ...lineItem, accepted: 1 }] },
  }),
  happened(117, productionPlanBar, barId, 102, {
    type: 'BarStarted',
    data: { ...bar, lineItems: [{ ...lineItem, accepted: 1 }] },
  }),
  happened(118, productionPlanBar, barId, 103, {
    type: 'CutStatusChanged',
    data: {
      ...{ ...bar, barStatus: 'Started', cutId: id(702), ...lineItem },
      ...{ from: 'Proposed', to: 'Accepted', remnantMm: 2_499.5 },
    },
  }),
  happened(119, productionPlanBar, barId, 104, {
    type: 'BarCompleted',
    data: { ...bar, lineItems: [{ ...lineItem, accepted: 2 }] },
  }),
  happened(120, filterProfiles, companyId, 100, {
    type: 'FilterProfileSaved',
    data: { ...profile, name: 'Offcuts', filters },
  }),
  happened(121, filterProfiles, companyId, 101, {
    type: 'FilterProfileUpdated',
    data: { ...profile, name: 'Long offcuts', filters: {} },
  }),
  happened(122, filterProfiles, companyId, 102, {
    type: 'FilterProfileSoftDeleted',
    data: { ...profile, name: 'Long offcuts' },
  }),
  happened(123, account, alice.id, 100, { type: 'ApiKeyCreated', data: { ...owner, ...key } }),
  happened(125, account, alice.id, 102, {
    type: 'ApiKeyDeleted',
    data: { userId: alice.id, keyId: key.keyId, hash: key.hash },
  }),
  happened(126, tagCatalogue, companyId, 104, {
    type: 'RulePackSubscribed',
    data: { companyId, ...pack, tagIds: { 'too-thick': tag.tagId } },
  }),
  happened(27, millCertificate, certificateId, 3, {
    type: 'RuleAssignmentsReplaced',
    data: {
      ...{ companyId, family: 'millCert', subjectId: certificate.millCertificationId },
      ...{ subjectLabel: certificate.certificateNumber, ...pack },
      ...{ assignments: [byRule], findings: [finding, unsure], added: [byRule], removed: [], settled: [] },
      usage: { gained: [], lost: [] },
    },
    metadata: { actor: { id: pack.rulePackId, name: pack.name, kind: 'rulePack' } },
  }),
  happened(128, tagCatalogue, companyId, 105, {
    type: 'RulePackUpgraded',
    data: { companyId, ...pack, version: 2, hash: '34'.repeat(32), tagIds: {}, fromVersion: 1 },
  }),
  happened(129, tagCatalogue, companyId, 106, {
    type: 'RulePackUnsubscribed',
    data: { companyId, ...pack, version: 2, hash: '34'.repeat(32), tagIds: {} },
  }),
  happened(130, account, alice.id, 103, { type: 'ApiKeysRolled', data: { ...owner, ...rolledKey } }),
  happened(131, company, companyId, 103, {
    type: 'MemberKeysRevoked',
    data: { companyId, userId: alice.id, keyIds: [rolledKey.keyId] },
  }),
  happened(132, account, alice.id, 104, {
    type: 'ApiKeyNarrowed',
    data: { companyId, userId: alice.id, keyId: rolledKey.keyId, hash: rolledKey.hash },
  }),
  happened(135, order, secondOrderId, 100, {
    type: 'OrderRegistered',
    data: { ...secondOrder, ...facts.orderContent(), lineItems: [facts.lineItem(10)] },
  }),
  happened(136, order, secondOrderId, 101, {
    type: 'OrderCorrected',
    data: {
      ...{ ...secondOrder, ...facts.orderContent({ customer: null }) },
      lineItems: [facts.lineItem(10), facts.lineItem(20, { description: 'Brace', cancelled: true })],
      changes: [{ field: 'customer', from: 'Bridge & Beam', to: null }],
    },
  }),
  happened(137, productionPlanBar, productionPlanBarKey(companyId, id(601)), 100, {
    type: 'BarOpened',
    data: {
      ...{ ...bar, barId: id(601), stockLengthMm: 6_000, grade: 'S355J2+N', cuts, remnantMm: 2_499.5 },
      millCertificationId: certificate.millCertificationId,
    },
  }),
  happened(138, company, companyId, 104, {
    type: 'PersonErased',
    data: {
      ...{ companyId, userId: 'bob', responsibleActs: 3 },
      namedEvents: { count: 2, firstPosition: 1, lastPosition: 3 },
    },
  }),
  happened(141, company, companyId, 105, {
    type: 'ReleasePolicySet',
    data: {
      ...{ companyId, severities: { 'certificate-not-released': 'Block' } },
      ...{ byExecutionClass: { EXC1: { 'grade-substitute': 'Flag' } }, defaultInspectionDocument: '3.1' },
      ...{ fourEyes: true, qualityOnly: false },
      changes: [{ field: 'severities/certificate-not-released', from: 'Off', to: 'Block' }],
    },
  }),
  happened(142, company, companyId, 106, {
    type: 'CompanySettingsSet',
    data: {
      ...{ companyId, requireIfMatch: true },
      changes: [{ field: 'requireIfMatch', from: false, to: true }],
    },
  }),
  happened(151, millCertificate, thirdCertificateId, 102, {
    type: 'CertificateReleased',
    data: { ...thirdCertificateRef, note: 'Seen with the steel.' },
  }),
  happened(152, millCertificate, thirdCertificateId, 103, {
    type: 'CertificateRejected',
    data: { ...thirdCertificateRef, reason: 'The stamp is of another heat.' },
  }),
  happened(153, millCertificate, thirdCertificateId, 104, {
    type: 'CertificateReopened',
    data: { ...thirdCertificateRef, reason: 'The mill has explained the stamp.' },
  }),
  happened(154, millCertificate, thirdCertificateId, 105, {
    type: 'CertificateVoided',
    data: {
      ...thirdCertificateRef,
      ...{ reason: 'Registered twice.', replacedBy: certificate.millCertificationId },
    },
  }),
  happened(155, millCertificate, thirdCertificateId, 106, {
    type: 'CertificateReinstated',
    data: { ...thirdCertificateRef, reason: 'It was the right one.' },
  }),
  happened(156, productionPlanBar, secondBarId, 101, {
    type: 'BarApproved',
    data: { ...secondBar, findings: [mismatch, unsureDemand], override },
  }),
  happened(157, productionPlanBar, secondBarId, 102, {
    type: 'FindingsOverridden',
    data: { ...secondBar, ...override, reference: null },
  }),
  happened(158, productionPlanBar, secondBarId, 103, {
    type: 'BarApprovalWithdrawn',
    data: { ...secondBar, findings: [mismatch] },
  }),
  happened(160, productionPlanBar, secondBarId, 104, {
    type: 'BarCertificateSet',
    data: {
      ...{ ...secondBar, barStatus: 'Started', reason: 'The stamp says so.', findings: [unsureDemand] },
      millCertificationId: thirdCertificate.millCertificationId,
      formerMillCertificationId: certificate.millCertificationId,
    },
  }),
  happened(161, productionPlanBar, barId, 105, {
    type: 'CutScrapped',
    data: { ...bar, barStatus: 'Completed', cutId: id(702), ...lineItem, reason: 'Cut too short.' },
    metadata: { performedAt: timeOf(100) },
  }),
  happened(162, productionPlanBar, barId, 106, {
    type: 'BarReverted',
    data: {
      ...{ ...bar, from: 'Completed', to: 'Approved', reason: 'The wrong bar.', findings: [unsureDemand] },
      lineItems: [{ ...lineItem, accepted: 1 }],
    },
  }),
  happened(163, productionPlanBar, barId, 107, {
    type: 'BarCancelled',
    data: {
      ...{ ...bar, from: 'Approved', reason: 'The order is cancelled.' },
      lineItems: [{ ...lineItem, accepted: 1 }],
    },
  }),
  happened(164, productionPlanBar, secondBarId, 105, {
    type: 'BarHeatRead',
    data: { ...secondBar, heatNumber: 'H 4711', formerHeatNumber: null, reason: 'The stamp says so.' },
  }),
  happened(165, orderDispatches, orderDispatchesKey(companyId, orderRef.orderId), 100, {
    type: 'OrderDispatched',
    data: {
      ...{ companyId, orderId: orderRef.orderId, dispatchId: id(850), date: '2026-03-01' },
      ...{ reference: 'DN 17', cuts: [{ barId: secondBar.barId, cutId: id(703) }] },
      ...{ override, overridden: [mismatch], gaps: 1 },
    },
  }),
  happened(166, productionPlanBar, productionPlanBarKey(companyId, id(602)), 100, {
    type: 'BarOpened',
    data: {
      ...{ ...bar, barId: id(602), stockLengthMm: 2_000, grade: 'S355J2+N', cuts: [], remnantMm: 2_000 },
      ...{ millCertificationId: certificate.millCertificationId, fromBarId: bar.barId },
    },
  }),
  happened(167, productionPlanBar, barId, 108, {
    type: 'RemnantTaken',
    data: { ...bar, takenBy: { planId: bar.planId, barId: id(602) }, stockLengthMm: 2_000 },
  }),
  happened(168, millCertificate, fourthCertificateId, 100, {
    type: 'MillCertificateRegistered',
    data: { ...fourthCertificate, ...facts.certificateContent() },
  }),
  happened(169, millCertificate, fourthCertificateId, 101, {
    type: 'MillCertificateCorrected',
    data: {
      ...{ ...fourthCertificate, ...facts.certificateContent({ mechanical: null, profile: 'HEB 400' }) },
      changes: [{ field: 'profile', from: 'HEA 200', to: 'HEB 400' }],
    },
  }),
  happened(190, tagCatalogue, choosingId, 0, {
    type: 'RulePackSubscribed',
    data: { companyId: choosingId, ...pack, tagIds: {}, parameters: { edition: '2018' } },
  }),
  happened(191, tagCatalogue, choosingId, 1, {
    type: 'RulePackUpgraded',
    data: { companyId: choosingId, ...pack, tagIds: {}, fromVersion: 1, parameters: { edition: '2008' } },
  }),
  happened(192, tagCatalogue, choosingId, 2, {
    type: 'RulePackUnsubscribed',
    data: { companyId: choosingId, ...pack, tagIds: {}, parameters: { edition: '2008' } },
  }),
  happened(193, ownRulePack, ownRulePackKey(companyId, ownDocument.id), 0, {
    type: 'RulePackDefined',
    data: {
      ...{ companyId, rulePackId: ownDocument.id, name: ownDocument.name, version: 1 },
      ...{ hash: 'cd'.repeat(32), cost: 120, document: ownDocument },
    },
  }),
  happened(194, tagCatalogue, companyId, 100, {
    type: 'OwnRulePackAdded',
    data: { companyId, rulePackId: ownDocument.id, name: ownDocument.name },
  }),
  happened(195, document, sheetKey, 0, {
    type: 'DocumentStored',
    data: { ...sheetRef, ...sheet, uploadId: id(870) },
  }),
  happened(196, millCertificate, certificateId, 108, {
    type: 'DocumentAttached',
    data: { ...sheetRef, millCertificationId: certificate.millCertificationId, ...sheet },
  }),
  happened(197, millCertificate, certificateId, 109, {
    type: 'DocumentDetached',
    data: { ...sheetRef, millCertificationId: certificate.millCertificationId, ...namedSheet },
  }),
  happened(198, document, sheetKey, 1, { type: 'DocumentDeleted', data: { ...sheetRef, ...namedSheet } }),
  happened(199, tagCatalogue, choosingId, 3, {
    type: 'RulePackSubscribed',
    data: { companyId: choosingId, ...pack, tagIds: {}, cost: 120 },
  }),
  happened(200, tagCatalogue, choosingId, 4, {
    type: 'RulePackUpgraded',
    data: { companyId: choosingId, ...pack, tagIds: {}, cost: 130, fromVersion: 1 },
  }),
  happened(201, orderPacks, orderPacksKey(companyId, orderRef.orderId), 0, {
    type: 'PackIssued',
    data: {
      ...{ companyId, orderId: orderRef.orderId, packId: id(880), documentId: id(881), cutIds: [id(703)] },
      ...{ sha256: 'ef'.repeat(32), bytes: 90_210, fileName: 'Order-pack-SO-1001.zip' },
      ...{ position: 200, checkpointSize: 99, cleared: true },
    },
  }),
  happened(202, tagCatalogue, companyId, 101, {
    type: 'OwnRulePackWithdrawn',
    data: { companyId, rulePackId: ownDocument.id, name: ownDocument.name },
  }),
  happened(203, productionPlanBar, thirdBarId, 100, {
    type: 'BarOpened',
    data: {
      ...{ ...thirdBar, stockLengthMm: 6_000, grade: 'S355J2+N', remnantMm: 6_000, cuts: [] },
      ...{ millCertificationId: certificate.millCertificationId, fromBarId: null },
    },
  }),
  happened(204, productionPlanBar, thirdBarId, 101, {
    type: 'BarApproved',
    data: { ...thirdBar, findings: [mismatch, unsureDemand], judgedBy, override },
  }),
  happened(205, productionPlanBar, thirdBarId, 102, {
    type: 'BarCertificateSet',
    data: {
      ...{ ...thirdBar, barStatus: 'Approved', findings: [unsureDemand], judgedBy },
      millCertificationId: thirdCertificate.millCertificationId,
      formerMillCertificationId: certificate.millCertificationId,
    },
  }),
  happened(206, productionPlanBar, thirdBarId, 103, {
    type: 'BarApprovalWithdrawn',
    data: { ...thirdBar, findings: [mismatch], judgedBy },
  }),
  happened(207, productionPlanBar, secondBarId, 106, {
    type: 'BarReverted',
    data: {
      ...{ ...secondBar, from: 'Started', to: 'Approved', reason: 'The wrong bar.', findings: [], judgedBy },
      lineItems: [],
    },
  }),
  happened(208, company, companyId, 107, {
    type: 'CompanySettingsSet',
    data: {
      ...{ companyId, requireIfMatch: true, cutterIdleMinutes: 480 },
      changes: [{ field: 'cutterIdleMinutes', from: 30, to: 480 }],
    },
  }),
  happened(231, productionPlanBar, barId, 120, {
    type: 'CutStatusChanged',
    data: {
      ...{ ...bar, barStatus: 'Started', cutId: id(702), ...lineItem, findings: [unsureDemand], judgedBy },
      ...{ from: 'Rejected', to: 'Accepted', remnantMm: 2_499.5 },
    },
  }),
  happened(232, productionPlanBar, productionPlanBarKey(companyId, id(605)), 100, {
    type: 'BarOpened',
    data: {
      ...{ ...bar, barId: id(605), stockLengthMm: 500, grade: 'S355J2+N', cuts: [], remnantMm: 500 },
      ...{ millCertificationId: null, fromBarId: secondBar.barId },
      heatRead: { heatNumber: 'H 4711', by: alice.id, at: timeOf(164) },
    },
  }),
]

function happened<State, Event extends DomainEvent>(
  position: number,
  aggregate: Aggregate<State, Event>,
  aggregateId: string,
  revision: number,
  { type, data, metadata }: Given<Event>,
): Recorded {
  const streamName = aggregate.streamName(aggregateId)
  const nameHash = companyOfStream(streamName) && 'fe'.repeat(32)
  return {
    id: id(position),
    streamName,
    revision,
    position,
    type,
    data,
    metadata: {
      actor: { id: alice.id, name: '', kind: alice.kind, ...(nameHash && { nameHash }) },
      occurredAt: timeOf(position),
      correlationId: id(9_000 + position),
      schemaVersion: aggregate.eventVersions[type as Event['type']],
      idempotency: { key: `key ${position}`, caller: alice.id, request: `POST /${type}`, requestHash: 'aa' },
      ...metadata,
    },
  }
}
