import type { TracedLineItem, TraceFacts } from '../../domain/orders/orderTrace.ts'
import { leastLengthMm } from '../../domain/verdict/piecesOfLine.ts'
import { factsOfBars } from '../bars/judgedBars.ts'
import { production } from '../bars/production.ts'
import {
  inPlanOrder,
  isLive,
  isPiece,
  isPlanned,
  pieceState,
  pieceStates,
} from '../bars/productionQueries.ts'
import { certificates } from '../certificates/certificates.ts'
import { releasePolicies } from '../company/releasePolicies.ts'
import { jsonList, type ListQuery, singleQuery } from '../engine/reading/listQuery.ts'
import type { Reading } from '../engine/reading/reader.ts'
import { pairRulesOf } from '../rulePacks/rulePacks.ts'
import { joinTags } from '../tags/tagAssignments.ts'
import { lineItemFields, lineItemsOf } from './orderQueries.ts'
import { orders } from './orders.ts'

/** From a line item to the bars that it is cut from, and from a heat to the orders that it went into. */

/** SQL: the cut `c` is for the line item `l`. */
const itsOwn = 'c.company_id = l.company_id AND c.order_id = l.order_id AND c.line_item_id = l.line_item_id'

const cutOnBar = {
  cutId: 'c.cut_id',
  pieceMark: 'c.piece_mark',
  barId: 'c.bar_id',
  planId: 'b.plan_id',
  barStatus: 'b.status',
}
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
        SELECT ${jsonList({ ...cutOnBar, cutStatus: 'c.status', lengthMm: 'c.length_mm' }, byBar)} AS cuts
        FROM ${cutsOnBars(reading)} WHERE ${itsOwn}
      ) explained ON true`,
    where: 'o.company_id = $1 AND o.order_id = $2 AND l.line_item_id = $3',
    values: [companyId, orderId, lineItemId],
  })
}

/** Find an order with its Accepted cuts, and every fact that their bars are judged from. */
export function findTrace(
  reading: Reading,
  { companyId, orderId, pieceMark }: { companyId: string; orderId: string; pieceMark: string | null },
): ListQuery {
  const { lineItemId, lineNumber, lengthMm, quantity, cancelled, status } = lineItemFields
  const line = {
    lineItemId,
    lineNumber,
    lengthMm,
    quantity,
    cancelled,
    status,
    pieces: 'counted.pieces',
  } satisfies Record<keyof TracedLineItem, string>
  return singleQuery({
    select: {
      orderId: 'asked.order_id',
      orderNumber: 'asked.order_number',
      blocked: 'shown.blocked',
      pieceMark: '$3::text',
      lineItems: 'items.line_items',
      bars: 'facts.bars',
      cuts: 'facts.cuts',
      certificates: 'facts.certificates',
      orders: 'facts.orders',
      policy: 'p.policy',
      pairRules: pairRulesOf(reading, '$1'),
    } satisfies Record<keyof TraceFacts, string>,
    from: `${reading.table(orders, 'order')} asked
      ${joinTags(reading, 'order', 'asked', 'order_id')}
      LEFT JOIN LATERAL (
        SELECT ${jsonList(line, 'l.line_number')} AS line_items
        FROM ${lineItemsOf(reading)}
        LEFT JOIN (${pieceCounts(reading, '$1', '$2')}) counted ON counted.line_item_id = l.line_item_id
        WHERE l.company_id = asked.company_id AND l.order_id = asked.order_id
      ) items ON true
      LEFT JOIN LATERAL (${factsOfBars(reading, 'asked.company_id', isForOrderSql(reading))}) facts ON true
      LEFT JOIN ${reading.table(releasePolicies, 'releasePolicy')} p ON p.company_id = asked.company_id`,
    where: 'asked.company_id = $1 AND asked.order_id = $2',
    values: [companyId, orderId, pieceMark],
  })
}

/** SQL: how many pieces of each line item of an order are in each state, and how many are too short for it. */
function pieceCounts(reading: Reading, company: string, order: string): string {
  const isTooShort = `c.status <> 'Scrapped' AND l.length_mm - c.length_mm > ${leastLengthMm}`
  const counts = [
    `'tooShort', count(*) FILTER (WHERE ${isTooShort})`,
    ...pieceStates.map(
      (state) => `'${state}', count(*) FILTER (WHERE NOT (${isTooShort}) AND ${pieceState} = '${state}')`,
    ),
  ]
  return `SELECT c.line_item_id, json_build_object(${counts.join(', ')}) AS pieces
    FROM ${cutsOnBars(reading)} JOIN ${reading.table(orders, 'lineItem')} l ON ${itsOwn}
    WHERE c.company_id = ${company} AND c.order_id = ${order} AND ${isPiece} AND ${isLive}
    GROUP BY c.line_item_id`
}

/** SQL: the bar `b` has an Accepted cut for the order `asked`. */
function isForOrderSql(reading: Reading): string {
  return `${isLive} AND b.bar_id IN (
    SELECT c.bar_id FROM ${reading.table(production, 'cut')} c
    WHERE c.company_id = asked.company_id AND c.order_id = asked.order_id AND c.status = 'Accepted')`
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
          AND ${isLive}
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
