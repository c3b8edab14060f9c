import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Recorded } from '../../src/domain/event.ts'
import { connectPostgres, type Postgres } from '../../src/postgres.ts'
import { foldInMemory } from '../../src/projections/fold.ts'
import { ensureSchema } from '../../src/projections/schema.ts'
import { createShadow, FoldFailed } from '../../src/projections/shadow.ts'
import { createDatabase, type TestDatabase } from '../support/postgres.ts'
import { company, items, log, metadata, recorded, type SampleEvent, samples } from './samples.ts'
import { allByKey, rowsOf } from './tables.ts'

let database: TestDatabase
let postgres: Postgres
let schema: string

beforeAll(async () => {
  database = await createDatabase()
  postgres = connectPostgres({ url: database.url, name: 'test', size: 1 })
  schema = await ensureSchema(postgres, randomUUID(), samples)
})
afterAll(async () => {
  await postgres.close()
  await database.drop()
})

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
    const shadow = await createShadow(connection, schema, projection, 2)
    for (let start = 0; start < 20_000; start += 1_000) await shadow.fold(events.slice(start, start + 1_000))
    await shadow.index()
    for (let start = 20_000; start < 24_000; start += 100) await shadow.fold(events.slice(start, start + 100))
    await shadow.flush()
    expect(shadow.kept).toEqual({ position: 72_000, eventId: events.at(-1)!.id })
    const rows = await rowsOf(connection, schema, projection, 2)
    expect(rows).toEqual(allByKey(projection, foldInMemory(projection, events)))
  }
  // Indexed like the tables that a new schema begins with.
  const indexes = await connection.query<{ definition: string }>(
    `SELECT replace(indexdef, relname, '') AS definition FROM pg_indexes JOIN pg_class ON relname = indexname
     WHERE schemaname = $1 ORDER BY indexname`,
    [schema],
  )
  const of = (generation: number) =>
    indexes
      .filter(({ definition }) => definition.includes(`_${generation} `))
      .map(({ definition }) => definition.replace(`_${generation} `, ' '))
  expect(of(2)).toEqual(of(1))
  expect(of(1)).toHaveLength(5)
  connection.release()
})

test('what PostgreSQL refuses while folding goes on is thrown all the same', async () => {
  const connection = await postgres.connect()
  const shadow = await createShadow(connection, schema, items, 3)
  await shadow.fold([
    recorded({ type: 'ItemPut', data: { companyId: company(1), item: 1, label: '\0', tags: [] } }, 1),
  ])
  await expect(shadow.flush()).rejects.toMatchObject({ code: '22021' })
  connection.release(true)
})

test('an event that cannot be folded is named', async () => {
  const connection = await postgres.connect()
  const shadow = await createShadow(connection, schema, items, 4)
  const event = recorded({ type: 'ItemRemoved', data: { companyId: company(1), item: 1 } }, 10)
  const folding = shadow.fold([{ ...event, metadata: metadata(undefined, 2) } as Recorded])
  await expect(folding).rejects.toThrow(FoldFailed)
  await expect(folding).rejects.toThrow('items cannot fold ItemRemoved at position 10')
  await shadow.drop()
  connection.release()
})
