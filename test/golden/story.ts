import { account } from '../../src/domain/account.ts'
import type { Aggregate } from '../../src/domain/aggregate.ts'
import type { Finding } from '../../src/domain/assignments.ts'
import { company } from '../../src/domain/company.ts'
import type { DomainEvent, Recorded } from '../../src/domain/event.ts'
import { filterProfiles } from '../../src/domain/filterProfiles.ts'
import { millCertificate, millCertificateKey } from '../../src/domain/millCertificate.ts'
import { order, orderKey } from '../../src/domain/order.ts'
import { productionPlan, productionPlanKey } from '../../src/domain/productionPlan.ts'
import { productionPlanBar, productionPlanBarKey } from '../../src/domain/productionPlanBar.ts'
import { tagCatalogue } from '../../src/domain/tagCatalogue.ts'
import * as facts from '../domain/facts.ts'
import { alice, companyId, id, timeOf } from '../support/given.ts'

const tag = { companyId, family: 'millCert', tagId: id(101) } as const
const content = facts.tagContent({
  name: 'Zurückgestellt',
  description: 'Nicht schneiden',
  severity: 'Block',
})
const { certificateIdentity: certificate, orderIdentity: orderRef } = facts
const certificateId = millCertificateKey(companyId, certificate.millCertificationId)
const orderId = orderKey(companyId, orderRef.orderId)
const assigned = { assignmentId: id(51), tagId: tag.tagId, assignedAt: timeOf(9) }
const bar = { companyId, planId: id(500), barId: id(600) }
const planId = productionPlanKey(companyId, bar.planId)
const barId = productionPlanBarKey(companyId, bar.barId)
const lineItem = { orderId: orderRef.orderId, lineItemId: facts.lineItemIds[10]! }
const cuts = [
  { cutId: id(701), ...lineItem, lengthMm: 2_000.5, status: 'Accepted' },
  { cutId: id(702), ...lineItem, lengthMm: 1_500, status: 'Proposed' },
] as const
const profile = { companyId, profileId: id(800) }
const filters = { grades: ['S355J2+N'], remnantMm: { min: 500 } }
const owner = { userId: alice.id, userName: alice.name, userKind: alice.kind }
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
  happened(1, company, companyId, 0, facts.companyRegistered),
  happened(2, company, companyId, 1, facts.memberRolesSet('bob', 'Editor', 'Planner')),
  happened(3, company, companyId, 2, facts.memberRemoved('bob')),
  happened(4, tagCatalogue, companyId, 0, facts.tagCreated(tag.tagId, { severity: 'Flag' })),
  happened(5, tagCatalogue, companyId, 1, {
    type: 'TagUpdated',
    data: { ...tag, ...content, changes: [{ field: 'name', from: 'Hold', to: content.name }] },
  }),
  happened(6, tagCatalogue, companyId, 2, facts.tagSoftDeleted(tag.tagId, content.name)),
  happened(7, tagCatalogue, companyId, 3, facts.tagRestored(tag.tagId, content.name)),
  happened(8, millCertificate, certificateId, 0, facts.certificateRegistered()),
  happened(9, millCertificate, certificateId, 1, facts.assignmentsReplaced([], [assigned])),
  happened(10, millCertificate, certificateId, 2, {
    type: 'MillCertificateCorrected',
    data: {
      ...{ ...certificate, ...facts.certificateContent({ mechanical: null, thicknessMm: 25.5 }) },
      changes: [{ field: 'thicknessMm', from: 20, to: 25.5 }],
    },
  }),
  happened(11, order, orderId, 0, facts.orderRegistered(facts.lineItem(10))),
  happened(12, order, orderId, 1, {
    type: 'OrderCorrected',
    data: {
      ...{ ...orderRef, ...facts.orderContent({ customer: null }) },
      lineItems: [facts.lineItem(10), facts.lineItem(20, { description: 'Brace' })],
      changes: [{ field: 'customer', from: 'Bridge & Beam', to: null }],
    },
  }),
  happened(13, productionPlan, planId, 0, {
    type: 'ProductionPlanCreated',
    data: { companyId, planId: bar.planId, name: 'Week 10', barIds: [bar.barId] },
  }),
  happened(14, productionPlanBar, barId, 0, {
    type: 'BarOpened',
    data: {
      ...{ ...bar, stockLengthMm: 6_000, grade: 'S355J2+N', cuts, remnantMm: 2_499.5 },
      millCertificationId: certificate.millCertificationId,
    },
  }),
  happened(15, productionPlan, planId, 1, {
    type: 'BarsPlanned',
    data: { companyId, planId: bar.planId, barIds: [bar.barId], lineItems: [{ ...lineItem, accepted: 1 }] },
  }),
  happened(16, productionPlanBar, barId, 1, { type: 'BarApproved', data: bar }),
  happened(17, productionPlanBar, barId, 2, {
    type: 'BarStarted',
    data: { ...bar, lineItems: [{ ...lineItem, accepted: 1 }] },
  }),
  happened(18, productionPlanBar, barId, 3, {
    type: 'CutStatusChanged',
    data: {
      ...{ ...bar, barStatus: 'Started', cutId: id(702), ...lineItem },
      ...{ from: 'Proposed', to: 'Accepted', remnantMm: 2_499.5 },
    },
  }),
  happened(19, productionPlanBar, barId, 4, {
    type: 'BarCompleted',
    data: { ...bar, lineItems: [{ ...lineItem, accepted: 2 }] },
  }),
  happened(20, filterProfiles, companyId, 0, {
    type: 'FilterProfileSaved',
    data: { ...profile, name: 'Offcuts', filters },
  }),
  happened(21, filterProfiles, companyId, 1, {
    type: 'FilterProfileUpdated',
    data: { ...profile, name: 'Long offcuts', filters: {} },
  }),
  happened(22, filterProfiles, companyId, 2, {
    type: 'FilterProfileSoftDeleted',
    data: { ...profile, name: 'Long offcuts' },
  }),
  happened(23, account, alice.id, 0, { type: 'ApiKeyCreated', data: { ...owner, ...key } }),
  happened(25, account, alice.id, 2, {
    type: 'ApiKeyDeleted',
    data: { userId: alice.id, keyId: id(902), hash: 'cd'.repeat(32) },
  }),
  happened(26, tagCatalogue, companyId, 4, {
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
  happened(28, tagCatalogue, companyId, 5, {
    type: 'RulePackUpgraded',
    data: { companyId, ...pack, version: 2, hash: '34'.repeat(32), tagIds: {}, fromVersion: 1 },
  }),
  happened(29, tagCatalogue, companyId, 6, {
    type: 'RulePackUnsubscribed',
    data: { companyId, ...pack, version: 2, hash: '34'.repeat(32), tagIds: {} },
  }),
  happened(30, account, alice.id, 3, { type: 'ApiKeysRolled', data: { ...owner, ...rolledKey } }),
  happened(31, company, companyId, 3, {
    type: 'MemberKeysRevoked',
    data: { companyId, userId: alice.id, keyIds: [rolledKey.keyId] },
  }),
  happened(32, account, alice.id, 4, {
    type: 'ApiKeyNarrowed',
    data: { companyId, userId: alice.id, keyId: rolledKey.keyId, hash: rolledKey.hash },
  }),
]

function happened<State, Event extends DomainEvent>(
  position: number,
  aggregate: Aggregate<State, Event>,
  aggregateId: string,
  revision: number,
  { type, data, metadata }: Event,
): Recorded {
  return {
    id: id(position),
    streamName: aggregate.streamName(aggregateId),
    revision,
    position,
    type,
    data,
    metadata: {
      actor: alice,
      occurredAt: timeOf(position),
      correlationId: id(9_000 + position),
      schemaVersion: aggregate.eventVersions[type as Event['type']],
      idempotency: { key: `key ${position}`, caller: alice.id, request: `POST /${type}`, requestHash: 'aa' },
      ...metadata,
    },
  }
}
