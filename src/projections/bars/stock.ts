import type { Stock } from '../../domain/verdict/stock.ts'
import { deliveries } from '../deliveries/deliveries.ts'
import type { Reading } from '../engine/reading/reader.ts'
import { production } from './production.ts'
import { isLive, isPlanned } from './productionQueries.ts'

/**
 * SQL that finds the `Stock` of a certificate as `stock`: null while the company records no deliveries. Steel that came
 * without a certificate may belong to any of its heat. A bar from a remnant takes no new stock.
 */
export function stockOf(reading: Reading, row: string): string {
  const item = reading.table(deliveries, 'item')
  const bars = `FROM ${reading.table(production, 'bar')} b
    WHERE b.company_id = ${row}.company_id AND b.mill_certification_id = ${row}.mill_certification_id
      AND ${isPlanned} AND ${isLive}`
  const sumOf = (condition: string) => `count(*) FILTER (WHERE ${condition})::int AS pieces,
    coalesce(sum(b.stock_length_mm) FILTER (WHERE ${condition}), 0) / 1000 AS metres`
  const amount = (pieces: string, metres: string) =>
    `json_build_object('pieces', ${pieces}, 'metres', round((${metres})::numeric, 3)::double precision)`
  const parts = {
    delivered: amount('d.pieces', 'd.metres'),
    planned: amount('p.pieces', 'p.metres'),
    cut: amount('u.pieces', 'u.metres'),
    scrapped: amount('s.pieces', 's.metres'),
    remaining: amount('d.pieces - p.pieces - u.pieces', 'd.metres - p.metres - u.metres'),
  } satisfies Record<keyof Stock, string>
  const members = Object.entries(parts).map(([name, value]) => `'${name}', ${value}`)
  return `SELECT CASE WHEN EXISTS (SELECT 1 FROM ${item} i WHERE i.company_id = ${row}.company_id) THEN (
    SELECT json_build_object(${members.join(', ')})
    FROM (
      SELECT coalesce(sum(i.pieces), 0)::int AS pieces,
        CASE WHEN bool_and(i.length_mm IS NOT NULL) IS NOT FALSE
          THEN coalesce(sum(i.pieces * i.length_mm), 0) / 1000 END AS metres
      FROM ${item} i WHERE i.company_id = ${row}.company_id AND (
        i.mill_certification_id = ${row}.mill_certification_id
        OR (i.mill_certification_id IS NULL AND i.heat_key = ${row}.heat_key))
    ) d
    CROSS JOIN LATERAL (SELECT ${sumOf(`b.status <> 'Completed'`)} ${bars} AND b.from_bar_id IS NULL) p
    CROSS JOIN LATERAL (SELECT ${sumOf(`b.status = 'Completed'`)} ${bars} AND b.from_bar_id IS NULL) u
    CROSS JOIN LATERAL (
      SELECT count(*)::int AS pieces, coalesce(sum(w.length_mm), 0) / 1000 AS metres
      FROM ${reading.table(production, 'cut')} w
      WHERE w.company_id = ${row}.company_id AND w.status = 'Scrapped' AND w.bar_id IN (SELECT b.bar_id ${bars})
    ) s) END AS stock`
}
