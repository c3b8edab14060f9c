import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { openJobs } from '../../src/policies/jobs.ts'
import { type Lease, takeLease } from '../../src/stores/leading/lease.ts'
import { migrateLocal } from '../../src/stores/localSchema/migrate.ts'
import type { Queries } from '../../src/stores/postgres/postgres.ts'
import { buffersOf } from '../support/buffers.ts'
import { id } from '../support/given.ts'
import { ownDatabase } from '../support/postgres.ts'

/** The order in which the companies are served, and what it costs to find it when companies have many jobs. */

const storeId = randomUUID()
const nil = '00000000-0000-0000-0000-000000000000'
const [busy, parked, quiet] = [id(1), id(2), id(3)] as const
const many = 20_000

const { postgres } = await ownDatabase({ size: 1 })
beforeAll(async () => {
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

const jobsOn = (queries: Queries) =>
  openJobs({ postgres: queries, storeId, policy: 'spec', lease: {} as Lease })

test('finds the companies that can be served, except parked ones, and their oldest jobs first', async () => {
  const jobs = jobsOn(postgres)
  expect(await jobs.companies(many)).toEqual([busy, quiet])
  expect(await jobs.companies(0)).toEqual([busy])
  expect(await jobs.companies(-1)).toEqual([])
  const first = await jobs.ofCompany(busy, many, 3)
  expect(first.map(({ companyId, position }) => [companyId, position])).toEqual([
    [busy, 0],
    [busy, 1],
    [busy, 2],
  ])
  expect(await jobs.ofCompany(quiet, many, 3)).toMatchObject([{ companyId: quiet, position: 1 }])
})

test('reads only the next jobs, however many jobs the companies have', async () => {
  let buffers = 0
  const counted = jobsOn({
    async query(text, values = []) {
      buffers = await buffersOf({ query: (one) => postgres.query(one.text, one.values) }, { text, values })
      return []
    },
  })
  for (const look of [() => counted.companies(many), () => counted.ofCompany(busy, many, 200)]) {
    await look()
    expect(buffers).toBeGreaterThan(0)
    expect(buffers).toBeLessThan(400)
  }
})

test('doubles the time until a parked company is tried again, up to five minutes', async () => {
  const lease = (await postgres.transaction((connection) => takeLease(connection, 'spec', 'spec')))!
  const jobs = openJobs({ postgres, storeId, policy: 'backoff', lease })
  const waits: number[] = []
  for (let tries = 1; tries <= 8; tries += 1) {
    await jobs.park(busy, 'no')
    const [{ wait } = { wait: 0 }] = await postgres.query<{ wait: number }>(
      `SELECT extract(epoch FROM next_try_at - clock_timestamp())::float8 AS wait
       FROM heatmark_local.policy_parked WHERE policy = 'backoff' AND tries = $1`,
      [tries],
    )
    waits.push(Math.ceil(wait / 5) * 5)
  }
  expect(waits).toEqual([5, 10, 20, 40, 80, 160, 300, 300])
})

test('finds a company whose id is all zeros', async () => {
  await postgres.query(
    `INSERT INTO heatmark_local.policy_job (store_id, policy, company_id, scope, position, event_id, since)
     VALUES ($1, 'spec', $2, 'certificate/1', 1, gen_random_uuid(), 1)`,
    [storeId, nil],
  )
  expect(await jobsOn(postgres).companies(many)).toEqual([nil, busy, quiet])
})
