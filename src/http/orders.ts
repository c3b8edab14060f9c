import { z } from 'zod'
import { correctOrder, type DecidedOrder, registerOrder } from '../commands/orders.ts'
import type { LineItemStatus } from '../domain/lineItemStatus.ts'
import type { OrderContent } from '../domain/orderContent.ts'
import { type Fault, notFound } from '../domain/refusal.ts'
import { findOrder, listOrders, orders } from '../projections/orders.ts'
import { production } from '../projections/production.ts'
import { listLineItemStatuses } from '../projections/productionQueries.ts'
import type { Reader } from '../projections/reading/reader.ts'
import { tags } from '../projections/tags.ts'
import { list } from './kit/lists/listRoute.ts'
import { bulk } from './kit/routing/bulkRoute.ts'
import { command } from './kit/routing/commandRoute.ts'
import { record } from './kit/routing/readRoute.ts'
import type { Route } from './kit/routing/route.ts'
import { inspectionDocument, number, oneOf, orNull, shownTag, text, uuid } from './kit/schemas/fields.ts'
import { lineItem, lineItemContent } from './kit/schemas/lineItem.ts'

/** Orders and their line items: registered, corrected, listed. */

const executionClass = oneOf(['EXC1', 'EXC2', 'EXC3', 'EXC4'])

const maxLineItems = 500

const lineItems = z
  .array(z.strictObject(lineItemContent))
  .min(1, 'must have at least 1 member')
  .max(maxLineItems, `must have at most ${maxLineItems} members`)
  .meta({ description: 'Line numbers are unique.' })

/** Find repeated line numbers, also in items with other faults, unless there are too many items. */
function repeatedLineNumbers(body: unknown): Fault[] {
  const items = (body as { lineItems?: unknown } | null)?.lineItems
  if (!Array.isArray(items) || items.length > maxLineItems) return []
  const seen = new Set<number>()
  return items.flatMap((item, index) => {
    const number: unknown = item?.lineNumber
    if (typeof number !== 'number') return []
    const again = seen.has(number)
    seen.add(number)
    return again ? [{ path: `/lineItems/${index}/lineNumber`, message: 'must be unique' }] : []
  })
}

/** Each field of an order in a request body. */
const content = {
  customer: orNull(text(1, 200)),
  requiredInspectionDocument: orNull(inspectionDocument).meta({
    description: 'The inspection document type of EN 10204.',
  }),
  executionClass: orNull(executionClass).meta({ description: 'The execution class of EN 1090-2.' }),
  lineItems,
} satisfies Record<keyof OrderContent, z.ZodType>

const registration = z.strictObject({ orderNumber: number, ...content }).meta({ id: 'OrderRegistration' })

const correction = z
  .strictObject({ orderNumber: number.optional(), ...content })
  .meta({ id: 'OrderCorrection', description: 'The number may be left out; it never changes.' })

/** Each field of an order in an answer. */
const shownContent = {
  customer: z.string().nullable(),
  requiredInspectionDocument: inspectionDocument.nullable(),
  executionClass: executionClass.nullable(),
  lineItems: z.array(lineItem),
} satisfies Record<keyof OrderContent, z.ZodType>

const order = z
  .object({
    orderId: uuid,
    companyId: uuid,
    orderNumber: z.string(),
    ...shownContent,
    tags: z.array(shownTag),
    blocked: z.boolean().meta({ description: 'Whether one of the tags has severity Block.' }),
  })
  .meta({ id: 'Order' })

/** Read the statuses of the line items. Without a reader they are Open. */
async function statusesOf({ companyId, orderId }: DecidedOrder, reader?: Reader) {
  const read = await reader?.read([production], (moment) =>
    moment.query<{ lineItemId: string; status: LineItemStatus }>(
      listLineItemStatuses(moment, companyId, orderId),
    ),
  )
  return new Map(read?.value.map(({ lineItemId, status }) => [lineItemId, status]))
}

async function shown(decided: DecidedOrder, reader?: Reader) {
  const statuses = await statusesOf(decided, reader)
  const status = ({ lineItemId }: { lineItemId: string }) => statuses.get(lineItemId) ?? 'Open'
  return { ...decided, lineItems: decided.lineItems.map((item) => ({ ...item, status: status(item) })) }
}

function register({
  params: { companyId },
  body: { orderNumber, ...rest },
}: {
  params: { companyId: string }
  body: z.output<typeof registration>
}) {
  return registerOrder(companyId, orderNumber, rest)
}

const all = '/api/company/{companyId}/orders'
const one = `${all}/{orderId}` as const
const group = 'Orders'
const reading = { tag: group, access: { company: 'view' } } as const
const writing = { tag: group, access: { company: 'plan' } } as const

export const orderRoutes: Route[] = [
  list({
    ...reading,
    path: all,
    operationId: 'listOrders',
    summary: 'List the orders, by order number',
    reads: [orders, production, tags],
    rows: (moment, { params }, page) => listOrders(moment, params.companyId, page),
    sortKey: z.tuple([z.string(), uuid]),
    item: order,
  }),
  command({
    ...writing,
    method: 'post',
    path: all,
    operationId: 'registerOrder',
    summary: 'Register an order',
    description:
      'The id is derived from the number, however it is spelled. A repeat with the same content returns the record; other content is refused.',
    body: registration,
    bodyFaults: repeatedLineNumbers,
    command: register,
    record: order,
    present: shown,
    location: ({ companyId, orderId }) => `/api/company/${companyId}/orders/${orderId}`,
    problems: [409],
  }),
  bulk({
    ...writing,
    path: `${all}/bulk`,
    operationId: 'registerOrders',
    summary: 'Register up to 10,000 orders, one on each line',
    description:
      'Each line is registered on its own: a faulty line does not affect the others, and the whole request may be repeated.',
    body: registration,
    bodyFaults: repeatedLineNumbers,
    command: register,
    id: ({ orderId }) => orderId,
  }),
  record({
    ...reading,
    path: one,
    operationId: 'getOrder',
    summary: 'Read one order',
    reads: [orders, production, tags],
    find: (moment, { params }) => findOrder(moment, params.companyId, params.orderId),
    missing: ({ params }) => notFound('order', params.orderId),
    record: order,
  }),
  command({
    ...writing,
    method: 'put',
    path: one,
    operationId: 'correctOrder',
    summary: 'Correct an order',
    description: 'Line items may be added and changed, but not removed.',
    body: correction,
    bodyFaults: repeatedLineNumbers,
    command: ({ params, body: { orderNumber, ...rest } }) =>
      correctOrder(params.companyId, params.orderId, orderNumber, rest),
    record: order,
    present: shown,
    conditional: true,
    problems: [404, 409],
  }),
]
