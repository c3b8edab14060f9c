import { z } from 'zod'
import { findCompanyRun, listCompanyRuns, runFilters } from '../../processes/runs/companyRunQueries.ts'
import { keptDays } from '../../processes/runs/runRows.ts'
import { documents } from '../../projections/documents/documents.ts'
import { listRoute } from '../kit/lists/listRoute.ts'
import { recordRoute } from '../kit/routing/readRoute.ts'
import type { Route } from '../kit/routing/route.ts'
import { sortedAt, uuid } from '../kit/schemas/fields.ts'
import { companyRun } from './companyRun.ts'

/** The runs of a company: long work that goes on after the answer, such as the pack of an order. */

const all = '/api/company/{companyId}/runs'
const reading = { tag: 'Runs', access: { company: 'view' }, reads: [documents] } as const

export const runRoutes: Route[] = [
  listRoute({
    ...reading,
    path: all,
    operationId: 'listCompanyRuns',
    summary: 'List the runs of the company, oldest first',
    description: `A run is listed for ${keptDays} days. Its outcome stays.`,
    alwaysRead: true,
    filters: runFilters,
    rows: (snapshot, { params: { companyId }, filterValues }, page) =>
      listCompanyRuns(snapshot, { companyId, filterValues }, page),
    sortKey: z.tuple([sortedAt, uuid]),
    item: companyRun,
  }),
  recordRoute({
    ...reading,
    path: `${all}/{runId}`,
    operationId: 'getCompanyRun',
    summary: 'Read how far a run is',
    find: (snapshot, { params }) => findCompanyRun(snapshot.storeId, params.companyId, params.runId),
    missing: { code: 'run-not-found', id: 'runId' },
    record: companyRun,
  }),
]
