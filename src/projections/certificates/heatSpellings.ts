import type { HeatSpelling } from '../../domain/certificates/deceivingHeat.ts'
import { normalise } from '../../domain/kernel/spellings.ts'
import type { Reader } from '../engine/reading/reader.ts'
import { toDecide } from '../engine/reading/toDecide.ts'
import { certificates } from './certificates.ts'

/** The most spellings of one heat number to read. */
const mostSpellings = 100

/** Return how certificates that are not voided spell a heat number that looks like this one. */
export async function findHeatSpellings(
  reader: Pick<Reader, 'read'>,
  companyId: string,
  heatNumber: string,
): Promise<readonly HeatSpelling[]> {
  const { value } = await toDecide(reader, companyId).read([certificates], (reading) =>
    reading.query<HeatSpelling>({
      text: `SELECT heat_number AS "heatNumber", min(mill_certification_id::text) AS "millCertificationId"
        FROM ${reading.table(certificates, 'certificate')}
        WHERE company_id = $1 AND heat_key = $2 AND status <> 'Voided'
        GROUP BY heat_number ORDER BY heat_number LIMIT ${mostSpellings}`,
      values: [companyId, normalise(heatNumber)],
    }),
  )
  return value
}
