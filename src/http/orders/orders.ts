import { z } from 'zod'
import { correctOrder, type DecidedOrder, registerOrder } from '../../commands/orders/orders.ts'
import { keepingDemands, keepingSubstitutes } from '../../commands/orders/substitutes.ts'
import { latest } from '../../domain/kernel/times.ts'
import { replaceOrderMembers } from '../../domain/orders/order.ts'
import { orderHeadFields, orderNumbers } from '../../domain/orders/orderContent.ts'
import { defaultReleasePolicy, type ReleasePolicy } from '../../domain/verdict/releasePolicy.ts'
import { judgeOrder } from '../../domain/verdict/verdict.ts'
import { production } from '../../projections/bars/production.ts'
import { type FoundOrder, findOrder, orderJudgedFrom } from '../../projections/bars/verdicts.ts'
import { access } from '../../projections/company/access.ts'
import {
  type FoundReleasePolicy,
  findReleasePolicy,
  releasePolicies,
} from '../../projections/company/releasePolicies.ts'
import { countOf, filteredList } from '../../projections/engine/reading/filteredList.ts'
import type { Reader, Reading } from '../../projections/engine/reading/reader.ts'
import { hiddenFindings } from '../../projections/engine/reading/toDecide.ts'
import {
  type LineItemProgress,
  listLineItemProgress,
  orderList,
} from '../../projections/orders/orderQueries.ts'
import { orders } from '../../projections/orders/orders.ts'
import { tags } from '../../projections/tags/tags.ts'
import { listedFindings, ownFindings } from '../certificates/finding.ts'
import { orderFindings } from '../certificates/includedFindings.ts'
import { correctedContent, orderIntake } from '../imports/intake/orders.ts'
import { listRoute } from '../kit/lists/listRoute.ts'
import { bulkRoute } from '../kit/routing/bulkRoute.ts'
import { commandRoute } from '../kit/routing/commandRoute.ts'
import { mayOf, qualityOf } from '../kit/routing/qualityOf.ts'
import { recordRoute } from '../kit/routing/readRoute.ts'
import type { Route } from '../kit/routing/route.ts'
import { answerOf, bodyOf } from '../kit/schemas/declared.ts'
import { asEdit } from '../kit/schemas/edit.ts'
import { dated, shownTag, uuid } from '../kit/schemas/fields.ts'
import type { Principal } from '../kit/services.ts'
import { lineItem } from './lineItem.ts'

/** Orders and their line items: registered, corrected, listed. */

const correction = z.strictObject({ ...asEdit(bodyOf(orderNumbers)), ...correctedContent }).meta({
  id: 'OrderCorrection',
  sharedMembers: 'OrderMembers',
  description:
    'A member that is left out stays as it is, also within options, where null removes one. lineItems lists every line of the order; the members that are left out of a line stay as they are, and a new line needs lengthMm and quantity. The number never changes.',
})

const order = z
  .object({
    orderId: uuid,
    companyId: uuid,
    ...answerOf(orderNumbers),
    ...answerOf(orderHeadFields),
    lineItems: z.array(lineItem),
    ...dated,
    tags: z.array(shownTag),
    blocked: z.boolean().meta({
      description: 'Whether one of the tags has severity Block, or one of the pieces is held.',
    }),
    findings: listedFindings,
  })
  .meta({ id: 'Order' })

/** A single order is answered with its findings. */
const singleOrder = order.extend({ findings: ownFindings }).meta({ id: 'OrderWithFindings' })

const all = '/api/company/{companyId}/orders'
const one = `${all}/{orderId}` as const
const group = 'Orders'
const reading = { tag: group, access: { company: 'view' } } as const
const writing = { tag: group, access: { company: 'plan' } } as const

const correcting = {
  body: correction,
  bodyFaults: orderIntake.bodyFaults,
  command: ({
    params: { companyId, orderId },
    body: { orderNumber, ...sent },
    principal,
  }: {
    params: { companyId: string; orderId: string }
    body: z.output<typeof correction>
    principal: Principal
  }) =>
    keepingDemands(
      keepingSubstitutes(
        correctOrder(companyId, orderId, orderNumber, replaceOrderMembers(sent)),
        qualityOf(principal, companyId),
      ),
      mayOf(principal, companyId, 'plan'),
    ),
  record: singleOrder,
  present: presentDecided,
  conditional: true,
  problems: correctOrder.refuses,
} as const

export const orderRoutes: Route[] = [
  listRoute({
    ...reading,
    path: all,
    operationId: 'listOrders',
    summary: 'List the orders, by order number',
    filters: orderList.filters,
    inclusions: { findings: orderFindings },
    hasAsOf: true,
    reads: [orders, tags, production],
    rows: (snapshot, { params, filterValues }, page) =>
      filteredList(orderList, snapshot, { ...params, filterValues }, page),
    count: (snapshot, { params, filterValues }) => countOf(orderList, snapshot, { ...params, filterValues }),
    sortKey: z.tuple([z.string(), uuid]),
    item: order,
  }),
  commandRoute({
    ...writing,
    method: 'post',
    path: all,
    operationId: 'registerOrder',
    summary: 'Register an order',
    description:
      'The id is derived from the number, however it is spelled. Content that equals the present record, or the first registration, returns the record; other content is refused.',
    body: orderIntake.body,
    bodyFaults: orderIntake.bodyFaults,
    command: orderIntake.command,
    record: singleOrder,
    present: presentDecided,
    location: ({ companyId, orderId }) => `/api/company/${companyId}/orders/${orderId}`,
    problems: registerOrder.refuses,
  }),
  bulkRoute({
    ...writing,
    path: `${all}/bulk`,
    operationId: 'registerOrders',
    summary: 'Register or correct up to 10,000 orders, one on each line',
    description:
      'Each line is carried out on its own: a faulty line does not affect the others, and the whole request may be repeated.',
    ...orderIntake,
  }),
  recordRoute({
    ...reading,
    path: one,
    operationId: 'getOrder',
    summary: 'Read one order',
    hasAsOf: true,
    reads: orderJudgedFrom,
    find: (snapshot, { params }) => findOrder(snapshot, params.companyId, params.orderId),
    missing: { code: 'order-not-found', id: 'orderId' },
    present: withFindings,
    whileLacking: 'noFindings',
    record: singleOrder,
  }),
  commandRoute({
    ...writing,
    method: 'put',
    path: one,
    operationId: 'correctOrder',
    summary: 'Correct an order',
    description: 'Line items may be added and changed, but not removed.',
    ...correcting,
  }),
  commandRoute({
    ...writing,
    access: { company: 'amend' },
    method: 'patch',
    path: one,
    operationId: 'patchOrder',
    summary: 'Change some members of an order',
    description:
      'lineItems replaces the whole array, as in PUT: a line that is left out is refused, a line of a known number keeps the members that it leaves out. `allowedSubstitutes` needs Quality or Admin, every other member Planner or Admin.',
    ...correcting,
  }),
]

/** Add the status of each line item, and the findings. Without a reader all lines are Open. */
async function presentDecided(decided: DecidedOrder, reader?: Reader) {
  const beside = (await reader?.read(besideOrder, lookBeside(decided)))?.value ?? nothingBeside
  const { progress, policy, hidden } = beside
  const statuses = new Map(progress.map(({ lineItemId, status }) => [lineItemId, status]))
  const shown = withFindings({
    ...decided,
    updatedAt: latest(decided.updatedAt, ...progress.flatMap(({ changedAt }) => changedAt ?? [])),
    lineItems: decided.lineItems.map((item) => ({
      ...item,
      status: statuses.get(item.lineItemId) ?? 'Open',
    })),
    policy,
  })
  return { ...shown, ...hidden }
}

/** The state of other records that an order is shown with. */
interface BesideOrder {
  readonly progress: readonly LineItemProgress[]
  readonly policy: ReleasePolicy | null
  readonly hidden: { readonly findings?: null }
}

const besideOrder = [orders, access, releasePolicies]
const nothingBeside: BesideOrder = { progress: [], policy: null, hidden: {} }

function lookBeside({ companyId, orderId }: DecidedOrder) {
  return async (snapshot: Reading): Promise<BesideOrder> => {
    const progress = await snapshot.query<LineItemProgress>(
      listLineItemProgress(snapshot, companyId, orderId),
    )
    const [row] = await snapshot.query<FoundReleasePolicy>(findReleasePolicy(snapshot, companyId))
    const hidden = await hiddenFindings(snapshot, companyId)
    return { progress, policy: row?.policy ?? null, hidden }
  }
}

function withFindings<Found extends FoundOrder>({ policy, ...order }: Found): object {
  return { ...order, findings: judgeOrder(order, policy ?? defaultReleasePolicy) }
}
