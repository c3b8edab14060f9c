import { z } from 'zod'
import { keepingBlocks, refusedByQualityOnly } from '../../commands/company/qualityOnly.ts'
import { assignTag, setManualAssignments, unassignTag } from '../../commands/tags/assignments.ts'
import { maxManualAssignments } from '../../domain/tags/assignments.ts'
import type { Family } from '../../domain/tags/tag.ts'
import { findManualAssignment, findManualAssignments } from '../../projections/tags/manualAssignments.ts'
import { assignmentFilters, listAssignments } from '../../projections/tags/tagAssignments.ts'
import { tags } from '../../projections/tags/tags.ts'
import { listRoute } from '../kit/lists/listRoute.ts'
import { commandRoute } from '../kit/routing/commandRoute.ts'
import { qualityOf } from '../kit/routing/qualityOf.ts'
import { recordRoute } from '../kit/routing/readRoute.ts'
import { id, type Route } from '../kit/routing/route.ts'
import { listOf } from '../kit/schemas/collections.ts'
import { severity, timestamp, uuid } from '../kit/schemas/fields.ts'
import { tagFamily } from './tagFamily.ts'

/** Assignments of tags to subjects. One declaration serves both families. */

const assignmentsBody = z.strictObject({ tagIds: listOf(id, { most: maxManualAssignments }) })

const inAssignmentOrder = z.tuple([uuid, uuid, z.string()])

/** The routes on the assignments of one family. */
export function tagAssignmentRoutes(family: Family): Route[] {
  const { called, noun, subjectOf, assignments, ofSubject, reading, subjects, withinSubject } =
    tagFamily(family)
  const { assignment } = recordsOf(family)
  return [
    listRoute({
      ...reading,
      path: assignments,
      operationId: `list${called}TagAssignments`,
      summary: `List the assignments of active tags to every ${noun}`,
      filters: assignmentFilters,
      hasAsOf: true,
      reads: [tags],
      rows: (snapshot, { params: { companyId }, filterValues }, page) =>
        listAssignments(snapshot, { companyId, family, ...filterValues }, page),
      sortKey: inAssignmentOrder,
      item: assignment,
    }),
    listRoute({
      ...reading,
      path: ofSubject,
      operationId: `listTagAssignmentsOf${called}`,
      summary: `List the assignments of active tags to one ${noun}`,
      hasAsOf: true,
      reads: [tags, subjects],
      rows: (snapshot, { params }, page) =>
        listAssignments(
          snapshot,
          { companyId: params.companyId, family, subjectId: subjectOf(params) },
          page,
        ),
      sortKey: inAssignmentOrder,
      within: withinSubject,
      item: assignment,
    }),
    ...manualSetRoutes(family),
    ...manualTagRoutes(family),
  ]
}

/** The manual tags of a subject as one set. */
function manualSetRoutes(family: Family): Route[] {
  const { called, noun, missing, subjectOf, ofSubject, reading, writing, subjects, withinSubject } =
    tagFamily(family)
  const { manualAssignment } = recordsOf(family)
  const all = `${ofSubject}/manual` as const
  return [
    recordRoute({
      ...reading,
      path: all,
      operationId: `getManual${called}Tags`,
      summary: `Read the manual tags of one ${noun}`,
      description:
        'Shows the assignments of soft-deleted tags, too, because they stay until somebody takes them away.',
      hasAsOf: true,
      reads: [tags, subjects],
      find: (snapshot, { params }) =>
        findManualAssignments(snapshot, {
          companyId: params.companyId,
          family,
          subjectId: subjectOf(params),
        }),
      missing: withinSubject.missing,
      present: ({ assignments }: { assignments: object }) => assignments,
      record: z.array(manualAssignment),
    }),
    commandRoute({
      ...writing,
      method: 'put',
      path: all,
      operationId: `setManual${called}Tags`,
      summary: `Set the manual tags of one ${noun}`,
      description: 'Replaces the set; an empty set clears it. Assignments by rules stay unchanged.',
      body: assignmentsBody,
      command: ({ params, body, principal }) =>
        keepingBlocks(
          params.companyId,
          setManualAssignments(params.companyId, family, subjectOf(params), body.tagIds),
          qualityOf(principal, params.companyId),
        ),
      record: z.array(manualAssignment),
      conditional: true,
      problems: [missing, ...refusedByQualityOnly],
    }),
  ]
}

/** One manual tag of a subject. */
function manualTagRoutes(family: Family): Route[] {
  const { called, noun, missing, subjectOf, ofSubject, reading, writing } = tagFamily(family)
  const { manualAssignment } = recordsOf(family)
  const one = `${ofSubject}/manual/{tagId}` as const
  const addressOf = (params: { companyId: string; tagId: string }) => ({
    companyId: params.companyId,
    family,
    subjectId: subjectOf(params),
    tagId: params.tagId,
  })
  return [
    recordRoute({
      ...reading,
      path: one,
      operationId: `getManual${called}Tag`,
      summary: `Read one manual tag of one ${noun}`,
      hasAsOf: true,
      reads: [tags],
      find: (snapshot, { params }) => findManualAssignment(snapshot, addressOf(params)),
      missing: { code: 'assignment-not-found', id: 'tagId' },
      present: ({ assignment }: { assignment: object }) => assignment,
      record: manualAssignment,
    }),
    commandRoute({
      ...writing,
      method: 'put',
      path: one,
      operationId: `assignManual${called}Tag`,
      summary: `Assign one tag to one ${noun}`,
      description: 'The other tags stay. A tag that is assigned by hand already keeps its assignment.',
      command: ({ params }) => assignTag(addressOf(params)),
      record: manualAssignment,
      conditional: true,
      problems: [missing, ...assignTag.refuses],
    }),
    commandRoute({
      ...writing,
      method: 'delete',
      path: one,
      operationId: `unassignManual${called}Tag`,
      summary: `Take away one manual tag of one ${noun}`,
      description:
        'The other tags stay, and so do assignments by rules. Again it succeeds and records nothing.',
      command: ({ params, principal }) =>
        keepingBlocks(
          params.companyId,
          unassignTag(addressOf(params)),
          qualityOf(principal, params.companyId),
        ),
      conditional: true,
      problems: [missing, ...refusedByQualityOnly],
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
