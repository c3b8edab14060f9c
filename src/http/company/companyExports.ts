import { z } from 'zod'
import { exportKey } from '../../documents/objects.ts'
import { documents } from '../../projections/documents/documents.ts'
import { exportDays, type FoundExport, findExport } from '../../proofs/companyExports/rows.ts'
import { contentRoute } from '../kit/routing/contentRoute.ts'
import { type Declaration, paramsOf, type Route } from '../kit/routing/route.ts'
import { beginRun, runHeaders, runProblems, runResponses } from './runRoute.ts'

/** Everything that a company has, as one ZIP file: for a company that leaves, or wants a copy of its own. */

const all = '/api/company/{companyId}/exports'
const shared = { tag: 'Audit', access: { company: 'export' } } as const

const beginning = {
  ...shared,
  path: all,
  operationId: 'exportCompany',
  summary: 'Export everything that the company has',
  description:
    'Begins a run, which writes a ZIP file with the signed history, every document, and the lists as CSV. `GET …/runs/{runId}` says how far it is, and its result names the export. `heatmark audit verify` checks the file offline.',
} as const satisfies Declaration

const beginRoute: Route = {
  ...beginning,
  method: 'post',
  params: paramsOf(beginning),
  query: z.strictObject({}),
  headers: runHeaders,
  body: undefined,
  responses: runResponses,
  problems: [...runProblems],
  answer: (exchange, services) =>
    beginRun(exchange, services, { kind: 'companyExport', input: { companyId: exchange.params.companyId! } }),
}

export const companyExportRoutes: Route[] = [
  beginRoute,
  contentRoute({
    ...shared,
    path: `${all}/{exportId}/content`,
    operationId: 'getCompanyExportContent',
    summary: 'Download an export of the company',
    description: `The answer is an attachment. \`Range\` answers one part. An export is kept for ${exportDays} days; a newer one replaces it.`,
    reads: [documents],
    mediaTypes: ['application/zip'],
    find: (snapshot, { companyId, exportId }) => findExport(snapshot.storeId, companyId, exportId),
    missing: { code: 'export-not-found', id: 'exportId' },
    key: (file: FoundExport) => exportKey(file),
  }),
]
