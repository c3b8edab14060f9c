import { Map as ImmutableMap } from 'immutable'
import { describe, expect, it } from 'vitest'
import { optionFields } from '../../../src/domain/certificates/steelOptions.ts'
import type { Change } from '../../../src/domain/kernel/changes.ts'
import { pick } from '../../../src/domain/kernel/fields.ts'
import {
  correctOrder,
  type LineItem,
  type OrderEvent,
  order,
  orderKey,
  type RegisteredOrder,
  registerOrder,
  replaceOrderMembers,
  type SentOrder,
  upsertOrder,
} from '../../../src/domain/orders/order.ts'
import type { OrderContent } from '../../../src/domain/orders/orderContent.ts'
import { bob, given, timeOf } from '../../support/given.ts'
import { lineItem, lineItemIds, orderContent, orderIdentity, orderRegistered } from '../verdict/facts.ts'

const register =
  (content: OrderContent, identity = orderIdentity) =>
  (state: unknown) =>
    registerOrder(state as RegisteredOrder, identity, content)
function correct(content: OrderContent) {
  return (state: RegisteredOrder) => correctOrder(state, content)
}

const { lineItems: _, ...head } = orderContent()
function lines(...items: LineItem[]) {
  return items.map(({ lineItemId: _, ...line }) => line)
}

function corrected(
  lineItems: LineItem[],
  changes: Change[],
  content: Partial<OrderContent> = {},
): OrderEvent {
  return { type: 'OrderCorrected', data: { ...orderIdentity, ...head, ...content, lineItems, changes } }
}

it('lives in a stream of its own', () => {
  const { companyId, orderId } = orderIdentity
  expect(order.streamName(orderKey(companyId, orderId))).toBe(`order-${companyId}_${orderId}`)
})

it('is registered with its line items in the order of their numbers, each with its id', () =>
  given(order)
    .when(register(orderContent({ lineItems: lines(lineItem(20), lineItem(10)) })))
    .records(orderRegistered(lineItem(10), lineItem(20))))

it('ignores a line item id that a request names', () => {
  const forged = [{ ...lines(lineItem(10))[0]!, lineItemId: lineItemIds[20]! }]
  given(order)
    .when(register(orderContent({ lineItems: forged })))
    .records(orderRegistered(lineItem(10)))
})

it('is the same order when its event lacks fields, which count as null', () => {
  const {
    standard: _,
    profile: __,
    cancelled: ___,
    ...lacking
  } = lineItem(10, { standard: null, profile: null })
  given(order, orderRegistered(lacking as LineItem))
    .when(register(orderContent({ lineItems: lines(lineItem(10, { standard: null, profile: null })) })))
    .recordsNothing()
})

it('is registered once: a repeat in any order of lines and any spelling records nothing', () => {
  const registered = given(order, orderRegistered(lineItem(10), lineItem(20)))
  const same = orderContent({ lineItems: lines(lineItem(20), lineItem(10)) })
  registered.when(register(same)).recordsNothing()
  registered.when(register(same, { ...orderIdentity, orderNumber: ' so-1001' })).recordsNothing()
})

it('is refused with other content, and the refusal names the existing one', () => {
  const registered = given(order, orderRegistered(lineItem(10)))
  for (const other of [
    { customer: null },
    { lineItems: lines(lineItem(10, { quantity: 5 })) },
    { lineItems: lines(lineItem(10), lineItem(20)) },
  ])
    registered
      .when(register(orderContent(other)))
      .refuses('order-already-registered', { orderId: orderIdentity.orderId })
  const { orderId, orderNumber } = orderIdentity
  registered
    .when((state) =>
      registerOrder(state, { ...orderIdentity, orderNumber: orderNumber.replace('O', 'О') }, orderContent()),
    )
    .refuses('looks-like-another', { other: orderNumber, orderId })
})

it('takes the content of the registration and the present content for a repeat, and no other', () => {
  const after = given(
    order,
    orderRegistered(),
    corrected([lineItem(10)], [], { customer: 'Another' }),
    corrected([lineItem(10)], [], { customer: 'Other' }),
  )
  after.when(register(orderContent())).recordsNothing()
  after.when(register(orderContent({ customer: 'Other' }))).recordsNothing()
  after
    .when(register(orderContent({ customer: 'Another' })))
    .refuses('order-already-registered', { orderId: orderIdentity.orderId })
})

describe('an upsert', () => {
  const upsert = (sent: SentOrder, callerId = 'alice') => {
    const wanted = { whole: () => orderContent(), edit: replaceOrderMembers(sent) }
    return (state: unknown) => upsertOrder(state as RegisteredOrder, orderIdentity, wanted, callerId)
  }
  const twoLines = orderRegistered(lineItem(10), lineItem(20))

  it('registers what is new, and corrects what differs', () => {
    given(order).when(upsert({})).records(orderRegistered())
    given(order, twoLines)
      .when(upsert({ lineItems: [{ lineNumber: 20, quantity: 9 }, { lineNumber: 10 }] }))
      .records(
        corrected(
          [lineItem(10), lineItem(20, { quantity: 9 })],
          [{ field: 'lineItems/20/quantity', from: 4, to: 9 }],
        ),
      )
  })

  it('does not undo a line item that others have added since its caller recorded the same', () => {
    const added = corrected([lineItem(10), lineItem(20), lineItem(30)], [])
    const after = given(order, twoLines, { ...added, metadata: { actor: bob } })
    const same = { lineItems: [{ lineNumber: 20 }, { lineNumber: 10, quantity: 4 }] }
    after.when(upsert(same)).recordsNothing()
    after.when(upsert({ customer: 'Bridge & Beam' })).recordsNothing()
    after.when(upsert(same, 'carol')).refuses('line-item-in-use', { lineNumbers: [30] })
  })

  it('keeps the options that it leaves out, of the order and of its lines', () => {
    const options = { ...pick(optionFields, {}), zQuality: 'Z25', mostCev: 0.42 } as const
    const lineItems = [lineItem(10, { options })]
    given(order, orderRegistered(...lineItems))
      .when(
        upsert({ options: { mostCev: null }, lineItems: [{ lineNumber: 10, options: { zQuality: 'Z35' } }] }),
      )
      .records(
        corrected(
          [lineItem(10, { options: { ...options, zQuality: 'Z35' } })],
          [
            { field: 'options', from: options, to: { ...options, mostCev: null } },
            { field: 'lineItems/10/options', from: options, to: { ...options, zQuality: 'Z35' } },
          ],
          { options: { ...options, mostCev: null } },
        ),
      )
  })

  it('names the members that a new line lacks', () =>
    given(order, twoLines)
      .when(upsert({ lineItems: [{ lineNumber: 10 }, { lineNumber: 20 }, { lineNumber: 30, quantity: 1 }] }))
      .refuses('validation-failed', {
        errors: [{ path: '/lineItems/2/lengthMm', code: 'required', message: 'is required in a new line' }],
      }))
})

it('records each line item that a correction adds or changes as a change of its own', () =>
  given(order, orderRegistered(lineItem(10)))
    .when(
      correct(
        orderContent({ customer: null, lineItems: lines(lineItem(20), lineItem(10, { lengthMm: 6_500 })) }),
      ),
    )
    .records(
      corrected(
        [lineItem(10, { lengthMm: 6_500 }), lineItem(20)],
        [
          { field: 'customer', from: 'Bridge & Beam', to: null },
          { field: 'lineItems/10/lengthMm', from: 6_000, to: 6_500 },
          { field: 'lineItems/20', from: null, to: lineItem(20) },
        ],
        { customer: null },
      ),
    ))

it('records no correction that changes nothing', () =>
  given(order, orderRegistered(lineItem(10), lineItem(20)))
    .when(correct(orderContent({ lineItems: lines(lineItem(20), lineItem(10)) })))
    .recordsNothing())

it('never drops a line item, even one that a correction added', () => {
  const onlyTen = correct(orderContent({ lineItems: lines(lineItem(10)) }))
  given(order, orderRegistered(lineItem(10), lineItem(20)))
    .when(onlyTen)
    .refuses('line-item-in-use', { lineNumbers: [20] })
  given(order, orderRegistered(lineItem(10)), corrected([lineItem(10), lineItem(20)], []))
    .when(onlyTen)
    .refuses('line-item-in-use', { lineNumbers: [20] })
})

it('folds to its current content, from the fields that it knows', () => {
  const known = orderRegistered(lineItem(10))
  const line = { ...lineItem(10), colour: 'red' }
  const richer = { type: 'OrderRegistered', data: { ...known.data, priority: 1, lineItems: [line] } }
  const { state } = given(
    order,
    richer as unknown as OrderEvent,
    corrected([lineItem(10), lineItem(20)], [{ field: 'lineItems/20', from: null, to: lineItem(20) }]),
  )
  const facts = { ...orderIdentity, ...head, lineItems: [lineItem(10), lineItem(20)] }
  expect(state).toStrictEqual({
    facts,
    registered: { ...orderIdentity, ...head, lineItems: [lineItem(10)] },
    registeredAt: timeOf(0),
    registeredBy: 'alice',
    updatedAt: timeOf(1),
    updatedBy: 'alice',
    recordedBy: ImmutableMap({ alice: facts }),
    revision: 1,
    assignments: { manual: [], manualRevision: 0, byRules: {} },
  })
  expect(given(order, corrected([lineItem(10)], [])).state).toBeUndefined()
})
