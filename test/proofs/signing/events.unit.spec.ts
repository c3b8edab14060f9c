import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { Recorded } from '../../../src/domain/kernel/event.ts'
import { companyOfStream } from '../../../src/domain/kernel/streams.ts'
import type { Reader } from '../../../src/projections/engine/reading/reader.ts'
import { eventsOfCompany } from '../../../src/proofs/signing/events.ts'
import { rereadByPlaces, rereadStore } from '../../../src/proofs/signing/reread.ts'
import { type EventStore, type NewEvent, noStream } from '../../../src/stores/eventStore.ts'
import { id } from '../../support/given.ts'
import { createMemoryStore } from '../../support/memoryStore.ts'

/** The events of a small company in a store whose other events belong to a large one. */

const [small, large] = [id(1), id(2)]

/** The small company has ten events at once, and then one after every 300 events of the large company. */
async function storeOfBoth() {
  const store = createMemoryStore().connect()
  const append = (companyId: string, stream: number, count: number) => {
    const events = Array.from({ length: count }, () => ({ id: randomUUID() }) as NewEvent)
    const named = events.map((event) => ({ ...event, type: 'Fact', data: {}, metadata: {} as never }))
    return store.append(`scans-${companyId}_${stream}`, noStream, named)
  }
  await append(small, 0, 10)
  for (let n = 1; n <= 30; n += 1) {
    await append(large, n, 300)
    await append(small, n, 1)
  }
  const all = await Array.fromAsync(store.readAll(0))
  return { store, all, own: all.filter(({ streamName }) => companyOfStream(streamName) === small) }
}
const { store, all, own } = await storeOfBoth()

/** A log that has the first events of the small company, at these positions. */
function logOf(positions: readonly number[]): Pick<Reader, 'read'> {
  const query = async ({ values: [, first, past] }: { values: readonly unknown[] }) =>
    first === undefined
      ? [{ size: positions.length }]
      : positions.slice(first as number, past as number).map((position) => ({ position }))
  const position = positions.at(-1) ?? 0
  return {
    read: async (_projections, look) => ({
      value: await look({ query, table: () => 'log', storeId: id(3), position } as never),
      position,
    }),
  }
}
const positions = own.map(({ position }) => position)

function counted(): { eventStore: EventStore; read: () => number } {
  let read = 0
  async function* countedPortions(portions: ReturnType<EventStore['readAllFrom']>) {
    for await (const portion of portions) {
      read += portion.length
      yield portion
    }
  }
  const eventStore = {
    ...store,
    eventAt: (position: number) => {
      read += 1
      return store.eventAt(position)
    },
    readAllFrom: (position: number) => countedPortions(store.readAllFrom(position)),
    readAllInPortions: (position: number) => countedPortions(store.readAllInPortions(position)),
  }
  return { eventStore, read: () => read }
}

describe('the events of a company', () => {
  it('are those of the whole store, in its order, wherever the log ends', async () => {
    for (const known of [0, 1, 10, 25, own.length]) {
      const reader = logOf(positions.slice(0, known))
      expect(await Array.fromAsync(eventsOfCompany({ eventStore: store, reader }, small))).toEqual(own)
    }
  })

  it('are those of the whole store also when most events are of the company', async () => {
    const others = all.filter(({ streamName }) => companyOfStream(streamName) === large)
    const reader = logOf(others.map(({ position }) => position))
    expect(await Array.fromAsync(eventsOfCompany({ eventStore: store, reader }, large))).toEqual(others)
  })

  it('include one that was put between them where they are close together, so that the history is found to be another', async () => {
    const others = all.filter(({ streamName }) => companyOfStream(streamName) === large)
    const places = others.map(({ position }) => position)
    // Within the first thousand places, and between two thousands.
    for (const put of [500, 1_000]) {
      const reader = logOf(places.toSpliced(put, 1))
      const found = await Array.fromAsync(eventsOfCompany({ eventStore: store, reader }, large))
      expect(found).toEqual(others)
      const before = await rereadStore(
        { ...store, readAllInPortions: () => without(others[put]!) },
        large,
        undefined,
      )
      const known = {
        ...before.place,
        size: others.length - 1,
        root: before.rereading.root().toString('base64'),
      }
      expect(await rereadByPlaces({ eventStore: store, reader }, large, known)).toBeUndefined()
    }
  })

  it('are read without those of others where they are far apart', async () => {
    const { eventStore, read } = counted()
    const reader = logOf(positions)
    for await (const _ of eventsOfCompany({ eventStore, reader }, small));
    expect([read(), all.length]).toEqual([own.length, 9_040])
  })

  it('are refused when one is not at its place', async () => {
    const reader = logOf(positions.with(20, positions[20]! + 1))
    const reading = Array.fromAsync(eventsOfCompany({ eventStore: store, reader }, small))
    await expect(reading).rejects.toMatchObject({ code: 'history-diverged' })
  })
})

async function* without({ id }: Recorded) {
  yield all.filter((event) => event.id !== id)
}

/** The store as it was when the small company had so many events. */
function createdUntil(count: number): Pick<EventStore, 'readAllInPortions'> {
  const end = positions[count - 1]!
  return {
    async *readAllInPortions() {
      yield all.filter(({ position }) => position <= end)
    },
  }
}

const whole = await rereadStore(store, small, undefined)
const covered = await rereadStore(createdUntil(20), small, undefined)
const last = {
  ...covered.place,
  size: covered.rereading.size,
  root: covered.rereading.root().toString('base64'),
}

describe('a history that is read again by its places', () => {
  it('has the root that the whole store gives, with the events since the last checkpoint', async () => {
    for (const known of [own.length, 30, 20]) {
      const sources = { eventStore: store, reader: logOf(positions.slice(0, known)) }
      const again = await rereadByPlaces(sources, small, last)
      expect(again!.rereading.root()).toEqual(whole.rereading.root())
      expect(again!.place).toEqual(whole.place)
    }
  })

  it('does not count when it contradicts the checkpoint, or lacks an event that the log has', async () => {
    const sources = { eventStore: store, reader: logOf(positions) }
    const end = whole.place
    for (const forged of [
      { ...last, root: Buffer.alloc(32).toString('base64') },
      { ...last, size: last.size + 1 },
      { ...last, eventId: id(9) },
      { ...last, ...end },
    ])
      expect(await rereadByPlaces(sources, small, forged)).toBeUndefined()
    const shifted = { eventStore: store, reader: logOf(positions.map((position) => position + 1)) }
    expect(await rereadByPlaces(shifted, small, last)).toBeUndefined()
  })
})
