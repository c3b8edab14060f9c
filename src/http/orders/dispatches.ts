import { z } from 'zod'
import { type DispatchLookUps, dispatchPieces } from '../../commands/orders/dispatches.ts'
import { clearanceOf, type TraceFacts } from '../../domain/orders/orderTrace.ts'
import { findEntrySubject } from '../../projections/audit/entryQueries.ts'
import { production } from '../../projections/bars/production.ts'
import { judgedFrom } from '../../projections/bars/verdicts.ts'
import { toDecide } from '../../projections/engine/reading/toDecide.ts'
import { findCutsOfOrder, findDispatch, listDispatches } from '../../projections/orders/dispatches.ts'
import { orders } from '../../projections/orders/orders.ts'
import { findTrace } from '../../projections/orders/traceability.ts'
import { overrideReason, overrideRecord } from '../bars/override.ts'
import { findingKeys } from '../certificates/finding.ts'
import { listRoute } from '../kit/lists/listRoute.ts'
import { commandRoute } from '../kit/routing/commandRoute.ts'
import { ifAllowed } from '../kit/routing/ifAllowed.ts'
import { recordRoute } from '../kit/routing/readRoute.ts'
import { id, type Route } from '../kit/routing/route.ts'
import { listOf } from '../kit/schemas/collections.ts'
import { fullDate, performed, sortedAt, text, timestamp, uuid } from '../kit/schemas/fields.ts'
import type { Services } from '../kit/services.ts'

/** Dispatches: the pieces of an order that have left the workshop. */

const all = '/api/company/{companyId}/orders/{orderId}/dispatches'
const one = `${all}/{dispatchId}` as const
const group = 'Orders'
const reading = { tag: group, access: { company: 'view' } } as const
const dispatching = { tag: group, access: { company: 'dispatch' } } as const

/** The most pieces of one dispatch. */
const mostCuts = 1_000

const override = z
  .strictObject({
    ...overrideReason,
    findings: findingKeys
      .optional()
      .transform((keys) => keys ?? [])
      .meta({ description: 'The keys of the Block findings. Gaps in the traceability have no key.' }),
  })
  .meta({ id: 'DispatchOverride' })

const newDispatch = z
  .strictObject({
    date: fullDate.meta({ description: 'The day on which the pieces left.' }),
    reference: text(1, 100).meta({ description: 'For example the number of the delivery note.' }),
    cutIds: listOf(id, { least: 1, most: mostCuts }),
    override: override.optional(),
    ...performed,
  })
  .meta({
    id: 'NewDispatch',
    examples: [{ date: '2026-03-31', reference: 'DN 17', cutIds: ['1ef97157-4772-4fa2-a542-f21ffe36d1c8'] }],
  })

const dispatch = z
  .object({
    dispatchId: uuid,
    companyId: uuid,
    orderId: uuid,
    date: z.iso.date(),
    reference: z.string(),
    cuts: z.array(z.object({ barId: uuid, cutId: uuid })),
    override: overrideRecord
      .nullable()
      .meta({ description: 'The decision to let the pieces go although they were not cleared.' }),
    createdAt: timestamp,
    createdBy: z.string().meta({ description: 'The userId of the person who has recorded it.' }),
  })
  .meta({ id: 'Dispatch' })

export const dispatchRoutes: Route[] = [
  listRoute({
    ...reading,
    path: all,
    operationId: 'listDispatches',
    summary: 'List the dispatches of an order, oldest first',
    reads: [production, orders],
    rows: (snapshot, { params }, page) => listDispatches(snapshot, params, page),
    sortKey: z.tuple([sortedAt, uuid]),
    within: {
      find: (snapshot, { params: { companyId, orderId } }) =>
        findEntrySubject(snapshot, 'order', { companyId, subjectId: orderId }),
      missing: { code: 'order-not-found', id: 'orderId' },
    },
    item: dispatch,
  }),
  commandRoute({
    ...dispatching,
    method: 'post',
    path: all,
    operationId: 'dispatchPieces',
    summary: 'Record that pieces of an order have left the workshop',
    description:
      'Each piece is an Accepted cut for this order on a Completed bar, and leaves once. The pieces have to be cleared: each bar has a certificate, and no Block stands that nobody has overridden. The rest of the order may be open. A caller with the role Quality or Admin may let pieces go all the same, with a reason and the keys of the Block findings. If-Match takes the ETag of the order.',
    body: newDispatch,
    command: ({ params, body, principal }, services) =>
      ifAllowed(principal, params, body.override, dispatchPieces(params, body, lookUps(services))),
    conditional: true,
    record: dispatch,
    location: ({ companyId, orderId, dispatchId }) =>
      `/api/company/${companyId}/orders/${orderId}/dispatches/${dispatchId}`,
    problems: dispatchPieces.refuses,
  }),
  recordRoute({
    ...reading,
    path: one,
    operationId: 'getDispatch',
    summary: 'Read one dispatch',
    reads: [production],
    find: (snapshot, { params }) => findDispatch(snapshot, params),
    missing: { code: 'dispatch-not-found', id: 'dispatchId' },
    record: dispatch,
  }),
]

function lookUps({ reader }: Services): DispatchLookUps {
  return {
    findCutsOfOrder: (order, cutIds) => findCutsOfOrder(reader, order, cutIds),
    async findClearance(order, cutIds) {
      const { value } = await toDecide(reader, order.companyId).read(judgedFrom, (snapshot) =>
        snapshot.query<TraceFacts>(findTrace(snapshot, { ...order, pieceMark: null })),
      )
      return value[0] && clearanceOf(value[0], cutIds)
    },
  }
}
