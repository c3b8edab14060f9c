import { z } from 'zod'
import { keepingBlocks, refusedByQualityOnly } from '../../commands/company/qualityOnly.ts'
import { createTag, restoreTag, softDeleteTag, updateTag } from '../../commands/tags/tags.ts'
import { replaceMembers, type Sent } from '../../domain/kernel/edit.ts'
import { type Family, type TagContent, type TagRef, tagFields } from '../../domain/tags/tag.ts'
import { change } from '../../problems/requests.ts'
import { persons } from '../../projections/company/persons.ts'
import type { Reading } from '../../projections/engine/reading/reader.ts'
import { history, listTagHistory } from '../../projections/tags/history.ts'
import { findTag, listTags, tags } from '../../projections/tags/tags.ts'
import { listRoute } from '../kit/lists/listRoute.ts'
import { commandRoute } from '../kit/routing/commandRoute.ts'
import { qualityOf } from '../kit/routing/qualityOf.ts'
import { recordRoute } from '../kit/routing/readRoute.ts'
import { pathWith, type Route } from '../kit/routing/route.ts'
import { answerOf, bodyOf } from '../kit/schemas/declared.ts'
import { asEdit } from '../kit/schemas/edit.ts'
import { revision, timestamp, uuid } from '../kit/schemas/fields.ts'
import type { Principal } from '../kit/services.ts'
import { tagFamily } from './tagFamily.ts'

/** Tags: listed, read, created, updated, soft-deleted, restored. One declaration serves both families. */

const content = bodyOf(tagFields)

const tagBody = z.strictObject(content).meta({
  id: 'TagContent',
  sharedMembers: 'TagMembers',
  examples: [{ name: 'Impact energy too low', color: '#c00', severity: 'Block' }],
})
const { name: requiredName, color: requiredColor } = content
const tagUpdate = z
  .strictObject({ ...asEdit(content), name: requiredName, color: requiredColor })
  .meta({ id: 'TagUpdate', sharedMembers: 'TagMembers' })
const tagPatch = z.strictObject(asEdit(content)).meta({ id: 'TagPatch', sharedMembers: 'TagMembers' })

const tagRecord = z
  .object({
    tagId: uuid,
    companyId: uuid,
    ...answerOf(tagFields),
    active: z.boolean().meta({ description: 'false when soft-deleted.' }),
    lastModifiedBy: z.string(),
    isSystemTag: z
      .boolean()
      .meta({ description: 'Whether the tag comes from a subscribed rule pack; such a tag is read-only.' }),
  })
  .meta({ id: 'Tag' })
const datedTag = z
  .object({ ...tagRecord.shape, createdAt: timestamp, updatedAt: timestamp, revision })
  .meta({ id: 'DatedTag' })
const listedTag = z
  .object({
    ...datedTag.shape,
    usageCount: z.int().meta({ description: 'The number of subjects with this tag.' }),
  })
  .meta({ id: 'ListedTag' })

const auditEntry = z
  .object({
    changedAt: timestamp,
    changedById: z.string(),
    changedByName: z.string(),
    changeType: z
      .enum(['Created', 'Updated', 'Deleted', 'Restored', 'Assigned', 'Unassigned'])
      .meta({ id: 'TagChangeType' }),
    entityType: z
      .enum(['MillCertTag', 'OrderTag', 'MillCertification', 'Order'])
      .meta({ id: 'TagEntityType' }),
    entityLabel: z.string(),
    changes: z.array(change),
    entityId: uuid,
    eventId: uuid,
    position: z.int(),
    assignedByRuleId: z.string().nullable(),
  })
  .meta({ id: 'TagAuditEntry' })

/** The routes on the tags of one family. */
export function tagRoutes(family: Family): Route[] {
  return [...tagLists(family), ...tagCommands(family)]
}

const byName = z.tuple([z.string(), uuid])

function tagLists(family: Family): Route[] {
  const { called, all, one, reading } = tagFamily(family)
  const aTag = {
    find: (snapshot: Reading, { params: { companyId, tagId } }: { params: Omit<TagRef, 'family'> }) =>
      findTag(snapshot, { companyId, family, tagId }),
    missing: { code: 'tag-not-found', id: 'tagId' },
  } as const
  return [
    listRoute({
      ...reading,
      path: all,
      operationId: `list${called}Tags`,
      summary: 'List the active tags',
      hasAsOf: true,
      reads: [tags],
      rows: (snapshot, { params: { companyId } }, page) =>
        listTags(snapshot, { companyId, family, active: true }, page),
      sortKey: byName,
      rowsAtOnce: 1_000,
      item: listedTag,
    }),
    listRoute({
      ...reading,
      path: `${all}/deleted`,
      operationId: `listDeleted${called}Tags`,
      summary: 'List the soft-deleted tags',
      hasAsOf: true,
      reads: [tags],
      rows: (snapshot, { params: { companyId } }, page) =>
        listTags(snapshot, { companyId, family, active: false }, page),
      sortKey: byName,
      rowsAtOnce: 1_000,
      item: listedTag,
    }),
    recordRoute({
      ...reading,
      path: one,
      operationId: `get${called}Tag`,
      summary: 'Read one tag, active or deleted',
      hasAsOf: true,
      reads: [tags],
      ...aTag,
      record: datedTag,
      showsRevision: true,
    }),
    listRoute({
      ...reading,
      path: `${one}/history`,
      operationId: `get${called}TagHistory`,
      summary: 'List the history of a tag and its assignments, newest first',
      reads: [history, tags, persons],
      rows: (snapshot, { params: { companyId, tagId } }, page) =>
        listTagHistory(snapshot, { companyId, family, tagId }, page),
      sortKey: z.tuple([z.int(), z.int()]),
      within: aTag,
      item: auditEntry,
    }),
  ]
}

/** PUT and PATCH differ in their bodies alone. */
function tagUpdates(family: Family): Route[] {
  const { called, one, writing } = tagFamily(family)
  const updating = {
    command: ({
      params: { companyId, tagId },
      body,
      principal,
    }: {
      params: Omit<TagRef, 'family'>
      body: Sent<TagContent>
      principal: Principal
    }) =>
      keepingBlocks(
        companyId,
        updateTag({ companyId, family, tagId }, replaceMembers(body)),
        qualityOf(principal, companyId),
      ),
    record: tagRecord,
    conditional: true,
    problems: [...updateTag.refuses, ...refusedByQualityOnly],
  }
  return [
    commandRoute({
      ...writing,
      method: 'put',
      path: one,
      operationId: `update${called}Tag`,
      summary: 'Update a tag',
      description:
        'Replaces name and color, and those of description and severity that are sent. Every subject with the tag shows the change.',
      body: tagUpdate,
      ...updating,
    }),
    commandRoute({
      ...writing,
      method: 'patch',
      path: one,
      operationId: `patch${called}Tag`,
      summary: 'Change some members of a tag',
      body: tagPatch,
      ...updating,
    }),
  ]
}

function tagCommands(family: Family): Route[] {
  const { called, all, one, writing } = tagFamily(family)
  return [
    commandRoute({
      ...writing,
      method: 'post',
      path: all,
      operationId: `create${called}Tag`,
      summary: 'Create a tag',
      description: 'The name must be unique, also among soft-deleted tags.',
      body: tagBody,
      command: ({ params: { companyId }, body }) => createTag(companyId, family, body),
      record: tagRecord,
      location: ({ companyId, tagId }) => pathWith(one, { companyId, tagId }),
      problems: createTag.refuses,
    }),
    ...tagUpdates(family),
    commandRoute({
      ...writing,
      method: 'delete',
      path: one,
      operationId: `delete${called}Tag`,
      summary: 'Soft-delete a tag',
      description: 'The tag leaves the list but keeps its assignments and name. It can be restored.',
      command: ({ params: { companyId, tagId }, principal }) =>
        keepingBlocks(
          companyId,
          softDeleteTag({ companyId, family, tagId }),
          qualityOf(principal, companyId),
        ),
      conditional: true,
      problems: [...softDeleteTag.refuses, ...refusedByQualityOnly],
    }),
    commandRoute({
      ...writing,
      method: 'post',
      path: `${one}/restore`,
      operationId: `restore${called}Tag`,
      summary: 'Restore a soft-deleted tag',
      command: ({ params: { companyId, tagId } }) => restoreTag({ companyId, family, tagId }),
      record: tagRecord,
      conditional: true,
      problems: restoreTag.refuses,
    }),
  ]
}
