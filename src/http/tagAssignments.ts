import { z } from 'zod'
import { setManualAssignments } from '../commands/assignments.ts'
import type { Family } from '../domain/tag.ts'
import { listAssignments, tags } from '../projections/tags.ts'
import { list } from './kit/lists/listRoute.ts'
import { command } from './kit/routing/commandRoute.ts'
import { id, type Route } from './kit/routing/route.ts'
import { tagFamily } from './kit/routing/tagFamily.ts'
import { severity, timestamp, uuid } from './kit/schemas/fields.ts'

/** Assignments of tags to subjects. One declaration serves both families. */

const assignmentsBody = z.strictObject({
  tagIds: z.array(id).max(100, 'must have at most 100 members'),
})

const inAssignmentOrder = z.tuple([uuid, uuid, z.string()])

/** The routes on the assignments of one family. */
export function tagAssignmentRoutes(family: Family): Route[] {
  const { called, noun, subjectOf, all, ofSubject, reading, writing, subjects, withinSubject } =
    tagFamily(family)
  const { assignment, manualAssignment } = recordsOf(family)
  return [
    list({
      ...reading,
      path: `${all}/assignments`,
      operationId: `list${called}TagAssignments`,
      summary: `List the assignments of active tags to every ${noun}`,
      reads: [tags],
      rows: (moment, { params: { companyId } }, page) => listAssignments(moment, { companyId, family }, page),
      sortKey: inAssignmentOrder,
      item: assignment,
    }),
    list({
      ...reading,
      path: ofSubject,
      operationId: `listTagAssignmentsOf${called}`,
      summary: `List the assignments of active tags to one ${noun}`,
      reads: [tags, subjects],
      rows: (moment, { params }, page) =>
        listAssignments(moment, { companyId: params.companyId, family, subjectId: subjectOf(params) }, page),
      sortKey: inAssignmentOrder,
      within: withinSubject,
      item: assignment,
    }),
    command({
      ...writing,
      method: 'put',
      path: `${ofSubject}/manual`,
      operationId: `setManual${called}Tags`,
      summary: `Set the manual tags of one ${noun}`,
      description:
        'Replaces the set; an empty set clears it. Assignments by rules stay unchanged. If-Match compares with the ETag of the last answer of this operation.',
      body: assignmentsBody,
      command: ({ params, body }) =>
        setManualAssignments(params.companyId, family, subjectOf(params), body.tagIds),
      record: z.array(manualAssignment),
      conditional: true,
      problems: [404],
    }),
  ]
}

function recordsOf(family: Family) {
  const { called, subjectId } = tagFamily(family)
  return {
    assignment: z
      .object({
        [subjectId]: uuid,
        tagId: uuid,
        companyId: uuid,
        name: z.string(),
        color: z.string(),
        description: z.string().nullable(),
        assignedByRuleId: z.string().nullable().meta({ description: 'null for a manual assignment.' }),
        isSystemTag: z.boolean(),
        severity: severity.nullable(),
      })
      .meta({ id: `${called}TagAssignment` }),
    manualAssignment: z
      .object({
        assignmentId: uuid,
        [subjectId]: uuid,
        tagId: uuid,
        assignedByRuleId: z.null(),
        assignedAt: timestamp,
      })
      .meta({ id: `Manual${called}TagAssignment` }),
  }
}
