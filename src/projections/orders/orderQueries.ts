import { type LineItemStatus, lineItemStatuses } from '../../domain/orders/lineItemStatus.ts'
import { production } from '../bars/production.ts'
import { isHeld } from '../bars/productionQueries.ts'
import type { FilterableList } from '../engine/reading/filteredList.ts'
import type { Filter } from '../engine/reading/filters.ts'
import { columnsOf, jsonList, type ListQuery } from '../engine/reading/listQuery.ts'
import type { Reading } from '../engine/reading/reader.ts'
import { snakeCase } from '../engine/schema/sql.ts'
import { wordFilter } from '../engine/wordFilter.ts'
import { latestUpdate, tagFilters } from '../tags/subjectTags.ts'
import { joinTags } from '../tags/tagAssignments.ts'
import { orders } from './orders.ts'
import { countColumns, orderColumnFilters, orderOrder } from './orderTables.ts'

/** Queries of the orders. */

const fields = {
  ...columnsOf(orders.tables.order, 'o', [
    'orderKey',
    'openItems',
    'begunItems',
    'completedItems',
    'tagIds',
    'words',
    'revision',
  ]),
  updatedAt: latestUpdate('o'),
  tags: 'shown.tags',
  blocked: '(shown.blocked OR pieces.held)',
  lineItems: 'items.line_items',
}

/** A line item as it is answered, from the rows that `lineItemsOf` joins. */
export const lineItemFields = {
  ...columnsOf(orders.tables.lineItem, 'l', ['companyId', 'orderId', 'pieceMarkKey']),
  status: "coalesce(s.status, 'Open')",
}

/** Line items `l`, joined with the progress of their production `s`, which is null until a bar is planned for them. */
export function lineItemsOf(reading: Reading): string {
  return `(${reading.table(orders, 'lineItem')} l
    LEFT JOIN ${reading.table(orders, 'lineItemProgress')} s USING (company_id, order_id, line_item_id))`
}

/** The orders of a company, with their line items and active tags. */
export const orderList: FilterableList = {
  filters: {
    ...orderColumnFilters,
    status: {
      parameter: { kind: 'oneOf', values: lineItemStatuses },
      repeatable: true,
      description: 'The status of any of its line items.',
      matches: ({ row }, values: readonly LineItemStatus[]) =>
        `(${values.map((value) => `${row}.${snakeCase(countColumns[value])} > 0`).join(' OR ')})`,
    },
    ...tagFilters('order'),
    blocked: {
      parameter: { kind: 'boolean' },
      description: 'Whether one of its tags has severity Block, or one of its pieces is held.',
      matches: async (sql, isBlocked) => {
        const tagged = await tagFilters('order').blocked.matches(sql, true)
        const either = `(${tagged} OR ${hasHeldPiece(sql.reading, sql.row)})`
        return isBlocked ? either : `NOT ${either}`
      },
    } satisfies Filter<boolean>,
    q: wordFilter('the order number or the customer'),
  },
  table: (reading) => reading.table(orders, 'order'),
  row: 'o',
  order: orderOrder,
  select: fields,
  details: (reading) => `${joinTags(reading, 'order', 'o', 'order_id')} ${lineItemsOfOrder(reading)}
    LEFT JOIN LATERAL (SELECT ${hasHeldPiece(reading, 'o')} AS held) pieces ON true`,
}

/** How far the production of a line item is. */
export interface LineItemProgress {
  readonly lineItemId: string
  readonly status: LineItemStatus
  readonly changedAt: string | null
  readonly acceptedCuts: number
}

/** The line items of an order that any bar was planned for. */
export function listLineItemProgress(reading: Reading, companyId: string, orderId: string): ListQuery {
  return {
    text: `SELECT line_item_id AS "lineItemId", status, changed_at AS "changedAt", accepted AS "acceptedCuts"
      FROM ${reading.table(orders, 'lineItemProgress')} WHERE company_id = $1 AND order_id = $2`,
    values: [companyId, orderId],
  }
}

/** SQL: a piece for the order is held. A company has few bars with a stop. */
function hasHeldPiece(reading: Reading, row: string): string {
  return `(${row}.company_id, ${row}.order_id) IN (
    SELECT c.company_id, c.order_id FROM ${reading.table(production, 'bar')} b
    JOIN ${reading.table(production, 'cut')} c ON c.company_id = b.company_id AND c.bar_id = b.bar_id
    WHERE b.company_id = $1 AND ${isHeld})`
}

function lineItemsOfOrder(reading: Reading): string {
  return `LEFT JOIN LATERAL (
     SELECT ${jsonList(lineItemFields, 'l.line_number')} AS line_items
     FROM ${lineItemsOf(reading)}
     WHERE l.company_id = o.company_id AND l.order_id = o.order_id
   ) items ON true`
}
