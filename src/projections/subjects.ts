import type { Family } from '../domain/tag.ts'
import { certificates } from './certificates.ts'
import { orders } from './orders.ts'
import type { Projection } from './projection.ts'
import { columnsOf, jsonObject } from './reading/listQuery.ts'
import type { Query, Reading } from './reading/reader.ts'

/** Mill certificates and orders by what they have in common: the subjects of tags and rules. */

interface SubjectTable {
  readonly projection: Projection
  readonly table: string
  /** The columns of the subject's id and label, and those of the list's order. */
  readonly id: string
  readonly label: string
  readonly order: readonly string[]
  /** SQL: the row `s` as one JSON object. Rules take the fields that they declare from it. */
  readonly facts: (reading: Reading) => string
}

export const subjectTables: Readonly<Record<Family, SubjectTable>> = {
  millCert: {
    projection: certificates,
    table: 'certificate',
    id: 'mill_certification_id',
    label: 'certificate_number',
    order: ['certificate_key', 'heat_key', 'mill_certification_id'],
    facts: () => jsonObject(columnsOf(certificates.tables.certificate, 's')),
  },
  order: {
    projection: orders,
    table: 'order',
    id: 'order_id',
    label: 'order_number',
    order: ['order_key', 'order_id'],
    facts: (reading) =>
      jsonObject({
        ...columnsOf(orders.tables.order, 's'),
        lineItems: `(
          SELECT json_agg(${jsonObject(columnsOf(orders.tables.lineItem, 'l'))} ORDER BY l.line_number)
          FROM ${reading.table(orders, 'lineItem')} l
          WHERE l.company_id = s.company_id AND l.order_id = s.order_id)`,
      }),
  },
}

/** SQL that names the table of the family's subjects. */
export function subjectTable(reading: Reading, family: Family): string {
  const { projection, table } = subjectTables[family]
  return reading.table(projection, table)
}

/** List the next ids after `after`, in their order. */
export function listSubjectIds(
  reading: Reading,
  { companyId, family, after }: { companyId: string; family: Family; after: string | null },
  limit: number,
): Query {
  const { id } = subjectTables[family]
  return {
    text: `SELECT ${id} AS "subjectId" FROM ${subjectTable(reading, family)}
           WHERE company_id = $1 AND ${id} > $2 ORDER BY ${id} LIMIT $3`,
    values: [companyId, after ?? '00000000-0000-0000-0000-000000000000', limit],
  }
}

/** Count the subjects of both families. */
export function countSubjects(reading: Reading, companyId: string): Query {
  return {
    text: `SELECT (SELECT count(*) FROM ${subjectTable(reading, 'millCert')} WHERE company_id = $1)::integer
                + (SELECT count(*) FROM ${subjectTable(reading, 'order')} WHERE company_id = $1)::integer AS total`,
    values: [companyId],
  }
}

/** Return one row when the company has this subject, else none. */
export function subjectExists(
  reading: Reading,
  { companyId, family, subjectId }: { companyId: string; family: Family; subjectId: string },
): Query {
  const { id } = subjectTables[family]
  return {
    text: `SELECT ${id} AS "subjectId" FROM ${subjectTable(reading, family)} WHERE company_id = $1 AND ${id} = $2`,
    values: [companyId, subjectId],
  }
}
