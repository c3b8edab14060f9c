import type { AcceptedCuts } from '../../domain/bars/barContent.ts'
import type { BarReverted, BarStatus, ProductionPlanBarEvent } from '../../domain/bars/barEvents.ts'
import type { BarsPlanned } from '../../domain/bars/plan.ts'
import type { Recorded } from '../../domain/kernel/event.ts'
import { pick } from '../../domain/kernel/fields.ts'
import { normalise } from '../../domain/kernel/spellings.ts'
import { latest } from '../../domain/kernel/times.ts'
import { type CutCounts, type LineItemStatus, lineItemStatus } from '../../domain/orders/lineItemStatus.ts'
import type { OrderCorrected, OrderEvent, OrderRegistered } from '../../domain/orders/order.ts'
import { lineItemFields, orderHeadFields, orderNumbers } from '../../domain/orders/orderContent.ts'
import { tagsChanged } from '../../domain/tags/assignments.ts'
import type { AssignmentEvent } from '../../domain/tags/subject.ts'
import { defineProjection, type Key, type Rows } from '../engine/projection.ts'
import { storedWords } from '../engine/wordFilter.ts'
import { changeTagIds } from '../tags/subjectTags.ts'
import { countColumns, tables } from './orderTables.ts'

/** Orders and their line items as they stand, with how far the production of each line item is. */

type Data = OrderRegistered['data']
type OrderRows = Rows<typeof tables>

const tagged = {
  touches({ data }: AssignmentEvent) {
    const { companyId, subjectId: orderId } = data
    if (data.family !== 'order' || !tagsChanged({ data })) return {}
    return { order: [[companyId, orderId]] }
  },
  apply(rows: OrderRows, { data, metadata }: Recorded<AssignmentEvent>) {
    const { companyId, subjectId: orderId } = data
    if (data.family !== 'order' || !tagsChanged({ data })) return
    rows.order.update([companyId, orderId], ({ tagIds, updatedAt }) => ({
      tagIds: changeTagIds(tagIds, data.usage),
      updatedAt: latest(updatedAt, metadata.occurredAt),
    }))
  },
}

export const orders = defineProjection<OrderEvent | BarsPlanned | ProductionPlanBarEvent>()({
  name: 'orders',
  version: 1,
  tables,
  handlers: {
    OrderRegistered: {
      touches: ({ data }) => touches(data),
      apply: (rows, event) => {
        const { data, metadata } = event
        rows.order.put({
          companyId: data.companyId,
          orderId: data.orderId,
          ...pick(orderNumbers, data),
          orderKey: normalise(data.orderNumber),
          ...pick(orderHeadFields, data),
          registeredAt: metadata.occurredAt,
          updatedAt: metadata.occurredAt,
          ...rowOf(event),
          openItems: 0,
          begunItems: 0,
          completedItems: 0,
          tagIds: '',
        })
        putLineItems(rows, data)
      },
    },
    OrderCorrected: {
      touches: ({ data }) => touches(data),
      apply: (rows, event) => {
        const { data, metadata } = event
        rows.order.update([data.companyId, data.orderId], ({ updatedAt }) => ({
          ...pick(orderHeadFields, data),
          updatedAt: latest(updatedAt, metadata.occurredAt),
          ...rowOf(event),
        }))
        putLineItems(rows, data)
      },
    },
    ManualAssignmentsReplaced: tagged,
    RuleAssignmentsReplaced: tagged,
    BarsPlanned: countAccepted(({ accepted }) => ({ accepted })),
    BarStarted: countAccepted(({ accepted }) => ({ begun: accepted })),
    BarCompleted: countAccepted(({ accepted }) => ({ completed: accepted })),
    BarReverted: countAccepted<BarReverted['data']>(({ accepted }, { from, to }) => ({
      begun: isBegun(from) && !isBegun(to) ? -accepted : 0,
      completed: from === 'Completed' ? -accepted : 0,
    })),
    BarCancelled: countAccepted(({ accepted }) => ({ accepted: -accepted })),
    CutScrapped: {
      touches: ({ data }) => touchesProgress(data.companyId, [data]),
      apply: (rows, event) =>
        count(rows, event, event.data, {
          accepted: -1,
          begun: -1,
          completed: event.data.barStatus === 'Completed' ? -1 : 0,
        }),
    },
    CutStatusChanged: {
      touches: ({ data }) => touchesProgress(data.companyId, [data]),
      apply: (rows, event) => {
        const { barStatus, from, to } = event.data
        const accepted = Number(to === 'Accepted') - Number(from === 'Accepted')
        if (accepted !== 0)
          count(rows, event, event.data, { accepted, begun: isBegun(barStatus) ? accepted : 0 })
      },
    },
  },
})

function touches({ companyId, orderId, lineItems }: Data) {
  return {
    order: [[companyId, orderId]],
    lineItem: lineItems.map(({ lineItemId }) => [companyId, orderId, lineItemId]),
  }
}

function rowOf({ data, metadata, revision }: Recorded<OrderRegistered | OrderCorrected>) {
  const words = storedWords(data.companyId, data.orderNumber, data.customer)
  return { updatedBy: metadata.actor.id, words, revision }
}

/** A line item that is new is Open, because no bar was planned for it yet. */
function putLineItems(rows: OrderRows, { companyId, orderId, lineItems }: Data): void {
  const repeated = lineItems.filter((item) => rows.lineItem.get([companyId, orderId, item.lineItemId]))
  for (const item of lineItems)
    rows.lineItem.put({
      companyId,
      orderId,
      lineItemId: item.lineItemId,
      ...pick(lineItemFields, item),
      pieceMarkKey: item.pieceMark === null ? null : normalise(item.pieceMark),
    })
  countStatus(rows, { companyId, orderId }, 'Open', lineItems.length - repeated.length)
}

type Named = { readonly orderId: string; readonly lineItemId: string }

function isBegun(status: BarStatus): boolean {
  return status === 'Started' || status === 'Completed'
}

interface OnLineItems<Data = object> {
  readonly data: Data & { readonly companyId: string; readonly lineItems: readonly AcceptedCuts[] }
  readonly metadata: { readonly occurredAt: string }
}

const none = { accepted: 0, begun: 0, completed: 0, status: 'Open', changedAt: null } as const

/** The handler of an event on a bar that changes the counts of line items. */
function countAccepted<Data>(added: (item: AcceptedCuts, data: Data) => Partial<CutCounts>) {
  return {
    touches: ({ data }: OnLineItems) => touchesProgress(data.companyId, data.lineItems),
    apply(rows: OrderRows, event: OnLineItems<Data>) {
      for (const item of event.data.lineItems) count(rows, event, item, added(item, event.data))
    },
  }
}

function touchesProgress(companyId: string, lineItems: readonly Named[]) {
  const keys = lineItems.map(({ orderId, lineItemId }): Key => [companyId, orderId, lineItemId])
  const orderIds = [...new Set(lineItems.map(({ orderId }) => orderId))]
  return {
    lineItem: keys,
    lineItemProgress: keys,
    order: orderIds.map((orderId) => [companyId, orderId]),
  }
}

/** Counters are sums, so events of different bars may come in any order. */
function count(
  rows: OrderRows,
  {
    data: { companyId },
    metadata: { occurredAt },
  }: Omit<OnLineItems, 'data'> & { data: { companyId: string } },
  { orderId, lineItemId }: Named,
  added: Partial<CutCounts>,
): void {
  const key = [companyId, orderId, lineItemId]
  const before = rows.lineItemProgress.get(key) ?? none
  const counts = {
    accepted: before.accepted + (added.accepted ?? 0),
    begun: before.begun + (added.begun ?? 0),
    completed: before.completed + (added.completed ?? 0),
  }
  const status = lineItemStatus(counts)
  const isChanged = status !== before.status
  const changedAt = isChanged ? occurredAt : before.changedAt
  rows.lineItemProgress.put({ companyId, orderId, lineItemId, ...counts, status, changedAt })
  const order = rows.order.get([companyId, orderId])
  if (!isChanged || !order || !rows.lineItem.get(key)) return
  countStatus(rows, order, before.status, -1)
  countStatus(rows, order, status, 1)
  noteChange(rows, order, occurredAt)
}

function countStatus(
  rows: OrderRows,
  { companyId, orderId }: { companyId: string; orderId: string },
  status: LineItemStatus,
  added: number,
): void {
  const column = countColumns[status]
  rows.order.update([companyId, orderId], (order) => ({ [column]: order[column] + added }))
}

function noteChange(
  rows: OrderRows,
  { companyId, orderId }: Pick<Data, 'companyId' | 'orderId'>,
  at: string,
): void {
  rows.order.update([companyId, orderId], ({ updatedAt }) => ({ updatedAt: latest(updatedAt, at) }))
}
