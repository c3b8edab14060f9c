import { describe, expect, it } from 'vitest'
import {
  missingOf,
  type TracedCut,
  type TracedLineItem,
  traceability,
} from '../../src/projections/traceability.ts'

const cut = (cutId: string, cut: Partial<TracedCut> = {}): TracedCut => ({
  ...{ cutId, pieceMark: null, barId: 'bar 1', planId: 'plan', barStatus: 'Completed', lengthMm: 2_000 },
  ...{ millCertificationId: 'certificate', certificateNumber: 'C-1', heatNumber: 'H-1', tags: [] },
  ...cut,
})
const lineItem = (quantity: number, ...cuts: TracedCut[]): TracedLineItem => ({
  ...{ lineItemId: 'item', lineNumber: 10, quantity, cancelled: false, status: 'Completed' },
  cuts,
})

describe('what a line item lacks', () => {
  it('is nothing when every piece is cut from a Completed bar with a certificate', () =>
    expect(missingOf(lineItem(2, cut('a'), cut('b'), cut('c')))).toStrictEqual([]))

  it('is pieces, Completed bars and certificates, each said in words', () => {
    const undocumented = { millCertificationId: null, certificateNumber: null, heatNumber: null }
    expect(
      missingOf(
        lineItem(
          5,
          cut('a', { barStatus: 'Started' }),
          cut('b', { barId: 'bar 2', ...undocumented }),
          cut('c', { barId: 'bar 2', barStatus: 'Draft', ...undocumented }),
        ),
      ),
    ).toStrictEqual([
      'Only 3 of 5 pieces have an Accepted cut.',
      'Cut a is on bar bar 1, which is Started, not Completed.',
      'Cut c is on bar bar 2, which is Draft, not Completed.',
      'Bar bar 2 has no mill certificate.',
    ])
  })
})

describe('an order', () => {
  const order = (...lineItems: TracedLineItem[]) =>
    traceability({ orderId: 'order', orderNumber: 'SO-1', blocked: false, lineItems })

  it('is complete when nothing is missing from any of its line items', () =>
    expect(order(lineItem(1, cut('a')), lineItem(1, cut('b'))).complete).toBe(true))

  it('is not when something is missing from one', () =>
    expect(order(lineItem(1, cut('a')), lineItem(2, cut('b')))).toStrictEqual({
      ...{ orderId: 'order', orderNumber: 'SO-1', blocked: false, complete: false },
      lineItems: [
        {
          ...{ lineItemId: 'item', lineNumber: 10, cancelled: false, status: 'Completed' },
          ...{ cuts: [cut('a')], missing: [] },
        },
        {
          ...{ lineItemId: 'item', lineNumber: 10, cancelled: false, status: 'Completed', cuts: [cut('b')] },
          missing: ['Only 1 of 2 pieces have an Accepted cut.'],
        },
      ],
    }))

  it('is complete when all that is missing is missing from cancelled line items', () => {
    const cancelled = { ...lineItem(2), cancelled: true }
    expect(order(lineItem(1, cut('a')), cancelled)).toMatchObject({
      complete: true,
      lineItems: [{}, { cancelled: true, missing: [] }],
    })
  })
})
