import { type Family, familyNames } from '../../domain/tags/tag.ts'
import { jsonList, jsonObject, type ListQuery, singleQuery } from '../engine/reading/listQuery.ts'
import type { Reading } from '../engine/reading/reader.ts'
import { subjectTable, subjectTables } from './subjects.ts'
import { byHand, tags } from './tags.ts'

/** The tags that a subject has by hand, those of deleted tags included, as whoever sets them needs to know them. */

interface SubjectAddress {
  readonly companyId: string
  readonly family: Family
  readonly subjectId: string
}

/** All manual assignments of a subject, in the order of the tags' names, with the `revision` of the set. */
export function findManualAssignments(
  reading: Reading,
  { companyId, family, subjectId }: SubjectAddress,
): ListQuery {
  const { id } = subjectTables[family]
  return singleQuery({
    select: { assignments: 'own.assignments', revision: 'coalesce(m.revision, 0)' },
    from: `${subjectTable(reading, family)} s
      LEFT JOIN ${reading.table(tags, 'manualSet')} m
        ON m.company_id = s.company_id AND m.family = $2 AND m.subject_id = s.${id}
      LEFT JOIN LATERAL (
        SELECT ${jsonList(assignmentFields(family), 't.name_key')} AS assignments
        FROM ${assignmentsWithTags(reading)}
        WHERE a.company_id = s.company_id AND a.family = $2 AND a.subject_id = s.${id} AND a.rule_id = '${byHand}'
      ) own ON true`,
    where: `s.company_id = $1 AND s.${id} = $3`,
    values: [companyId, family, subjectId],
  })
}

/** One manual assignment, with its `revision`. */
export function findManualAssignment(
  reading: Reading,
  { companyId, family, subjectId, tagId }: SubjectAddress & { readonly tagId: string },
): ListQuery {
  return singleQuery({
    select: { assignment: jsonObject(assignmentFields(family)), revision: 'a.revision' },
    from: `${reading.table(tags, 'assignment')} a`,
    where: `a.company_id = $1 AND a.family = $2 AND a.subject_id = $3 AND a.tag_id = $4 AND a.rule_id = '${byHand}'`,
    values: [companyId, family, subjectId, tagId],
  })
}

function assignmentFields(family: Family) {
  return {
    assignmentId: 'a.assignment_id',
    [familyNames[family].subjectId]: 'a.subject_id',
    tagId: 'a.tag_id',
    assignedByRuleId: 'NULL::text',
    assignedAt: 'a.assigned_at',
  }
}

function assignmentsWithTags(reading: Reading): string {
  return `${reading.table(tags, 'assignment')} a
    JOIN ${reading.table(tags, 'tag')} t USING (company_id, family, tag_id)`
}
