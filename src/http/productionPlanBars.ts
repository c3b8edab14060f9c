import { z } from 'zod'
import { approveBar, changeCutStatus, completeBar, startBar } from '../commands/productionPlanBars.ts'
import { notFound } from '../domain/refusal.ts'
import { production } from '../projections/production.ts'
import { findBar, listBars } from '../projections/productionQueries.ts'
import { list } from './kit/lists/listRoute.ts'
import { command } from './kit/routing/commandRoute.ts'
import { record } from './kit/routing/readRoute.ts'
import { id, type Route } from './kit/routing/route.ts'
import { barRecord, barStatus, cutRecord, cutStatus } from './kit/schemas/bar.ts'
import { sortedAt, uuid } from './kit/schemas/fields.ts'

/** Bars: approved, started, completed, and their cuts. */

const all = '/api/company/{companyId}/production-plan-bars'
const one = `${all}/{barId}` as const
const group = 'Production plan bars'
const reading = { tag: group, access: { company: 'view' } } as const
const writing = { tag: group, access: { company: 'plan' } } as const

export const productionPlanBarRoutes: Route[] = [
  list({
    ...reading,
    path: all,
    operationId: 'listProductionPlanBars',
    summary: 'List the bars, oldest plan first, each plan in the order of its bars',
    query: z.object({ status: barStatus.optional(), planId: id.optional() }),
    reads: [production],
    rows: (moment, { params: { companyId }, query }, page) => listBars(moment, { companyId, ...query }, page),
    sortKey: z.tuple([sortedAt, uuid, z.int()]),
    item: barRecord,
  }),
  record({
    ...reading,
    path: one,
    operationId: 'getProductionPlanBar',
    summary: 'Read one bar',
    reads: [production],
    find: (moment, { params }) => findBar(moment, params.companyId, params.barId),
    missing: ({ params }) => notFound('production plan bar', params.barId),
    record: barRecord,
  }),
  command({
    ...writing,
    method: 'post',
    path: `${one}/approve`,
    operationId: 'approveProductionPlanBar',
    summary: 'Approve a Draft bar',
    command: ({ params }) => approveBar(params),
    problems: [404, 409],
  }),
  command({
    ...writing,
    method: 'post',
    path: `${one}/start`,
    operationId: 'startProductionPlanBar',
    summary: 'Start an Approved bar',
    description: "The line items of its Accepted cuts become 'In Progress'.",
    command: ({ params }) => startBar(params),
    problems: [404, 409],
  }),
  command({
    ...writing,
    method: 'post',
    path: `${one}/complete`,
    operationId: 'completeProductionPlanBar',
    summary: 'Complete a Started bar',
    description:
      "Rolls a line item up to 'Completed' once all of its Accepted cuts, across every plan and bar, are on Completed bars.",
    command: ({ params }) => completeBar(params),
    problems: [404, 409],
  }),
  command({
    ...writing,
    method: 'put',
    path: `${one}/cuts/{cutId}`,
    operationId: 'changeCutStatus',
    summary: 'Change the status of a cut',
    description:
      'A cut can change until its bar is Completed. If-Match compares with the ETag of the last answer of this operation.',
    body: z.strictObject({ status: cutStatus }).meta({ id: 'CutStatus' }),
    command: ({ params, body }) => changeCutStatus(params, params.cutId, body.status),
    record: cutRecord,
    conditional: true,
    problems: [404, 409],
  }),
]
