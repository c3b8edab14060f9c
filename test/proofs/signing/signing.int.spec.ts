import { type ChildProcess, spawn } from 'node:child_process'
import { generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Recorded } from '../../../src/domain/kernel/event.ts'
import { clock } from '../../../src/lib/clocks.ts'
import { readCheckpoint, signCheckpoint, signMany } from '../../../src/proofs/signing/signer.ts'
import { signerLease, startSigning } from '../../../src/proofs/signing/signing.ts'
import { type SigningKey, signingKey } from '../../../src/proofs/signing/signingKey.ts'
import { type EventStore, noStream } from '../../../src/stores/eventStore.ts'
import { connectEventStore } from '../../../src/stores/eventStoreDb/connect.ts'
import { readLeaseStatus } from '../../../src/stores/leading/leaseStatus.ts'
import { migrateLocal } from '../../../src/stores/localSchema/migrate.ts'
import { connectPostgres } from '../../../src/stores/postgres/postgres.ts'
import { own } from '../../support/own.ts'
import { createDatabase } from '../../support/postgres.ts'
import { isFullRun, sized } from '../../support/size.ts'
import { startStore } from '../../support/store.ts'
import { until } from '../../support/until.ts'

/** Signing, beside a real event store and PostgreSQL. */

const kills = sized(4, 30)
const testTimeout = isFullRun ? 900_000 : undefined

let privateKey: KeyObject
let key: SigningKey
const storeId = randomUUID()
const node = await own(startStore())
const store = await own(connectEventStore(node.url))
const databaseUrl = (await createDatabase()).url
const postgres = await own(connectPostgres({ url: databaseUrl, name: 'spec', size: 2 }))
const signers = await own(connectPostgres({ url: databaseUrl, name: 'spec', size: 2 }))
beforeAll(async () => {
  await migrateLocal(postgres)
  privateKey = generateKeyPairSync('ed25519').privateKey
  key = signingKey(privateKey)
})

const options = () => ({ eventStore: store, postgres, storeId, keys: { own: async () => key } })
const factsOf = (count: number) =>
  Array.from({ length: count }, () => ({ id: randomUUID(), type: 'Fact', data: {}, metadata: {} }) as never)
const sizeIn = (note: string) => Number(note.split('\n')[1])

describe('signing many companies', () => {
  it('gives the checkpoints that signing each alone gives, also when it goes on from the last ones', async () => {
    const companies = [randomUUID(), randomUUID(), randomUUID()]
    for (const count of [3, 2]) {
      for (const [index, companyId] of companies.entries())
        await store.append(`scans-${companyId}_${count}`, noStream, factsOf(count + index))
      // One company has a checkpoint already, and the others have none at first.
      await signCheckpoint(options(), companies[0]!, 'continue')
      expect(await signMany(options(), companies)).toEqual(new Map())
      for (const companyId of companies) {
        const { note } = (await readCheckpoint(options(), companyId))!
        expect(note).toBe((await signCheckpoint(options(), companyId, 'reread')).note)
      }
    }
  })

  it('does not sign a company whose history has changed, and signs the others', async () => {
    const [changed, honest] = [randomUUID(), randomUUID()]
    for (const companyId of [changed, honest]) await store.append(`scans-${companyId}`, noStream, factsOf(3))
    await signMany(options(), [changed, honest])
    const of = [storeId, changed]
    await postgres.query(
      `UPDATE heatmark_local.log_checkpoint SET root = note, subtrees = '[]' WHERE store_id = $1 AND company_id = $2`,
      of,
    )
    const before = await readCheckpoint(options(), changed)
    for (const companyId of [changed, honest]) await store.append(`scans-${companyId}`, 2, factsOf(1))
    expect(await signMany(options(), [changed, honest])).toEqual(
      new Map([[changed, 'the events are no longer the 3 that the last checkpoint covers']]),
    )
    expect((await readCheckpoint(options(), changed))!.note).toBe(before!.note)
    expect(sizeIn((await readCheckpoint(options(), honest))!.note)).toBe(4)
  })
})

it('reads all histories again a day after the last time, whichever process that was', async () => {
  const [companyId, ofThisSpec] = [randomUUID(), randomUUID()]
  await store.append(`scans-${companyId}`, noStream, factsOf(3))
  const own = { ...options(), storeId: ofThisSpec }
  await signMany(own, [companyId])
  // Somebody puts an event before them.
  const changed: EventStore = {
    ...store,
    async *readAllInPortions(position) {
      yield [
        { ...(factsOf(1)[0]! as Recorded), streamName: `scans-${companyId}_0`, revision: 0, position: 0 },
      ]
      yield* store.readAllInPortions(position)
    },
  }
  /** Let another process lead until it has signed twice and said what is expected. */
  const lead = async (expected: string | null, eventStore = changed) => {
    let looked = 0
    const reading = { table: () => 'head', query: async () => [] }
    const signing = startSigning({
      ...own,
      eventStore,
      postgres: signers,
      reader: {
        async read(_, look) {
          looked += 1
          return { value: await look(reading as never), position: 0 }
        },
      },
      owner: randomUUID(),
      clock,
      observe: {},
      anchorPlaces: [],
      everyMs: 10,
    })
    await until(async () => {
      const condition = (await readLeaseStatus(postgres, signerLease(ofThisSpec)))?.condition ?? null
      return looked > 2 && (expected === null ? condition === null : condition?.includes(expected))
    })
    await signing.stop()
  }
  await lead(null)
  await postgres.query(
    `UPDATE heatmark_local.log_reread SET reread_at = reread_at - interval '1 day' WHERE store_id = $1`,
    [ofThisSpec],
  )
  // A history that was found changed is read again by the next process.
  for (const _ of [1, 2]) await lead(`history-diverged: company ${companyId}: `)
  // One that was found sound is not read again for a day.
  await lead(null, store)
  const kept = `SELECT FROM heatmark_local.log_reread WHERE store_id = $1 AND reread_at > now() - interval '1 hour'`
  expect(await postgres.query(kept, [ofThisSpec])).toHaveLength(1)
})

describe('a signer that is killed', () => {
  it('and those beside it never sign different checkpoints of one size', {
    timeout: testTimeout,
  }, async () => {
    const companyId = randomUUID()
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string
    const notes = new Map<number, Set<string>>()
    const take = (note: string) => {
      const size = sizeIn(note)
      notes.set(size, (notes.get(size) ?? new Set()).add(note))
    }
    const signer = (): ChildProcess => {
      const program = new URL('./signForever.ts', import.meta.url).pathname
      const child = spawn(process.execPath, [program, node.url, databaseUrl, storeId, companyId, pem], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      let rest = ''
      child.stdout!.setEncoding('utf8').on('data', (text: string) => {
        const lines = (rest + text).split('\n')
        rest = lines.pop()!
        for (const line of lines) take(JSON.parse(line))
      })
      return child
    }
    let revision = noStream
    const appending = new AbortController()
    const appends = (async () => {
      while (!appending.signal.aborted) {
        ;({ revision } = await store.append(`scans-${companyId}`, revision, factsOf(1)))
        await pause(5)
      }
    })()
    const beside = signer()
    for (let kill = 0; kill < kills; kill += 1) {
      const child = signer()
      const before = notes.size
      while (notes.size <= before) await pause(20)
      await pause(Math.random() * 200)
      child.kill('SIGKILL')
      await once(child, 'close')
    }
    appending.abort()
    await appends
    beside.kill('SIGKILL')
    await once(beside, 'close')
    take((await signCheckpoint(options(), companyId, 'reread')).note)
    expect(Math.max(...notes.keys())).toBe(revision + 1)
    expect(notes.size).toBeGreaterThan(kills)
    for (const [size, signed] of notes) expect([size, signed.size]).toEqual([size, 1])
  })
})
