import { expect, it } from 'vitest'
import { correctOrder, type OrderFacts, order } from '../../../src/domain/orders/order.ts'
import type { OrderContent } from '../../../src/domain/orders/orderContent.ts'
import { changesOnlySubstitutes, grantsSubstitutes } from '../../../src/domain/orders/substitutes.ts'
import { given } from '../../support/given.ts'
import { lineItem, orderContent, orderRegistered } from '../verdict/facts.ts'

const allowedSubstitutes = [{ grade: 'S355J2+N', reference: 'DR 1' }]

it('is a permission that an order is registered with, on itself or on a line', () => {
  expect(grantsSubstitutes(orderRegistered())).toBe(false)
  expect(grantsSubstitutes(orderRegistered(lineItem(10), lineItem(20, { allowedSubstitutes })))).toBe(true)
  const { data, type } = orderRegistered()
  expect(grantsSubstitutes({ type, data: { ...data, allowedSubstitutes } } as never)).toBe(true)
})

it.each<readonly [string, Partial<OrderContent>, boolean, boolean]>([
  ['given to the order', { allowedSubstitutes }, true, true],
  ['given to a line', { lineItems: [{ ...orderContent().lineItems[0]!, allowedSubstitutes }] }, true, true],
  [
    'given to a new line',
    {
      lineItems: [
        orderContent().lineItems[0]!,
        { ...orderContent().lineItems[0]!, lineNumber: 20, allowedSubstitutes },
      ],
    },
    true,
    false,
  ],
  ['given with another change', { allowedSubstitutes, customer: 'Another' }, true, false],
  ['left as it is', { customer: 'Another' }, false, false],
])('is changed when it is %s by a correction', (_, changed, grants, only) => {
  const { state } = given(order, orderRegistered())
  const [event] = correctOrder(state!, orderContent(changed))
  expect(grantsSubstitutes(event!)).toBe(grants)
  expect(changesOnlySubstitutes(event!)).toBe(only)
})

it('is changed when a correction takes it away', () => {
  const registered = orderRegistered()
  const data = { ...(registered.data as OrderFacts), allowedSubstitutes }
  const { state } = given(order, { ...registered, data } as typeof registered)
  const [event] = correctOrder(state!, orderContent())
  expect(grantsSubstitutes(event!)).toBe(true)
})
