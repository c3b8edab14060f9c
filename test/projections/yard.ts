import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { barStatuses } from '../../src/domain/bars/barEvents.ts'
import type { DomainEvent } from '../../src/domain/kernel/event.ts'
import { lineItemIdOf, millCertificationIdOf, orderIdOf } from '../../src/domain/kernel/identifiers.ts'
import type { SubjectRef } from '../../src/domain/tags/assignments.ts'
import { type Family, families, type Severity } from '../../src/domain/tags/tag.ts'
import * as facts from '../domain/verdict/facts.ts'
import { id, timeOf } from '../support/given.ts'

/** Random yards, as the events of one company. Their values repeat, so that every filter finds some records. */

export const pools = {
  certificateNumbers: ['MC-2026-0001', 'mc-2026-0010', 'MC-2025/0001', 'Straße 7', '2026.0001', '%_\\'],
  heatNumbers: ['H 4711', 'h4711', '4711-2', '0001', 'Ｈ８'],
  manufacturers: ['Salzgitter Flachstahl', 'SALZGITTER', 'Stahl/Süd 0001', null],
  grades: ['S355J2+N', 'S235JR', 's355j2+n'],
  documents: ['2.2', '3.1', '3.2'],
  orderNumbers: ['SO-1001', 'so-1002', 'SO/1003.0001', 'Kran 4711'],
  customers: ['Bridge & Beam', 'Stahlbau-Süd', null],
  dueDates: ['2026-04-30', '2026-05-31', null],
} as const

const allTags = [0, 1, 2, 3]
/** The ids of the tags of each family. */
export const tagIdsOf = (family: Family) => allTags.map((n) => id((family === 'millCert' ? 200 : 300) + n))

const tag = fc.record({
  severity: fc.constantFrom('Block' as const, 'Block' as const, 'Flag' as const, null),
  /** After it was assigned. */
  later: fc.constantFrom('TagUpdated', 'TagSoftDeleted', null),
})
const tagged = { tags: fc.subarray(allTags), untagged: fc.subarray(allTags) }

const certificate = fc.record({
  ...tagged,
  certificateNumber: fc.constantFrom(...pools.certificateNumbers),
  heatNumber: fc.constantFrom(...pools.heatNumbers),
  manufacturer: fc.constantFrom(...pools.manufacturers),
  grade: fc.constantFrom(...pools.grades),
  purchaseOrder: fc.constantFrom('PO 7', null),
  inspectionDocument: fc.constantFrom(...pools.documents),
  decision: fc.constantFrom(null, 'CertificateReleased', 'CertificateRejected', 'CertificateVoided'),
})
const order = fc.record({
  ...tagged,
  orderNumber: fc.constantFrom(...pools.orderNumbers),
  customer: fc.constantFrom(...pools.customers),
  dueDate: fc.constantFrom(...pools.dueDates),
  lines: fc.integer({ min: 1, max: 3 }),
})
const bar = fc.record({
  plan: fc.nat(2),
  certificate: fc.option(fc.nat(30)),
  status: fc.constantFrom(...barStatuses),
  isPlanned: fc.boolean(),
  /** It was completed in spite of a Block. */
  isStopped: fc.boolean(),
  /** Accepted cuts, by the order and the line item. */
  cuts: fc.array(fc.tuple(fc.nat(3), fc.nat(2)), { maxLength: 2 }),
})

export const yards = fc.record({
  tags: fc.tuple(tag, tag, tag, tag),
  certificates: fc.uniqueArray(certificate, {
    maxLength: 20,
    selector: (one) => millCertificationIdOf(id(0), one.certificateNumber, one.heatNumber),
  }),
  orders: fc.uniqueArray(order, {
    maxLength: 4,
    selector: ({ orderNumber }) => orderIdOf(id(0), orderNumber),
  }),
  bars: fc.array(bar, { maxLength: 12 }),
})
export type Yard = typeof yards extends fc.Arbitrary<infer One> ? One : never

/** A new company with that yard. */
export function happenedIn(yard: Yard): { companyId: string; events: DomainEvent[] } {
  const companyId = randomUUID()
  const certificates = yard.certificates.map(
    ({ certificateNumber, heatNumber, tags: _, untagged: __, decision: ___, ...content }) => ({
      ...facts.certificateContent(content),
      companyId,
      certificateNumber,
      heatNumber,
      millCertificationId: millCertificationIdOf(companyId, certificateNumber, heatNumber),
    }),
  )
  const orders = yard.orders.map(({ orderNumber, customer, dueDate, lines }) => {
    const orderId = orderIdOf(companyId, orderNumber)
    const lineItems = Array.from({ length: lines }, (_, index) => ({
      ...facts.lineItem(10),
      lineNumber: index + 1,
      lineItemId: lineItemIdOf(companyId, orderId, index + 1),
    }))
    return { ...facts.orderContent({ customer, dueDate }), companyId, orderId, orderNumber, lineItems }
  })
  const ids = {
    millCert: certificates.map(({ millCertificationId }) => millCertificationId),
    order: orders.map(({ orderId }) => orderId),
  }
  const ofFamilies = (eventsOf: (family: Family, tagIds: readonly string[]) => DomainEvent[]) =>
    families.flatMap((family) => eventsOf(family, tagIdsOf(family)))
  return {
    companyId,
    events: [
      ...ofFamilies((family, tagIds) =>
        yard.tags.map(({ severity }, n) => ({
          type: 'TagCreated',
          data: { companyId, family, tagId: tagIds[n]!, ...tagContent(n, severity), isSystemTag: false },
        })),
      ),
      ...certificates.map((data) => ({ type: 'MillCertificateRegistered', data })),
      ...yard.certificates.flatMap(({ decision }, index) => {
        const { millCertificationId } = certificates[index]!
        const data = { companyId, millCertificationId, note: null, reason: 'Why', replacedBy: null }
        return decision ? [{ type: decision, data }] : []
      }),
      ...orders.map((data) => ({ type: 'OrderRegistered', data })),
      ...[0, 1, 2].map((n) => ({
        type: 'ProductionPlanCreated',
        data: { companyId, planId: id(50 + n), name: 'Plan', barIds: [] },
      })),
      ...ofFamilies((family, tagIds) =>
        (family === 'order' ? yard.orders : yard.certificates).flatMap((one, index) =>
          assignments({ companyId, family, subjectId: ids[family][index]!, subjectLabel: '' }, tagIds, one),
        ),
      ),
      ...yard.bars.flatMap((one, index) => barEvents(companyId, index, one, certificates, orders)),
      ...ofFamilies((family, tagIds) =>
        yard.tags.flatMap(({ later }, n) => {
          const data = { companyId, family, tagId: tagIds[n]!, ...tagContent(n, 'Block'), changes: [] }
          return later ? [{ type: later, data }] : []
        }),
      ),
    ],
  }
}

function barEvents(
  companyId: string,
  index: number,
  { plan, status, certificate, isPlanned, isStopped, cuts }: Yard['bars'][number],
  certificates: readonly { millCertificationId: string }[],
  orders: readonly { orderId: string; lineItems: readonly { lineItemId: string }[] }[],
): DomainEvent[] {
  const ref = { companyId, planId: id(50 + plan), barId: id(100 + index) }
  const lineItems = cuts.flatMap(([order, line]) => {
    const { orderId, lineItems } = orders[order] ?? {}
    const lineItemId = lineItems?.[line]?.lineItemId
    return orderId && lineItemId ? [{ orderId, lineItemId, accepted: 1 }] : []
  })
  const opened = {
    ...ref,
    stockLengthMm: 6_000,
    grade: 'S355J2',
    profile: index % 2 === 0 ? null : 'S 2',
    remnantMm: 6_000,
    millCertificationId: certificates[certificate ?? -1]?.millCertificationId ?? null,
    fromBarId: null,
    cuts: lineItems.map(({ orderId, lineItemId }, cut) => ({
      cutId: id(1_000 + 10 * index + cut),
      orderId,
      lineItemId,
      lengthMm: 1_000,
      pieceMark: null,
      status: 'Accepted',
    })),
  }
  const steps = ['BarApproved', 'BarStarted', 'BarCompleted'].slice(0, barStatuses.indexOf(status))
  const onward = status === 'Cancelled' ? ['BarCancelled'] : steps
  return [
    { type: 'BarOpened', data: opened },
    ...(isPlanned ? [{ type: 'BarsPlanned', data: { ...ref, barIds: [ref.barId], lineItems } }] : []),
    ...onward.map((type) => ({ type, data: { ...ref, lineItems, ...(isStopped && { uncovered: [] }) } })),
  ]
}

function tagContent(n: number, severity: Severity | null) {
  return facts.tagContent({ name: `Tag ${n}`, severity })
}

/** A subject gets its tags, and loses some of them. */
function assignments(
  subject: SubjectRef,
  tagIds: readonly string[],
  { tags, untagged }: { tags: readonly number[]; untagged: readonly number[] },
): DomainEvent[] {
  const idsOf = (some: readonly number[]) => some.map((n) => tagIds[n]!)
  const [gained, lost] = [idsOf(tags), idsOf(untagged.filter((n) => tags.includes(n)))]
  const assigned = (some: readonly string[]) =>
    some.map((tagId) => ({ assignmentId: tagId, tagId, assignedAt: timeOf(0) }))
  const replaced = (added: readonly string[], removed: readonly string[]) => ({
    type: 'ManualAssignmentsReplaced',
    data: {
      ...subject,
      assignments: [],
      added: assigned(added),
      removed: assigned(removed),
      usage: { gained: added, lost: removed },
    },
  })
  return [
    ...(gained.length > 0 ? [replaced(gained, [])] : []),
    ...(lost.length > 0 ? [replaced([], lost)] : []),
  ]
}
