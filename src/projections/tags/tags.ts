import { pick } from '../../domain/kernel/fields.ts'
import { addedBy, type RuleAssignmentsReplaced } from '../../domain/rulePacks/ruleAssignments.ts'
import type { ManualAssignmentsReplaced, UsageChange } from '../../domain/tags/assignments.ts'
import type { TagEvent } from '../../domain/tags/catalogueEvents.ts'
import { type Family, type TagContent, tagFields, tagNameKey } from '../../domain/tags/tag.ts'
import {
  bigint,
  boolean,
  defineProjection,
  integer,
  type Key,
  type Rows,
  table,
  text,
  timestamptz,
  uuid,
} from '../engine/projection.ts'
import { columnsOf, type ListQuery, listQuery, type Page, singleQuery } from '../engine/reading/listQuery.ts'
import type { Reading } from '../engine/reading/reader.ts'
import { fieldColumns } from '../engine/schema/fieldColumns.ts'

/** Tags with their usage counts, and which subject has which tag. Names and colours are joined on read. */

/** The `ruleId` of an assignment made by hand: it sorts before every rule. */
export const byHand = ''

const tables = {
  tag: table({
    columns: {
      companyId: uuid,
      family: text,
      tagId: uuid,
      ...fieldColumns(tagFields),
      /** The form of the name that must be unique. It orders the lists. */
      nameKey: text,
      active: boolean,
      isSystemTag: boolean,
      lastModifiedBy: text,
      createdAt: timestamptz,
      updatedAt: timestamptz,
      revision: bigint,
    },
    key: ['companyId', 'family', 'tagId'],
    indexes: [
      ['companyId', 'family', 'active', 'nameKey', 'tagId'],
      ['companyId', 'family', 'updatedAt'],
    ],
    versioned: true,
  }),
  /** A table beside `tag`, because otherwise every assignment would leave a former row of the tag. */
  tagUsage: table({
    columns: {
      companyId: uuid,
      family: text,
      tagId: uuid,
      /** Distinct subjects, however many ways the tag is assigned to one. */
      usageCount: integer,
    },
    key: ['companyId', 'family', 'tagId'],
    versioned: true,
  }),
  assignment: table({
    columns: {
      companyId: uuid,
      family: text,
      subjectId: uuid,
      tagId: uuid,
      ruleId: text,
      assignmentId: uuid,
      assignedAt: timestamptz,
      /** The revision of the event that assigned it, in the stream of the subject. */
      revision: bigint,
    },
    key: ['companyId', 'family', 'subjectId', 'tagId', 'ruleId'],
    indexes: [['companyId', 'family', 'tagId', 'subjectId', 'ruleId']],
    versioned: true,
  }),
  /** A subject whose manual assignments were ever set. */
  manualSet: table({
    columns: {
      companyId: uuid,
      family: text,
      subjectId: uuid,
      /** The revision of the event that set them last. */
      revision: bigint,
    },
    key: ['companyId', 'family', 'subjectId'],
    versioned: true,
  }),
}

type Replaced = ManualAssignmentsReplaced['data'] | RuleAssignmentsReplaced['data']

export const tags = defineProjection<TagEvent | ManualAssignmentsReplaced | RuleAssignmentsReplaced>()({
  name: 'tags',
  version: 1,
  tables,
  handlers: {
    TagCreated: {
      touches: ({ data }) => ({ tag: [tagKey(data)], tagUsage: [tagKey(data)] }),
      apply: (rows, { data, metadata, revision }) => {
        const { companyId, family, tagId } = data
        rows.tag.put({
          companyId,
          family,
          tagId,
          ...contentOf(data),
          active: true,
          isSystemTag: data.isSystemTag,
          lastModifiedBy: metadata.actor.id,
          createdAt: metadata.occurredAt,
          updatedAt: metadata.occurredAt,
          revision,
        })
        rows.tagUsage.put({ companyId, family, tagId, usageCount: 0 })
      },
    },
    TagUpdated: {
      touches: ({ data }) => ({ tag: [tagKey(data)] }),
      apply: (rows, { data, metadata, revision }) =>
        rows.tag.update(tagKey(data), {
          ...contentOf(data),
          lastModifiedBy: metadata.actor.id,
          updatedAt: metadata.occurredAt,
          revision,
        }),
    },
    TagSoftDeleted: {
      touches: ({ data }) => ({ tag: [tagKey(data)] }),
      apply: (rows, { data, metadata, revision }) =>
        rows.tag.update(tagKey(data), {
          active: false,
          lastModifiedBy: metadata.actor.id,
          updatedAt: metadata.occurredAt,
          revision,
        }),
    },
    TagRestored: {
      touches: ({ data }) => ({ tag: [tagKey(data)] }),
      apply: (rows, { data, metadata, revision }) =>
        rows.tag.update(tagKey(data), {
          active: true,
          lastModifiedBy: metadata.actor.id,
          updatedAt: metadata.occurredAt,
          revision,
        }),
    },
    ManualAssignmentsReplaced: {
      touches: ({ data }) => ({
        tagUsage: tagsTouched(data),
        assignment: [...data.added, ...data.removed].map(({ tagId }) => [
          data.companyId,
          data.family,
          data.subjectId,
          tagId,
          byHand,
        ]),
        manualSet: [[data.companyId, data.family, data.subjectId]],
      }),
      apply: (rows, { data, revision }) => {
        const { companyId, family, subjectId, added, removed } = data
        for (const { tagId } of removed) rows.assignment.delete([companyId, family, subjectId, tagId, byHand])
        for (const assignment of added)
          rows.assignment.put({ companyId, family, subjectId, ruleId: byHand, ...assignment, revision })
        rows.manualSet.put({ companyId, family, subjectId, revision })
        count(rows, data)
      },
    },
    RuleAssignmentsReplaced: {
      touches: ({ data }) => ({
        tagUsage: tagsTouched(data),
        assignment: [...addedBy(data), ...data.removed].map(({ tagId, ruleId }) => [
          data.companyId,
          data.family,
          data.subjectId,
          tagId,
          ruleId,
        ]),
      }),
      apply: (rows, { data, revision }) => {
        const { companyId, family, subjectId, removed } = data
        for (const { tagId, ruleId } of removed)
          rows.assignment.delete([companyId, family, subjectId, tagId, ruleId])
        for (const { tagId, ruleId, assignmentId, assignedAt } of addedBy(data))
          rows.assignment.put({
            companyId,
            family,
            subjectId,
            tagId,
            ruleId,
            assignmentId,
            assignedAt,
            revision,
          })
        count(rows, data)
      },
    },
  },
})

const shownFields = columnsOf(tables.tag, 't', ['family', 'nameKey'])

/** Operations 1 and 6: the active tags, or the deleted ones, each with its usage count. */
export function listTags(
  reading: Reading,
  { companyId, family, active }: { companyId: string; family: Family; active: boolean },
  page?: Page,
): ListQuery {
  return listQuery(
    {
      select: { ...shownFields, usageCount: 'u.usage_count' },
      from: `${reading.table(tags, 'tag')} t
        JOIN ${reading.table(tags, 'tagUsage')} u USING (company_id, family, tag_id)`,
      where: 'company_id = $1 AND family = $2 AND active = $3',
      values: [companyId, family, active],
      order: ['name_key', 'tag_id'],
    },
    page,
  )
}

/** The tags of both families, active or deleted, without their usage. */
export function listEveryTag(reading: Reading, companyId: string): ListQuery {
  return listQuery({
    select: { ...shownFields, family: 't.family' },
    from: `${reading.table(tags, 'tag')} t`,
    where: 'company_id = $1',
    values: [companyId],
    order: ['tag_id'],
  })
}

/** One tag, active or deleted, with its `revision`. */
export function findTag(
  reading: Reading,
  { companyId, family, tagId }: { companyId: string; family: Family; tagId: string },
): ListQuery {
  return singleQuery({
    select: shownFields,
    from: `${reading.table(tags, 'tag')} t`,
    where: 'company_id = $1 AND family = $2 AND tag_id = $3',
    values: [companyId, family, tagId],
  })
}

function tagKey({ companyId, family, tagId }: { companyId: string; family: Family; tagId: string }): Key {
  return [companyId, family, tagId]
}

function contentOf(data: TagContent) {
  return { ...pick(tagFields, data), nameKey: tagNameKey(data.name) }
}

function tagsTouched({ companyId, family, usage }: Replaced): Key[] {
  return [...usage.gained, ...usage.lost].map((tagId) => [companyId, family, tagId])
}

/** A tag that is assigned in several ways to one subject counts once: the event says when that changes. */
function count(
  rows: Rows<typeof tables>,
  { companyId, family, usage }: { companyId: string; family: Family; usage: UsageChange },
): void {
  for (const tagId of usage.gained)
    rows.tagUsage.update([companyId, family, tagId], ({ usageCount }) => ({ usageCount: usageCount + 1 }))
  for (const tagId of usage.lost)
    rows.tagUsage.update([companyId, family, tagId], ({ usageCount }) => ({ usageCount: usageCount - 1 }))
}
