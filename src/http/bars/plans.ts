import { z } from 'zod'
import { addBars, createPlan } from '../../commands/bars/plans.ts'
import { production } from '../../projections/bars/production.ts'
import { findPlan, listPlans } from '../../projections/bars/productionQueries.ts'
import { mostBars, newBar, newPlan } from '../imports/intake/plans.ts'
import { listRoute } from '../kit/lists/listRoute.ts'
import { commandRoute } from '../kit/routing/commandRoute.ts'
import { recordRoute } from '../kit/routing/readRoute.ts'
import type { Route } from '../kit/routing/route.ts'
import { listOf } from '../kit/schemas/collections.ts'
import { sortedAt, timestamp, uuid } from '../kit/schemas/fields.ts'
import { barRecord } from './barSchema.ts'

/** Production plans: created with bars, extended, listed. */

/** The recorded events are larger than the request and must fit into one append. */
const maxBodyBytes = 900 * 1_024

const planRecord = z
  .object({
    planId: uuid,
    companyId: uuid,
    name: z.string(),
    createdAt: timestamp,
    createdBy: z.string(),
    barCount: z.int(),
  })
  .meta({ id: 'ProductionPlan' })
const planWithBars = z
  .object({ ...planRecord.shape, bars: z.array(barRecord) })
  .meta({ id: 'ProductionPlanWithBars' })

const all = '/api/company/{companyId}/production-plans'
const one = `${all}/{planId}` as const
const group = 'Production plans'
const reading = { tag: group, access: { company: 'view' } } as const
const writing = { tag: group, access: { company: 'plan' } } as const

export const productionPlanRoutes: Route[] = [
  listRoute({
    ...reading,
    path: all,
    operationId: 'listProductionPlans',
    summary: 'List the production plans, oldest first',
    hasAsOf: true,
    reads: [production],
    rows: (snapshot, { params }, page) => listPlans(snapshot, params.companyId, page),
    sortKey: z.tuple([sortedAt, uuid]),
    item: planRecord,
  }),
  commandRoute({
    ...writing,
    method: 'post',
    path: all,
    operationId: 'createProductionPlan',
    summary: 'Create a production plan with its bars',
    description:
      'All bars appear together or not at all. If the planId exists with the same content, the plan is returned unchanged.',
    maxBodyBytes,
    body: newPlan,
    command: ({ params, body }) => createPlan(params.companyId, body),
    record: planWithBars,
    location: pathOf,
    problems: createPlan.refuses,
  }),
  recordRoute({
    ...reading,
    path: one,
    operationId: 'getProductionPlan',
    summary: 'Read one production plan with its bars',
    hasAsOf: true,
    reads: [production],
    find: (snapshot, { params }) => findPlan(snapshot, params.companyId, params.planId),
    missing: { code: 'plan-not-found', id: 'planId' },
    record: planWithBars,
  }),
  commandRoute({
    ...writing,
    method: 'post',
    path: `${one}/bars`,
    operationId: 'addBarsToProductionPlan',
    summary: 'Add bars to a production plan',
    description:
      'All bars appear together or not at all. Bars that exist with the same content stay unchanged.',
    maxBodyBytes,
    body: z
      .strictObject({ bars: listOf(newBar, { least: 1, most: mostBars }) })
      .meta({ id: 'BarsOfProductionPlan' }),
    command: ({ params, body }) => addBars(params, body.bars),
    conditional: true,
    record: z.array(barRecord),
    location: ([first]) => pathOf(first!),
    problems: addBars.refuses,
  }),
]

function pathOf({ companyId, planId }: { companyId: string; planId: string }): string {
  return `/api/company/${companyId}/production-plans/${planId}`
}
