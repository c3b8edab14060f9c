import { randomUUID } from 'node:crypto'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { clock } from '../../../../src/lib/clocks.ts'
import type { KnownStates } from '../../../../src/projections/engine/reading/knownStates.ts'
import {
  createReader,
  type Query,
  type Reader,
  type StreamReading,
} from '../../../../src/projections/engine/reading/reader.ts'
import type { ReadModels } from '../../../../src/projections/engine/schema/readModels.ts'
import { ensureSchema, readStates } from '../../../../src/projections/engine/schema/schema.ts'
import { createTable } from '../../../../src/projections/engine/schema/sql.ts'
import { PostgresUnavailable } from '../../../../src/stores/postgres/postgres.ts'
import { until } from '../../../support/until.ts'
import { company, items, log, samples } from '../../samples.ts'
import { createProxiedDatabase } from './proxiedDatabase.ts'

const database = await createProxiedDatabase(4)
const { postgres, proxy, proxied } = database
afterAll(() => database.close())

let readModels: ReadModels
let reader: Reader
/** How often the reader has looked at the rows. */
let looks = 0
/** As far as the node has heard. */
let knownStates: KnownStates
beforeEach(async () => {
  readModels = await ensureSchema(postgres, randomUUID(), samples)
  knownStates = new Map()
  const positions = {
    get knownStates() {
      return knownStates
    },
  }
  const counted = {
    ...proxied,
    connect: () => {
      looks += 1
      return proxied.connect()
    },
  }
  reader = createReader({ postgres: counted, readModels, positions, clock, streams: 2, reads: 4 })
})

/** Write as a batch does: rows and positions in one transaction. */
const write = (position: number, entries: number) =>
  postgres.transaction(async (connection) => {
    await connection.query(
      `INSERT INTO ${readModels.tableName('entry', 1)} SELECT $1, $2, i, 'note' FROM generate_series(1, $3::int) i`,
      [company(1), position, entries],
    )
    await connection.query(`UPDATE ${readModels.stateTable} SET position = $1`, [position])
  })

const count = (table: string): Query => ({ text: `SELECT count(*) AS rows FROM ${table}`, values: [] })
const series = (rows: number): Query => ({
  text: 'SELECT i FROM generate_series(1, $1::int) i',
  values: [rows],
})

test('reads one snapshot, and returns its position', async () => {
  await write(10, 3)
  const { value, position } = await reader.read([log], async (reading) => {
    const table = reading.table(log, 'entry')
    const before = await reading.query(count(table))
    await write(20, 4)
    return { before, after: await reading.query(count(table)), position: reading.position }
  })
  expect({ value, position }).toEqual({
    value: { before: [{ rows: 3 }], after: [{ rows: 3 }], position: 10 },
    position: 10,
  })
})

test('keeps prepared what is read again, and nothing of what is read once', async () => {
  const kept = { text: 'SELECT statement FROM pg_prepared_statements', values: [], isOnce: true }
  const { value } = await reader.read([log], async (reading) => {
    await reading.query({ ...series(1), text: `${series(1).text} -- read again` })
    await reading.query({ ...series(1), text: `${series(1).text} -- read once`, isOnce: true })
    for await (const _ of reading.portions({
      ...series(1),
      text: `${series(1).text} -- listed once`,
      isOnce: true,
    }));
    return reading.query<{ statement: string }>(kept)
  })
  const ofThisTest = value.map(({ statement }) => statement.split(' -- ')[1]).filter(Boolean)
  expect(ofThisTest).toEqual(['read again'])
})

test('waits while PostgreSQL shows less than a read has shown before the node heard of it', async () => {
  await write(20, 4)
  const rows = () => reader.read([log], ({ query, table }) => query(count(table(log, 'entry'))))
  expect(await rows()).toMatchObject({ value: [{ rows: 4 }], position: 20 })
  await postgres.query(`TRUNCATE ${readModels.tableName('entry', 1)}`)
  await write(10, 1)
  let hasRead = false
  const before = looks
  const reading = rows().finally(() => {
    hasRead = true
  })
  await until(() => looks > before + 1)
  expect(hasRead).toBe(false)
  await postgres.query(`TRUNCATE ${readModels.tableName('entry', 1)}`)
  await write(20, 4)
  expect(await reading).toMatchObject({ value: [{ rows: 4 }], position: 20 })
})

test('waits while PostgreSQL shows less than the node has heard, as after a crash', async () => {
  await write(20, 4)
  knownStates = new Map((await readStates(postgres, readModels)).map((state) => [state.name, state]))
  await postgres.query(`TRUNCATE ${readModels.tableName('entry', 1)}`)
  await write(10, 1)
  let hasRead = false
  const before = looks
  const reading = reader
    .read([log], ({ query, table }) => query(count(table(log, 'entry'))))
    .finally(() => {
      hasRead = true
    })
  await until(() => looks > before + 1)
  expect(hasRead).toBe(false)
  await write(20, 3)
  expect(await reading).toEqual({ value: [{ rows: 4 }], position: 20 })
})

test('its position is the least of the projections that it declares; it sees the tables of no others', async () => {
  await write(10, 1)
  await postgres.query(`UPDATE ${readModels.stateTable} SET position = 7 WHERE name = 'items'`)
  const nothing = async () => undefined
  expect((await reader.read([log], nothing)).position).toBe(10)
  expect((await reader.read([log, items], nothing)).position).toBe(7)
  await expect(reader.read([log], async (reading) => reading.table(items, 'item'))).rejects.toThrow('items')
})

test('it can refuse rows of a projection that has stopped', async () => {
  const require = () => reader.read([log, items], async (reading) => reading.requireRunning(items))
  await require()
  await postgres.query(`UPDATE ${readModels.stateTable} SET status = 'failed' WHERE name = 'items'`)
  await expect(require()).rejects.toThrow('PostgreSQL: the projection items has stopped')
  await reader.read([log, items], async (reading) => reading.requireRunning(log))
})

const rebuildLog = async () => {
  const next = readModels.tableName('entry', 2)
  await postgres.query(createTable(next, log.tables.entry!))
  await postgres.query(`INSERT INTO ${next} SELECT $1, 1, 1, 'rebuilt'`, [company(1)])
  await postgres.query(`UPDATE ${readModels.stateTable} SET generation = 2 WHERE name = 'log'`)
}

const notes = (reading: { table(of: { name: string }, table: string): string }): Query => ({
  text: `SELECT note FROM ${reading.table(log, 'entry')}`,
  values: [],
})

test('a rebuild in the middle of a read changes nothing for it, and everything for the next', async () => {
  await write(10, 1)
  const during = await reader.read([log], async (reading) => {
    await rebuildLog()
    return reading.query(notes(reading))
  })
  expect(during.value).toEqual([{ note: 'note' }])
  expect((await reader.read([log], (reading) => reading.query(notes(reading)))).value).toEqual([
    { note: 'rebuilt' },
  ])
})

test('repeats a read whose table was dropped before it looked', async () => {
  let looks = 0
  const { value } = await reader.read([log], async (reading) => {
    const query = notes(reading)
    if (looks++ === 0) {
      await rebuildLog()
      await postgres.query(`DROP TABLE ${readModels.tableName('entry', 1)}`)
    }
    return reading.query(query)
  })
  expect(value).toEqual([{ note: 'rebuilt' }])
  expect(looks).toBe(2)
})

test('a read whose table somebody has dropped says so, also when it is streamed', async () => {
  await postgres.query(`DROP TABLE ${readModels.tableName('entry', 1)}`)
  const look = (reading: StreamReading) => reading.query(notes(reading))
  await expect(reader.read([log], look)).rejects.toMatchObject({ code: 'table-gone' })
  await expect(reader.stream(company(1), [log], look)).rejects.toMatchObject({ code: 'table-gone' })
})

test('repeats a read once when its connection is lost', async () => {
  let looks = 0
  const { value } = await reader.read([log], async (reading) => {
    if (looks++ === 0) proxy.cut()
    return reading.query(count(reading.table(log, 'entry')))
  })
  expect(value).toEqual([{ rows: 0 }])
  expect(looks).toBe(2)
  proxy.refuse()
  await expect(reader.read([log], async () => undefined)).rejects.toThrow(PostgresUnavailable)
  proxy.accept()
  expect((await reader.read([log], async () => 'well')).value).toBe('well')
})

test('slow reads of a company leave connections for other companies', async () => {
  const { promise: end, resolve } = Promise.withResolvers<void>()
  let underWay = 0
  const slow = Array.from({ length: 8 }, () =>
    reader.ofCompany('a').read([log], async () => {
      underWay += 1
      await end
    }),
  )
  await until(() => underWay === 3)
  expect((await reader.ofCompany('b').read([log], async () => 'at once')).value).toBe('at once')
  expect(underWay).toBe(3)
  resolve()
  await Promise.all(slow)
  expect(underWay).toBe(8)
})

test('does not repeat a read whose query is wrong', async () => {
  let looks = 0
  const wrong = reader.read([log], async (reading) => {
    looks++
    return reading.query({ text: 'SELECT 1 / $1::int', values: [0] })
  })
  await expect(wrong).rejects.toMatchObject({ code: '22012' })
  expect(looks).toBe(1)
})

const drain = async (reading: StreamReading, rows: number): Promise<number[]> => {
  const portions: number[] = []
  for await (const portion of reading.portions<{ i: number }>(series(rows))) portions.push(portion.length)
  return portions
}

test('streams rows in portions, from one snapshot', async () => {
  await write(10, 3)
  const seen = await reader.stream('a', [log], async (reading) => {
    await write(20, 700)
    const ordinals: number[] = []
    const query = {
      text: `SELECT ordinal FROM ${reading.table(log, 'entry')} WHERE position > $1`,
      values: [0],
    }
    for await (const portion of reading.portions<{ ordinal: number }>(query))
      ordinals.push(...portion.map(({ ordinal }) => ordinal))
    return {
      position: reading.position,
      ordinals,
      more: await drain(reading, 1_234),
      none: await drain(reading, 0),
    }
  })
  expect(seen).toEqual({ position: 10, ordinals: [1, 2, 3], more: [...Array(12).fill(100), 34], none: [] })
})

test('streams leave the connections of requests alone', async () => {
  const positions = { knownStates }
  const streaming = createReader({
    postgres: proxied,
    postgresOfStreams: postgres,
    readModels,
    positions,
    clock,
    streams: 2,
  })
  const end = Promise.withResolvers<void>()
  let open = 0
  const look = () => {
    open += 1
    return end.promise
  }
  const held = ['a', 'b'].map((of) => streaming.stream(of, [log], look))
  await until(() => open === 2)
  const connections = await Promise.all([1, 2, 3, 4].map(() => proxied.connect()))
  for (const connection of connections) connection.release()
  end.resolve()
  await Promise.all(held)
})

test('streams take turns, a few at a time, and one that is abandoned or fails makes room', async () => {
  const open = new Map<string, () => void>()
  const hold = (of: string) =>
    reader.stream(of, [log], () => new Promise<void>((resolve) => open.set(of, resolve)))
  const held = [hold('a'), hold('b')]
  await until(() => open.size === 2)
  let third = false
  const waiting = reader.stream('a', [log], async (reading) => {
    third = true
    for await (const portion of reading.portions(series(5_000))) return portion.length
    return 0
  })
  // Ordinary reads do not queue behind streams.
  await reader.read([log], async () => undefined)
  expect(third).toBe(false)
  open.get('a')!()
  expect(await waiting).toBe(100)
  await expect(
    reader.stream('a', [log], () => {
      throw new Error('the client has gone')
    }),
  ).rejects.toThrow('the client has gone')
  open.get('b')!()
  await Promise.all(held)
  expect(
    await Promise.all([1, 2, 3, 4].map(() => reader.stream('a', [log], (reading) => drain(reading, 1)))),
  ).toEqual(Array(4).fill([1]))
  // No connection is left in a transaction.
  await until(async () => {
    const [{ busy } = { busy: -1 }] = await postgres.query<{ busy: number }>(
      `SELECT count(*) AS busy FROM pg_stat_activity
       WHERE application_name = 'test proxied' AND datname = current_database() AND state <> 'idle'`,
    )
    return busy === 0
  })
})
