import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Recorded } from '../../../../src/domain/kernel/event.ts'
import { idempotency } from '../../../../src/projections/engine/idempotency.ts'
import { createShadow } from '../../../../src/projections/engine/operations/shadow.ts'
import type { Projection } from '../../../../src/projections/engine/projection.ts'
import { ensureSchema } from '../../../../src/projections/engine/schema/schema.ts'
import type { Connection } from '../../../../src/stores/postgres/postgres.ts'
import { ownDatabase } from '../../../support/postgres.ts'
import { foldInMemory } from '../../foldInMemory.ts'
import { company, items, log, metadata, recorded, type SampleEvent, samples } from '../../samples.ts'
import { allByKey, rowsOf } from '../../tables.ts'

const { postgres } = await ownDatabase({ size: 1 })

const readModels = await ensureSchema(postgres, randomUUID(), samples)

/** More rows than memory holds, some of them changed and removed long after they were written. */
const history = (events: number): Recorded[] =>
  Array.from({ length: events }, (_, index) => {
    const data = { companyId: company(index % 5), item: Math.floor(index / 5) }
    const earlier = Math.floor(data.item / 3)
    const event: SampleEvent =
      index % 10 === 7
        ? { type: 'ItemCounted', data: { ...data, items: [earlier, earlier + 1], by: 1 } }
        : index % 10 === 8
          ? { type: 'ItemRemoved', data: { ...data, item: earlier } }
          : index % 10 === 9
            ? { type: 'ItemNoted', data: { ...data, note: `note ${index}` } }
            : { type: 'ItemPut', data: { ...data, label: `label ${index}`, tags: [index] } }
    return recorded(event, (index + 1) * 3)
  })

test('rows that did not fit into memory, and were touched again, are those of a fold in memory', async () => {
  const events = history(24_000)
  const connection = await postgres.connect()
  for (const projection of [items, log]) {
    const shadow = await createShadow(connection, readModels, projection, 2)
    for (let start = 0; start < 20_000; start += 1_000) await shadow.fold(events.slice(start, start + 1_000))
    await shadow.index()
    for (let start = 20_000; start < 24_000; start += 100) await shadow.fold(events.slice(start, start + 100))
    await shadow.flush()
    expect(shadow.checkpoint).toEqual({ position: 72_000, eventId: events.at(-1)!.id })
    const rows = await rowsOf(connection, readModels, projection, 2)
    expect(rows).toEqual(allByKey(projection, foldInMemory(projection, events)))
  }
  // Indexed like the tables that a new schema begins with.
  const indexes = await connection.query<{ definition: string }>(
    `SELECT replace(indexdef, relname, '') AS definition FROM pg_indexes JOIN pg_class ON relname = indexname
     WHERE schemaname = $1 ORDER BY indexname`,
    [readModels.schema],
  )
  const of = (generation: number) =>
    indexes
      .filter(({ definition }) => definition.includes(`_${generation} `))
      .map(({ definition }) => definition.replace(`_${generation} `, ' '))
  expect(of(2)).toEqual(of(1))
  // The three tables and the two with former rows have these indexes.
  expect(of(1)).toHaveLength(9)
  connection.release()
})

test('drops looked-up rows that nobody changed, and keeps the changed ones', async () => {
  // A note of 1 looks at that item and the 999 after it, and leaves them as they are.
  const lookedAt = ({ data }: Recorded): [string, number][] => {
    const { companyId, item } = data as { companyId: string; item: number }
    return Array.from({ length: 1_000 }, (_, index) => [companyId, item + index])
  }
  const looking: Projection = {
    ...items,
    handlers: {
      ...items.handlers,
      ItemNoted: { touches: (event) => ({ item: lookedAt(event) }), apply: () => {} },
    },
  }
  const companyId = company(1)
  const item = (n: number): SampleEvent => ({
    type: 'ItemPut',
    data: { companyId, item: n, label: `label ${n}`, tags: [n] },
  })
  const look = (from: number): SampleEvent[] => [
    { type: 'ItemNoted', data: { companyId, item: from, note: 'look' } },
    { type: 'ItemCounted', data: { companyId, items: [from, from + 1], by: 1 } },
    { type: 'ItemRemoved', data: { companyId, item: from + 2 } },
  ]
  const events = [
    ...Array.from({ length: 8_000 }, (_, n) => item(n)),
    ...Array.from({ length: 16 }, (_, n) => look((n % 8) * 1_000)).flat(),
    item(2),
    item(3),
  ].map((event, index) => recorded(event, index + 1))
  const connection = await postgres.connect()
  const shadow = await createShadow(connection, readModels.only([looking]), looking, 5)
  const cuts = [0, 4_000, 8_000, 8_006, 8_012, 8_018, 8_024, 8_030, 8_036, 8_042, 8_048, events.length]
  for (const [index, cut] of cuts.entries()) await shadow.fold(events.slice(cut, cuts[index + 1] ?? cut))
  await shadow.flush()
  expect(await rowsOf(connection, readModels, looking, 5)).toEqual(
    allByKey(looking, foldInMemory(looking, events)),
  )
  await shadow.drop()
  connection.release()
})

test('does not write rows whose retention has passed', async () => {
  const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString()
  const used = (key: string, occurredAt: string, position: number): Recorded => ({
    ...recorded({ type: 'ItemRemoved', data: { companyId: company(1), item: 1 } }, position),
    type: 'TagCreated',
    metadata: {
      ...metadata(occurredAt),
      idempotency: { caller: 'someone', request: 'POST /', key, requestHash: `of ${key} at ${position}` },
    },
  })
  const events = [
    ...['again', 'once'].map((key, n) => used(key, hoursAgo(30), n + 1)),
    ...['today', 'again'].map((key, n) => used(key, hoursAgo(1), n + 3)),
  ]
  const connection = await postgres.connect()
  const shadow = await createShadow(connection, readModels.only([idempotency]), idempotency, 6)
  // Also when an earlier use of a key has been passed over by then.
  for (const event of events) {
    await shadow.fold([event])
    await shadow.flush()
  }
  const { idempotencyKey } = await rowsOf(connection, readModels, idempotency, 6)
  const hashes = [...idempotencyKey!.values()].map(({ requestHash }) => requestHash)
  expect(hashes.sort()).toEqual(['of again at 4', 'of today at 3'])
  await shadow.drop()
  connection.release()
})

test('throws an error of PostgreSQL that comes while folding goes on', async () => {
  const connection = await postgres.connect()
  const shadow = await createShadow(connection, readModels, items, 3)
  await shadow.fold([
    recorded({ type: 'ItemPut', data: { companyId: company(1), item: 1, label: '\0', tags: [] } }, 1),
  ])
  await expect(shadow.flush()).rejects.toMatchObject({ code: '22021' })
  connection.release(true)
})

test('sends nothing more once a shadow is dropped', async () => {
  const connection = await postgres.connect()
  const statements: string[] = []
  const noted: Connection = {
    ...connection,
    query: (text, values, limits) => {
      statements.push(text)
      return connection.query(text, values, limits)
    },
    copy: (text, chunks) => {
      statements.push(text)
      return connection.copy(text, chunks)
    },
  }
  const shadow = await createShadow(noted, readModels, items, 7)
  // As many as are written while folding goes on.
  await shadow.fold(history(10_000))
  await shadow.drop()
  expect(statements.at(-1)).toMatch(/^DROP TABLE/)
  connection.release()
})

test('an event that cannot be folded is named', async () => {
  const connection = await postgres.connect()
  const shadow = await createShadow(connection, readModels, items, 4)
  const event = recorded({ type: 'ItemRemoved', data: { companyId: company(1), item: 1 } }, 10)
  const folding = shadow.fold([{ ...event, metadata: metadata(undefined, 2) } as Recorded])
  await expect(folding).rejects.toMatchObject({ code: 'fold-failed' })
  await expect(folding).rejects.toThrow('items cannot fold ItemRemoved at position 10')
  await shadow.drop()
  connection.release()
})
