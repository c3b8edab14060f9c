import { conflict } from '../domain/kernel/refusal.ts'
import type { Postgres } from '../stores/postgres/postgres.ts'
import type { ImportFormat, ImportKind } from './read.ts'

/** The imports that wait for their confirmation: one row each in `heatmark_local`, beside the object with the file. */

export interface ImportRow {
  readonly importId: string
  readonly kind: ImportKind
  readonly format: ImportFormat
  readonly sha256: string
  /** The confirmation that was begun last, so that it can be repeated; null before the first. */
  readonly confirmed: string | null
}

interface Confirmation {
  readonly before: string | null
  readonly now: string
}

export interface ImportRows {
  /** Refuse one more import of a company that has as many as it may have. @throws Refusal 409 `too-many-imports` */
  refuseTooMany(companyId: string): Promise<void>
  keep(companyId: string, row: Omit<ImportRow, 'confirmed'>, userId: string): Promise<void>
  /** Return an import that is not older than `importDays`. */
  find(companyId: string, importId: string): Promise<ImportRow | undefined>
  /** Note a confirmation before its first record. Return false if another one has been noted since `before`. */
  confirm(companyId: string, importId: string, confirmation: Confirmation): Promise<boolean>
  /** Return some imports that are too old, of any company. */
  findExpired(): Promise<readonly Pick<ImportRow, 'importId' | 'format'>[]>
  forget(importId: string): Promise<void>
}

/** An import is kept for this long. */
export const importDays = 7
const atOnce = 20

/** @param most the number of imports that a company may have at a time */
export function createImportRows(
  { query }: Pick<Postgres, 'query'>,
  storeId: string,
  most: number,
): ImportRows {
  const isFresh = `created_at > now() - interval '${importDays} days'`
  return {
    async refuseTooMany(companyId) {
      const [row] = await query<{ kept: number }>(
        `SELECT count(*)::int AS kept FROM heatmark_local.import
         WHERE store_id = $1 AND company_id = $2 AND ${isFresh}`,
        [storeId, companyId],
      )
      if (row!.kept < most) return
      throw conflict(
        'too-many-imports',
        `The company has ${row!.kept} imports of the last ${importDays} days, and may have ${most}, so the file was not read. Wait until the oldest is ${importDays} days old, or put several files into one.`,
        { imports: row!.kept, limit: most },
      )
    },
    async keep(companyId, { importId, kind, format, sha256 }, userId) {
      await query(
        `INSERT INTO heatmark_local.import (store_id, company_id, import_id, kind, format, sha256, created_by)
         VALUES ($1, $2, $3, $4, $5, $6, $7)`,
        [storeId, companyId, importId, kind, format, sha256, userId],
      )
    },
    async find(companyId, importId) {
      const [row] = await query<ImportRow>(
        `SELECT import_id AS "importId", kind, format, sha256, confirmed FROM heatmark_local.import
         WHERE store_id = $1 AND company_id = $2 AND import_id = $3 AND ${isFresh}`,
        [storeId, companyId, importId],
      )
      return row
    },
    async confirm(companyId, importId, { before, now }) {
      const rows = await query(
        `UPDATE heatmark_local.import SET confirmed = $5
         WHERE store_id = $1 AND company_id = $2 AND import_id = $3
           AND (confirmed IS NOT DISTINCT FROM $4 OR confirmed = $5)
         RETURNING import_id`,
        [storeId, companyId, importId, before, now],
      )
      return rows.length > 0
    },
    findExpired: () =>
      query(
        `SELECT import_id AS "importId", format FROM heatmark_local.import
         WHERE store_id = $1 AND NOT ${isFresh} ORDER BY created_at LIMIT ${atOnce}`,
        [storeId],
      ),
    async forget(importId) {
      await query('DELETE FROM heatmark_local.import WHERE store_id = $1 AND import_id = $2', [
        storeId,
        importId,
      ])
    },
  }
}
