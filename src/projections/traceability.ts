import type { LineItemStatus } from '../domain/lineItemStatus.ts'
import type { BarStatus } from '../domain/productionPlanBar.ts'
import { certificates } from './certificates.ts'
import { lineItemFields, lineItemsOf } from './orderQueries.ts'
import { orders } from './orders.ts'
import { production } from './production.ts'
import { inPlanOrder, isPlanned } from './productionQueries.ts'
import { jsonList, type ListQuery, singleQuery } from './reading/listQuery.ts'
import type { Reading } from './reading/reader.ts'
import { shownTags } from './tags.ts'

/** From a line item to the heats that it is cut from, and from a heat to the orders that it went into. */

/** SQL: the cut `c` is for the line item `l`. */
const itsOwn = 'c.company_id = l.company_id AND c.order_id = l.order_id AND c.line_item_id = l.line_item_id'

const cutOnBar = {
  cutId: 'c.cut_id',
  pieceMark: 'c.piece_mark',
  barId: 'c.bar_id',
  planId: 'b.plan_id',
  barStatus: 'b.status',
}
const lengthMm = 'c.length_mm'
const byBar = [...inPlanOrder, 'c.ordinal'].join(', ')

/** A line item with every cut for it, whatever its status; `revision` is the order's. */
export function findLineItem(
  reading: Reading,
  { companyId, orderId, lineItemId }: { companyId: string; orderId: string; lineItemId: string },
): ListQuery {
  return singleQuery({
    select: { ...lineItemFields, cuts: 'explained.cuts', revision: 'o.revision' },
    from: `${reading.table(orders, 'order')} o
      JOIN ${lineItemsOf(reading)} ON l.company_id = o.company_id AND l.order_id = o.order_id
      LEFT JOIN LATERAL (
        SELECT ${jsonList({ ...cutOnBar, cutStatus: 'c.status', lengthMm }, byBar)} AS cuts
        FROM ${cutsOnBars(reading)} WHERE ${itsOwn}
      ) explained ON true`,
    where: 'o.company_id = $1 AND o.order_id = $2 AND l.line_item_id = $3',
    values: [companyId, orderId, lineItemId],
  })
}

/** An Accepted cut, with the certificate that its bar has. */
export interface TracedCut {
  readonly cutId: string
  readonly pieceMark: string | null
  readonly barId: string
  readonly planId: string
  readonly barStatus: BarStatus
  readonly lengthMm: number
  readonly millCertificationId: string | null
  readonly certificateNumber: string | null
  readonly heatNumber: string | null
  readonly tags: readonly object[]
}

export interface TracedLineItem {
  readonly lineItemId: string
  readonly lineNumber: number
  readonly quantity: number
  readonly cancelled: boolean
  readonly status: LineItemStatus
  readonly cuts: readonly TracedCut[]
}

/** An order as `findTraced` answers it. */
export interface TracedOrder {
  readonly orderId: string
  readonly orderNumber: string
  readonly blocked: boolean
  readonly lineItems: readonly TracedLineItem[]
}

/** An order with the Accepted cuts of its line items and their certificates. */
export function findTraced(reading: Reading, companyId: string, orderId: string): ListQuery {
  const { lineItemId, lineNumber, quantity, cancelled, status } = lineItemFields
  const item = { lineItemId, lineNumber, quantity, cancelled, status, cuts: 'traced.cuts' }
  return singleQuery({
    select: {
      orderId: 'o.order_id',
      orderNumber: 'o.order_number',
      blocked: 'shown.blocked',
      lineItems: 'items.line_items',
    },
    from: `${reading.table(orders, 'order')} o ${shownTags(reading, 'order', 'o', 'order_id')}
      LEFT JOIN LATERAL (
        SELECT ${jsonList(item, 'l.line_number')} AS line_items
        FROM ${lineItemsOf(reading)} LEFT JOIN LATERAL (${tracedCuts(reading)}) traced ON true
        WHERE l.company_id = o.company_id AND l.order_id = o.order_id
      ) items ON true`,
    where: 'o.company_id = $1 AND o.order_id = $2',
    values: [companyId, orderId],
  })
}

/**
 * The reasons, in words, why a line item cannot be handed over with all its papers yet. A cancelled one is never handed
 * over, so nothing is missing.
 */
export function missingOf({
  quantity,
  cancelled,
  cuts,
}: Pick<TracedLineItem, 'quantity' | 'cancelled' | 'cuts'>): string[] {
  if (cancelled) return []
  const lacking = quantity - cuts.length
  const unfinished = cuts.filter(({ barStatus }) => barStatus !== 'Completed')
  const undocumented = new Set(
    cuts.filter(({ millCertificationId }) => millCertificationId === null).map(({ barId }) => barId),
  )
  return [
    ...(lacking > 0 ? [`Only ${cuts.length} of ${quantity} pieces have an Accepted cut.`] : []),
    ...unfinished.map(
      ({ cutId, barId, barStatus }) =>
        `Cut ${cutId} is on bar ${barId}, which is ${barStatus}, not Completed.`,
    ),
    ...[...undocumented].map((barId) => `Bar ${barId} has no mill certificate.`),
  ]
}

/** An order as it is audited: complete when none of its line items lacks anything. */
export function traceability({ orderId, orderNumber, blocked, lineItems }: TracedOrder) {
  const traced = lineItems.map(({ quantity, ...item }) => ({
    ...item,
    missing: missingOf({ quantity, cancelled: item.cancelled, cuts: item.cuts }),
  }))
  const complete = traced.every(({ missing }) => missing.length === 0)
  return { orderId, orderNumber, blocked, complete, lineItems: traced }
}

/** For a recall: the bars of a certificate, and what they are cut for. */
export function findUsage(reading: Reading, companyId: string, millCertificationId: string): ListQuery {
  const bar = { barId: 'b.bar_id', planId: 'b.plan_id', status: 'b.status', orders: 'served.orders' }
  return singleQuery({
    select: {
      millCertificationId: 'm.mill_certification_id',
      certificateNumber: 'm.certificate_number',
      heatNumber: 'm.heat_number',
      bars: 'used.bars',
    },
    from: `${reading.table(certificates, 'certificate')} m
      LEFT JOIN LATERAL (
        SELECT ${jsonList(bar, inPlanOrder.join(', '))} AS bars
        FROM ${reading.table(production, 'bar')} b LEFT JOIN LATERAL (${ordersOfBar(reading)}) served ON true
        WHERE b.company_id = m.company_id AND b.mill_certification_id = m.mill_certification_id AND ${isPlanned}
      ) used ON true`,
    where: 'm.company_id = $1 AND m.mill_certification_id = $2',
    values: [companyId, millCertificationId],
  })
}

/** Cuts `c` with their bars `b`: those that somebody can see. */
function cutsOnBars(reading: Reading): string {
  return `${reading.table(production, 'cut')} c
   JOIN ${reading.table(production, 'bar')} b ON b.company_id = c.company_id AND b.bar_id = c.bar_id AND ${isPlanned}`
}

function tracedCuts(reading: Reading): string {
  const certificate = {
    millCertificationId: 'b.mill_certification_id',
    certificateNumber: 'm.certificate_number',
    heatNumber: 'm.heat_number',
    tags: 'shown.tags',
  }
  return `SELECT ${jsonList({ ...cutOnBar, lengthMm, ...certificate }, byBar)} AS cuts
    FROM ${cutsOnBars(reading)}
    LEFT JOIN ${reading.table(certificates, 'certificate')} m
      ON m.company_id = b.company_id AND m.mill_certification_id = b.mill_certification_id
    ${shownTags(reading, 'millCert', 'b', 'mill_certification_id')}
    WHERE ${itsOwn} AND c.status = 'Accepted'`
}

/** The orders that have cuts on the bar `b`; a Rejected cut is for none. */
function ordersOfBar(reading: Reading): string {
  const order = { orderId: 'o.order_id', orderNumber: 'o.order_number', lineItemIds: 'theirs.line_item_ids' }
  return `SELECT ${jsonList(order, 'o.order_key, o.order_id')} AS orders
    FROM (
      SELECT l.company_id, l.order_id, json_agg(l.line_item_id ORDER BY l.line_number) AS line_item_ids
      FROM ${reading.table(orders, 'lineItem')} l
      WHERE (l.company_id, l.order_id, l.line_item_id) IN (
        SELECT c.company_id, c.order_id, c.line_item_id FROM ${reading.table(production, 'cut')} c
        WHERE c.company_id = b.company_id AND c.bar_id = b.bar_id AND c.status <> 'Rejected')
      GROUP BY l.company_id, l.order_id
    ) theirs
    JOIN ${reading.table(orders, 'order')} o USING (company_id, order_id)`
}
