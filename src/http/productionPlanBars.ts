import { z } from 'zod'
import { approveBar, changeCutStatus, completeBar, startBar } from '../commands/productionPlanBars.ts'
import { production } from '../projections/production.ts'
import { barList, findBar, findCut } from '../projections/productionQueries.ts'
import { filteredList } from '../projections/reading/filteredList.ts'
import { list } from './kit/lists/listRoute.ts'
import { command } from './kit/routing/commandRoute.ts'
import { record } from './kit/routing/readRoute.ts'
import type { Route } from './kit/routing/route.ts'
import { barRecord, cutRecord, cutStatus } from './kit/schemas/bar.ts'
import { sortedAt, uuid } from './kit/schemas/fields.ts'

/** Bars: approved, started, completed, and their cuts. */

const all = '/api/company/{companyId}/production-plan-bars'
const one = `${all}/{barId}` as const
const oneCut = `${one}/cuts/{cutId}` as const
const group = 'Production plan bars'
const reading = { tag: group, access: { company: 'view' } } as const
const approving = { tag: group, access: { company: 'approve' } } as const
const sawing = { tag: group, access: { company: 'saw' } } as const

export const productionPlanBarRoutes: Route[] = [
  list({
    ...reading,
    path: all,
    operationId: 'listProductionPlanBars',
    summary: 'List the bars, oldest plan first, each plan in the order of its bars',
    filters: barList.filters,
    reads: [production],
    rows: (moment, { params, asked }, page) => filteredList(barList, moment, { ...params, asked }, page),
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
    missing: { code: 'bar-not-found', id: 'barId' },
    record: barRecord,
  }),
  command({
    ...approving,
    method: 'post',
    path: `${one}/approve`,
    operationId: 'approveProductionPlanBar',
    summary: 'Approve a Draft bar',
    command: ({ params }) => approveBar(params),
    problems: approveBar.refuses,
  }),
  command({
    ...sawing,
    method: 'post',
    path: `${one}/start`,
    operationId: 'startProductionPlanBar',
    summary: 'Start an Approved bar',
    description: "The line items of its Accepted cuts become 'In Progress'.",
    command: ({ params }) => startBar(params),
    problems: startBar.refuses,
  }),
  command({
    ...sawing,
    method: 'post',
    path: `${one}/complete`,
    operationId: 'completeProductionPlanBar',
    summary: 'Complete a Started bar',
    description:
      "Rolls a line item up to 'Completed' once all of its Accepted cuts, across every plan and bar, are on Completed bars.",
    command: ({ params }) => completeBar(params),
    problems: completeBar.refuses,
  }),
  record({
    ...reading,
    path: oneCut,
    operationId: 'getCut',
    summary: 'Read one cut',
    reads: [production],
    find: (moment, { params }) => findCut(moment, params),
    missing: { code: 'cut-not-found', id: 'cutId' },
    record: cutRecord,
  }),
  command({
    ...approving,
    method: 'put',
    path: oneCut,
    operationId: 'changeCutStatus',
    summary: 'Change the status of a cut',
    description: 'A cut can change until its bar is Completed.',
    body: z.strictObject({ status: cutStatus }).meta({ id: 'CutStatus' }),
    command: ({ params, body }) => changeCutStatus(params, params.cutId, body.status),
    record: cutRecord,
    conditional: true,
    problems: changeCutStatus.refuses,
  }),
]
