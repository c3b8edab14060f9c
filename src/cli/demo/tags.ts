import { normalise } from '../../domain/identifiers.ts'
import { type Caller, countNew, loadEach } from './caller.ts'
import type { Examples, ExampleTag, Family } from './examples.ts'
import { certificateKey, type Subjects } from './subjects.ts'

type TagRecord = { readonly tagId: string; readonly name: string }

const pathOf: Record<Family, string> = { millCert: 'millcert-tags', order: 'order-tags' }
const keyOf = (family: Family, name: string) => `${family} ${normalise(name)}`

/** Creates the tags that are missing and assigns them, taking none away that somebody else assigned. */
export async function loadTags(caller: Caller, examples: Examples, subjects: Subjects): Promise<void> {
  const tagIds = await createTags(caller, examples.tags)

  const { certificates, orders } = examples.assignments
  const wanted = [
    ...certificates.map(({ tags, ...c }) => ({
      family: 'millCert' as const,
      subjectId: subjects.certificateIds.get(certificateKey(c)),
      tags,
    })),
    ...orders.map(({ tags, orderNumber }) => ({
      family: 'order' as const,
      subjectId: subjects.orders.get(orderNumber)?.orderId,
      tags,
    })),
  ]
  await loadEach(
    caller,
    'tagged',
    wanted,
    async ({ family, subjectId, tags }) => {
      if (!subjectId) throw new Error('examples/assignments.json names a subject that no other file holds')
      const ids = tags.flatMap((name) => tagIds.get(keyOf(family, name)) ?? [])
      return { isNew: await assign(caller, family, subjectId, ids) }
    },
    countNew,
  )
}

/** The company's active tags by family and name, once the missing ones are created. */
async function createTags(caller: Caller, tags: readonly ExampleTag[]): Promise<ReadonlyMap<string, string>> {
  const active = await listTags(caller, '')
  // Whoever deleted a tag meant it: it is neither restored nor made a second time.
  const deleted = await listTags(caller, '/deleted')

  const created = await loadEach(
    caller,
    'tags',
    tags,
    async ({ family, ...tag }) => {
      const key = keyOf(family, tag.name)
      if (active.has(key) || deleted.has(key)) return { key, isNew: false, tagId: active.get(key) }
      const { body } = await caller.editor<TagRecord>('POST', `${caller.company}/${pathOf[family]}`, tag)
      return { key, isNew: true, tagId: body.tagId }
    },
    (results) => {
      const leftOut = results.filter(({ tagId }) => !tagId).length
      return countNew(results) + (leftOut > 0 ? `, ${leftOut} of them deleted and left so` : '')
    },
  )
  return new Map(created.flatMap(({ key, tagId }) => (tagId ? [[key, tagId] as const] : [])))
}

async function listTags({ company, editor }: Caller, which: '' | '/deleted'): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  for (const family of ['millCert', 'order'] as const) {
    const { body } = await editor<TagRecord[]>('GET', `${company}/${pathOf[family]}${which}`)
    for (const { name, tagId } of body) found.set(keyOf(family, name), tagId)
  }
  return found
}

/** Adds the tags to those assigned by hand; whether there was anything to add. */
async function assign(
  { company, editor }: Caller,
  family: Family,
  subjectId: string,
  tagIds: readonly string[],
): Promise<boolean> {
  const path = `${company}/${pathOf[family]}/assignments/${subjectId}`
  const { body } = await editor<{ tagId: string; assignedByRuleId: string | null }[]>('GET', path)
  const byHand = body.filter((a) => a.assignedByRuleId === null).map((a) => a.tagId)
  const missing = tagIds.filter((tagId) => !byHand.includes(tagId))
  if (missing.length === 0) return false
  await editor('PUT', `${path}/manual`, { tagIds: [...byHand, ...missing] })
  return true
}
