import type { Family } from '../../domain/tags/tag.ts'
import { certificates } from '../certificates/certificates.ts'
import type { Projection } from '../engine/projection.ts'
import { columnsOf, jsonObject } from '../engine/reading/listQuery.ts'
import type { Query, Reading } from '../engine/reading/reader.ts'
import { orders } from '../orders/orders.ts'
import { rulePacks } from '../rulePacks/rulePacks.ts'

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
    facts: () => jsonObject(columnsOf(certificates.tables.certificate, 's', ['tagIds', 'words'])),
  },
  order: {
    projection: orders,
    table: 'order',
    id: 'order_id',
    label: 'order_number',
    order: ['order_key', 'order_id'],
    facts: (reading) =>
      jsonObject({
        ...columnsOf(orders.tables.order, 's', ['tagIds', 'words']),
        lineItems: `(
          SELECT json_agg(${jsonObject(columnsOf(orders.tables.lineItem, 'l', ['pieceMarkKey']))} ORDER BY l.line_number)
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

/** The content of one subject, as rules see it. */
export function findContent(
  reading: Reading,
  { companyId, family, subjectId }: { companyId: string; family: Family; subjectId: string },
): Query {
  const { id, facts } = subjectTables[family]
  return {
    text: `SELECT ${facts(reading)} AS content FROM ${subjectTable(reading, family)} s
           WHERE s.company_id = $1 AND s.${id} = $2`,
    values: [companyId, subjectId],
  }
}

/** A decision on a rule pack, and the subject after which its next portion begins. */
interface EvaluationPlace {
  readonly eventId: string
  /** `{family}/{id}`; null for the first portion. */
  readonly after: string | null
}

export interface EvaluationPortion {
  readonly eventId: string
  /** `{family}/{id}` in their order: all certificates, then all orders. */
  readonly subjects: readonly string[]
  /** Count of all subjects of the company, with the first portion. */
  readonly total: number | null
}

/** List the next portion for each place. A decision that is not the last one on its pack has no row. */
export function listSubjectPortions(
  reading: Reading,
  companyId: string,
  places: readonly EvaluationPlace[],
  limit: number,
): Query {
  const [certificate, order] = [subjectTable(reading, 'millCert'), subjectTable(reading, 'order')]
  const {
    millCert: { id: certificateId },
    order: { id: orderId },
  } = subjectTables
  const begins = places.map(({ after }) => after?.split('/') ?? [null, null])
  return {
    text: `
      SELECT p.event_id AS "eventId",
        CASE WHEN place.id IS NULL
             THEN (SELECT count(*) FROM ${certificate} WHERE company_id = $1)::integer
                + (SELECT count(*) FROM ${order} WHERE company_id = $1)::integer END AS total,
        ARRAY(SELECT s.family || '/' || s.id FROM (
          (SELECT 'millCert' AS family, ${certificateId} AS id FROM ${certificate}
           WHERE company_id = $1 AND place.family IS DISTINCT FROM 'order' AND ${certificateId} > coalesce(place.id, '${nil}')
           ORDER BY ${certificateId} LIMIT $5)
          UNION ALL
          (SELECT 'order', ${orderId} FROM ${order}
           WHERE company_id = $1 AND ${orderId} > CASE place.family WHEN 'order' THEN place.id ELSE '${nil}' END
           ORDER BY ${orderId} LIMIT $5)) s ORDER BY s.family, s.id LIMIT $5) AS subjects
      FROM unnest($2::uuid[], $3::text[], $4::uuid[]) AS place(event_id, family, id)
      JOIN ${reading.table(rulePacks, 'rulePack')} p ON p.company_id = $1 AND p.event_id = place.event_id`,
    values: [
      companyId,
      places.map(({ eventId }) => eventId),
      begins.map(([family]) => family),
      begins.map(([, id]) => id),
      limit,
    ],
  }
}

/** An id before every other. */
const nil = '00000000-0000-0000-0000-000000000000'

/** Return one row when the company has this subject, else none. */
export function subjectExists(
  reading: Reading,
  { companyId, family, subjectId }: { companyId: string; family: Family; subjectId: string },
): Query {
  const { id } = subjectTables[family]
  return {
    text: `SELECT ${id} AS "subjectId" FROM ${subjectTable(reading, family)} s WHERE company_id = $1 AND ${id} = $2`,
    values: [companyId, subjectId],
  }
}
