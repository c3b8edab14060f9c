import { byCodePoint } from '../../domain/kernel/identifiers.ts'
import { latest } from '../../domain/kernel/times.ts'
import { type Assignments, assignedTags } from '../../domain/tags/assignments.ts'
import { type ShownTag, tagNameKey } from '../../domain/tags/tag.ts'
import { type Tag, type TagCatalogue, tagCatalogue } from '../../domain/tags/tagCatalogue.ts'
import type { Load } from '../executor/command.ts'

/** Load the company's tags as a dependency, read to their end. */
export const catalogueOf =
  (companyId: string) =>
  async (load: Load): Promise<TagCatalogue> =>
    (await load(tagCatalogue, companyId)).state

export function inOrderOfNames(tags: readonly Tag[]): readonly Tag[] {
  return tags
    .map((tag) => ({ tag, key: tagNameKey(tag.name) }))
    .sort((a, b) => byCodePoint(a.key, b.key))
    .map(({ tag }) => tag)
}

/** Return when a subject, its tags or one of these tags changed last. A deleted tag counts, because it was shown. */
export function latestUpdate(
  catalogue: TagCatalogue,
  { updatedAt, assignments }: { readonly updatedAt: string; readonly assignments: Assignments },
): string {
  const tags = [...assignedTags(assignments)].flatMap((tagId) => catalogue.tags.get(tagId) ?? [])
  return latest(updatedAt, ...tags.map((tag) => tag.updatedAt))
}

/** Return the active tags of a subject in the order of their names, and whether one of them blocks it. */
export function activeTags(
  catalogue: TagCatalogue,
  assignments: Assignments,
): { readonly tags: readonly ShownTag[]; readonly blocked: boolean } {
  const active = [...assignedTags(assignments)]
    .flatMap((tagId) => catalogue.tags.get(tagId) ?? [])
    .filter(({ active }) => active)
  const tags = inOrderOfNames(active).map(({ tagId, name, color, severity }) => ({
    tagId,
    name,
    color,
    severity,
  }))
  return { tags, blocked: tags.some(({ severity }) => severity === 'Block') }
}
