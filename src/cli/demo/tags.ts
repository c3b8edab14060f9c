import { normalise } from '../../domain/kernel/spellings.ts'
import { type Caller, countNew, loadEach } from './caller.ts'
import type { Examples, ExampleTag, Family } from './examples.ts'
import { certificateKey, type Subjects } from './subjects.ts'

type TagRecord = { readonly tagId: string; readonly name: string }

const segmentOf: Record<Family, string> = { millCert: 'millcert-tag', order: 'order-tag' }

/** Create the missing tags and assign them. Tags that a user has assigned stay. */
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
      if (!subjectId) throw new Error('examples/assignments.json names a subject that no other file has')
      const ids = tags.flatMap((name) => tagIds.get(keyOf(family, name)) ?? [])
      return { isNew: await assign(caller, family, subjectId, ids) }
    },
    countNew,
  )
}
function keyOf(family: Family, name: string) {
  return `${family} ${normalise(name)}`
}

/** Create the missing tags, and return the ids of all active tags by family and name. */
async function createTags(caller: Caller, tags: readonly ExampleTag[]): Promise<ReadonlyMap<string, string>> {
  const active = await listTags(caller, '')
  // A user has deleted these tags on purpose, so the demo neither restores nor creates them again.
  const deleted = await listTags(caller, '/deleted')

  const created = await loadEach(
    caller,
    'tags',
    tags,
    async ({ family, ...tag }) => {
      const key = keyOf(family, tag.name)
      if (active.has(key) || deleted.has(key)) return { key, isNew: false, tagId: active.get(key) }
      const { body } = await caller.editor<TagRecord>('POST', `${caller.company}/${segmentOf[family]}s`, tag)
      return { key, isNew: true, tagId: body.tagId }
    },
    (results) => {
      const deletedCount = results.filter(({ tagId }) => !tagId).length
      return countNew(results) + (deletedCount > 0 ? `, ${deletedCount} of them deleted` : '')
    },
  )
  return new Map(created.flatMap(({ key, tagId }) => (tagId ? [[key, tagId] as const] : [])))
}

async function listTags({ company, editor }: Caller, which: '' | '/deleted'): Promise<Map<string, string>> {
  const tagIds = new Map<string, string>()
  for (const family of ['millCert', 'order'] as const) {
    const { body } = await editor<TagRecord[]>('GET', `${company}/${segmentOf[family]}s${which}`)
    for (const { name, tagId } of body) tagIds.set(keyOf(family, name), tagId)
  }
  return tagIds
}

/** Add the tags to the manual assignments, and return whether any was missing. */
async function assign(
  { company, editor }: Caller,
  family: Family,
  subjectId: string,
  tagIds: readonly string[],
): Promise<boolean> {
  const path = `${company}/${segmentOf[family]}-assignments/${subjectId}`
  const { body } = await editor<{ tagId: string; assignedByRuleId: string | null }[]>('GET', path)
  const manual = body.filter((a) => a.assignedByRuleId === null).map((a) => a.tagId)
  const missing = tagIds.filter((tagId) => !manual.includes(tagId))
  if (missing.length === 0) return false
  await editor('PUT', `${path}/manual`, { tagIds: [...manual, ...missing] })
  return true
}
