import { describe, expect, it } from 'vitest'
import { orders } from '../../src/projections/orders.ts'
import { lineItem, lineItemIds, orderContent, orderIdentity, orderRegistered } from '../domain/facts.ts'
import {
  accepted,
  barCancelled,
  barCompleted,
  barReverted,
  barStarted,
  barsPlanned,
  cut,
  cutScrapped,
  cutStatusChanged,
} from '../domain/productionFacts.ts'
import { bob, id, rowsOf, timeOf } from '../support/given.ts'

const { lineItems: _, ...head } = orderContent()
const { companyId, orderId } = orderIdentity
const orderRow = {
  ...{ ...orderIdentity, orderKey: 'SO-1001', ...head },
  ...{ registeredAt: timeOf(0), updatedAt: timeOf(0), updatedBy: 'alice', revision: 0 },
}
const line = (...item: Parameters<typeof lineItem>) => ({ companyId, orderId, ...lineItem(...item) })
const statusRow = (status: string, lineItems: number) => ({
  ...{ companyId, orderId, orderKey: 'SO-1001' },
  ...{ status, lineItems },
})

it('shows an order and its line items', () =>
  expect(rowsOf(orders, orderRegistered(lineItem(10), lineItem(20)))).toStrictEqual({
    order: [orderRow],
    lineItem: [line(10), line(20)],
    lineItemProgress: [],
    orderStatus: [statusRow('Open', 2)],
    orderTag: [],
    orderWord: ['SO', '1001', 'BRIDGE', '&', 'BEAM'].map((word) => ({
      ...{ companyId, orderId, word },
      orderKey: 'SO-1001',
    })),
  }))

it('shows a correction with its time and author, and the line items that it added', () => {
  const longer = lineItem(10, { lengthMm: 6_500.5, description: 'Girder' })
  const corrected = {
    type: 'OrderCorrected',
    data: { ...orderIdentity, ...head, customer: null, lineItems: [longer, lineItem(20)], changes: [] },
    metadata: { actor: bob },
  }
  expect(rowsOf(orders, orderRegistered(lineItem(10)), corrected)).toMatchObject({
    order: [{ ...orderRow, customer: null, updatedAt: timeOf(1), updatedBy: 'bob', revision: 1 }],
    lineItem: [{ ...line(10), ...longer }, line(20)],
    orderStatus: [statusRow('Open', 2)],
  })
})

it('finds a corrected order by the words of its new customer', () => {
  const corrected = {
    type: 'OrderCorrected',
    data: {
      ...{ ...orderIdentity, ...head, customer: 'Beam 1001', lineItems: [] },
      changes: [{ field: 'customer', from: head.customer, to: 'Beam 1001' }],
    },
  }
  const { orderWord } = rowsOf(orders, orderRegistered(), corrected)
  expect(new Set(orderWord!.map(({ orderKey }) => orderKey))).toStrictEqual(new Set(['SO-1001']))
  expect(orderWord!.map(({ word }) => word).sort()).toStrictEqual(['1001', 'BEAM', 'SO'])
})

it('has a row for each tag of an order, which leads to it in the order of the list', () => {
  const subject = { companyId, family: 'order', subjectId: orderId, subjectLabel: 'SO-1001' }
  const replaced = (gained: string[], lost: string[]) => ({
    type: 'ManualAssignmentsReplaced',
    data: { ...subject, assignments: [], added: [], removed: [], usage: { gained, lost } },
  })
  const events = [orderRegistered(), replaced([id(101), id(102)], []), replaced([id(103)], [id(101)])]
  const rows = rowsOf(orders, ...events)
  expect(rows.orderTag).toStrictEqual(
    [id(102), id(103)].map((tagId) => ({ companyId, orderId, tagId, orderKey: 'SO-1001' })),
  )
  expect(rows.order).toStrictEqual([{ ...orderRow, updatedAt: timeOf(2) }])
})

describe('a line item', () => {
  const [first, second] = [cut(id(701)), cut(id(702), { status: 'Proposed' })]
  const planned = [orderRegistered(lineItem(10), lineItem(20)), barsPlanned([id(600)], accepted(10, 1))]
  const started = [...planned, barStarted(accepted(10, 1))]
  const itemAfter = (...events: Parameters<typeof rowsOf> extends [unknown, ...infer E] ? E : never) =>
    rowsOf(orders, ...events).lineItemProgress
  const progress = (
    counts: { accepted: number; begun: number; completed: number },
    status: string,
    changedAt: string | null,
  ) => ({ ...{ companyId, orderId, lineItemId: lineItemIds[10]! }, ...counts, status, changedAt })

  it('counts its Accepted cuts by how far their bars are', () => {
    expect(itemAfter(...planned)).toStrictEqual([
      progress({ accepted: 1, begun: 0, completed: 0 }, 'Open', null),
    ])
    expect(itemAfter(...started)).toStrictEqual([
      progress({ accepted: 1, begun: 1, completed: 0 }, 'In Progress', timeOf(2)),
    ])
    expect(itemAfter(...started, barCompleted(accepted(10, 1)))).toStrictEqual([
      progress({ accepted: 1, begun: 1, completed: 1 }, 'Completed', timeOf(3)),
    ])
  })

  it('counts a cut that becomes Accepted, or stops being Accepted, on a bar that is not started', () => {
    const more = cutStatusChanged(second, 'Accepted', 'Draft', 2_000)
    expect(itemAfter(...planned, more)).toStrictEqual([
      progress({ accepted: 2, begun: 0, completed: 0 }, 'Open', null),
    ])
    expect(itemAfter(...planned, cutStatusChanged(first, 'Rejected', 'Approved', 4_000))).toStrictEqual([
      progress({ accepted: 0, begun: 0, completed: 0 }, 'Open', null),
    ])
  })

  it('counts a cut that becomes Accepted, or stops being Accepted, on a started bar', () => {
    expect(itemAfter(...started, cutStatusChanged(second, 'Accepted', 'Started', 2_000))).toStrictEqual([
      progress({ accepted: 2, begun: 2, completed: 0 }, 'In Progress', timeOf(2)),
    ])
    expect(itemAfter(...started, cutStatusChanged(first, 'Proposed', 'Started', 2_000))).toStrictEqual([
      progress({ accepted: 0, begun: 0, completed: 0 }, 'Open', timeOf(3)),
    ])
  })

  it('is left alone by a cut that neither was nor becomes Accepted', () =>
    expect(itemAfter(...started, cutStatusChanged(second, 'Rejected', 'Started', 4_000))).toStrictEqual([
      progress({ accepted: 1, begun: 1, completed: 0 }, 'In Progress', timeOf(2)),
    ]))

  it('gives its order its status, beside those of the other line items', () => {
    const [before, after] = [rowsOf(orders, ...planned), rowsOf(orders, ...started)]
    expect(before.orderStatus).toStrictEqual([statusRow('Open', 2)])
    expect(before.order).toStrictEqual([orderRow])
    expect(after.orderStatus).toStrictEqual([statusRow('Open', 1), statusRow('In Progress', 1)])
    expect(after.order).toStrictEqual([{ ...orderRow, updatedAt: timeOf(2) }])
  })

  const completed = [...started, barCompleted(accepted(10, 1))]
  it.each([
    ['BarsPlanned', completed, barsPlanned([id(601)], accepted(10, 1)), [2, 1, 1], 'In Progress'],
    [
      'BarReverted to Started',
      completed,
      barReverted('Completed', 'Started', accepted(10, 1)),
      [1, 1, 0],
      'In Progress',
    ],
    [
      'BarReverted to Approved',
      completed,
      barReverted('Completed', 'Approved', accepted(10, 1)),
      [1, 0, 0],
      'Open',
    ],
    [
      'BarReverted from Started',
      started,
      barReverted('Started', 'Draft', accepted(10, 1)),
      [1, 0, 0],
      'Open',
    ],
    [
      'BarCancelled',
      [...completed, barsPlanned([id(601)], accepted(10, 1))],
      barCancelled('Draft', accepted(10, 1)),
      [1, 1, 1],
      'Completed',
    ],
    ['CutScrapped on a Started bar', started, cutScrapped(first, 'Started'), [0, 0, 0], 'Open'],
    ['CutScrapped on a Completed bar', completed, cutScrapped(first, 'Completed'), [0, 0, 0], 'Open'],
    ['CutStatusChanged', started, cutStatusChanged(first, 'Rejected', 'Started', 4_000), [0, 0, 0], 'Open'],
    ['BarCompleted', started, barCompleted(accepted(10, 1)), [1, 1, 1], 'Completed'],
  ] as const)('is rolled up after %s, and its order with it', (_, given, event, counts, status) => {
    const at = timeOf(given.length)
    const [accepted, begun, completed] = counts
    const rows = rowsOf(orders, ...given, event)
    expect(rows.lineItemProgress).toStrictEqual([progress({ accepted, begun, completed }, status, at)])
    const others = status === 'Open' ? [statusRow('Open', 2)] : [statusRow('Open', 1), statusRow(status, 1)]
    expect(rows.orderStatus).toStrictEqual(others)
    expect(rows.order).toStrictEqual([{ ...orderRow, updatedAt: at }])
  })
})
