import type { HeatFacts } from '../../domain/bars/heatRead.ts'
import { normalise } from '../../domain/kernel/spellings.ts'
import { certificates } from '../certificates/certificates.ts'
import type { Projection } from '../engine/projection.ts'
import { jsonList, singleQuery } from '../engine/reading/listQuery.ts'
import type { Reader, Reading } from '../engine/reading/reader.ts'
import { orders } from '../orders/orders.ts'
import { production } from './production.ts'

/** The live certificates of the heat that was read off the steel of a bar. */

export const heatReadFrom: readonly Projection[] = [production, certificates, orders]

/** The largest number of certificates of one heat to read: a person could not choose among more. */
const mostOfOneHeat = 100

/** SQL that joins to a bar `b` the certificates of a heat, and the profiles of its lines. @param heatKey SQL */
export function joinHeat(reading: Reading, heatKey: string): string {
  const certificate = {
    millCertificationId: 'm.mill_certification_id',
    certificateNumber: 'm.certificate_number',
    profile: 'm.profile',
  }
  return `LEFT JOIN LATERAL (
      SELECT ${jsonList(certificate, 'm.certificate_key, m.mill_certification_id')} AS certificates
      FROM (
        SELECT * FROM ${reading.table(certificates, 'certificate')} m
        WHERE m.company_id = b.company_id AND m.heat_key = ${heatKey} AND m.status <> 'Voided'
        ORDER BY m.certificate_key, m.mill_certification_id LIMIT ${mostOfOneHeat}
      ) m
    ) heat ON true
    LEFT JOIN LATERAL (
      SELECT coalesce(json_agg(DISTINCT l.profile), '[]') AS profiles
      FROM ${reading.table(production, 'cut')} c JOIN ${reading.table(orders, 'lineItem')} l
        ON l.company_id = c.company_id AND l.order_id = c.order_id AND l.line_item_id = c.line_item_id
      WHERE c.company_id = b.company_id AND c.bar_id = b.bar_id AND c.status <> 'Rejected'
        AND l.profile IS NOT NULL AND ${heatKey} IS NOT NULL
    ) wanted ON true`
}

/** The columns of `joinHeat`. */
export const heatFields = {
  certificates: 'heat.certificates',
  profiles: 'wanted.profiles',
} satisfies Record<keyof HeatFacts, string>

/** @throws PostgresUnavailable */
export async function findHeat(
  reader: Pick<Reader, 'read'>,
  { companyId, barId }: { readonly companyId: string; readonly barId: string },
  heatNumber: string,
): Promise<HeatFacts> {
  const { value } = await reader.read(heatReadFrom, (reading) =>
    reading.query<HeatFacts>(
      singleQuery({
        select: heatFields,
        from: `${reading.table(production, 'bar')} b ${joinHeat(reading, '$3::text')}`,
        where: 'b.company_id = $1 AND b.bar_id = $2',
        values: [companyId, barId, normalise(heatNumber)],
      }),
    ),
  )
  return value[0] ?? { certificates: [], profiles: [] }
}
