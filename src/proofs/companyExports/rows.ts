import { type ListQuery, singleQuery } from '../../projections/engine/reading/listQuery.ts'

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
    from,
    where: `${isNewest} AND ${lastsUntil} > clock_timestamp() AND r.result->>'exportId' = $3`,
    values: [storeId, companyId, exportId],
  })
}

export function findNewestExport(storeId: string, companyId: string): ListQuery {
  return singleQuery({ select: fields, from, where: isNewest, values: [storeId, companyId] })
}

const from = 'heatmark_local.company_run r'

/** SQL: the run `r` has written the newest export of the company. The store is $1, and the company is $2. */
const isNewest = `r.store_id = $1 AND r.run_id = (SELECT newest.run_id FROM heatmark_local.company_run newest
  WHERE newest.store_id = $1 AND newest.company_id = $2 AND newest.kind = 'companyExport'
    AND newest.status = 'succeeded'
  ORDER BY newest.updated_at DESC, newest.run_id LIMIT 1)`

const lastsUntil = `r.updated_at + interval '${exportDays} days'`

/** SQL: until when the export of the run `r` can be downloaded; null if there is none, or a newer one replaces it. */
export const availableUntil = `CASE WHEN ${isNewest} THEN ${lastsUntil} END`
