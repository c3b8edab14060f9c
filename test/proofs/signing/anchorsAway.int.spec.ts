import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { freePort } from '../../../src/embedded/ports.ts'
import { clock } from '../../../src/lib/clocks.ts'
import { anchorFolder } from '../../../src/proofs/signing/anchorFolder.ts'
import { type AnchorPlace, listAnchors } from '../../../src/proofs/signing/anchors.ts'
import { readCheckpoint } from '../../../src/proofs/signing/signer.ts'
import { signerLease, startSigning } from '../../../src/proofs/signing/signing.ts'
import { signingKey } from '../../../src/proofs/signing/signingKey.ts'
import { timestamps } from '../../../src/proofs/signing/timestamps.ts'
import { noStream } from '../../../src/stores/eventStore.ts'
import { connectEventStore } from '../../../src/stores/eventStoreDb/connect.ts'
import type { Leading } from '../../../src/stores/leading/leading.ts'
import { readLeaseStatus } from '../../../src/stores/leading/leaseStatus.ts'
import { createRenewals } from '../../../src/stores/leading/renewals.ts'
import { migrateLocal } from '../../../src/stores/localSchema/migrate.ts'
import { connectPostgres } from '../../../src/stores/postgres/postgres.ts'
import { own } from '../../support/own.ts'
import { createDatabase } from '../../support/postgres.ts'
import { startStore } from '../../support/store.ts'
import { until } from '../../support/until.ts'
import { hasOpenssl, startAuthority } from './authority.ts'

/** The signer goes on signing when a place of anchors is away, says so, and anchors later. */

const node = await own(startStore())
const store = await own(connectEventStore(node.url))
const postgres = await own(connectPostgres({ url: (await createDatabase()).url, name: 'spec', size: 6 }))
beforeAll(async () => {
  await migrateLocal(postgres)
})

let storeId: string
let companyId: string
let revision: number
let signing: Leading | undefined
const warned: string[] = []
beforeEach(() => {
  ;[storeId, companyId, revision] = [randomUUID(), randomUUID(), noStream]
  warned.length = 0
})
afterEach(() => signing?.stop())

function start(place: AnchorPlace): void {
  const key = signingKey(generateKeyPairSync('ed25519').privateKey)
  const reading = { table: () => 'head', query: async () => [{ companyId }] }
  signing = startSigning({
    eventStore: store,
    postgres,
    storeId,
    clock,
    owner: randomUUID(),
    reader: { read: async (_, look) => ({ value: await look(reading as never), position: 0 }) },
    keys: { own: async () => key },
    observe: { condition: (message) => warned.push(message) },
    // Each new checkpoint is due at once.
    anchorPlaces: [{ ...place, everyMs: 0 }],
    everyMs: 20,
    renewals: createRenewals(postgres, 50),
    anchorSilentMs: 200,
  })
}

/** Record an event, and wait until it is signed. */
async function record(): Promise<void> {
  const event = { id: randomUUID(), type: 'Fact', data: {}, metadata: {} } as never
  ;({ revision } = await store.append(`scans-${companyId}`, revision, [event]))
  await until(async () => (await readCheckpoint({ postgres, storeId }, companyId))?.size === revision + 1)
}

const untilAnchored = (size: number) =>
  until(async () => (await listAnchors({ postgres, storeId })).get(companyId)?.[0]?.size === size)

/** Wait for a condition in the log, and where health, metrics and doctor see it. */
async function untilSaid(condition: string | null): Promise<void> {
  await until(async () => {
    const said = (await readLeaseStatus(postgres, signerLease(storeId)))?.condition ?? null
    return condition === null ? said === null : said?.includes(condition)
  })
  if (condition !== null) expect(warned.join('\n')).toContain(condition)
}

it('signs on while the disk of the folder is away', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'heatmark-away-'))
  start(anchorFolder(folder, { list: async () => [] }))
  await record()
  await untilAnchored(1)
  renameSync(folder, `${folder}-disk`)
  await record()
  await untilSaid('ANCHOR_FOLDER lacks the checkpoint')
  await record()
  renameSync(`${folder}-disk`, folder)
  await untilAnchored(3)
  await untilSaid(null)
  expect(readdirSync(join(folder, companyId)).at(-1)).toBe('000000000003')
  rmSync(folder, { recursive: true })
})

it('signs on while a write to the folder does not end', async () => {
  const back = Promise.withResolvers<void>()
  let puts = 0
  start({
    kind: 'folder',
    everyMs: 0,
    async put({ note }) {
      puts += 1
      await back.promise
      return { note, proof: null }
    },
  })
  await record()
  await untilSaid('the place of anchors (folder) has not answered for 0.2 s')
  await record()
  await record()
  expect(puts).toBe(1)
  back.resolve()
  await untilAnchored(3)
  await untilSaid(null)
})

it('stops while a write to the folder does not end', async () => {
  start({ kind: 'folder', everyMs: 0, put: () => new Promise(() => {}) })
  await record()
  await untilSaid('has not answered')
  await signing!.stop()
})

it.skipIf(!hasOpenssl)(
  'signs on while the authority does not answer (skipped: it takes openssl 3)',
  async () => {
    const authority = await startAuthority()
    let url = `http://127.0.0.1:${await freePort()}`
    const place = { kind: 'timestamp', everyMs: 0 } as const
    start({ ...place, put: (due) => timestamps({ ...authority, url }).put(due) })
    await record()
    await untilSaid('TIMESTAMP_URL gave no timestamp: fetch failed: connect ECONNREFUSED')
    await record()
    url = authority.url
    await untilAnchored(2)
    await untilSaid(null)
    await authority.close()
  },
)
