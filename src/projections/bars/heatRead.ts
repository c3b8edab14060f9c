import type { CertificateOfHeat, HeatFacts } from '../../domain/bars/heatRead.ts'
import { nearKey, normalise } from '../../domain/kernel/spellings.ts'
import { certificates } from '../certificates/certificates.ts'
import type { Projection } from '../engine/projection.ts'
import { jsonList, singleQuery } from '../engine/reading/listQuery.ts'
import type { Reader, Reading } from '../engine/reading/reader.ts'
import { orders } from '../orders/orders.ts'
import { production } from './production.ts'

/** The live certificates of the heat that was read off the steel of a bar, and of heats that people take for it. */

export const heatReadFrom: readonly Projection[] = [production, certificates, orders]

/** The largest number of certificates of one heat to read: a person could not choose among more. */
const mostOfOneHeat = 100

/** SQL of the two forms in which a heat number is compared. */
interface HeatKeys {
  readonly exact: string
  readonly near: string
}

/** SQL that joins to a bar `b` the certificates of a heat, those of the exact number first, and the profiles of its lines. */
export function joinHeat(reading: Reading, { exact, near }: HeatKeys): string {
  const certificate = {
    millCertificationId: 'm.mill_certification_id',
    certificateNumber: 'm.certificate_number',
    heatNumber: 'm.heat_number',
    manufacturer: 'm.manufacturer',
    grade: 'm.grade',
    profile: 'm.profile',
    thicknessMm: 'm.thickness_mm',
  } satisfies Record<keyof CertificateOfHeat, string>
  const inOrder = `m.heat_key <> ${exact}, m.certificate_key, m.mill_certification_id`
  return `LEFT JOIN LATERAL (
      SELECT ${jsonList(certificate, inOrder)} AS certificates
      FROM (
        SELECT * FROM ${reading.table(certificates, 'certificate')} m
        WHERE m.company_id = b.company_id AND m.heat_near_key = ${near} AND m.status <> 'Voided'
        ORDER BY ${inOrder} LIMIT ${mostOfOneHeat}
      ) m
    ) heat ON true
    LEFT JOIN LATERAL (
      SELECT coalesce(json_agg(DISTINCT l.profile), '[]') AS profiles
      FROM ${reading.table(production, 'cut')} c JOIN ${reading.table(orders, 'lineItem')} l
        ON l.company_id = c.company_id AND l.order_id = c.order_id AND l.line_item_id = c.line_item_id
      WHERE c.company_id = b.company_id AND c.bar_id = b.bar_id AND c.status <> 'Rejected'
        AND l.profile IS NOT NULL AND ${near} IS NOT NULL
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
        from: `${reading.table(production, 'bar')} b ${joinHeat(reading, { exact: '$3::text', near: '$4::text' })}`,
        where: 'b.company_id = $1 AND b.bar_id = $2',
        values: [companyId, barId, normalise(heatNumber), nearKey(heatNumber)],
      }),
    ),
  )
  return value[0] ?? { certificates: [], profiles: [] }
}
