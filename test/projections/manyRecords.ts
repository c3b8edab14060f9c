import type { DomainEvent, Recorded } from '../../src/domain/kernel/event.ts'
import { lineItemIdOf, millCertificationIdOf, orderIdOf } from '../../src/domain/kernel/identifiers.ts'
import type { SubjectRef } from '../../src/domain/tags/assignments.ts'
import type { Family } from '../../src/domain/tags/tag.ts'
import { families } from '../../src/domain/tags/tag.ts'
import { production } from '../../src/projections/bars/production.ts'
import { certificates } from '../../src/projections/certificates/certificates.ts'
import type { ReadModels } from '../../src/projections/engine/schema/readModels.ts'
import { orders } from '../../src/projections/orders/orders.ts'
import { tags } from '../../src/projections/tags/tags.ts'
import type { Postgres } from '../../src/stores/postgres/postgres.ts'
import * as facts from '../domain/verdict/facts.ts'
import { alice, id } from '../support/given.ts'
import { foldInMemory } from './foldInMemory.ts'
import { writeRows } from './tables.ts'

/** The read models of a company with many records, for plans and times of queries. */

export interface Many {
  readonly companyId: string
  readonly certificates: number
  /** Orders, each with a plan of one bar. */
  readonly orders: number
}

const portion = 5_000

/** Each record is one second younger than the one before. */
function manyAt(n: number): string {
  return new Date(Date.UTC(2026, 0, 1) + n * 1_000).toISOString()
}

/** Tags 0 and 1 do not block, and many records have them; tags 2 to 5 block, and fewer have them. */
function manyTagId(family: Family, n: number): string {
  return id((family === 'millCert' ? 2_000 : 3_000) + n)
}

/** The events are folded in portions, since records do not touch each other's rows. */
export async function writeMany(postgres: Postgres, readModels: ReadModels, many: Many): Promise<void> {
  const write = async (events: readonly Recorded[]) => {
    for (const projection of [tags, certificates, orders, production])
      await writeRows(postgres, readModels, projection, foldInMemory(projection, events))
  }
  await write(families.flatMap((family) => tagsOf(many.companyId, family)))
  for (let from = 0; from < many.certificates; from += portion)
    await write(upTo(from, many.certificates).flatMap((n) => certificateOf(many.companyId, n)))
  for (let from = 0; from < many.orders; from += portion)
    await write(upTo(from, many.orders).flatMap((n) => orderOf(many.companyId, n)))
}

/** Let PostgreSQL know the tables as it does when they have been there for a while. */
export async function vacuum(postgres: Postgres, readModels: ReadModels): Promise<void> {
  for (const { name } of [tags, certificates, orders, production])
    for (const { sqlName } of readModels.tablesOf(name, 1))
      await postgres.query(`VACUUM (ANALYZE) ${sqlName}`)
}

function upTo(from: number, end: number): number[] {
  return Array.from({ length: Math.min(portion, end - from) }, (_, index) => from + index)
}

function tagsOf(companyId: string, family: Family): Recorded[] {
  return Array.from({ length: 100 }, (_, n) =>
    happened(n, {
      type: 'TagCreated',
      data: {
        companyId,
        family,
        tagId: manyTagId(family, n),
        isSystemTag: false,
        ...facts.tagContent({ name: `Tag ${n}`, severity: n >= 2 && n <= 5 ? 'Block' : null }),
      },
    }),
  )
}

function certificateOf(companyId: string, n: number): Recorded[] {
  const numbers = { certificateNumber: `MC-2026-${padded(n)}`, heatNumber: `H${padded(Math.floor(n / 3))}` }
  const millCertificationId = millCertificationIdOf(companyId, numbers.certificateNumber, numbers.heatNumber)
  const content = facts.certificateContent({
    grade: ['S355J2+N', 'S235JR', 'S355J0', 'S460M', 'S690QL'][n % 5]!,
    manufacturer: `${['Salzgitter', 'Ostwerk', 'Hütte', 'Stahl'][n % 4]} Werk ${n % 40}`,
    inspectionDocument: (['2.2', '3.1', '3.2'] as const)[n % 3]!,
    productForm: 'Section',
    purchaseOrder: `PO-${padded(Math.floor(n / 50))}`,
  })
  const subject = { companyId, subjectId: millCertificationId, subjectLabel: numbers.certificateNumber }
  return [
    happened(n, {
      type: 'MillCertificateRegistered',
      data: { companyId, millCertificationId, ...numbers, ...content },
    }),
    ...tagged(n, { ...subject, family: 'millCert' }),
  ]
}

function orderOf(companyId: string, n: number): Recorded[] {
  const orderNumber = `SO-${padded(n)}`
  const orderId = orderIdOf(companyId, orderNumber)
  const lineItemId = lineItemIdOf(companyId, orderId, 10)
  const content = facts.orderContent({ customer: `Customer ${n % 40}`, options: null })
  const bar = { companyId, planId: id(500_000 + n), barId: id(1_000_000 + n) }
  const cuts = [
    { orderId, lineItemId, cutId: bar.barId, lengthMm: 6_000, pieceMark: null, status: 'Accepted' },
  ]
  const lineItems = [{ orderId, lineItemId, accepted: 1 }]
  const opened = {
    stockLengthMm: 6_000,
    grade: 'S235JR',
    profile: null,
    cuts,
    remnantMm: 0,
    millCertificationId: id(4_000 + (n % 100)),
    fromBarId: null,
  }
  const onward = ['BarApproved', 'BarStarted', 'BarCompleted'].slice(0, n % 4)
  return [
    {
      type: 'OrderRegistered',
      data: {
        ...content,
        companyId,
        orderId,
        orderNumber,
        lineItems: [{ ...facts.lineItem(10), lineItemId }],
      },
    },
    { type: 'ProductionPlanCreated', data: { ...bar, name: 'Plan', barIds: [bar.barId] } },
    { type: 'BarOpened', data: { ...bar, ...opened } },
    { type: 'BarsPlanned', data: { ...bar, barIds: [bar.barId], lineItems } },
    ...onward.map((type) => ({ type, data: { ...bar, lineItems } })),
  ]
    .map((event, place) => happened(n, event, place))
    .concat(tagged(n, { companyId, family: 'order', subjectId: orderId, subjectLabel: orderNumber }))
}

function tagged(n: number, subject: SubjectRef): Recorded[] {
  const every = [2, 3, 10, 20, 100, 1_000]
  const gained = every.flatMap((each, tag) => (n % each === 0 ? [manyTagId(subject.family, tag)] : []))
  if (gained.length === 0) return []
  const added = gained.map((tagId) => ({ tagId, assignmentId: tagId, assignedAt: manyAt(n) }))
  const data = { ...subject, assignments: added, added, removed: [], usage: { gained, lost: [] } }
  return [happened(n, { type: 'ManualAssignmentsReplaced', data }, mostEvents - 1)]
}

/** The most events of one record. */
const mostEvents = 10

function happened(n: number, event: DomainEvent, place = 0): Recorded {
  const metadata = { actor: alice, occurredAt: manyAt(n), correlationId: 'c', schemaVersion: 1 }
  const position = n * mostEvents + place
  return { ...event, id: id(n), streamName: 's', revision: 0, position, metadata } as Recorded
}

function padded(n: number): string {
  return String(n).padStart(6, '0')
}
