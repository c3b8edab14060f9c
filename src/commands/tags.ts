import type { DomainEvent } from '../domain/event.ts'
import type { Family, TagContent, TagRef } from '../domain/tag.ts'
import {
  createTag as decideCreate,
  restoreTag as decideRestore,
  softDeleteTag as decideSoftDelete,
  updateTag as decideUpdate,
  findTag,
  type Tag,
  type TagCatalogue,
  type TagEvent,
  tagCatalogue,
} from '../domain/tagCatalogue.ts'
import type { Command } from './command.ts'

/** A tag as create, update and restore answer it: the nine fields of the source. */
export type TagRecord = Omit<Tag, 'family' | 'revision'>

type TagCommand = Command<TagCatalogue, TagEvent, TagRecord>

function answered({ family: _, revision, ...body }: Tag) {
  return { body, etag: revision }
}

export const createTag = (companyId: string, family: Family, content: TagContent): TagCommand => ({
  aggregate: tagCatalogue,
  id: companyId,
  decide: (catalogue, context) => decideCreate(catalogue, { companyId, family, content }, context),
  // Creating always records: the tag is the one that the event made.
  answer: (catalogue, [created]) =>
    answered(catalogue.tags.get((created as DomainEvent<string, TagRef>).data.tagId)!),
})

const changeTag = (
  { companyId, family, tagId }: TagRef,
  decide: (tag: Tag, catalogue: TagCatalogue) => readonly TagEvent[],
): TagCommand => ({
  aggregate: tagCatalogue,
  id: companyId,
  target: (catalogue) => findTag(catalogue, family, tagId),
  addressed: { what: 'tag', id: tagId },
  decide: (catalogue) => decide(findTag(catalogue, family, tagId)!, catalogue),
  answer: (catalogue) => answered(findTag(catalogue, family, tagId)!),
})

export const updateTag = (tag: TagRef, content: TagContent): TagCommand =>
  changeTag(tag, (known, catalogue) => decideUpdate(catalogue, known, content))

export const softDeleteTag = (tag: TagRef): TagCommand => changeTag(tag, decideSoftDelete)

export const restoreTag = (tag: TagRef): TagCommand => changeTag(tag, decideRestore)
