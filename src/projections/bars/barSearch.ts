import { nearKey } from '../../domain/kernel/spellings.ts'
import { certificates } from '../certificates/certificates.ts'
import type { Filter } from '../engine/reading/filters.ts'
import { numberParameter, wordsParameter } from '../engine/spelling.ts'
import { haveWords, joinedWord, wordsDescription } from '../engine/wordFilter.ts'
import { orders } from '../orders/orders.ts'
import { production } from './production.ts'

/** Finds bars by the heat number of their steel, and by the words of their plan, certificate and orders. */

/**
 * The filter `q` of bars. A word may stand in the bar's own row, in its certificate, or in an order of its cuts. A heat
 * is also found as people take it for another one. Each part is a query of its own, so that PostgreSQL
 * uses the index of each.
 */
export const barSearch: Filter<readonly string[]> = {
  parameter: wordsParameter,
  description: `${wordsDescription("the bar's plan name, profile and piece marks, or in the numbers of its certificate and orders, their manufacturer and customer")} Finds a whole heat number as \`heatLike\` of certificates does, too.`,
  reads: [certificates, orders],
  matches: (sql, starts) => {
    const { reading, row, bind } = sql
    const bars = `SELECT s.bar_id FROM ${reading.table(production, 'bar')} s`
    const ofCertificates = `${bars} JOIN ${reading.table(certificates, 'certificate')} m
      ON m.company_id = s.company_id AND m.mill_certification_id = s.mill_certification_id WHERE m.company_id = $1`
    const withWord = (start: string) => `(
      ${bars} WHERE s.company_id = $1 AND ${haveWords(sql, 's', [start])}
      UNION ${ofCertificates} AND ${haveWords(sql, 'm', [start])}
      UNION SELECT c.bar_id FROM ${reading.table(production, 'cut')} c
        JOIN ${reading.table(orders, 'order')} o ON o.company_id = c.company_id AND o.order_id = c.order_id
        WHERE o.company_id = $1 AND c.status <> 'Rejected' AND ${haveWords(sql, 'o', [start])})`
    const joined = joinedWord(starts)
    const heat = bind(nearKey(starts.join('')))
    return `${row}.bar_id IN ((${starts.map(withWord).join(' INTERSECT ')})
      ${joined === undefined ? '' : `UNION ${withWord(joined)}`}
      UNION ${bars} WHERE s.company_id = $1 AND s.heat_near_key = ${heat}
      UNION ${ofCertificates} AND m.heat_near_key = ${heat})`
  },
} satisfies Filter<readonly string[]>

/** The heat of a bar is that of its certificate, or the one that was read off the steel. */
export const heatOfBar = {
  parameter: numberParameter,
  description: 'The heat number of the certificate or of the steel as it was read, in any spelling.',
  reads: [certificates],
  matches: ({ reading, row, bind }, heat) => {
    const key = bind(heat)
    return `(${row}.heat_key = ${key} OR ${row}.mill_certification_id IN (
      SELECT m.mill_certification_id FROM ${reading.table(certificates, 'certificate')} m
      WHERE m.company_id = $1 AND m.heat_key = ${key}))`
  },
} satisfies Filter<string>
