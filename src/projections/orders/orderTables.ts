import type { LineItemStatus } from '../../domain/orders/lineItemStatus.ts'
import { lineItemFields, orderHeadFields, orderNumbers } from '../../domain/orders/orderContent.ts'
import { bigint, integer, nullable, table, text, textOf, timestamptz, uuid } from '../engine/projection.ts'
import { columnIndexes, type Filter, onColumn } from '../engine/reading/filters.ts'
import { fieldColumns } from '../engine/schema/fieldColumns.ts'
import { columnNames, snakeCase } from '../engine/schema/sql.ts'
import { numberParameter } from '../engine/spelling.ts'
import { wordIndex } from '../engine/wordFilter.ts'
import { tagIndex } from '../tags/subjectTags.ts'

/** The tables of orders and their line items, with the order and the filters of their list. */

export const orderOrder = ['orderKey', 'orderId'] as const

/** The column of an order that counts its line items of a status. */
export const countColumns = {
  Open: 'openItems',
  'In Progress': 'begunItems',
  Completed: 'completedItems',
} as const satisfies Record<LineItemStatus, string>

export const orderColumnFilters = {
  orderNumber: onColumn('orderKey', numberParameter, 'The order number, in any spelling.'),
  customer: onColumn('customer', { kind: 'text', most: 200 }, 'The customer as it was sent.'),
  dueBy: {
    parameter: { kind: 'date' },
    description: 'Orders that are due on this day or before.',
    column: 'dueDate' as const,
    matches: ({ row, bind }, day) => `${row}.due_date <= ${bind(day)}::date`,
  } satisfies Filter<string>,
}

export const tables = {
  order: table({
    columns: {
      companyId: uuid,
      orderId: uuid,
      ...fieldColumns(orderNumbers),
      /** The number as it counts for order and identity. */
      orderKey: text,
      ...fieldColumns(orderHeadFields),
      registeredAt: timestamptz,
      /** The last change of the order, of the tags that it has, or of the status of a line item. */
      updatedAt: timestamptz,
      updatedBy: text,
      openItems: integer,
      begunItems: integer,
      completedItems: integer,
      tagIds: text,
      words: text,
      revision: bigint,
    },
    key: ['companyId', 'orderId'],
    indexes: [
      ...columnIndexes(orderOrder, orderColumnFilters),
      ...Object.values(countColumns).map(
        (column) => `(${columnNames(['companyId', ...orderOrder])}) WHERE ${snakeCase(column)} > 0`,
      ),
      tagIndex,
      wordIndex,
    ],
    versioned: true,
  }),
  lineItem: table({
    columns: {
      companyId: uuid,
      orderId: uuid,
      lineItemId: uuid,
      ...fieldColumns(lineItemFields),
      /** The form in which piece marks are compared. */
      pieceMarkKey: nullable(text),
    },
    key: ['companyId', 'orderId', 'lineItemId'],
    indexes: [['companyId', 'pieceMarkKey']],
    versioned: true,
  }),
  /** A line item that any bar was planned for: its Accepted cuts counted across every plan and bar. */
  lineItemProgress: table({
    columns: {
      companyId: uuid,
      orderId: uuid,
      lineItemId: uuid,
      accepted: integer,
      /** The accepted cuts on Started or Completed bars. */
      begun: integer,
      /** The accepted cuts on Completed bars. */
      completed: integer,
      status: textOf<LineItemStatus>(),
      /** When the status changed last; null if it never did. */
      changedAt: nullable(timestamptz),
    },
    key: ['companyId', 'orderId', 'lineItemId'],
    versioned: true,
  }),
}
