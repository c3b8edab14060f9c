import { randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { binaryEvent, type EventStoreDBClient, jsonEvent } from '@eventstore/db-client'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { verifyAt } from '../../../examples/verify/verifyExport.ts'
import { storeIdOf } from '../../../src/projections/engine/schema/store.ts'
import { readCheckpoint, signCheckpoint, signMany } from '../../../src/proofs/signing/signer.ts'
import { readSigningKey } from '../../../src/proofs/signing/signingKey.ts'
import { type EventStore, noStream } from '../../../src/stores/eventStore.ts'
import { openClient } from '../../../src/stores/eventStoreDb/client.ts'
import { connectEventStore } from '../../../src/stores/eventStoreDb/connect.ts'
import { connectPostgres, type Postgres } from '../../../src/stores/postgres/postgres.ts'
import { type Company, newCompany } from '../../http/people.ts'
import { createDatabase, type TestDatabase } from '../../support/postgres.ts'
import { startStore, type TestStore } from '../../support/store.ts'
import { startTestService, type TestService } from '../../support/testService.ts'
import { until } from '../../support/until.ts'

/** The events of a store are appended to another one in their order, and a second service runs on the copy. */

let nodes: readonly [TestStore, TestStore]
let database: TestDatabase
let postgres: Postgres
let service: TestService
let another: { readonly url: string; stop(): Promise<void> }
let copy: EventStore
let company: Company
const folder = mkdtempSync(join(tmpdir(), 'heatmark-copy-'))

beforeAll(async () => {
  nodes = await Promise.all([startStore(), startStore()])
  const [node, other] = nodes
  service = await startTestService({ EVENTSTORE_URL: node.url })
  postgres = connectPostgres({ url: service.settings.DATABASE_URL!, name: 'spec', size: 1 })
  company = await newCompany(service)
  await record()
  await exportFrom(service.url, 'original.zip')
  await appendUnrelated(other)
  await copyEvents(node, other)
  database = await createDatabase()
  copy = connectEventStore(other.url)
  another = await service.startAnother({ EVENTSTORE_URL: other.url, DATABASE_URL: database.url })
})
afterAll(async () => {
  await another.stop()
  await Promise.all([copy.close(), postgres.close()])
  await service.stop()
  await Promise.all([database.drop(), ...nodes.map((node) => node.stop())])
  rmSync(folder, { recursive: true })
})

/** Let things happen in the company: persons, one of whom is erased, and events of other programs. */
async function record(): Promise<void> {
  const eve = await company.admit('Eve Eder', ['Editor'])
  await company.createTag(eve, 'Hold')
  for (let n = 0; n < 40; n += 1) await company.createTag(company.admin, `Tag ${n}`)
  expect((await company.erase(eve.userId, '&confirm=true')).status).toBeLessThan(300)
  const client = openClient(nodes[0].url)
  const stream = `scans-${company.companyId}`
  await client.appendToStream(stream, [
    jsonEvent({ type: 'Scanned', data: { 'ü\u2028': [1e-7, -0.5, null, '😀'], nested: { b: 1, a: 2 } } }),
    binaryEvent({ type: 'Photographed', data: new Uint8Array([0, 255, 1]) }),
    jsonEvent({ type: 'TagPainted', data: {}, metadata: { $correlationId: 'theirs', note: 'ü' } }),
  ])
  await client.dispose()
}

/** So the positions in the other store differ. */
async function appendUnrelated({ url }: TestStore): Promise<void> {
  const store = connectEventStore(url)
  const events = Array.from({ length: 7 }, () => ({
    id: randomUUID(),
    type: 'Other',
    data: {},
    metadata: {},
  }))
  await store.append('another-program', noStream, events as never)
  await store.close()
}

async function copyEvents(from: TestStore, to: TestStore): Promise<void> {
  const [source, target] = [from, to].map(({ url }) => openClient(url)) as [
    EventStoreDBClient,
    EventStoreDBClient,
  ]
  for await (const { event } of source.readAll()) {
    if (!event || event.type.startsWith('$')) continue
    const { id, type, data, metadata, isJson, streamId } = event
    const hasMetadata = metadata !== undefined && !(metadata instanceof Uint8Array)
    const head = { id, type, ...(hasMetadata && { metadata: metadata as never }) }
    const copied = isJson
      ? jsonEvent({ ...head, data: data as never })
      : binaryEvent({ ...head, data: data as unknown as Uint8Array })
    await target.appendToStream(streamId, [copied as never])
  }
  await Promise.all([source.dispose(), target.dispose()])
}

const tokenOfAdmin = () => service.identity.token({ oid: company.admin.userId })
const pathOf = (name: string) => join(folder, name)

/** Save the whole export under a name, and the checkpoint and the keys in it beside it. */
async function exportFrom(url: string, name: string): Promise<void> {
  const get = async (path: string) => {
    const headers = { authorization: `Bearer ${await tokenOfAdmin()}` }
    return fetch(`${url}/api/company/${company.companyId}/${path}`, { headers })
  }
  const response = await get('audit/export')
  expect(response.status).toBe(200)
  writeFileSync(pathOf(name), Buffer.from(await response.arrayBuffer()))
  for (const part of ['checkpoint', 'keys'])
    writeFileSync(pathOf(`${name}.${part}`), await (await get(`history/log/${part}`)).text())
}

it('gives the same log, and exports of both verify against the checkpoints and keys of the other', async () => {
  await until(async () => {
    const headers = { authorization: `Bearer ${await tokenOfAdmin()}` }
    return (await fetch(`${another.url}/api/company/${company.companyId}/audit`, { headers })).ok
  })
  await exportFrom(another.url, 'copy.zip')
  const headIn = (name: string) =>
    readFileSync(pathOf(`${name}.checkpoint`), 'utf8')
      .split('\n')
      .slice(0, 3)
  expect(headIn('copy.zip')).toEqual(headIn('original.zip'))
  for (const [one, other] of [
    ['original.zip', 'copy.zip'],
    ['copy.zip', 'original.zip'],
  ] as const) {
    const trusted = { keys: [pathOf(`${other}.keys`)], checkpoints: [pathOf(`${other}.checkpoint`)] }
    expect(await verifyAt(pathOf(one), trusted)).toMatchObject({
      events: Number(headIn(one)[1]),
      isKeyTrusted: true,
      isKeyContinued: true,
    })
  }
})

it('goes on from the original, whose checkpoints its later exports contain', async () => {
  const token = await tokenOfAdmin()
  const response = await fetch(`${another.url}/api/company/${company.companyId}/millcert-tags`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'After the copy', color: '#1f77b4' }),
  })
  expect(response.status).toBe(201)
  await exportFrom(another.url, 'later.zip')
  const checkpoints = [pathOf('original.zip.checkpoint'), pathOf('copy.zip.checkpoint')]
  const verdict = await verifyAt(pathOf('later.zip'), { keys: [pathOf('original.zip.keys')], checkpoints })
  expect(verdict).toMatchObject({ isKeyTrusted: true, isKeyContinued: true })
  expect(verdict.continues).toHaveLength(2)
})

it('is signed after the checkpoints of the original, although their positions are of the other store', async () => {
  const storeId = (await storeIdOf(copy))!
  const key = readSigningKey({ file: service.settings.SIGNING_KEY! })
  const options = { eventStore: copy, postgres, storeId, keys: { own: async () => key } }
  const { companyId } = company
  const before = await readCheckpoint(options, companyId)
  expect(await copy.eventAt(before!.position!)).toBeUndefined()
  expect(await signMany(options, [companyId])).toEqual(new Map())
  const { size } = await signCheckpoint(options, companyId, 'continue')
  expect(size).toBe(before!.size + 1)
})
