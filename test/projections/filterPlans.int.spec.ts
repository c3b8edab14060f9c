import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { clock } from '../../src/clocks.ts'
import { orderIdOf } from '../../src/domain/identifiers.ts'
import { connectPostgres, type Postgres } from '../../src/postgres.ts'
import { projections } from '../../src/projections/all.ts'
import { certificateList } from '../../src/projections/certificates.ts'
import { orderList } from '../../src/projections/orderQueries.ts'
import { barList } from '../../src/projections/productionQueries.ts'
import { type FilterableList, filteredList } from '../../src/projections/reading/filteredList.ts'
import type { Asked } from '../../src/projections/reading/filters.ts'
import { createReader, type Query, type Reader, type Reading } from '../../src/projections/reading/reader.ts'
import { ensureSchema } from '../../src/projections/schema/schema.ts'
import { assignmentFilters, listAssignments } from '../../src/projections/tags.ts'
import { id } from '../support/given.ts'
import { createDatabase, type TestDatabase } from '../support/postgres.ts'
import { manyAt, manyTagId, vacuum, writeMany } from './manyRecords.ts'

/** No filter makes PostgreSQL read a whole table, whether many records match or few. */

const companyId = randomUUID()
const many = { certificates: 2_000, orders: 2_000 }
/** Small bounds bring every way of searching to these records. */
const bounds = { few: 100, values: 20, examined: 100 }

let database: TestDatabase
let postgres: Postgres
let reader: Reader
beforeAll(async () => {
  database = await createDatabase()
  postgres = connectPostgres({ url: database.url, name: 'spec', size: 2 })
  const readModels = await ensureSchema(postgres, randomUUID(), projections)
  reader = createReader({ postgres, readModels, positions: { standings: new Map() }, clock, streams: 1 })
  // The other companies make it dear to read a whole table for one of them.
  for (const one of [companyId, randomUUID(), randomUUID(), randomUUID()])
    await writeMany(postgres, readModels, { companyId: one, ...many })
  for (let n = 0; n < 12; n += 1)
    await writeMany(postgres, readModels, { companyId: randomUUID(), certificates: 0, orders: 0 })
  await vacuum(postgres, readModels)
})
afterAll(async () => {
  await postgres.close()
  await database.drop()
})

/** For each filter a value that many records have, and one that few have. */
type Examples = Readonly<Record<string, readonly NonNullable<Asked[string]>[]>>

const ofTags = (family: 'millCert' | 'order', newest: number): Examples => ({
  tagId: [manyTagId(family, 0), manyTagId(family, 5)],
  blocked: [true, false],
  updatedSince: [manyAt(0), manyAt(newest - 20)],
})

const lists: { name: string; list: FilterableList; examples: Examples }[] = [
  {
    name: 'certificates',
    list: certificateList,
    examples: {
      ...ofTags('millCert', many.certificates),
      certificateNumber: ['MC-2026-000077'],
      heatNumber: ['H000100'],
      grade: ['S235JR', 'none'],
      manufacturer: ['Ostwerk Werk 1', 'none'],
      purchaseOrder: ['PO-000010', 'none'],
      inspectionDocument: ['3.1', '2.1'],
      status: [['Received'], ['Released', 'Voided']],
      q: [['MC'], ['OSTW'], ['00'], ['00010'], ['H000', 'WERK'], ['OSTW', '000101']],
    },
  },
  {
    name: 'orders',
    list: orderList,
    examples: {
      ...ofTags('order', many.orders),
      orderNumber: ['SO-000077'],
      customer: ['Customer 7', 'none'],
      status: [['Open'], ['In Progress', 'Completed']],
      q: [['SO'], ['CUST'], ['0001'], ['000101', 'CUST']],
    },
  },
  {
    name: 'bars',
    list: barList,
    examples: {
      status: [['Draft'], ['Started', 'Completed']],
      planId: [id(500_007)],
      barId: [id(1_000_007)],
      millCertificationId: [id(4_007)],
      orderId: [orderIdOf(companyId, 'SO-000077')],
      updatedSince: [manyAt(0), manyAt(many.orders - 20)],
    },
  },
]

const cases = lists.flatMap(({ name, list, examples }) =>
  Object.keys(list.filters).map((filter) => ({ name, filter, list, values: examples[filter] ?? [] })),
)

it.each(cases)('reads no table of the $name whole for $filter', async ({ list, filter, values }) => {
  expect(values).not.toEqual([])
  for (const value of values) {
    const asked = { [filter]: value }
    await reader.read(projections, async (reading) => {
      const seen = recording(reading)
      const page = { limit: 51, mayEndEarly: true }
      const { endedAt, ...query } = await filteredList(list, seen.reading, { companyId, asked }, page, bounds)
      for (const one of [...seen.queries, query, ...(endedAt ? [endedAt] : [])])
        expect(await planOf(reading, one), JSON.stringify(asked)).not.toContain('Seq Scan')
    })
  }
})

it('reads no table whole for the assignments of one tag', async () => {
  expect(Object.keys(assignmentFilters)).toEqual(['tagId'])
  await reader.read(projections, async (reading) => {
    for (const n of [0, 5]) {
      const asked = { companyId, family: 'millCert', tagId: manyTagId('millCert', n) } as const
      expect(await planOf(reading, listAssignments(reading, asked, { limit: 51 }))).not.toContain('Seq Scan')
    }
  })
})

/** A reading that keeps the queries that the choice of an index needs. */
function recording(reading: Reading): { reading: Reading; queries: Query[] } {
  const queries: Query[] = []
  const query = <Row>(one: Query) => {
    queries.push(one)
    return reading.query<Row>(one)
  }
  return { queries, reading: { ...reading, query } }
}

async function planOf(reading: Reading, { text, values }: Query): Promise<string> {
  const lines = await reading.query<{ 'QUERY PLAN': string }>({ text: `EXPLAIN ${text}`, values })
  return lines.map((line) => line['QUERY PLAN']).join('\n')
}
