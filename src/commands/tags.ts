import type { Family, TagContent, TagRef } from '../domain/tag.ts'
import type { Tag, TagCatalogue, TagEvent } from '../domain/tagCatalogue.ts'
import * as tags from '../domain/tagCatalogue.ts'
import { type Command, onRecord, onStream } from './command.ts'

/** A tag as create, update and restore answer it: the nine fields of the source. */
export type TagRecord = Omit<Tag, 'family' | 'revision'>

export function createTag(companyId: string, family: Family, content: TagContent): Command<TagRecord> {
  return onStream<TagCatalogue, TagEvent, undefined, TagRecord>({
    aggregate: tags.tagCatalogue,
    id: companyId,
    decide: (catalogue, context) => tags.createTag(catalogue, { companyId, family, content }, context),
    // Creating always records, so the event names the tag.
    answer: (catalogue, [created]) => answered(catalogue.tags.get(created!.data.tagId)!),
  })
}

export function updateTag(ref: TagRef, content: TagContent): Command<TagRecord> {
  return changeTag(ref, ({ tag, catalogue }) => tags.updateTag(catalogue, tag, content))
}

export function softDeleteTag(ref: TagRef): Command<TagRecord> {
  return changeTag(ref, ({ tag }) => tags.softDeleteTag(tag))
}

export function restoreTag(ref: TagRef): Command<TagRecord> {
  return changeTag(ref, ({ tag }) => tags.restoreTag(tag))
}

interface FoundTag {
  readonly tag: Tag
  readonly catalogue: TagCatalogue
  readonly revision: number
}

function changeTag(
  { companyId, family, tagId }: TagRef,
  decide: (found: FoundTag) => readonly TagEvent[],
): Command<TagRecord> {
  return onRecord<TagCatalogue, TagEvent, FoundTag, undefined, TagRecord>({
    aggregate: tags.tagCatalogue,
    id: companyId,
    record: {
      noun: 'tag',
      id: tagId,
      find: (catalogue) => {
        const tag = tags.findTag(catalogue, family, tagId)
        return tag && { tag, catalogue, revision: tag.revision }
      },
    },
    decide,
    answer: ({ tag }) => answered(tag),
  })
}

function answered({ family: _, revision, ...body }: Tag) {
  return { body, etag: revision }
}
