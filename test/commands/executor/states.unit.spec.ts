import { randomUUID } from 'node:crypto'
import { beforeAll, expect, it } from 'vitest'
import { isCurrent, keyIdentity } from '../../../src/commands/executor/loaded.ts'
import { createStates } from '../../../src/commands/executor/states.ts'
import type { EventMetadata } from '../../../src/domain/kernel/event.ts'
import type { TagEvent } from '../../../src/domain/tags/catalogueEvents.ts'
import { tagCatalogue } from '../../../src/domain/tags/tagCatalogue.ts'
import { type EventStore, type NewEvent, noStream } from '../../../src/stores/eventStore.ts'
import { tagContent, tagCreated, tagSoftDeleted } from '../../domain/verdict/facts.ts'
import { alice, id } from '../../support/given.ts'
import { createStage, type Stage } from '../nodes.ts'

let stage: Stage
let store: EventStore
beforeAll(() => {
  stage = createStage()
  store = stage.node().store
})

const megabytes = 1_048_576
const [hold, retest] = [id(101), id(102)]
const idempotency = { key: 'k', caller: alice.id, request: 'POST /', requestHash: 'h' }

function timeAt(milliseconds: number): string {
  return new Date(Date.UTC(2026, 0, 1) + milliseconds).toISOString()
}

interface Told extends Partial<EventMetadata> {
  /** Milliseconds since the start of the year. */
  readonly at?: number
}

function newEvent({ type, data }: TagEvent, { at = 0, ...told }: Told = {}): NewEvent {
  const occurredAt = timeAt(at)
  return {
    id: randomUUID(),
    type,
    data,
    metadata: { actor: alice, occurredAt, correlationId: 'c', schemaVersion: 1, ...told },
  }
}

/** Append all events at once, and return the position. */
async function append(companyId: string, expected: number, events: readonly TagEvent[], told?: Told) {
  const stream = tagCatalogue.streamName(companyId)
  return (
    await store.append(
      stream,
      expected,
      events.map((event) => newEvent(event, told)),
    )
  ).position
}

it('reads a stream once, and then only its new events', async () => {
  const states = createStates(store, megabytes)
  const companyId = randomUUID()
  expect(states.find(tagCatalogue, companyId)).toBeUndefined()
  expect(await states.load(tagCatalogue, companyId)).toMatchObject({ revision: noStream, position: 0 })
  await append(companyId, noStream, [tagCreated(hold)])
  const first = await states.load(tagCatalogue, companyId)
  expect(states.find(tagCatalogue, companyId)).toBe(first)
  const position = await append(companyId, 0, [tagSoftDeleted(hold)], { at: 1 })
  const second = await states.load(tagCatalogue, companyId)
  expect(second).toMatchObject({ revision: 1, position, occurredAt: '2026-01-01T00:00:00.001Z' })
  expect(second.state.tags.get(hold)?.active).toBe(false)
  // A state that was returned before must not change.
  expect(first.state.tags.get(hold)?.active).toBe(true)
})

it('accepts events without actor and time, as another program may write them', async () => {
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
  expect((await states.load(tagCatalogue, companyId)).beyond).toBe(
    'TagPainted of version 1: this release does not know its type here',
  )
})

it('folds events that have passed if they follow on what it knows', async () => {
  const states = createStates(store, megabytes)
  const companyId = randomUUID()
  await append(companyId, noStream, [
    tagCreated(hold),
    tagCreated(retest, { name: 'Retest' }),
    tagSoftDeleted(hold),
  ])
  const events = await Array.fromAsync(store.readStream(tagCatalogue.streamName(companyId), 0))
  const known = () => states.find(tagCatalogue, companyId)?.revision
  states.noteEvent(tagCatalogue, companyId, events[1]!)
  expect(known()).toBeUndefined()
  for (const event of [events[0]!, events[2]!, events[1]!, events[0]!])
    states.noteEvent(tagCatalogue, companyId, event)
  expect(known()).toBe(1)
  const read = await createStates(store, megabytes).load(tagCatalogue, companyId)
  states.noteEvent(tagCatalogue, companyId, events[2]!)
  expect(states.find(tagCatalogue, companyId)).toEqual(read)
})

it('leaves events that have passed alone if they are of another stream, cannot be folded or are newer', async () => {
  const states = createStates(store, megabytes)
  const companyId = randomUUID()
  await append(companyId, noStream, [tagCreated(hold)])
  const [event] = await Array.fromAsync(store.readStream(tagCatalogue.streamName(companyId), 0))
  states.noteEvent(tagCatalogue, companyId, { ...event!, streamName: tagCatalogue.streamName(randomUUID()) })
  states.noteEvent(tagCatalogue, companyId, { ...event!, data: undefined as never })
  states.noteEvent(tagCatalogue, companyId, { ...event!, metadata: { ...event!.metadata, schemaVersion: 9 } })
  expect(states.find(tagCatalogue, companyId)).toBeUndefined()
})

it('folds nothing behind an event that only a newer release understands', async () => {
  const companyId = randomUUID()
  const position = await append(companyId, noStream, [tagCreated(hold)])
  const { metadata, ...bare } = newEvent(tagCreated(id(130)))
  const newer = { ...bare, metadata: { ...metadata, schemaVersion: 9 } }
  await store.append(tagCatalogue.streamName(companyId), 0, [newer, newEvent(tagSoftDeleted(hold))])
  const states = createStates(store, megabytes)
  const loaded = await states.load(tagCatalogue, companyId)
  expect(loaded).toMatchObject({
    revision: 1,
    position,
    beyond: expect.stringContaining('TagCreated of version 9: '),
  })
  expect(loaded.state.tags.get(hold)?.active).toBe(true)
  expect(states.find(tagCatalogue, companyId)).toBeUndefined()
})

it('reads a stream once for many simultaneous callers, and again for a later one', async () => {
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

it('shows the state of a stream at a revision, with its events', async () => {
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

it('keeps the most recently used states, however long their streams, and drops the others', async () => {
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
  expect(states.find(tagCatalogue, companies[4]!)).toBeDefined()
  expect(states.find(tagCatalogue, companies[0]!)).toBeUndefined()
})

it('keeps the state of a long stream, however large its events are', async () => {
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
    companyId: id(1),
    family: 'millCert' as const,
    tagId: hold,
    changes: [],
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

/** The store with a clock set to `recordedAt`, in milliseconds since the start of the year. */
function recordedAt(at: (revision: number) => number): EventStore {
  return {
    ...store,
    async *readStream(stream, revision) {
      for await (const event of store.readStream(stream, revision))
        yield { ...event, created: timeAt(at(event.revision)) }
    },
  }
}

const day = 86_400_000
const farAhead = 5 * 365 * day

it('remembers the Idempotency-Keys of a day, each with the events of its own append', async () => {
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

it('counts the day of a key from the time of the store, not from the time in the event', async () => {
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

it('drops keys that are older than a day', async () => {
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

it('keeps the keys of a day when a later event has a time far ahead', async () => {
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
