import {
  createBinder,
  type FilterSql,
  type Filters,
  type FilterValues,
  matchesOf,
  wantedOf,
} from '../../projections/engine/reading/filters.ts'
import {
  type ListQuery,
  listQuery,
  type Page,
  singleQuery,
} from '../../projections/engine/reading/listQuery.ts'
import type { Reading } from '../../projections/engine/reading/reader.ts'
import { availableUntil } from '../../proofs/companyExports/rows.ts'
import { type CompanyRun, runKinds, runStatuses } from './companyRuns.ts'

/** The queries of runs, for lists and single answers. */

/** The store is $1, and the company is $2. */
const fields = {
  runId: 'r.run_id',
  kind: 'r.kind',
  orderId: "r.input->>'orderId'",
  status: 'r.status',
  progress: 'r.progress',
  result: 'r.result',
  error: 'r.error',
  availableUntil,
  startedBy: "r.started_by->>'id'",
  createdAt: 'r.created_at',
  updatedAt: 'r.updated_at',
} satisfies Record<keyof CompanyRun, string>

/** The columns of a run as it is answered, from rows `r`. */
export const columns = Object.entries(fields)
  .map(([name, column]) => `${column} AS "${name}"`)
  .join(', ')

const table = 'heatmark_local.company_run'
const ofStore = { from: `${table} r`, where: 'r.store_id = $1 AND r.company_id = $2' }

/** The filters of the list. A company has few enough runs that each is looked at. */
export const runFilters = {
  kind: {
    parameter: { kind: 'oneOf', values: runKinds },
    description: 'Runs of this kind.',
    matches: ({ bind }: FilterSql, kind: string) => `${fields.kind} = ${bind(kind)}`,
  },
  orderId: {
    parameter: { kind: 'id' },
    description: 'Runs that make a pack of this order.',
    matches: ({ bind }: FilterSql, orderId: string) => `${fields.orderId} = ${bind(orderId)}`,
  },
  status: {
    parameter: { kind: 'oneOf', values: runStatuses },
    repeatable: true,
    description: 'Runs that have one of these statuses.',
    matches: ({ bind }: FilterSql, statuses: readonly string[]) =>
      `${fields.status} = ANY(${bind(statuses)}::text[])`,
  },
} as const satisfies Filters

/** The runs of a company that match the filters, oldest first. */
export async function listCompanyRuns(
  reading: Reading,
  { companyId, filterValues }: { readonly companyId: string; readonly filterValues: FilterValues },
  page?: Page,
): Promise<ListQuery> {
  const sql = createBinder({ reading, companyId, row: 'r' }, [reading.storeId, companyId])
  const where = [ofStore.where, ...(await matchesOf(sql, wantedOf(runFilters, filterValues)))].join(' AND ')
  const order = ['r.created_at', 'r.run_id']
  return listQuery({ select: fields, from: ofStore.from, where, values: sql.values, order }, page)
}

export function findCompanyRun(storeId: string, companyId: string, runId: string): ListQuery {
  const where = `${ofStore.where} AND r.run_id = $3`
  return singleQuery({ select: fields, ...ofStore, where, values: [storeId, companyId, runId] })
}
