import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createStates, isCurrent, keyIdentity } from '../../src/commands/states.ts'
import type { EventMetadata } from '../../src/domain/event.ts'
import { type TagEvent, tagCatalogue } from '../../src/domain/tagCatalogue.ts'
import { type EventStore, type NewEvent, noStream } from '../../src/eventStore.ts'
import { tagContent, tagCreated, tagSoftDeleted } from '../domain/facts.ts'
import { alice, id } from '../support/given.ts'
import { type Stage, startStage } from './nodes.ts'

let stage: Stage
let store: EventStore
beforeAll(async () => {
  stage = await startStage()
  store = stage.node().store
})
afterAll(() => stage.stop())

const megabytes = 1_048_576
const [hold, retest] = [id(101), id(102)]
const idempotency = { key: 'k', caller: alice.id, request: 'POST /', requestHash: 'h' }

const timeAt = (milliseconds: number): string => new Date(Date.UTC(2026, 0, 1) + milliseconds).toISOString()

interface Told extends Partial<EventMetadata> {
  /** Milliseconds since the start of the year. */
  readonly at?: number
}
const newEvent = ({ type, data }: TagEvent, { at = 0, ...told }: Told = {}): NewEvent => {
  const occurredAt = timeAt(at)
  return {
    ...{ id: randomUUID(), type, data },
    metadata: { actor: alice, occurredAt, correlationId: 'c', schemaVersion: 1, ...told },
  }
}

/** Appends in one go, and answers the position. */
const append = async (companyId: string, expected: number, events: readonly TagEvent[], told?: Told) => {
  const stream = tagCatalogue.streamName(companyId)
  return (
    await store.append(
      stream,
      expected,
      events.map((event) => newEvent(event, told)),
    )
  ).position
}

it('reads a stream once, and from then on what has come since', async () => {
  const states = createStates(store, megabytes)
  const companyId = randomUUID()
  expect(states.cached(tagCatalogue, companyId)).toBeUndefined()
  expect(await states.load(tagCatalogue, companyId)).toMatchObject({ revision: noStream, position: 0 })
  await append(companyId, noStream, [tagCreated(hold)])
  const first = await states.load(tagCatalogue, companyId)
  expect(states.cached(tagCatalogue, companyId)).toBe(first)
  const position = await append(companyId, 0, [tagSoftDeleted(hold)], { at: 1 })
  const second = await states.load(tagCatalogue, companyId)
  expect(second).toMatchObject({ revision: 1, position, occurredAt: '2026-01-01T00:00:00.001Z' })
  expect(second.state.tags.get(hold)?.active).toBe(false)
  // What was handed out before stays as it was.
  expect(first.state.tags.get(hold)?.active).toBe(true)
})

it('takes events that do not say who and when, as another program may write them', async () => {
  const states = createStates(store, megabytes)
  const companyId = randomUUID()
  await append(companyId, noStream, [tagCreated(hold)], { at: 7 })
  const told: unknown[] = [undefined, null, {}, { $correlationId: 'theirs' }]
  const theirs = told.map((metadata, n) => ({
    ...newEvent(tagCreated(id(110 + n), { name: `Theirs ${n}` })),
    metadata: metadata as EventMetadata,
  }))
  const stream = tagCatalogue.streamName(companyId)
  await store.append(stream, 0, theirs)
  const loaded = await states.load(tagCatalogue, companyId)
  expect(loaded).toMatchObject({ revision: 4, occurredAt: '2026-01-01T00:00:00.007Z' })
  expect(loaded.state.tags.size).toBe(5)

  const { metadata, ...bare } = newEvent(tagCreated(id(120)))
  await store.append(stream, 4, [{ ...bare, type: 'TagPainted', metadata: undefined as never }])
  expect((await states.load(tagCatalogue, companyId)).beyond).toBe('TagPainted 1')
})

it('reads a stream once for many who ask together, and never for one who asks later', async () => {
  let reads = 0
  const counting: EventStore = {
    ...store,
    readStream(stream, revision) {
      reads += 1
      return store.readStream(stream, revision)
    },
  }
  const states = createStates(counting, megabytes)
  const companyId = randomUUID()
  const before = Array.from({ length: 50 }, () => states.load(tagCatalogue, companyId))
  await append(companyId, noStream, [tagCreated(hold)])
  const after = Array.from({ length: 50 }, () => states.load(tagCatalogue, companyId))
  for (const { revision } of await Promise.all(after)) expect(revision).toBe(0)
  await Promise.all(before)
  expect(reads).toBeLessThanOrEqual(4)
})

it('shows a stream as it stood, with the events that made it so', async () => {
  const states = createStates(store, megabytes)
  const companyId = randomUUID()
  await append(companyId, noStream, [tagCreated(hold)])
  const position = await append(companyId, 0, [tagSoftDeleted(hold), tagCreated(retest, { name: 'Retest' })])
  await append(companyId, 2, [tagSoftDeleted(retest, 'Retest')])
  const { loaded, events } = await states.asOf(tagCatalogue, companyId, position, 1)
  expect(loaded).toMatchObject({ revision: 2, position })
  expect(loaded.state.tags.map(({ active }) => active).toJS()).toStrictEqual({
    [hold]: false,
    [retest]: true,
  })
  expect(events.map(({ type }) => type)).toStrictEqual(['TagSoftDeleted', 'TagCreated'])
})

it('keeps the most recently used, however long their streams, and lets the others go', async () => {
  const states = createStates(store, 40_000)
  const companies = Array.from({ length: 5 }, () => randomUUID())
  const description = 'x'.repeat(20_000)
  for (const companyId of companies) {
    await append(
      companyId,
      noStream,
      [hold, retest, id(103)].map((tagId) => tagCreated(tagId, { description })),
    )
    await states.load(tagCatalogue, companyId)
  }
  expect(states.cached(tagCatalogue, companies[4]!)).toBeDefined()
  expect(states.cached(tagCatalogue, companies[0]!)).toBeUndefined()
})

it('keeps what long streams fold to, however much their events say', async () => {
  const fromTheStart: string[] = []
  const watched: EventStore = {
    ...store,
    readStream(stream, revision) {
      if (revision === 0) fromTheStart.push(stream)
      return store.readStream(stream, revision)
    },
  }
  const states = createStates(watched, 400_000)
  const companies = Array.from({ length: 5 }, () => randomUUID())
  const description = 'x'.repeat(1_000)
  const data = (n: number) => ({
    ...{ companyId: id(1), family: 'millCert' as const, tagId: hold, changes: [] },
    ...tagContent({ description: `${description}${n}` }),
  })
  const updates = Array.from({ length: 400 }, (_, n): TagEvent => ({ type: 'TagUpdated', data: data(n) }))
  for (const companyId of companies) {
    await append(companyId, noStream, [tagCreated(hold, { description }), ...updates])
    await states.load(tagCatalogue, companyId)
  }
  expect(fromTheStart).toHaveLength(5)
  for (let round = 0; round < 3; round += 1)
    for (const companyId of companies) await states.load(tagCatalogue, companyId)
  expect(fromTheStart).toHaveLength(5)
})

/** The store as a clock has it that is set to `recordedAt`, in milliseconds since the start of the year. */
const recordedAt = (at: (revision: number) => number): EventStore => ({
  ...store,
  async *readStream(stream, revision) {
    for await (const event of store.readStream(stream, revision))
      yield { ...event, created: timeAt(at(event.revision)) }
  },
})
const day = 86_400_000
const farAhead = 5 * 365 * day

it('remembers the keys of a day, each with the events of its own append', async () => {
  const states = createStates(
    recordedAt((revision) => (revision < 2 ? 0 : day)),
    megabytes,
  )
  const companyId = randomUUID()
  const identity = keyIdentity(idempotency)
  const [first, second] = [tagCreated(hold), tagCreated(retest, { name: 'Retest' })]
  await append(companyId, noStream, [first, second], { idempotency })
  expect((await states.load(tagCatalogue, companyId)).keys.get(identity)).toMatchObject({ first: 0, last: 1 })

  const position = await append(companyId, 1, [tagSoftDeleted(hold)], { idempotency, at: day })
  const use = (await states.load(tagCatalogue, companyId)).keys.get(identity)!
  expect(use).toMatchObject({ first: 2, last: 2, position })
  expect(isCurrent(use, timeAt(2 * day - 1))).toBe(true)
  expect(isCurrent(use, timeAt(2 * day))).toBe(false)
})

it('counts the day of a key from when the store recorded it, whatever time the event carries', async () => {
  const companyId = randomUUID()
  await append(companyId, noStream, [tagCreated(hold)], { idempotency, at: farAhead })
  const { keys } = await createStates(
    recordedAt(() => day),
    megabytes,
  ).load(tagCatalogue, companyId)
  const use = keys.get(keyIdentity(idempotency))!
  expect(isCurrent(use, timeAt(2 * day - 1))).toBe(true)
  expect(isCurrent(use, timeAt(2 * day))).toBe(false)
})

it('forgets the keys that no longer count', async () => {
  const states = createStates(
    recordedAt((revision) => (revision < 256 ? revision : 2 * day)),
    16 * megabytes,
  )
  const companyId = randomUUID()
  const keyed = (n: number, at: number) =>
    newEvent(tagCreated(id(n)), { idempotency: { ...idempotency, key: `key ${n}` }, at })
  const [old, fresh] = [Array.from({ length: 256 }, (_, n) => keyed(n, n)), keyed(256, 2 * day)]
  const stream = tagCatalogue.streamName(companyId)
  await store.append(stream, noStream, old)
  expect((await states.load(tagCatalogue, companyId)).keys.size).toBe(256)
  await store.append(stream, 255, [fresh])
  const { keys } = await states.load(tagCatalogue, companyId)
  expect([...keys.values()].map(({ first }) => first)).toStrictEqual([256])
})

it('keeps the keys of a day although an event after them carries a time far ahead', async () => {
  const states = createStates(
    recordedAt((revision) => revision),
    16 * megabytes,
  )
  const companyId = randomUUID()
  const keyed = (n: number, at: number) =>
    newEvent(tagCreated(id(n)), { idempotency: { ...idempotency, key: `key ${n}` }, at })
  const stream = tagCatalogue.streamName(companyId)
  await store.append(stream, noStream, [
    ...Array.from({ length: 256 }, (_, n) => keyed(n, n)),
    keyed(256, farAhead),
  ])
  expect((await states.load(tagCatalogue, companyId)).keys.size).toBe(257)
})
