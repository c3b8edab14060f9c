import type {
  CertificateIdentity,
  MillCertificateEvent,
} from '../../../src/domain/certificates/certificate.ts'
import {
  type CertificateContent,
  certificateFields,
} from '../../../src/domain/certificates/certificateContent.ts'
import type { ImpactTest, TensileTest } from '../../../src/domain/certificates/materialTests.ts'
import { optionFields } from '../../../src/domain/certificates/steelOptions.ts'
import type { CompanyEvent, Role } from '../../../src/domain/company/companyEvents.ts'
import { pick } from '../../../src/domain/kernel/fields.ts'
import type { LineItem, OrderEvent, OrderIdentity } from '../../../src/domain/orders/order.ts'
import {
  type LineItemContent,
  lineItemFields,
  type OrderContent,
  orderHeadFields,
} from '../../../src/domain/orders/orderContent.ts'
import type { ManualAssignment, ManualAssignmentsReplaced } from '../../../src/domain/tags/assignments.ts'
import type { TagEvent } from '../../../src/domain/tags/catalogueEvents.ts'
import type { Family, TagContent } from '../../../src/domain/tags/tag.ts'
import { companyId } from '../../support/given.ts'

/** Events that specs begin with. They have ordinary content, and a spec sets only the values that matter to it. */

export function tagContent(content: Partial<TagContent> = {}): TagContent {
  return {
    name: 'Hold',
    color: '#FF0000',
    description: null,
    severity: null,
    ...content,
  }
}

export function tagCreated(
  tagId: string,
  {
    family = 'millCert',
    isSystemTag = false,
    ...content
  }: Partial<TagContent> & { family?: Family; isSystemTag?: boolean } = {},
): TagEvent {
  return {
    type: 'TagCreated',
    data: { companyId, family, tagId, ...tagContent(content), isSystemTag },
  }
}

export function tagSoftDeleted(tagId: string, name = 'Hold', family: Family = 'millCert'): TagEvent {
  return {
    type: 'TagSoftDeleted',
    data: { companyId, family, tagId, name },
  }
}

export function tagRestored(tagId: string, name = 'Hold', family: Family = 'millCert'): TagEvent {
  return {
    type: 'TagRestored',
    data: { companyId, family, tagId, name },
  }
}

export const certificateIdentity: CertificateIdentity = {
  companyId,
  millCertificationId: 'e99feea6-0239-5fed-b66a-0167536055c1',
  certificateNumber: 'mc-2026-0001',
  heatNumber: ' H  4711 ',
  item: null,
}

/** A certificate that says no more than it must. */
export const bareCertificate: CertificateContent = pick(certificateFields, {
  grade: 'S355J2+N',
  inspectionDocument: '3.1',
})

/** An order that says nothing, without its lines. */
export const bareOrder: Omit<OrderContent, 'lineItems'> = pick(orderHeadFields, {})

/** A line that says no more than this. */
export function bareLine(
  content: Pick<LineItemContent, 'lineNumber' | 'lengthMm' | 'quantity'> & Partial<LineItemContent>,
): LineItemContent {
  return pick(lineItemFields, content)
}

export const tensileTest: TensileTest = {
  kind: 'tensile',
  direction: 'transverse',
  location: '1/4',
  reHMpa: 372,
  reLMpa: null,
  rp02Mpa: null,
  rmMpa: 541,
  elongationPercent: 26,
  gaugeLength: '5.65',
  rawYieldKind: null,
  rawYieldMpa: null,
  reductionOfAreaPercent: null,
  rmReRatio: null,
  agtPercent: null,
  massPerMetreKg: null,
}
export const impactTest: ImpactTest = {
  kind: 'impact',
  direction: 'longitudinal',
  location: null,
  temperatureC: -20,
  specimenWidthMm: 10,
  valuesJoule: [58, 61, 64],
  averageJoule: 61,
}

export function certificateContent(content: Partial<CertificateContent> = {}): CertificateContent {
  return {
    ...bareCertificate,
    standard: 'EN 10025-2',
    grade: 'S355J2+N',
    profile: 'HEA 200',
    deliveryCondition: 'N',
    zQuality: 'Z25',
    ultrasonicClass: 'S1E1',
    surfaceClass: 'B2',
    inspectionDocument: '3.1',
    productForm: 'Plate',
    thicknessMm: 20,
    widthMm: 2_500,
    documentRevision: 1,
    purchaseOrder: 'PO 77',
    declarationOfPerformance: 'DoP 12',
    steelmakingProcess: 'BOF',
    chemistry: { C: 0.17, Mn: 1.4 },
    analysis: 'ladle',
    statedCev: 0.42,
    solubleAluminium: 0.031,
    mechanical: {
      reHMpa: 372,
      rmMpa: 541,
      a5Percent: 26,
      kvJoule: 61,
      kvTemperatureC: -20,
      rmReRatio: 1.45,
      agtPercent: 12.5,
      massPerMetreKg: 1.58,
    },
    tests: [tensileTest, impactTest],
    bend: 'passed',
    rebend: 'passed',
    inspector: 'A. Prüfer',
    issuedOn: '2026-01-12',
    ...content,
  }
}

export function certificateRegistered(content: Partial<CertificateContent> = {}): MillCertificateEvent {
  return {
    type: 'MillCertificateRegistered',
    data: { ...certificateIdentity, ...certificateContent(content) },
  }
}

export const orderIdentity: OrderIdentity = {
  companyId,
  orderId: 'b1c9519f-504d-595a-9251-c56b4fa50afd',
  orderNumber: 'SO-1001',
}

/** Ids of the lines 10 and 20 of that order. */
export const lineItemIds: Record<number, string> = {
  10: '321a2439-fa68-516d-be7f-b80553d1ec76',
  20: 'b366d32b-7a7b-5520-b932-78379f6900a0',
}

export function lineItem(lineNumber: number, content: Partial<LineItem> = {}): LineItem {
  return {
    lineItemId: lineItemIds[lineNumber]!,
    ...bareLine({ lineNumber, standard: 'EN 10025-2', grade: 'S355J2+N', lengthMm: 6_000, quantity: 4 }),
    profile: 'HEA 200',
    ...content,
  }
}

export function orderContent(content: Partial<OrderContent> = {}): OrderContent {
  return {
    ...bareOrder,
    customer: 'Bridge & Beam',
    dueDate: '2026-04-30',
    requiredInspectionDocument: '3.1',
    executionClass: 'EXC3',
    options: { ...pick(optionFields, {}), zQuality: 'Z25', mostCev: 0.42 },
    lineItems: [lineItem(10)].map(({ lineItemId: _, ...line }) => line),
    ...content,
  }
}

export function orderRegistered(...lineItems: LineItem[]): OrderEvent {
  const { lineItems: line10, ...content } = orderContent()
  const lines = lineItems.length > 0 ? lineItems : [{ ...line10[0]!, lineItemId: lineItemIds[10]! }]
  return { type: 'OrderRegistered', data: { ...orderIdentity, ...content, lineItems: lines } }
}

export function assignment(assignmentId: string, tagId: string, assignedAt: string): ManualAssignment {
  return {
    assignmentId,
    tagId,
    assignedAt,
  }
}

/** The event that changes the certificate's assignments from one set to another. */
export function assignmentsReplaced(
  before: readonly ManualAssignment[],
  after: readonly ManualAssignment[],
): ManualAssignmentsReplaced {
  const without = (others: readonly ManualAssignment[]) => (one: ManualAssignment) =>
    !others.some(({ tagId }) => tagId === one.tagId)
  const added = after.filter(without(before))
  const removed = before.filter(without(after))
  const idsOf = (assignments: readonly ManualAssignment[]) => assignments.map(({ tagId }) => tagId)
  const { millCertificationId: subjectId, certificateNumber: subjectLabel } = certificateIdentity
  const usage = { gained: idsOf(added), lost: idsOf(removed) }
  const subject = { companyId, family: 'millCert', subjectId, subjectLabel } as const
  return {
    type: 'ManualAssignmentsReplaced',
    data: { ...subject, assignments: after, added, removed, usage },
  }
}

export const companyRegistered: CompanyEvent = {
  type: 'CompanyRegistered',
  data: { companyId, name: 'Yard' },
}

export function memberRolesSet(userId: string, ...roles: Role[]): CompanyEvent {
  return memberRolesChanged(userId, [], ...roles)
}

export function memberRolesChanged(userId: string, formerRoles: Role[], ...roles: Role[]): CompanyEvent {
  return {
    type: 'MemberRolesSet',
    data: { companyId, userId, roles, formerRoles },
  }
}

export function memberRemoved(userId: string): CompanyEvent {
  return {
    type: 'MemberRemoved',
    data: { companyId, userId },
  }
}

export function personErased(userId: string, responsibleActs = 0): CompanyEvent {
  return { type: 'PersonErased', data: { companyId, userId, responsibleActs } }
}

export function memberKeysNarrowed(
  userId: string,
  keyIds: readonly string[],
  ...roles: readonly Role[]
): CompanyEvent {
  return { type: 'MemberKeysNarrowed', data: { companyId, userId, keyIds, roles } }
}
