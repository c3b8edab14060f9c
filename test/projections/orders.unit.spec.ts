import { expect, it } from 'vitest'
import { orders } from '../../src/projections/orders.ts'
import { lineItem, orderContent, orderIdentity, orderRegistered } from '../domain/facts.ts'
import { bob, rowsOf, timeOf } from '../support/given.ts'

const { lineItems: _, ...head } = orderContent()
const { companyId, orderId } = orderIdentity
const orderRow = {
  ...{ ...orderIdentity, orderKey: 'SO-1001', ...head },
  ...{ registeredAt: timeOf(0), updatedAt: timeOf(0), updatedBy: 'alice', revision: 0 },
}
const line = (...item: Parameters<typeof lineItem>) => ({ companyId, orderId, ...lineItem(...item) })

it('shows an order and its line items', () =>
  expect(rowsOf(orders, orderRegistered(lineItem(10), lineItem(20)))).toStrictEqual({
    order: [orderRow],
    lineItem: [line(10), line(20)],
  }))

it('shows a correction with its time and author, and the line items that it added', () => {
  const longer = lineItem(10, { lengthMm: 6_500.5, description: 'Girder' })
  const corrected = {
    type: 'OrderCorrected',
    data: { ...orderIdentity, ...head, customer: null, lineItems: [longer, lineItem(20)], changes: [] },
    metadata: { actor: bob },
  }
  expect(rowsOf(orders, orderRegistered(lineItem(10)), corrected)).toStrictEqual({
    order: [{ ...orderRow, customer: null, updatedAt: timeOf(1), updatedBy: 'bob', revision: 1 }],
    lineItem: [{ ...line(10), ...longer }, line(20)],
  })
})
