import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  type Connection,
  connectPostgres,
  PostgresUnavailable,
  type Statement,
  StatementRefused,
} from '../../../src/stores/postgres/postgres.ts'
import { ownDatabase } from '../../support/postgres.ts'

const { url, postgres } = await ownDatabase({ size: 2, queryTimeoutMs: 5_000 })
let connection: Connection

beforeAll(async () => {
  connection = await postgres.connect()
})
beforeEach(() => postgres.query('DROP TABLE IF EXISTS item; CREATE TABLE item (name text PRIMARY KEY)'))
afterAll(async () => {
  connection.release(true)
})

function insert(...names: string[]): Statement {
  return { text: 'INSERT INTO item SELECT * FROM unnest($1::text[])', values: [names] }
}

async function items(): Promise<string[]> {
  const rows = await postgres.query<{ name: string }>('SELECT name FROM item ORDER BY name', [])
  return rows.map(({ name }) => name)
}

function divided(by: number): Statement {
  return { text: 'SELECT 6 / $1::integer AS quotient', values: [by] }
}

test('returns the rows of each statement, and a later statement sees what an earlier one has done', async () => {
  const count = { text: 'SELECT count(*) AS count, now() AS at FROM item', values: [] }
  const answers = await connection.batch([insert('a'), count, insert('b', 'c'), count])
  const [none, before, , after] = answers.map(([row]) => row)
  expect(none).toBeUndefined()
  expect(before).toMatchObject({ count: 1, at: expect.stringMatching(/T.*Z$/) })
  // One transaction has one time.
  expect(after).toMatchObject({ count: 3, at: (before as { at: string }).at })
  // The server does not describe the rows of a statement again.
  expect(await connection.batch([count, insert('d'), count])).toMatchObject([
    [{ count: 3 }],
    [],
    [{ count: 4 }],
  ])
  expect(await connection.batch([])).toEqual([])
})

test.each([0, 1, 2])(
  'does nothing at all when the server refuses statement %i, and says which',
  async (place) => {
    const statements = [insert('a'), insert('b')]
    const refused = divided(0)
    statements.splice(place, 0, refused)
    const error = await connection.batch(statements).catch((cause) => cause)
    expect(error).toBeInstanceOf(StatementRefused)
    expect(error).toMatchObject({ message: 'division by zero', cause: { code: '22012' } })
    expect(error.statement).toBe(refused)
    expect(await items()).toEqual([])
  },
)

test('prepares a statement later that the server passed over, and one that it could not prepare', async () => {
  const passedOver = { text: 'SELECT $1::text AS passed_over', values: ['x'] }
  const missing = { text: 'SELECT * FROM not_there_yet WHERE 1 = $1', values: [1] }
  await expect(connection.batch([missing, passedOver])).rejects.toMatchObject({ cause: { code: '42P01' } })
  await connection.query('CREATE TABLE not_there_yet ()')
  expect(await connection.batch([passedOver, missing])).toEqual([[{ passed_over: 'x' }], []])
  expect(await connection.query(passedOver.text, passedOver.values)).toEqual([{ passed_over: 'x' }])
})

test('counts a deadlock or a lost connection as unavailable, like a query does', async () => {
  const raise = (code: string) => ({
    text: `DO $do$ BEGIN RAISE EXCEPTION 'moment' USING ERRCODE = '${code}'; END $do$`,
    values: [],
  })
  const busy = await connection.batch([insert('a'), raise('40P01')]).catch((cause) => cause)
  expect(busy).toBeInstanceOf(PostgresUnavailable)
  expect(busy.lost).toBe(false)

  const dying = await postgres.connect()
  const end = { text: 'SELECT pg_terminate_backend(pg_backend_pid())', values: [] }
  const gone = await dying.batch([insert('a'), end, insert('b')]).catch((cause) => cause)
  expect(gone).toBeInstanceOf(PostgresUnavailable)
  expect(gone.lost).toBe(true)
  dying.release(true)
  expect(await items()).toEqual([])
})

test('gives up a batch that has no answer in time', async () => {
  const impatient = connectPostgres({ url: url, name: 'test', size: 1, queryTimeoutMs: 200 })
  const waiting = await impatient.connect()
  const late = await waiting
    .batch([insert('a'), { text: 'SELECT pg_sleep(0.6)', values: [] }])
    .catch((e) => e)
  expect(late).toBeInstanceOf(PostgresUnavailable)
  expect(late).toMatchObject({ lost: true, silent: true })
  waiting.release(true)
  await impatient.close()
})

test('sends nothing of a batch with a value that cannot be encoded', async () => {
  const broken = await postgres.connect()
  const odd = {
    toPostgres: () => {
      throw new Error('cannot be encoded')
    },
  }
  await expect(broken.batch([insert('a'), { text: 'SELECT $1::text', values: [odd] }])).rejects.toThrow(
    'cannot be encoded',
  )
  broken.release(true)
  expect(await items()).toEqual([])
})
