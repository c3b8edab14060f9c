import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Lease } from '../../src/leading/lease.ts'
import { migrateLocal } from '../../src/localSchema/migrate.ts'
import { openJobs } from '../../src/policies/jobs.ts'
import { connectPostgres, type Postgres, type Queries } from '../../src/postgres.ts'
import { buffersOf } from '../support/buffers.ts'
import { id } from '../support/given.ts'
import { createDatabase, type TestDatabase } from '../support/postgres.ts'

/** The order in which the companies are served, and what it costs to find it when companies have many jobs. */

const storeId = randomUUID()
const [nobody, busy, parked, quiet] = [id(0), id(1), id(2), id(3)] as const
const many = 20_000

let database: TestDatabase
let postgres: Postgres
beforeAll(async () => {
  database = await createDatabase()
  postgres = connectPostgres({ url: database.url, name: 'spec', size: 1 })
  await migrateLocal(postgres)
  const add = (companyId: string, count: number, since: string) =>
    postgres.query(
      `INSERT INTO heatmark_local.policy_job (store_id, policy, company_id, scope, position, event_id, since)
       SELECT $1, 'spec', $2, 'certificate/' || n, ${since}, gen_random_uuid(), ${since} FROM generate_series(1, $3) AS n`,
      [storeId, companyId, count],
    )
  await add(busy, many, `${many} - n`)
  await add(parked, many, 'n')
  await add(quiet, 1, 'n')
  await postgres.query(
    `INSERT INTO heatmark_local.policy_parked (store_id, policy, company_id, reason, tries, parked_at, next_try_at)
     VALUES ($1, 'spec', $2, 'spec', 1, now(), now() + interval '1 hour')`,
    [storeId, parked],
  )
})
afterAll(async () => {
  await postgres.close()
  await database.drop()
})

const jobsOn = (queries: Queries) =>
  openJobs({ postgres: queries, storeId, policy: 'spec', lease: {} as Lease })

test('serves the companies in turn except parked ones, and their oldest jobs first', async () => {
  const jobs = jobsOn(postgres)
  const first = await jobs.nextAfter(nobody, many, 3)
  expect(first.map(({ companyId, position }) => [companyId, position])).toEqual([
    [busy, 0],
    [busy, 1],
    [busy, 2],
  ])
  expect(await jobs.nextAfter(busy, many, 3)).toMatchObject([{ companyId: quiet, position: 1 }])
  expect(await jobs.nextAfter(quiet, many, 3)).toEqual(first)
  expect(await jobs.nextAfter(busy, 0, 3)).toMatchObject([{ companyId: busy, position: 0 }])
  expect(await jobs.nextAfter(nobody, -1, 3)).toEqual([])
})

test('reads only the next jobs, however many jobs the companies have', async () => {
  let buffers = 0
  const counted = jobsOn({
    async query(text, values = []) {
      buffers = await buffersOf({ query: (one) => postgres.query(one.text, one.values) }, { text, values })
      return []
    },
  })
  for (const before of [nobody, busy, quiet]) {
    await counted.nextAfter(before, many, 200)
    expect(buffers).toBeGreaterThan(0)
    expect(buffers).toBeLessThan(400)
  }
})

test('serves a company whose id is all zeros, before and after others', async () => {
  const nil = '00000000-0000-0000-0000-000000000000'
  await postgres.query(
    `INSERT INTO heatmark_local.policy_job (store_id, policy, company_id, scope, position, event_id, since)
     VALUES ($1, 'spec', $2, 'certificate/1', 1, gen_random_uuid(), 1)`,
    [storeId, nil],
  )
  const jobs = jobsOn(postgres)
  expect(await jobs.nextAfter(quiet, many, 1)).toMatchObject([{ companyId: nil }])
  expect(await jobs.nextAfter(nil, many, 1)).toMatchObject([{ companyId: busy }])
  await postgres.query(`DELETE FROM heatmark_local.policy_job WHERE company_id <> $1`, [nil])
  expect(await jobs.nextAfter(nil, many, 1)).toMatchObject([{ companyId: nil }])
})
