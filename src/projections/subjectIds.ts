import type { Family } from '../domain/tagCatalogue.ts'
import { certificates } from './certificates.ts'
import { orders } from './orders.ts'
import type { Query, Reading } from './reading/reader.ts'

/** The ids of a company's certificates and orders: what rule packs are evaluated on. */

const places = {
  millCert: { projection: certificates, table: 'certificate', id: 'mill_certification_id' },
  order: { projection: orders, table: 'order', id: 'order_id' },
} as const

/** The next ids after that one, in their order. */
export const listSubjectIds = (
  reading: Reading,
  { companyId, family, after }: { companyId: string; family: Family; after: string | null },
  limit: number,
): Query => {
  const { projection, table, id } = places[family]
  return {
    text: `SELECT ${id} AS "subjectId" FROM ${reading.table(projection, table)}
           WHERE company_id = $1 AND ${id} > $2 ORDER BY ${id} LIMIT $3`,
    values: [companyId, after ?? '00000000-0000-0000-0000-000000000000', limit],
  }
}

/** How many subjects of both families there are. */
export const countSubjects = (reading: Reading, companyId: string): Query => ({
  text: `SELECT (SELECT count(*) FROM ${reading.table(certificates, 'certificate')} WHERE company_id = $1)::integer
              + (SELECT count(*) FROM ${reading.table(orders, 'order')} WHERE company_id = $1)::integer AS total`,
  values: [companyId],
})
