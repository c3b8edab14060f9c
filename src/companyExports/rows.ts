import { type ListQuery, singleQuery } from '../projections/reading/listQuery.ts'

/** The exports of companies that can be downloaded, as the rows of their runs name them. */

/** An export is kept for this many days, unless a newer one replaces it. */
export const exportDays = 7

/** The result of a run that has written an export. */
export interface CompanyExport {
  readonly exportId: string
  /** The hash of the ZIP file, in lower-case hexadecimal. */
  readonly sha256: string
  readonly bytes: number
  readonly fileName: string
  /** The number of events that the checkpoint covers. */
  readonly events: number
  /** The last event is at this position of the store. */
  readonly position: number
}

const fields = {
  companyId: 'r.company_id',
  exportId: "r.result->>'exportId'",
  sha256: "r.result->>'sha256'",
  bytes: "(r.result->>'bytes')::bigint",
  fileName: "r.result->>'fileName'",
  mediaType: "'application/zip'",
}

export type FoundExport = Pick<CompanyExport, 'exportId' | 'sha256' | 'bytes' | 'fileName'> & {
  readonly companyId: string
  readonly mediaType: string
}

/** Find an export that has not been replaced: only the newest export of a company can be downloaded. */
export function findExport(storeId: string, companyId: string, exportId: string): ListQuery {
  return singleQuery({
    select: fields,
    from: newest,
    where: `r.result->>'exportId' = $3 AND r.updated_at > clock_timestamp() - interval '${exportDays} days'`,
    values: [storeId, companyId, exportId],
  })
}

export function findNewestExport(storeId: string, companyId: string): ListQuery {
  return singleQuery({ select: fields, from: newest, where: 'true', values: [storeId, companyId] })
}

const newest = `(SELECT * FROM heatmark_local.company_run
  WHERE store_id = $1 AND company_id = $2 AND kind = 'companyExport' AND status = 'succeeded'
  ORDER BY updated_at DESC, run_id LIMIT 1) r`
