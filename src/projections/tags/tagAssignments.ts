import { type Family, familyNames } from '../../domain/tags/tag.ts'
import { onColumn } from '../engine/reading/filters.ts'
import { type ListQuery, listQuery, type Page } from '../engine/reading/listQuery.ts'
import type { Reading } from '../engine/reading/reader.ts'
import { byHand, tags } from './tags.ts'

/** Which subject has which active tags, as lists of assignments and as the tags of a row. */

export const assignmentFilters = {
  tagId: onColumn('tagId', { kind: 'id' }, 'The tag. No record has a deleted tag.'),
}

/** Operations 8 and 9: every assignment of an active tag, of all subjects, of one, or of one tag. */
export function listAssignments(
  reading: Reading,
  {
    companyId,
    family,
    subjectId,
    tagId,
  }: { companyId: string; family: Family; subjectId?: string; tagId?: string },
  page?: Page,
): ListQuery {
  const wanted = [
    { column: 'a.company_id', value: companyId },
    { column: 'a.family', value: family },
    { column: 'a.subject_id', value: subjectId },
    { column: 'a.tag_id', value: tagId },
  ].filter(({ value }) => value !== undefined)
  return listQuery(
    {
      select: {
        [familyNames[family].subjectId]: 'a.subject_id',
        tagId: 'a.tag_id',
        companyId: 'a.company_id',
        name: 't.name',
        color: 't.color',
        description: 't.description',
        assignedByRuleId: `nullif(a.rule_id, '${byHand}')`,
        isSystemTag: 't.is_system_tag',
        severity: 't.severity',
      },
      // OFFSET 0 makes PostgreSQL walk the assignments in their order, and not sort those of every tag.
      from: `${reading.table(tags, 'assignment')} a CROSS JOIN LATERAL (
        SELECT * FROM ${reading.table(tags, 'tag')} t
        WHERE t.company_id = a.company_id AND t.family = a.family AND t.tag_id = a.tag_id OFFSET 0) t`,
      where: ['t.active', ...wanted.map(({ column }, index) => `${column} = $${index + 1}`)].join(' AND '),
      values: wanted.map(({ value }) => value),
      order: ['a.subject_id', 'a.tag_id', 'a.rule_id'],
    },
    page,
  )
}

/**
 * SQL that joins `shown.tags` (a JSON array of the subject's active tags in the order of their names), `shown.blocked`
 * and `shown.updated_at` (when one of its tags, a deleted one included, changed last) to a row that has `company_id`
 * and the subject's id. Of each subject the few assignments come
 * first and then each one's tag, by their keys (`OFFSET 0` holds the planner to it): the other way round all tags
 * of the company would be looked at for every subject.
 */
export function joinTags(reading: Reading, family: Family, row: string, subjectId: string): string {
  return `LEFT JOIN LATERAL (
     SELECT coalesce(json_agg(json_build_object('tagId', tag_id, 'name', name, 'color', color, 'severity', severity)
                              ORDER BY name_key) FILTER (WHERE active), '[]') AS tags,
            coalesce(bool_or(severity = 'Block') FILTER (WHERE active), false) AS blocked,
            max(updated_at) AS updated_at
     FROM (SELECT DISTINCT a.tag_id AS id FROM ${reading.table(tags, 'assignment')} a
           WHERE a.company_id = ${row}.company_id AND a.family = '${family}'
             AND a.subject_id = ${row}.${subjectId}) assigned
     CROSS JOIN LATERAL (SELECT * FROM ${reading.table(tags, 'tag')} t
           WHERE t.company_id = ${row}.company_id AND t.family = '${family}' AND t.tag_id = assigned.id
           OFFSET 0) tag
   ) shown ON true`
}
