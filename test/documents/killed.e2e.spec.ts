import { createHash, randomBytes, randomInt } from 'node:crypto'
import { readdirSync, readFileSync, statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sweepDocuments, verifyDocuments } from '../../src/cli/heatmark/documents.ts'
import { createOutput } from '../../src/cli/heatmark/output.ts'
import { openStores, type Stores } from '../../src/cli/heatmark/stores.ts'
import { objectKey } from '../../src/documents/objects.ts'
import {
  type DocumentFacts,
  documentIdOf,
  documentKey,
  documentStream,
} from '../../src/domain/documents/document.ts'
import { type AppendProxy, startAppendProxy } from '../support/appendProxy.ts'
import { startHttpProcess } from '../support/httpProcess.ts'
import { own } from '../support/own.ts'
import { sized } from '../support/size.ts'
import { startTestService } from '../support/testService.ts'
import { until } from '../support/until.ts'

const kills = sized(4, 30)

let stores: Stores
let proxy: AppendProxy
const service = await own(startTestService())
beforeAll(async () => {
  const { EVENTSTORE_URL, DATABASE_URL } = service.settings
  stores = openStores({ eventStoreUrl: EVENTSTORE_URL!, databaseUrl: DATABASE_URL! })
  proxy = await startAppendProxy(EVENTSTORE_URL!)
})
afterAll(async () => {
  await proxy?.close()
  await stores?.close()
})

/** The moments of a kill. Each waits until it has come, for an upload with this hash. */
const moments = [
  {
    moment: 'between the object and the event',
    prepare: () => proxy.holdAppends(),
    come: (sha256: string) => until(() => storedKeys().some((key) => key.includes(`/${sha256}/`))),
  },
  {
    moment: 'between the event and the answer',
    prepare: () => proxy.holdAnswers(),
    come: (sha256: string) => until(async () => (await eventsOf(sha256)).length > 0),
  },
  { moment: 'at any time', prepare: () => {}, come: () => pause(randomInt(40)) },
]

/** The keys of all objects, of interrupted uploads too, without the marker of the store. */
function storedKeys(): string[] {
  return readdirSync(service.documentsFolder, { recursive: true, encoding: 'utf8' })
    .filter((key) => key !== 'heatmark' && statSync(join(service.documentsFolder, key)).isFile())
    .sort()
}

async function eventsOf(sha256: string): Promise<DocumentFacts[]> {
  const { companyId } = service
  const stream = documentStream(documentKey(companyId, documentIdOf(companyId, sha256)))
  const events = await Array.fromAsync(stores.eventStore.readStream(stream, 0))
  return events.map(({ data }) => data as DocumentFacts)
}

const sha256Of = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

it(`never has an event without its object, and sweeps exactly the orphans, after ${kills} kills`, {
  timeout: 3_600_000,
}, async () => {
  const authorization = `Bearer ${await service.identity.token({ oid: 'planner' })}`
  const sent: Buffer[] = []
  for (let kill = 0; kill < kills; kill += 1) {
    // Some files are sent once more, when an orphan may have the same bytes.
    const again = kill % 4 === 3
    const file = again
      ? sent[randomInt(sent.length)]!
      : Buffer.concat([Buffer.from('%PDF-1.7\n'), randomBytes(50_000)])
    sent.push(file)
    const { kill: killNow, url } = await startHttpProcess(service, { EVENTSTORE_URL: proxy.url })
    const { prepare, come } = moments[kill % moments.length]!
    const isNew = (await eventsOf(sha256Of(file))).length === 0
    prepare()
    const uploading = fetch(`${url}/api/company/${service.companyId}/documents`, {
      method: 'POST',
      body: new Uint8Array(file),
      headers: { authorization, 'content-type': 'application/pdf' },
    }).catch(() => {})
    try {
      if (isNew) await come(sha256Of(file))
      else await pause(randomInt(40))
    } finally {
      await killNow()
    }
    proxy.breakOff()
    await uploading
  }

  const named = new Set<string>()
  for (const sha256 of new Set(sent.map(sha256Of)))
    for (const facts of await eventsOf(sha256)) {
      const key = objectKey(facts)
      named.add(key)
      expect(sha256Of(readFileSync(join(service.documentsFolder, key)))).toBe(sha256)
    }
  const stored = storedKeys()
  const orphans = stored.filter((key) => !named.has(key))
  expect(named.size).toBeGreaterThan(0)
  expect(orphans.length).toBeGreaterThan(0)

  const yesterday = Date.now() / 1_000 - 25 * 3_600
  for (const key of stored) utimesSync(join(service.documentsFolder, key), yesterday, yesterday)
  const printed: string[] = []
  const output = createOutput(true, { write: (line: string) => printed.push(line) }, { write() {} })
  const place = { folder: service.documentsFolder }
  await sweepDocuments(stores, place, { dryRun: false }, output)
  expect(JSON.parse(printed.at(-1)!)).toMatchObject({ removed: orphans.length, kept: named.size })
  expect(storedKeys()).toEqual([...named].sort())
  expect(await verifyDocuments(stores, place, new AbortController().signal, output)).toBe(true)
})
