import { readFile, rename, writeFile } from 'node:fs/promises'
import { type ChangeEvent, type Client, createClient, HeatmarkError, type Item } from '@heatmark/client'

/** Keeps a copy of the certificates and bars of a company in a file, complete after any interruption. */

export interface Copy {
  /** The place in the change feed that the records show; undefined before all of them have been read. */
  after?: string
  certificate: Record<string, Item<(typeof lists)['certificate']>>
  bar: Record<string, object>
}

const lists = {
  certificate: 'GET /api/company/{companyId}/millcert/certificates',
  bar: 'GET /api/company/{companyId}/production-plan-bars',
} as const
const ids = { certificate: 'millCertificationId', bar: 'barId' } as const
type Kind = keyof typeof lists

/** Follow the company until the signal is aborted. `save` is called whenever the copy has a new place. */
export async function mirror(
  client: Client,
  copy: Copy,
  save: (copy: Copy) => Promise<void>,
  signal?: AbortSignal,
): Promise<void> {
  if (copy.after === undefined) await readAll(client, copy)
  await save(copy)
  for await (const { changes, after } of client.changes({ after: copy.after, signal })) {
    await apply(client, copy, changes)
    copy.after = after
    await save(copy)
  }
}

/** Apply changes of the feed or of a webhook. To apply them again does no harm. */
export async function apply(client: Client, copy: Copy, changes: readonly ChangeEvent[]): Promise<void> {
  for (const { subject, data, dataref } of changes) {
    const [kind, id] = subject.split('/') as [string, string]
    if (kind in ids) put(copy, kind as Kind, id, data ?? (dataref && (await readOne(client, dataref))))
    if (kind === 'tag') await readTagged(client, copy, id)
  }
}

/** The feed repeats what changes while the lists are read. */
async function readAll(client: Client, copy: Copy): Promise<void> {
  const positions: bigint[] = []
  for (const kind of ['certificate', 'bar'] as const)
    for await (const { items, position } of client.pages(lists[kind])) {
      positions.push(BigInt(position))
      for (const item of items as unknown as Record<string, unknown>[])
        put(copy, kind, String(item[ids[kind]]), item)
    }
  copy.after = String(positions.reduce((least, one) => (one < least ? one : least)))
}

/** The list leaves out Voided certificates, and so does the copy. */
function put(copy: Copy, kind: Kind, id: string, record: object | '' | undefined): void {
  if (record && (record as { status?: string }).status !== 'Voided') copy[kind][id] = record as never
  else delete copy[kind][id]
}

/** A large record is not in the feed. */
async function readOne(client: Client, address: string): Promise<object | undefined> {
  try {
    return (await (await client.send('GET', address)).json()) as object
  } catch (error) {
    if (error instanceof HeatmarkError && error.status === 404) return undefined
    throw error
  }
}

/** Certificates show their tags, so they change with them. The list does not find those of a deleted tag by the tag. */
async function readTagged(client: Client, copy: Copy, tagId: string): Promise<void> {
  const former = new Map<string, string>()
  for (const [id, { tags, heatNumber }] of Object.entries(copy.certificate))
    if (tags.some((tag) => tag.tagId === tagId)) former.set(id, heatNumber)
  for await (const one of client.list(lists.certificate, { query: { tagId } })) {
    put(copy, 'certificate', one.millCertificationId, one)
    former.delete(one.millCertificationId)
  }
  for (const heatNumber of new Set(former.values()))
    for await (const one of client.list(lists.certificate, { query: { heatNumber } }))
      put(copy, 'certificate', one.millCertificationId, one)
}

if (import.meta.main) {
  const { HEATMARK_URL, HEATMARK_COMPANY_ID, HEATMARK_KEY } = process.env
  const file = process.argv[2]
  if (!HEATMARK_URL || !HEATMARK_COMPANY_ID || !HEATMARK_KEY || !file)
    throw new Error('set HEATMARK_URL, HEATMARK_COMPANY_ID and HEATMARK_KEY, and name the file of the copy')
  const client = createClient({ baseUrl: HEATMARK_URL, companyId: HEATMARK_COMPANY_ID, key: HEATMARK_KEY })
  const copy = await readFile(file, 'utf8').then(JSON.parse, () => ({ certificate: {}, bar: {} }))
  await mirror(client, copy, async (whole) => {
    await writeFile(`${file}.new`, JSON.stringify(whole))
    await rename(`${file}.new`, file)
  })
}
