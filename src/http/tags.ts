import { z } from 'zod'
import { setManualAssignments } from '../commands/assignments.ts'
import { createTag, restoreTag, softDeleteTag, updateTag } from '../commands/tags.ts'
import { notFound } from '../domain/refusal.ts'
import type { Family } from '../domain/tagCatalogue.ts'
import { certificateExists, certificates } from '../projections/certificates.ts'
import { history, listTagHistory } from '../projections/history.ts'
import { orderExists, orders } from '../projections/orders.ts'
import { findTag, listAssignments, listTags, tags } from '../projections/tags.ts'
import { command } from './commandRoute.ts'
import { name, orNull, severity, text, timestamp, uuid } from './fields.ts'
import { list } from './listRoute.ts'
import { record } from './readRoute.ts'
import { id, type Route } from './route.ts'

/** The ten operations on tags, and the single GET: one declaration for both families. */

const tagBody = z
  .strictObject({
    name: name.meta({ description: 'Unique among the tags of the company in this family.' }),
    color: z
      .string()
      .regex(/^#(?:[0-9A-Fa-f]{3}|[0-9A-Fa-f]{6})$/, 'must be #RGB or #RRGGBB')
      .meta({ examples: ['#1f77b4'] }),
    description: orNull(text(0, 500)),
    severity: orNull(severity),
  })
  .meta({ id: 'TagContent' })

const assignmentsBody = z.strictObject({
  tagIds: z.array(id).max(100, 'must have at most 100 members'),
})

const tagRecord = z
  .object({
    tagId: uuid,
    companyId: uuid,
    name: z.string(),
    color: z.string(),
    description: z.string().nullable(),
    active: z.boolean().meta({ description: 'false: soft-deleted.' }),
    lastModifiedBy: z.string(),
    isSystemTag: z.boolean().meta({ description: 'From a subscribed rule pack, and read-only.' }),
    severity: severity.nullable(),
  })
  .meta({ id: 'Tag' })
const datedTag = z
  .object({ ...tagRecord.shape, createdAt: timestamp, updatedAt: timestamp })
  .meta({ id: 'DatedTag' })
const listedTag = z
  .object({
    ...datedTag.shape,
    usageCount: z.int().meta({ description: 'Subjects that the tag is assigned to.' }),
  })
  .meta({ id: 'ListedTag' })

const auditEntry = z
  .object({
    changedAt: timestamp,
    changedById: z.string(),
    changedByName: z.string(),
    changeType: z.enum(['Created', 'Updated', 'Deleted', 'Restored', 'Assigned', 'Unassigned']),
    entityType: z.enum(['MillCertTag', 'OrderTag', 'MillCertification', 'Order']),
    entityLabel: z.string(),
    changes: z.array(z.object({ field: z.string(), from: z.unknown(), to: z.unknown() })),
    entityId: uuid,
    eventId: uuid,
    position: z.int(),
    assignedByRuleId: z.string().nullable(),
  })
  .meta({ id: 'TagAuditEntry' })

const families = {
  millCert: {
    segment: 'millcert-tags',
    subjectId: 'millCertificationId',
    subject: 'mill certificate',
    called: 'MillCert',
    group: 'Mill cert tags',
    projection: certificates,
    exists: certificateExists,
  },
  order: {
    segment: 'order-tags',
    subjectId: 'orderId',
    subject: 'order',
    called: 'Order',
    group: 'Order tags',
    projection: orders,
    exists: orderExists,
  },
} as const

export const tagRoutes = (family: Family): Route[] => {
  const { segment, subjectId, subject, called, group, projection, exists } = families[family]
  const all = `/api/company/{companyId}/${segment}` as const
  const one = `${all}/{tagId}` as const
  const ofSubject = `${all}/assignments/{${subjectId}}` as const
  const reading = { tag: group, access: { company: 'view' } } as const
  const writing = { tag: group, access: { company: 'edit' } } as const
  const byName = z.tuple([z.string(), uuid])

  const subjectOf = (params: Readonly<Record<string, string>>): string => params[subjectId]!
  const tagMissing = ({ params }: { params: { tagId: string } }) => notFound('tag', params.tagId)

  const assigned = {
    [subjectId]: uuid,
    tagId: uuid,
    companyId: uuid,
    name: z.string(),
    color: z.string(),
    description: z.string().nullable(),
    assignedByRuleId: z.string().nullable().meta({ description: 'null: assigned by hand.' }),
    isSystemTag: z.boolean(),
    severity: severity.nullable(),
  }
  const assignment = z.object(assigned).meta({ id: `${called}TagAssignment` })
  const manualAssignment = z
    .object({
      assignmentId: uuid,
      [subjectId]: uuid,
      tagId: uuid,
      assignedByRuleId: z.null(),
      assignedAt: timestamp,
    })
    .meta({ id: `Manual${called}TagAssignment` })
  const inAssignmentOrder = z.tuple([uuid, uuid, z.string()])

  return [
    list({
      ...reading,
      path: all,
      operationId: `list${called}Tags`,
      summary: 'List the active tags',
      reads: [tags],
      rows: (moment, { params: { companyId } }, page) =>
        listTags(moment, { companyId, family, active: true }, page),
      sortKey: byName,
      item: listedTag,
    }),
    command({
      ...writing,
      method: 'post',
      path: all,
      operationId: `create${called}Tag`,
      summary: 'Create a tag',
      description: 'Refused when the name is taken, also by a soft-deleted tag.',
      body: tagBody,
      command: ({ params: { companyId }, body }) => createTag(companyId, family, body),
      record: tagRecord,
      location: ({ companyId, tagId }) => `/api/company/${companyId}/${segment}/${tagId}`,
      problems: [409],
    }),
    record({
      ...reading,
      path: one,
      operationId: `get${called}Tag`,
      summary: 'Read one tag, active or deleted',
      reads: [tags],
      find: (moment, { params: { companyId, tagId } }) => findTag(moment, { companyId, family, tagId }),
      missing: tagMissing,
      record: datedTag,
    }),
    command({
      ...writing,
      method: 'put',
      path: one,
      operationId: `update${called}Tag`,
      summary: 'Update a tag',
      description: 'Replaces name, color, description and severity; all show everywhere at once.',
      body: tagBody,
      command: ({ params: { companyId, tagId }, body }) => updateTag({ companyId, family, tagId }, body),
      record: tagRecord,
      conditional: true,
      problems: [404, 409],
    }),
    command({
      ...writing,
      method: 'delete',
      path: one,
      operationId: `delete${called}Tag`,
      summary: 'Soft-delete a tag',
      description: 'It leaves the list, keeps its assignments and its name, and can be restored.',
      command: ({ params: { companyId, tagId } }) => softDeleteTag({ companyId, family, tagId }),
      conditional: true,
      problems: [404, 409],
    }),
    list({
      ...reading,
      path: `${one}/history`,
      operationId: `get${called}TagHistory`,
      summary: 'The full history of a tag and its assignments, most recent first',
      reads: [history, tags],
      rows: (moment, { params: { companyId, tagId } }, page) =>
        listTagHistory(moment, { companyId, family, tagId }, page),
      sortKey: z.tuple([z.int(), z.int()]),
      within: {
        find: (moment, { params: { companyId, tagId } }) => findTag(moment, { companyId, family, tagId }),
        missing: tagMissing,
      },
      item: auditEntry,
    }),
    list({
      ...reading,
      path: `${all}/deleted`,
      operationId: `listDeleted${called}Tags`,
      summary: 'List the soft-deleted tags',
      reads: [tags],
      rows: (moment, { params: { companyId } }, page) =>
        listTags(moment, { companyId, family, active: false }, page),
      sortKey: byName,
      item: listedTag,
    }),
    command({
      ...writing,
      method: 'post',
      path: `${one}/restore`,
      operationId: `restore${called}Tag`,
      summary: 'Restore a soft-deleted tag',
      command: ({ params: { companyId, tagId } }) => restoreTag({ companyId, family, tagId }),
      record: tagRecord,
      conditional: true,
      problems: [404, 409],
    }),
    list({
      ...reading,
      path: `${all}/assignments`,
      operationId: `list${called}TagAssignments`,
      summary: `List the assignments of active tags to every ${subject}`,
      reads: [tags],
      rows: (moment, { params: { companyId } }, page) => listAssignments(moment, { companyId, family }, page),
      sortKey: inAssignmentOrder,
      item: assignment,
    }),
    list({
      ...reading,
      path: ofSubject,
      operationId: `listTagAssignmentsOf${called}`,
      summary: `List the assignments of active tags to one ${subject}`,
      reads: [tags, projection],
      rows: (moment, { params }, page) =>
        listAssignments(moment, { companyId: params.companyId, family, subjectId: subjectOf(params) }, page),
      sortKey: inAssignmentOrder,
      within: {
        find: (moment, { params }) => exists(moment, params.companyId, subjectOf(params)),
        missing: ({ params }) => notFound(subject, subjectOf(params)),
      },
      item: assignment,
    }),
    command({
      ...writing,
      method: 'put',
      path: `${ofSubject}/manual`,
      operationId: `setManual${called}Tags`,
      summary: `Set the tags that a ${subject} has by hand`,
      description:
        'Replaces the set; an empty one clears it. What rules assign stays as it is. If-Match compares with the ETag of the last answer of this operation.',
      body: assignmentsBody,
      command: ({ params, body }) =>
        setManualAssignments(params.companyId, family, subjectOf(params), body.tagIds),
      record: z.array(manualAssignment),
      conditional: true,
      problems: [404],
    }),
  ]
}
