import { describe, expect, it } from 'vitest'
import { storedWords } from '../../../src/projections/engine/wordFilter.ts'
import { orders } from '../../../src/projections/orders/orders.ts'
import { countColumns } from '../../../src/projections/orders/orderTables.ts'
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
} from '../../domain/bars/productionFacts.ts'
import {
  lineItem,
  lineItemIds,
  orderContent,
  orderIdentity,
  orderRegistered,
} from '../../domain/verdict/facts.ts'
import { bob, id, rowsOf, timeOf } from '../../support/given.ts'
import { wordsIn } from '../words.ts'

const { lineItems: _, ...head } = orderContent()
const { companyId, orderId } = orderIdentity
const orderRow = {
  ...orderIdentity,
  orderKey: 'SO-1001',
  ...head,
  registeredAt: timeOf(0),
  updatedAt: timeOf(0),
  updatedBy: 'alice',
  revision: 0,
  openItems: 1,
  begunItems: 0,
  completedItems: 0,
  tagIds: '',
  words: storedWords(companyId, 'SO-1001', head.customer),
}
const line = (...item: Parameters<typeof lineItem>) => ({
  ...{ companyId, orderId, pieceMarkKey: null },
  ...lineItem(...item),
})

it('shows an order and its line items', () =>
  expect(rowsOf(orders, orderRegistered(lineItem(10), lineItem(20)))).toStrictEqual({
    order: [{ ...orderRow, openItems: 2 }],
    lineItem: [line(10), line(20)],
    lineItemProgress: [],
  }))

it('keeps the piece mark of a line in the form in which marks are compared', () =>
  expect(rowsOf(orders, orderRegistered(lineItem(10, { pieceMark: 'b 102' })))).toMatchObject({
    lineItem: [{ pieceMark: 'b 102', pieceMarkKey: 'B 102' }],
  }))

it('shows a correction with its time and author, and the line items that it added', () => {
  const longer = lineItem(10, { lengthMm: 6_500.5, description: 'Girder' })
  const corrected = {
    type: 'OrderCorrected',
    data: { ...orderIdentity, ...head, customer: null, lineItems: [longer, lineItem(20)], changes: [] },
    metadata: { actor: bob },
  }
  expect(rowsOf(orders, orderRegistered(lineItem(10)), corrected)).toMatchObject({
    order: [
      {
        ...orderRow,
        customer: null,
        updatedAt: timeOf(1),
        updatedBy: 'bob',
        revision: 1,
        openItems: 2,
        words: storedWords(companyId, 'SO-1001'),
      },
    ],
    lineItem: [{ ...line(10), ...longer }, line(20)],
  })
})

it('has the words of its number and its customer, and its number as one word', () => {
  const [row] = rowsOf(orders, orderRegistered()).order!
  expect(wordsIn(row!.words)).toStrictEqual(['SO', '1001', 'BRIDGE', '&', 'BEAM', 'SO1001'])
})

it('has the words of the new customer after a correction', () => {
  const corrected = {
    type: 'OrderCorrected',
    data: {
      ...orderIdentity,
      ...head,
      customer: 'Beam 1001',
      lineItems: [],
      changes: [{ field: 'customer', from: head.customer, to: 'Beam 1001' }],
    },
  }
  const [row] = rowsOf(orders, orderRegistered(), corrected).order!
  expect(wordsIn(row!.words).sort()).toStrictEqual(['1001', 'BEAM', 'BEAM1001', 'SO', 'SO1001'])
})

it('has the tags of an order, and the time of their last change', () => {
  const subject = { companyId, family: 'order', subjectId: orderId, subjectLabel: 'SO-1001' }
  const replaced = (gained: string[], lost: string[]) => ({
    type: 'ManualAssignmentsReplaced',
    data: { ...subject, assignments: [], added: [], removed: [], usage: { gained, lost } },
  })
  const events = [orderRegistered(), replaced([id(101), id(102)], []), replaced([id(103)], [id(101)])]
  expect(rowsOf(orders, ...events).order).toStrictEqual([
    { ...orderRow, tagIds: `${id(102)} ${id(103)}`, updatedAt: timeOf(2) },
  ])
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
  ) => ({ companyId, orderId, lineItemId: lineItemIds[10]!, ...counts, status, changedAt })

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
    expect(before.order).toStrictEqual([{ ...orderRow, openItems: 2 }])
    expect(after.order).toStrictEqual([{ ...orderRow, openItems: 1, begunItems: 1, updatedAt: timeOf(2) }])
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
    const items = { openItems: 1, begunItems: 0, completedItems: 0 }
    const column = countColumns[status]
    expect(rows.order).toStrictEqual([{ ...orderRow, ...items, [column]: items[column] + 1, updatedAt: at }])
  })
})
