import type { Recorded } from '../domain/event.ts'
import { pick } from '../domain/fields.ts'
import { normalise } from '../domain/identifiers.ts'
import type { OrderCorrected, OrderRegistered } from '../domain/order.ts'
import {
  type LineItemContent,
  lineItemFields as lineItemKinds,
  type OrderContent,
  orderFields,
} from '../domain/orderContent.ts'
import { production } from './production.ts'
import {
  bigint,
  boolean,
  type Column,
  defineProjection,
  double,
  integer,
  nullable,
  type Rows,
  table,
  text,
  timestamptz,
  uuid,
} from './projection.ts'
import type { FilterableList } from './reading/filteredList.ts'
import { columnIndexes, onColumn } from './reading/filters.ts'
import { columnsOf, jsonList, type ListQuery, singleQuery } from './reading/listQuery.ts'
import type { Reading } from './reading/reader.ts'
import { numberParameter } from './spelling.ts'
import { shownTags } from './tags.ts'

/** Orders and their line items as they stand. */

/** A column for each value but the line items, which are rows of their own. */
const contentColumns = {
  customer: nullable(text),
  requiredInspectionDocument: nullable(text),
  executionClass: nullable(text),
} satisfies Record<Exclude<keyof OrderContent, 'lineItems'>, Column>

const lineItemColumns = {
  lineNumber: integer,
  description: nullable(text),
  standard: nullable(text),
  grade: nullable(text),
  profile: nullable(text),
  lengthMm: double,
  quantity: integer,
  cancelled: boolean,
} satisfies Record<keyof LineItemContent, Column>

const order = ['orderKey', 'orderId'] as const

const columnFilters = {
  orderNumber: onColumn('orderKey', numberParameter, 'The order number, in any spelling.'),
  customer: onColumn('customer', { kind: 'text', most: 200 }, 'The customer as it was sent.'),
}

const tables = {
  order: table({
    columns: {
      companyId: uuid,
      orderId: uuid,
      orderNumber: text,
      /** The number as it counts for order and identity. */
      orderKey: text,
      ...contentColumns,
      registeredAt: timestamptz,
      updatedAt: timestamptz,
      updatedBy: text,
      revision: bigint,
    },
    key: ['companyId', 'orderId'],
    indexes: columnIndexes(order, columnFilters),
  }),
  lineItem: table({
    columns: {
      companyId: uuid,
      orderId: uuid,
      lineItemId: uuid,
      ...lineItemColumns,
    },
    key: ['companyId', 'orderId', 'lineItemId'],
  }),
}

type Data = OrderRegistered['data']

export const orders = defineProjection<OrderRegistered | OrderCorrected>()({
  name: 'orders',
  version: 2,
  tables,
  handlers: {
    OrderRegistered: {
      touches,
      apply: (rows, event) => {
        const { data, metadata } = event
        rows.order.put({
          companyId: data.companyId,
          orderId: data.orderId,
          orderNumber: data.orderNumber,
          orderKey: normalise(data.orderNumber),
          ...contentOf(data),
          registeredAt: metadata.occurredAt,
          ...updated(event),
        })
        putLineItems(rows, data)
      },
    },
    OrderCorrected: {
      touches,
      apply: (rows, event) => {
        const { data } = event
        rows.order.update([data.companyId, data.orderId], { ...contentOf(data), ...updated(event) })
        putLineItems(rows, data)
      },
    },
  },
})

const fields = {
  ...columnsOf(tables.order, 'o', ['orderKey', 'revision']),
  tags: 'shown.tags',
  blocked: 'shown.blocked',
  lineItems: 'items.line_items',
}

/** A line item as it is answered, from the rows that `lineItemsOf` joins. */
export const lineItemFields = {
  ...columnsOf(tables.lineItem, 'l', ['companyId', 'orderId']),
  status: "coalesce(s.status, 'Open')",
}

/** Line items `l`, each with how far the production of it is, `s`, once a bar was planned for it. */
export function lineItemsOf(reading: Reading): string {
  return `(${reading.table(orders, 'lineItem')} l
    LEFT JOIN ${reading.table(production, 'lineItemProgress')} s USING (company_id, order_id, line_item_id))`
}

/** The orders of a company, with their line items and active tags. */
export const orderList: FilterableList = {
  filters: columnFilters,
  table: (reading) => reading.table(orders, 'order'),
  row: 'o',
  order,
  select: fields,
  details: (reading) => `${shownTags(reading, 'order', 'o', 'order_id')} ${lineItemsOfOrder(reading)}`,
}

/** One order, with its `revision`. */
export function findOrder(reading: Reading, companyId: string, orderId: string): ListQuery {
  return singleQuery({
    select: { ...fields, revision: 'o.revision' },
    from: `${orderList.table(reading)} o ${orderList.details(reading)}`,
    where: 'o.company_id = $1 AND o.order_id = $2',
    values: [companyId, orderId],
  })
}

function touches({ data: { companyId, orderId, lineItems } }: { data: Data }) {
  return {
    order: [[companyId, orderId]],
    lineItem: lineItems.map(({ lineItemId }) => [companyId, orderId, lineItemId]),
  }
}

function contentOf({ lineItems: _, ...content }: Data) {
  const { lineItems: __, ...kinds } = orderFields
  return pick<Omit<OrderContent, 'lineItems'>>(kinds, content)
}

function updated({ metadata, revision }: Recorded<OrderRegistered | OrderCorrected>) {
  return { updatedAt: metadata.occurredAt, updatedBy: metadata.actor.id, revision }
}

function putLineItems(rows: Rows<typeof tables>, { companyId, orderId, lineItems }: Data): void {
  for (const item of lineItems)
    rows.lineItem.put({
      companyId,
      orderId,
      lineItemId: item.lineItemId,
      ...pick<LineItemContent>(lineItemKinds, item),
    })
}

function lineItemsOfOrder(reading: Reading): string {
  return `LEFT JOIN LATERAL (
     SELECT ${jsonList(lineItemFields, 'l.line_number')} AS line_items
     FROM ${lineItemsOf(reading)}
     WHERE l.company_id = o.company_id AND l.order_id = o.order_id
   ) items ON true`
}
