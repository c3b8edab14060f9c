import { randomUUID } from 'node:crypto'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { access } from '../../../../src/projections/company/access.ts'
import { persons } from '../../../../src/projections/company/persons.ts'
import { createLookUp, type LookUp } from '../../../../src/projections/engine/reading/lookUp.ts'
import type { ReadModels } from '../../../../src/projections/engine/schema/readModels.ts'
import { ensureSchema } from '../../../../src/projections/engine/schema/schema.ts'
import { createTable } from '../../../../src/projections/engine/schema/sql.ts'
import { PostgresUnavailable } from '../../../../src/stores/postgres/postgres.ts'
import { company, items, samples } from '../../samples.ts'
import { createProxiedDatabase } from './proxiedDatabase.ts'

/** One row by one statement, of the tables that count. */

const database = await createProxiedDatabase(2)
const { postgres, proxy, proxied } = database
afterAll(() => database.close())

let readModels: ReadModels
let lookUp: LookUp
beforeEach(async () => {
  readModels = await ensureSchema(postgres, randomUUID(), samples)
  lookUp = createLookUp(proxied, readModels, items)
})

const put = (total: number, generation: number) =>
  postgres.query(`INSERT INTO ${readModels.tableName('companyTotal', generation)} VALUES ($1, $2, 1)`, [
    company(1),
    total,
  ])
const createGeneration = (generation: number) =>
  postgres.query(createTable(readModels.tableName('companyTotal', generation), items.tables.companyTotal!))
const set = (assignment: string) =>
  postgres.query(`UPDATE ${readModels.stateTable} SET ${assignment} WHERE name = 'items'`, [])
const find = () =>
  lookUp<{ total: number }>((tables) => ({
    text: `SELECT total FROM ${tables.table(items, 'companyTotal')} WHERE company_id = $1`,
    values: [company(1)],
  }))

test('finds a row, or that there is none', async () => {
  expect(await find()).toEqual([])
  await put(1, 1)
  expect(await find()).toEqual([{ total: 1 }])
})

test('follows a rebuild to the new tables, also when the old ones are gone', async () => {
  await put(1, 1)
  expect(await find()).toEqual([{ total: 1 }])
  await createGeneration(2)
  await put(2, 2)
  expect(await find()).toEqual([{ total: 1 }])
  await set('generation = 2')
  expect(await find()).toEqual([{ total: 2 }])
  await createGeneration(3)
  await postgres.query(`DROP TABLE ${readModels.tableName('companyTotal', 2)}`)
  await set('generation = 3')
  expect(await find()).toEqual([])
})

test('says that its table is missing when somebody has dropped it', async () => {
  await postgres.query(`DROP TABLE ${readModels.tableName('companyTotal', 1)}`)
  await expect(find()).rejects.toMatchObject({ code: 'table-gone' })
})

test('finds nothing in a projection that has stopped: what it shows is not true any more', async () => {
  await put(1, 1)
  expect(await find()).toEqual([{ total: 1 }])
  await set("status = 'failed'")
  await expect(find()).rejects.toThrow(PostgresUnavailable)
  await set("status = 'running'")
  expect(await find()).toEqual([{ total: 1 }])
})

test('tries a lost connection once more, and says so when the database is away', async () => {
  await put(1, 1)
  expect(await find()).toEqual([{ total: 1 }])
  proxy.cut()
  expect(await find()).toEqual([{ total: 1 }])
  proxy.refuse()
  await expect(find()).rejects.toThrow(PostgresUnavailable)
  proxy.accept()
  expect(await find()).toEqual([{ total: 1 }])
})

test('looks up, for requests, only in durable projections', () => {
  expect([access, persons].map(({ isDurable }) => isDurable)).toEqual([true, true])
})
