import type { Stock } from '../../domain/verdict/stock.ts'
import { deliveries } from '../deliveries/deliveries.ts'
import type { Reading } from '../engine/reading/reader.ts'
import { production } from './production.ts'
import { isLive, isPlanned } from './productionQueries.ts'

/**
 * SQL that finds the `Stock` of a certificate as `stock`: null while no delivery of its steel is recorded. A voided
 * delivery is recorded, and brought nothing. Steel that came without a certificate may belong to any of its heat. A bar
 * from a remnant takes no new stock.
 */
export function stockOf(reading: Reading, row: string): string {
  const amountSql = (pieces: string, metres: string) =>
    `json_build_object('pieces', ${pieces}, 'metres', round((${metres})::numeric, 3)::double precision)`
  const sumOf = (condition: string) => amountSql(countOf(condition), metresOf(condition))
  const cut = `from_bar_id IS NULL AND status = 'Completed'`
  const planned = `from_bar_id IS NULL AND status <> 'Completed'`
  const parts = {
    delivered: amountSql('d.pieces', 'd.metres'),
    planned: sumOf(planned),
    cut: sumOf(cut),
    scrapped: amountSql('coalesce(sum(scrapped), 0)::int', 'coalesce(sum(scrapped_mm), 0) / 1000'),
    remaining: amountSql(
      `d.pieces - ${countOf('from_bar_id IS NULL')}`,
      `d.metres - ${metresOf('from_bar_id IS NULL')}`,
    ),
  } satisfies Record<keyof Stock, string>
  const members = Object.entries(parts).map(([name, value]) => `'${name}', ${value}`)
  return `SELECT (
      SELECT json_build_object(${members.join(', ')}) FROM (${barsOf(reading, row)}) used
    ) AS stock
    FROM (
      SELECT coalesce(sum(i.pieces) FILTER (WHERE NOT i.voided), 0)::int AS pieces,
        CASE WHEN bool_and(i.length_mm IS NOT NULL OR i.voided)
          THEN coalesce(sum(i.pieces * i.length_mm) FILTER (WHERE NOT i.voided), 0) / 1000 END AS metres
      FROM ${reading.table(deliveries, 'item')} i
      WHERE i.company_id = ${row}.company_id AND ${isItemOf('i', row)}
      HAVING count(*) > 0
    ) d`
}

/** SQL: the item `i` of a delivery may be steel of the certificate. */
export function isItemOf(i: string, certificate: string): string {
  return `(${i}.mill_certification_id = ${certificate}.mill_certification_id
    OR (${i}.mill_certification_id IS NULL AND ${i}.heat_key = ${certificate}.heat_key))`
}

function countOf(condition: string): string {
  return `(count(*) FILTER (WHERE ${condition}))::int`
}

function metresOf(condition: string): string {
  return `coalesce(sum(stock_length_mm) FILTER (WHERE ${condition}), 0) / 1000`
}

/** SQL of the bars of a certificate, with their scrapped cuts. Only a bar at the saw can have one. */
function barsOf(reading: Reading, row: string): string {
  return `SELECT b.status, b.from_bar_id, b.stock_length_mm, s.pieces AS scrapped, s.mm AS scrapped_mm
    FROM ${reading.table(production, 'bar')} b
    LEFT JOIN LATERAL (
      SELECT count(*) AS pieces, sum(w.length_mm) AS mm FROM ${reading.table(production, 'cut')} w
      WHERE w.company_id = b.company_id AND w.bar_id = b.bar_id AND w.status = 'Scrapped'
    ) s ON b.status IN ('Started', 'Completed')
    WHERE b.company_id = ${row}.company_id AND b.mill_certification_id = ${row}.mill_certification_id
      AND ${isPlanned} AND ${isLive}`
}
