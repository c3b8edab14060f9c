import type { RuleSubject } from '../../domain/rulePacks/ruleBook.ts'
import type { Family } from '../../domain/tags/tag.ts'
import type { Query, Reading } from '../engine/reading/reader.ts'
import { subjectTable, subjectTables } from '../tags/subjects.ts'
import { tags } from '../tags/tags.ts'

/** Every subject as rules see it, with its share of some tags: the input of a rule pack's preview. */

export interface PreviewedSubject {
  readonly subjectId: string
  readonly subjectLabel: string
  readonly content: RuleSubject['content']
  /** The ids among `tagIds` that the subject has by hand, and by rules. */
  readonly byHand: readonly string[]
  readonly byRules: readonly string[]
}

/** List the subjects of a family in the order of their numbers. */
export function listPreviewedSubjects(
  reading: Reading,
  { companyId, family, tagIds }: { companyId: string; family: Family; tagIds: readonly string[] },
): Query {
  const { id, label, order, facts } = subjectTables[family]
  return {
    text: `SELECT s.${id} AS "subjectId", s.${label} AS "subjectLabel", ${facts(reading)} AS content,
                  assigned.by_hand AS "byHand", assigned.by_rules AS "byRules"
           FROM ${subjectTable(reading, family)} s
           LEFT JOIN LATERAL (
             SELECT coalesce(json_agg(tag_id) FILTER (WHERE rule_id = ''), '[]') AS by_hand,
                    coalesce(json_agg(tag_id) FILTER (WHERE rule_id <> ''), '[]') AS by_rules
             FROM ${reading.table(tags, 'assignment')} a
             WHERE a.company_id = s.company_id AND a.family = '${family}' AND a.subject_id = s.${id}
               AND a.tag_id = ANY($2::uuid[])
           ) assigned ON true
           WHERE s.company_id = $1 ORDER BY ${order.map((column) => `s.${column}`).join(', ')}`,
    values: [companyId, tagIds],
  }
}

/** List the tags of these ids, active or deleted, as subjects show them. */
export function listShownTags(reading: Reading, companyId: string, tagIds: readonly string[]): Query {
  return {
    text: `SELECT tag_id AS "tagId", name, color, severity FROM ${reading.table(tags, 'tag')}
           WHERE company_id = $1 AND tag_id = ANY($2::uuid[])`,
    values: [companyId, tagIds],
  }
}
