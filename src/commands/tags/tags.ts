import { type Edit, editedContent } from '../../domain/kernel/edit.ts'
import type { Stored } from '../../domain/kernel/event.ts'
import { pick } from '../../domain/kernel/fields.ts'
import type { TagCreated, TagEvent } from '../../domain/tags/catalogueEvents.ts'
import { type Family, type TagContent, type TagRef, tagFields } from '../../domain/tags/tag.ts'
import {
  createTag as decideToCreateTag,
  restoreTag as decideToRestoreTag,
  softDeleteTag as decideToSoftDeleteTag,
  updateTag as decideToUpdateTag,
  findTag,
  type Tag,
  type TagCatalogue,
  tagCatalogue,
} from '../../domain/tags/tagCatalogue.ts'
import { refusals } from '../../problems/catalogue.ts'
import { type Command, onRecord, onStream } from '../executor/command.ts'

/** A tag as create, update and restore answer it: the nine fields of the source. */
export type TagRecord = Omit<Tag, 'family' | 'createdAt' | 'updatedAt' | 'revision'>

export function createTag(companyId: string, family: Family, content: TagContent): Command<TagRecord> {
  return onStream({
    aggregate: tagCatalogue,
    id: companyId,
    decide: (catalogue, context) => decideToCreateTag(catalogue, { companyId, family, content }, context),
    // Creating always records, so the event names the tag.
    answer: (catalogue, [created]) =>
      presentTag(catalogue.tags.get((created as Stored<TagCreated>).data.tagId)!),
  })
}
createTag.refuses = refusals('tag-name-taken', 'looks-like-another', 'tag-name-soft-deleted', 'too-many-tags')

export function updateTag(ref: TagRef, edit: Edit<TagContent>): Command<TagRecord> {
  return changeTag(ref, ({ tag, catalogue }) =>
    decideToUpdateTag(catalogue, tag, editedContent(edit, pick(tagFields, tag))),
  )
}
updateTag.refuses = refusals(
  'tag-not-found',
  'tag-name-taken',
  'looks-like-another',
  'tag-name-soft-deleted',
  'tag-deleted',
  'system-tag-read-only',
)

export function softDeleteTag(ref: TagRef): Command<TagRecord> {
  return changeTag(ref, ({ tag }) => decideToSoftDeleteTag(tag))
}
softDeleteTag.refuses = refusals('tag-not-found', 'system-tag-read-only')

export function restoreTag(ref: TagRef): Command<TagRecord> {
  return changeTag(ref, ({ tag }) => decideToRestoreTag(tag))
}
restoreTag.refuses = refusals('tag-not-found', 'system-tag-read-only')

interface FoundTag {
  readonly tag: Tag
  readonly catalogue: TagCatalogue
  readonly revision: number
}

function changeTag(
  { companyId, family, tagId }: TagRef,
  decide: (tag: FoundTag) => readonly TagEvent[],
): Command<TagRecord> {
  return onRecord({
    aggregate: tagCatalogue,
    id: companyId,
    record: {
      missing: 'tag-not-found',
      id: tagId,
      find: (catalogue) => {
        const tag = findTag(catalogue, family, tagId)
        return tag && { tag, catalogue, revision: tag.revision }
      },
    },
    decide,
    answer: ({ tag }) => presentTag(tag),
  })
}

function presentTag(tag: Tag) {
  const { companyId, tagId, active, isSystemTag, lastModifiedBy, createdAt, updatedAt, revision } = tag
  const content = pick(tagFields, tag)
  const body = { companyId, tagId, ...content, active, isSystemTag, lastModifiedBy }
  return { body, etag: revision, shown: { ...body, createdAt, updatedAt, revision } }
}
