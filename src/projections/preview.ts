import type { RuleSubject } from '../domain/ruleBook.ts'
import type { Family } from '../domain/tagCatalogue.ts'
import { certificates } from './certificates.ts'
import { orders } from './orders.ts'
import type { Query, Reading } from './reading/reader.ts'
import { tags } from './tags.ts'

/** Every subject as rules see it, with what it has of some tags: what a rule pack would change. */

export interface PreviewedSubject {
  readonly subjectId: string
  readonly subjectLabel: string
  readonly content: RuleSubject['content']
  /** Tags that it has by hand, and by rules. */
  readonly byHand: readonly string[]
  readonly byRules: readonly string[]
}

const assigned = (reading: Reading, family: Family, subject: string): string =>
  `LEFT JOIN LATERAL (
     SELECT coalesce(json_agg(tag_id) FILTER (WHERE rule_id = ''), '[]') AS by_hand,
            coalesce(json_agg(tag_id) FILTER (WHERE rule_id <> ''), '[]') AS by_rules
     FROM ${reading.table(tags, 'assignment')} a
     WHERE a.company_id = s.company_id AND a.family = '${family}' AND a.subject_id = s.${subject}
       AND a.tag_id = ANY($2::uuid[])
   ) a ON true`

const certificateContent = `json_build_object(
  'certificateNumber', certificate_number, 'heatNumber', heat_number, 'standard', standard, 'grade', grade,
  'inspectionDocument', inspection_document, 'manufacturer', manufacturer, 'productForm', product_form,
  'thicknessMm', thickness_mm, 'chemistry', chemistry, 'mechanical', mechanical, 'issuedOn', issued_on)`

const orderContent = (reading: Reading): string => `json_build_object(
  'orderNumber', order_number, 'customer', customer, 'requiredInspectionDocument', required_inspection_document,
  'executionClass', execution_class, 'lineItems', (
    SELECT json_agg(json_build_object('lineNumber', line_number, 'description', description, 'grade', grade,
                                      'lengthMm', length_mm, 'quantity', quantity) ORDER BY line_number)
    FROM ${reading.table(orders, 'lineItem')} l
    WHERE l.company_id = s.company_id AND l.order_id = s.order_id))`

/** In the order of their numbers. */
export const listPreviewedSubjects = (
  reading: Reading,
  { companyId, family, tagIds }: { companyId: string; family: Family; tagIds: readonly string[] },
): Query => {
  const select = (id: string, label: string, content: string) =>
    `SELECT s.${id} AS "subjectId", s.${label} AS "subjectLabel", ${content} AS content,
            a.by_hand AS "byHand", a.by_rules AS "byRules"`
  const text =
    family === 'millCert'
      ? `${select('mill_certification_id', 'certificate_number', certificateContent)}
         FROM ${reading.table(certificates, 'certificate')} s ${assigned(reading, family, 'mill_certification_id')}
         WHERE s.company_id = $1 ORDER BY s.certificate_key, s.heat_key, s.mill_certification_id`
      : `${select('order_id', 'order_number', orderContent(reading))}
         FROM ${reading.table(orders, 'order')} s ${assigned(reading, family, 'order_id')}
         WHERE s.company_id = $1 ORDER BY s.order_key, s.order_id`
  return { text, values: [companyId, tagIds] }
}

/** The tags of these ids that there are, active or deleted, as subjects show them. */
export const listShownTags = (reading: Reading, companyId: string, tagIds: readonly string[]): Query => ({
  text: `SELECT tag_id AS "tagId", name, color, severity FROM ${reading.table(tags, 'tag')}
         WHERE company_id = $1 AND tag_id = ANY($2::uuid[])`,
  values: [companyId, tagIds],
})
