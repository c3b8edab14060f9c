import type { Assignments } from '../domain/assignments.ts'
import { type Severity, type TagCatalogue, tagCatalogue, tagNameKey } from '../domain/tagCatalogue.ts'
import type { Load } from './command.ts'

/** For `consult`: the company's tags, read to their end. */
export const catalogueOf =
  (companyId: string) =>
  async (load: Load): Promise<TagCatalogue> =>
    (await load(tagCatalogue, companyId)).state

/** A tag as certificates and orders show it. */
export interface ShownTag {
  readonly tagId: string
  readonly name: string
  readonly color: string
  readonly severity: Severity | null
}

/** The active tags of a subject in the order of their names, and whether one of them blocks it. */
export const shownTags = (
  catalogue: TagCatalogue,
  { manual }: Assignments,
): { readonly tags: readonly ShownTag[]; readonly blocked: boolean } => {
  const tags = [...new Set(manual.map(({ tagId }) => tagId))]
    .flatMap((tagId) => catalogue.tags.get(tagId) ?? [])
    .filter(({ active }) => active)
    .map(({ tagId, name, color, severity }) => ({ tagId, name, color, severity, key: tagNameKey(name) }))
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .map(({ key: _, ...tag }) => tag)
  return { tags, blocked: tags.some(({ severity }) => severity === 'Block') }
}
