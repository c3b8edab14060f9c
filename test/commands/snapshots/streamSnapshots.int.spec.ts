import { createHash, randomUUID } from 'node:crypto'
import { EventStoreDBClient } from '@eventstore/db-client'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { keyIdentity, type Loaded } from '../../../src/commands/loaded.ts'
import { createSnapshotRows } from '../../../src/commands/snapshots/snapshotRows.ts'
import { type StreamSnapshots, stateVersionOf } from '../../../src/commands/snapshots/streamSnapshots.ts'
import { createStates, type StatesOptions } from '../../../src/commands/states.ts'
import { createTag, updateTag } from '../../../src/commands/tags.ts'
import { replaceMembers } from '../../../src/domain/edit.ts'
import { type TagCatalogue, type TagEvent, tagCatalogue } from '../../../src/domain/tagCatalogue.ts'
import type { EventStore, NewEvent } from '../../../src/eventStore.ts'
import { migrateLocal } from '../../../src/localSchema/migrate.ts'
import { connectPostgres, type Postgres } from '../../../src/postgres.ts'
import { tagContent, tagCreated } from '../../domain/facts.ts'
import { alice, id } from '../../support/given.ts'
import { createDatabase, type TestDatabase } from '../../support/postgres.ts'
import { until } from '../../support/until.ts'
import { context, keyed, refusalOf, type Stage, startStage } from '../nodes.ts'

let stage: Stage
let store: EventStore
let database: TestDatabase
let postgres: Postgres
/** A catalogue of `length` events, and how it is folded without snapshots. */
let long: LongStream
let folded: ReturnType<typeof withoutWeight>
beforeAll(async () => {
  stage = await startStage()
  store = stage.node().store
  database = await createDatabase()
  postgres = connectPostgres({ url: database.url, name: 'spec', size: 2 })
  await migrateLocal(postgres)
  long = await longStream()
  folded = withoutWeight(await newProcess().states.load(tagCatalogue, long.companyId))
})
afterAll(async () => {
  await stage.stop()
  await postgres.close()
  await database.drop()
})

const megabytes = 16_777_216
const length = 2_500
const everything = { untilPosition: Number.MAX_SAFE_INTEGER, beforeRevision: Number.MAX_SAFE_INTEGER }
const version = stateVersionOf(tagCatalogue)
const tagId = id(101)
const began = Date.parse('2026-01-01T00:00:00.000Z')
/** So 1,000 events take longer than a day. */
const apartMs = 90_000

function keyOf(n: number) {
  return { key: `key ${n}`, caller: alice.id, request: 'PUT /', requestHash: 'h' }
}

/** A change of the one tag, under an Idempotency-Key at every hundredth event. */
function eventAt(n: number): NewEvent {
  const data = { ...tagContent({ name: 'Hold', description: `Wording ${n}` }), tagId }
  const event: TagEvent =
    n === 0
      ? tagCreated(tagId, { name: 'Hold' })
      : { type: 'TagUpdated', data: { ...data, companyId: id(1), family: 'millCert', changes: [] } }
  return {
    ...{ id: randomUUID(), type: event.type, data: event.data },
    metadata: {
      ...{ actor: alice, correlationId: 'c', schemaVersion: 1 },
      occurredAt: new Date(began + n * apartMs).toISOString(),
      ...(n % 100 === 0 && { idempotency: keyOf(n) }),
    },
  }
}

interface LongStream {
  readonly companyId: string
  readonly stream: string
  /** The positions of every 500th event, by revision. */
  readonly positions: ReadonlyMap<number, number>
}

async function longStream(count = length): Promise<LongStream> {
  const companyId = randomUUID()
  const stream = tagCatalogue.streamName(companyId)
  const positions = new Map<number, number>()
  for (let from = 0; from < count; from += 500) {
    const events = Array.from({ length: Math.min(500, count - from) }, (_, n) => eventAt(from + n))
    const { revision, position } = await store.append(stream, from - 1, events)
    positions.set(revision, position)
  }
  return { companyId, stream, positions }
}

/** The revisions of the snapshots of a store. */
async function keptIn(storeId: string): Promise<number[]> {
  const kept = await postgres.query<{ revision: number }>(
    'SELECT revision FROM heatmark_local.stream_snapshot WHERE store_id = $1 ORDER BY revision',
    [storeId],
  )
  return kept.map(({ revision }) => revision)
}

/** A new process: its states, and the number of events that it has read. */
function newProcess(options: StatesOptions = {}) {
  const read = { events: 0 }
  const failures: string[] = []
  const counting: EventStore = {
    ...store,
    async *readStream(stream, revision) {
      for await (const event of store.readStream(stream, revision)) {
        read.events += 1
        yield event
      }
    },
  }
  const observe = { snapshotFailed: (error: unknown) => void failures.push((error as Error).message) }
  return { states: createStates(counting, megabytes, { observe, ...options }), read, failures }
}

function withoutWeight({ bytes: _, weighed: __, ...loaded }: Loaded<TagCatalogue>) {
  return loaded
}

/** The snapshots of a new store, in which a process has kept those of the long stream. */
async function kept() {
  const storeId = randomUUID()
  const snapshots = createSnapshotRows(postgres, storeId)
  await newProcess({ snapshots }).states.load(tagCatalogue, long.companyId)
  await until(async () => (await keptIn(storeId)).includes(1_999))
  return { storeId, snapshots }
}

/** The first 100 events tell that the stream is long; then it is read from the snapshot on. */
const readFromSnapshot = 100 + length - 1_999

describe('a process that does not know a long stream', () => {
  it('goes on from the newest snapshot', async () => {
    const { states, read, failures } = newProcess(await kept())
    expect(withoutWeight(await states.load(tagCatalogue, long.companyId))).toEqual(folded)
    expect(read.events).toBe(readFromSnapshot)
    expect(failures).toEqual([])
    expect(states.cached(tagCatalogue, long.companyId)).toMatchObject({ revision: length - 1 })
  })

  it('needs no event after the snapshot', async () => {
    const { companyId } = await longStream(1_000)
    const snapshots = createSnapshotRows(postgres, randomUUID())
    const first = withoutWeight(await newProcess({ snapshots }).states.load(tagCatalogue, companyId))
    await until(() => snapshots.find(tagCatalogue.streamName(companyId), version, everything))
    const { states } = newProcess({ snapshots })
    expect(withoutWeight(await states.load(tagCatalogue, companyId))).toEqual(first)
  })

  it('looks for no snapshot of a short stream', async () => {
    const { companyId } = await longStream(99)
    const find = vi.fn()
    const { states } = newProcess({ snapshots: { ...(await kept()).snapshots, find } })
    expect(await states.load(tagCatalogue, companyId)).toMatchObject({ revision: 98 })
    expect(find).not.toHaveBeenCalled()
  })

  it('keeps the newest snapshot, and one that is older than all Idempotency-Keys that count', async () => {
    const { storeId } = await kept()
    expect(await keptIn(storeId)).toEqual([999, 1_999])
  })
})

describe('a stream that grows', () => {
  it('has a snapshot after every 1,000 events', async () => {
    const { companyId, stream } = await longStream(500)
    const storeId = randomUUID()
    const { states } = newProcess({ snapshots: createSnapshotRows(postgres, storeId) })
    let loaded = await states.load(tagCatalogue, companyId)
    for (let n = 500; n < 1_050; n += 110) {
      const events = Array.from({ length: 110 }, (_, index) => eventAt(n + index))
      const { position } = await store.append(stream, n - 1, events)
      const recorded = events.map((event, index) => ({
        ...{ ...event, streamName: stream, revision: n + index, position },
      }))
      loaded = states.appended(tagCatalogue, companyId, loaded, recorded)
    }
    await until(async () => (await keptIn(storeId)).length > 0)
    expect(await keptIn(storeId)).toEqual([999])
  })

  it('keeps the snapshots of a day, and the newest older one', async () => {
    const { storeId, snapshots } = await kept()
    const snapshot = (await snapshots.find(long.stream, version, everything))!
    for (const revision of [2_999, 3_999, 4_999]) await snapshots.keep(long.stream, { ...snapshot, revision })
    await snapshots.keep('another', snapshot)
    await postgres.query(
      `UPDATE heatmark_local.stream_snapshot SET kept_at = kept_at - interval '25 hours'
       WHERE store_id = $1 AND revision < 4_999`,
      [storeId],
    )
    await snapshots.keep(long.stream, { ...snapshot, revision: 5_999 })
    expect(await keptIn(storeId)).toEqual([1_999, 3_999, 4_999, 5_999])
    expect(await snapshots.find('another', version, everything)).toEqual(snapshot)
  })
})

describe('the answer to a request that comes again', () => {
  it('is folded from the snapshot before it, and shows the stream as it was then', async () => {
    const { states, read } = newProcess(await kept())
    const { keys } = await states.load(tagCatalogue, long.companyId)
    const { first, position } = keys.get(keyIdentity(keyOf(2_100)))!
    read.events = 0
    const then = await states.asOf(tagCatalogue, long.companyId, position, first)
    expect(read.events).toBeLessThan(700)
    const plainly = await newProcess().states.asOf(tagCatalogue, long.companyId, position, first)
    expect(withoutWeight(then.loaded)).toEqual(withoutWeight(plainly.loaded))
    expect(then.events).toEqual(plainly.events)
    expect(then.events[0]).toMatchObject({ revision: 2_100 })
  })

  it('uses no snapshot that has folded the request itself or a later event', async () => {
    const { states } = newProcess(await kept())
    for (const [revision, position] of long.positions) {
      const first = revision - 3
      const then = await states.asOf(tagCatalogue, long.companyId, position, first)
      expect(then.loaded).toMatchObject({ revision, position })
      expect(then.events.map((event) => event.revision)).toEqual([first, first + 1, first + 2, revision])
      expect((await states.asOf(tagCatalogue, long.companyId, position)).loaded).toMatchObject({ revision })
    }
  })

  it('is the first answer on a node that has just started', async () => {
    const { companyId, stream } = await longStream(1_000)
    const snapshots = createSnapshotRows(postgres, randomUUID())
    const rename = (name: string) =>
      updateTag({ companyId, family: 'millCert', tagId }, replaceMembers(tagContent({ name })))
    const first = await stage.node({ snapshots }).execute(rename('Retest'), keyed('k'))
    await until(() => snapshots.find(stream, version, everything))
    const there = stage.node({ snapshots })
    await there.execute(rename('Quarantine'), context)
    expect(await there.execute(rename('Retest'), keyed('k'))).toEqual({ ...first, replayed: true })
    const other = there.execute(rename('Retest'), keyed('k', 'another body'))
    expect(await refusalOf(other)).toBe('idempotency-key-reused')
  })
})

const spoilt: readonly (readonly [string, string])[] = [
  ['belongs to another event', 'event_id = gen_random_uuid()'],
  ['belongs to an event elsewhere in the store', 'position = position - 1'],
  ['is of a stream that was longer', 'revision = 99_999'],
  [
    'is broken off',
    "content = left(content, 100), sha256 = encode(sha256(left(content, 100)::bytea), 'hex')",
  ],
  ['was changed', "content = replace(content, 'Wording', 'Warding')"],
  ['holds something else', `content = '{}', sha256 = '${createHash('sha256').update('{}').digest('hex')}'`],
]

async function change(storeId: string, assignments: string): Promise<void> {
  await postgres.query(
    `UPDATE heatmark_local.stream_snapshot SET ${assignments} WHERE store_id = '${storeId}'`,
  )
}

describe('a snapshot', () => {
  it.each(spoilt)('that %s is dropped, and the stream is folded as without it', async (_, assignments) => {
    const { storeId, snapshots } = await kept()
    await postgres.query(
      `DELETE FROM heatmark_local.stream_snapshot WHERE store_id = '${storeId}' AND revision < 1_999`,
    )
    await change(storeId, assignments)
    const { states, failures } = newProcess({ snapshots })
    expect(withoutWeight(await states.load(tagCatalogue, long.companyId))).toEqual(folded)
    expect(failures).toHaveLength(1)
    // The load has kept good ones in its place.
    await until(async () => (await keptIn(storeId)).join() === '999,1999')
    const next = newProcess({ snapshots })
    expect(withoutWeight(await next.states.load(tagCatalogue, long.companyId))).toEqual(folded)
    expect([next.read.events, next.failures]).toEqual([readFromSnapshot, []])
  })

  it.each([
    ['by an older fold', "state_version = '0' || state_version"],
    ['of another store', 'store_id = gen_random_uuid()'],
  ])('%s is not used', async (_, assignments) => {
    const { storeId, snapshots } = await kept()
    await change(storeId, assignments)
    const { states, read, failures } = newProcess({ snapshots })
    await states.load(tagCatalogue, long.companyId)
    expect([read.events, failures]).toEqual([length, []])
  })

  it.each([
    ['a raised version of its state', { stateVersion: 2 }],
    ['another event type', { eventVersions: { ...tagCatalogue.eventVersions, TagPainted: 1 } }],
  ])('is not used by a release with %s', async (_, changed) => {
    const { states, read } = newProcess(await kept())
    await states.load({ ...tagCatalogue, ...changed }, long.companyId)
    expect(read.events).toBe(length)
  })

  it('is not used for a stream whose first events are gone', async () => {
    const { companyId, stream } = await longStream(1_500)
    const { snapshots } = await kept()
    await newProcess({ snapshots }).states.load(tagCatalogue, companyId)
    await until(() => snapshots.find(stream, version, everything))
    const client = EventStoreDBClient.connectionString(stage.url)
    await client.setStreamMetadata(stream, { truncateBefore: 400 })
    await client.dispose()
    const loaded = await newProcess({ snapshots }).states.load(tagCatalogue, companyId)
    expect(loaded.revision).toBe(1_499)
    expect(loaded.state.tags.size).toBe(0)
  })
})

const rejects = async () => {
  throw new Error('away')
}
const throws = () => {
  throw new Error('broken')
}
const faults: readonly (readonly [string, Partial<StreamSnapshots>])[] = [
  ['rejects', { find: rejects, keep: rejects, drop: rejects }],
  ['throws', { find: throws, keep: throws, drop: throws }],
  ['never answers', { find: () => new Promise(() => {}), keep: () => new Promise(() => {}) }],
]

it.each(faults)('does without a store of snapshots that %s', async (_, fault) => {
  const snapshots = { ...createSnapshotRows(postgres, randomUUID()), ...fault }
  const { states, failures } = newProcess({ snapshots })
  expect(withoutWeight(await states.load(tagCatalogue, long.companyId))).toEqual(folded)
  expect(failures.length).toBeGreaterThan(0)
  const { companyId } = await longStream(1_000)
  const node = stage.node({ snapshots })
  const command = createTag(companyId, 'millCert', tagContent({ name: 'Retest' }))
  const first = await node.execute(command, keyed('k'))
  expect(await node.execute(command, keyed('k'))).toEqual({ ...first, replayed: true })
})
