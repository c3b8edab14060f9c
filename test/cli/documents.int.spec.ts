import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { checkDocuments } from '../../src/cli/heatmark/doctor/documents.ts'
import { sweepDocuments, verifyDocuments } from '../../src/cli/heatmark/documents.ts'
import { createOutput } from '../../src/cli/heatmark/output.ts'
import { findReadModels, openStores, type Stores } from '../../src/cli/heatmark/stores.ts'
import { own } from '../support/own.ts'
import { startTestService } from '../support/testService.ts'

/** `heatmark documents`, beside a running service. */

let stores: Stores
let place: { folder: string }
// These commands look at all documents of a store.
const service = await own(startTestService({ EVENTSTORE_URL: '' }))
beforeAll(async () => {
  const { EVENTSTORE_URL, DATABASE_URL } = service.settings
  stores = openStores({ eventStoreUrl: EVENTSTORE_URL!, databaseUrl: DATABASE_URL! })
  place = { folder: service.documentsFolder }
})
afterAll(() => stores.close())

let printed: string[]
beforeEach(() => {
  printed = []
})
const output = () => createOutput(true, { write: (line: string) => printed.push(line) }, { write() {} })
const sweep = async (dryRun = false) => {
  await sweepDocuments(stores, place, { dryRun }, output())
  return JSON.parse(printed.at(-1)!)
}
const verify = async () => {
  const well = await verifyDocuments(stores, place, new AbortController().signal, output())
  return { well, ...JSON.parse(printed.at(-1)!) }
}

async function store(content = randomBytes(50).toString('hex')) {
  const { status, body } = await service.send('planner', 'POST', 'documents', { body: { content } })
  expect(status).toBe(201)
  return { ...body, key: keyOf(body.sha256) }
}
function keyOf(sha256: string): string {
  const folder = join(service.companyId, sha256)
  return join(folder, readdirSync(join(place.folder, folder))[0]!)
}
function lay(key: string): string {
  mkdirSync(dirname(join(place.folder, key)), { recursive: true })
  writeFileSync(join(place.folder, key), randomBytes(10))
  return key
}
const hours = 3_600
function age(key: string, seconds: number): void {
  const time = Date.now() / 1_000 - seconds
  utimesSync(join(place.folder, key), time, time)
}
const isThere = (key: string) => existsSync(join(place.folder, key))
const ageAll = (seconds: number) => {
  for (const key of readdirSync(place.folder, { recursive: true, encoding: 'utf8' }))
    if (statSync(join(place.folder, key)).isFile()) age(key, seconds)
}

describe('documents sweep', () => {
  it('removes exactly the objects that no event names, and that are older than a day', async () => {
    const named = await store()
    const orphanOf = (sha256: string) => lay(join(service.companyId, sha256, randomUUID()))
    const hash = createHash('sha256').update('x').digest('hex')
    const orphans = [
      orphanOf(hash),
      orphanOf(named.sha256),
      lay(`incoming/${randomUUID()}`),
      lay(`incoming/${randomUUID()}.part`),
      lay(join(randomUUID(), named.sha256, randomUUID())),
    ]
    const stranger = lay('from-elsewhere')
    const exported = lay(`exports/${service.companyId}/${randomUUID()}`)
    ageAll(25 * hours)
    const young = [orphanOf(hash), lay(`incoming/${randomUUID()}`)]
    for (const key of young) age(key, 23 * hours)

    expect(await sweep(true)).toMatchObject({ dryRun: true, removed: orphans.length, unknown: 1 })
    expect(orphans.every(isThere)).toBe(true)
    expect(await sweep()).toMatchObject({
      dryRun: false,
      removed: orphans.length,
      removedBytes: 10 * orphans.length,
      young: 2,
      unknown: 1,
    })
    expect(orphans.some(isThere)).toBe(false)
    expect([named.key, stranger, exported, 'heatmark', ...young].every(isThere)).toBe(true)
    age(exported, 8 * 24 * hours + 60)
    expect(await sweep()).toMatchObject({ removed: 1 })
    expect(isThere(exported)).toBe(false)
    expect(await sweep()).toMatchObject({ removed: 0 })
    for (const key of young) rmSync(join(place.folder, key))
  })

  it('removes the file of a document a day after it was deleted, unless a certificate has it', async () => {
    const [deleted, kept] = [await store(), await store()]
    const { body: certificate } = await service.send('planner', 'POST', 'millcert/certificates', {
      body: { certificateNumber: 'S-1', heatNumber: 'H', grade: 'S235JR', inspectionDocument: '3.1' },
    })
    for (const { documentId } of [deleted, kept])
      expect((await service.send('planner', 'DELETE', `documents/${documentId}`)).status).toBe(204)
    ageAll(25 * hours)
    expect(await sweep()).toMatchObject({ removed: 0 })
    const { tableName } = await findReadModels(stores)
    const table = tableName('document', 1)
    await stores.postgres.query(
      `UPDATE ${table} SET deleted_at = now() - interval '25 hours', attachments = CASE document_id WHEN $1 THEN 1 ELSE attachments END
       WHERE document_id = ANY($2::uuid[])`,
      [kept.documentId, [kept.documentId, deleted.documentId]],
    )
    expect(certificate.documents).toEqual([])
    expect(await sweep()).toMatchObject({ removed: 1 })
    expect([isThere(deleted.key), isThere(kept.key)]).toEqual([false, true])
  })

  it('refuses the objects of another event store', async () => {
    const elsewhere = { folder: join(place.folder, '..', randomUUID()) }
    const at = () => sweepDocuments(stores, elsewhere, { dryRun: false }, output())
    await expect(at()).rejects.toThrow('no service has used this place')
    mkdirSync(elsewhere.folder)
    writeFileSync(join(elsewhere.folder, 'heatmark'), '{"storeId":"another"}')
    await expect(at()).rejects.toThrow('belong to the event store another')
  })
})

describe('documents verify', () => {
  it('reads every file, and names those that are missing or have changed', async () => {
    const [good, changed, missing] = [await store(), await store(), await store()]
    expect(await verify()).toMatchObject({ well: true, faults: [] })
    writeFileSync(join(place.folder, changed.key), randomBytes(20))
    rmSync(join(place.folder, missing.key))
    const found = await verify()
    expect(found.well).toBe(false)
    expect(found.documents).toBeGreaterThanOrEqual(3)
    const faultOf = ({ documentId }: { documentId: string }) =>
      found.faults.find((one: { documentId: string }) => one.documentId === documentId)?.fault
    expect([good, changed, missing].map(faultOf)).toEqual([undefined, 'changed', 'missing'])

    const readModels = await findReadModels(stores)
    expect(await checkDocuments(stores.postgres, readModels, place)).toMatchObject({
      status: 'problem',
      found: expect.stringContaining(missing.documentId),
    })
  })
})

describe('doctor', () => {
  it('warns when there is no place for documents', async () => {
    const readModels = await findReadModels(stores)
    expect(await checkDocuments(stores.postgres, readModels, undefined)).toMatchObject({ status: 'warning' })
  })
})
