import { afterAll, expect, it } from 'vitest'
import { connectPostgres, mostPrepared } from '../src/postgres.ts'
import { createDatabase } from './support/postgres.ts'

const database = await createDatabase()
const postgres = connectPostgres({ url: database.url, name: 'spec', size: 1 })
afterAll(async () => {
  await postgres.close()
  await database.drop()
})

it('keeps a bounded number of statements prepared, and answers all others as well', async () => {
  for (let n = 0; n < mostPrepared + 20; n += 1)
    expect(await postgres.query(`SELECT $1::int + ${n} AS sum`, [1])).toEqual([{ sum: n + 1 }])
  expect(await postgres.query('SELECT $1::int + 0 AS sum', [2])).toEqual([{ sum: 2 }])
  expect(await postgres.query('SELECT count(*) AS kept FROM pg_prepared_statements')).toEqual([
    { kept: mostPrepared },
  ])
})
