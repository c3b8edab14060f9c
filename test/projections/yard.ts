import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import type { DomainEvent } from '../../src/domain/event.ts'
import { lineItemIdOf, millCertificationIdOf, orderIdOf } from '../../src/domain/identifiers.ts'
import { barStatuses } from '../../src/domain/productionPlanBar.ts'
import * as facts from '../domain/facts.ts'
import { id } from '../support/given.ts'

/** Random yards, as the events of one company. Their values repeat, so that every filter finds some records. */

export const pools = {
  certificateNumbers: ['MC-2026-0001', 'mc-2026-0010', 'MC-2025/0001', 'Straße 7', '2026.0001', '%_\\'],
  heatNumbers: ['H 4711', 'h4711', '4711-2', '0001', 'Ｈ８'],
  manufacturers: ['Salzgitter Flachstahl', 'SALZGITTER', 'Stahl/Süd 0001', null],
  grades: ['S355J2+N', 'S235JR', 's355j2+n'],
  documents: ['2.2', '3.1', '3.2'],
  orderNumbers: ['SO-1001', 'so-1002', 'SO/1003.0001', 'Kran 4711'],
  customers: ['Bridge & Beam', 'Stahlbau-Süd', null],
} as const

const certificate = fc.record({
  certificateNumber: fc.constantFrom(...pools.certificateNumbers),
  heatNumber: fc.constantFrom(...pools.heatNumbers),
  manufacturer: fc.constantFrom(...pools.manufacturers),
  grade: fc.constantFrom(...pools.grades),
  inspectionDocument: fc.constantFrom(...pools.documents),
})
const order = fc.record({
  orderNumber: fc.constantFrom(...pools.orderNumbers),
  customer: fc.constantFrom(...pools.customers),
  lines: fc.integer({ min: 1, max: 3 }),
})
const bar = fc.record({
  plan: fc.nat(2),
  certificate: fc.option(fc.nat(30)),
  status: fc.constantFrom(...barStatuses),
  isPlanned: fc.boolean(),
})

export const yards = fc.record({
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
  const certificates = yard.certificates.map(({ certificateNumber, heatNumber, ...content }) => ({
    ...facts.certificateContent(content),
    ...{ companyId, certificateNumber, heatNumber },
    millCertificationId: millCertificationIdOf(companyId, certificateNumber, heatNumber),
  }))
  const orders = yard.orders.map(({ orderNumber, customer, lines }) => {
    const orderId = orderIdOf(companyId, orderNumber)
    const lineItems = Array.from({ length: lines }, (_, index) => ({
      ...facts.lineItem(10),
      ...{ lineNumber: index + 1, lineItemId: lineItemIdOf(companyId, orderId, index + 1) },
    }))
    return { ...facts.orderContent({ customer }), companyId, orderId, orderNumber, lineItems }
  })
  return {
    companyId,
    events: [
      ...certificates.map((data) => ({ type: 'MillCertificateRegistered', data })),
      ...orders.map((data) => ({ type: 'OrderRegistered', data })),
      ...[0, 1, 2].map((n) => ({
        type: 'ProductionPlanCreated',
        data: { companyId, planId: id(50 + n), name: 'Plan', barIds: [] },
      })),
      ...yard.bars.flatMap((one, index) => barEvents(companyId, index, one, certificates)),
    ],
  }
}

function barEvents(
  companyId: string,
  index: number,
  { plan, status, certificate, isPlanned }: Yard['bars'][number],
  certificates: readonly { millCertificationId: string }[],
): DomainEvent[] {
  const ref = { companyId, planId: id(50 + plan), barId: id(100 + index) }
  const opened = {
    ...{ ...ref, stockLengthMm: 6_000, grade: 'S355J2', cuts: [], remnantMm: 6_000 },
    millCertificationId: certificates[certificate ?? -1]?.millCertificationId ?? null,
  }
  const onward = ['BarApproved', 'BarStarted', 'BarCompleted'].slice(0, barStatuses.indexOf(status))
  return [
    { type: 'BarOpened', data: opened },
    ...(isPlanned ? [{ type: 'BarsPlanned', data: { ...ref, barIds: [ref.barId], lineItems: [] } }] : []),
    ...onward.map((type) => ({ type, data: { ...ref, lineItems: [] } })),
  ]
}
