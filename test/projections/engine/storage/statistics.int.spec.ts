import { expect, test } from 'vitest'
import { clock } from '../../../../src/lib/clocks.ts'
import { idempotency } from '../../../../src/projections/engine/idempotency.ts'
import { createStatistics } from '../../../../src/projections/engine/storage/statistics.ts'
import { connectPostgres, type Postgres } from '../../../../src/stores/postgres/postgres.ts'
import { until } from '../../../support/until.ts'
import { setStage } from '../../stage.ts'

test('analyses a table soon after it has grown, and again only after it has doubled', async () => {
  const stage = await setStage([idempotency])
  const [{ sqlName } = { sqlName: '' }] = stage.readModels.tablesOf('idempotency', 1)
  const known = async () => {
    const [row] = await stage.postgres.query<{ rows: number; times: number }>(
      `SELECT reltuples AS rows, pg_stat_get_analyze_count(oid) AS times FROM pg_class WHERE oid = '${sqlName}'::regclass`,
    )
    return row
  }
  const add = (first: number, last: number) =>
    stage.postgres.query(
      `INSERT INTO ${sqlName} (caller, request, key, request_hash, recorded_at)
       SELECT 'alice', 'POST /', n, 'aa', now() FROM generate_series(${first}, ${last}) AS n`,
    )
  await stage.postgres.query(`ALTER TABLE ${sqlName} SET (autovacuum_enabled = false)`)
  const projector = stage.project()
  await add(1, 1_001)
  await until(async () => (await known())?.rows === 1_001)
  await add(1_002, 2_000)
  await add(2_001, 2_003)
  // The rows are seen before the count of analyses, which PostgreSQL collects by itself.
  await until(async () => {
    const { rows, times } = (await known())!
    return rows === 2_003 && times === 2
  })
  await projector.stop()
  await stage.close()
})

/** A table that has grown to 1,001 rows since it was analysed last. */
async function grownTable() {
  const stage = await setStage([idempotency])
  const [{ sqlName } = { sqlName: '' }] = stage.readModels.tablesOf('idempotency', 1)
  const known = async () => {
    const [row] = await stage.postgres.query<{ rows: number; changed: number }>(
      `SELECT reltuples AS rows, pg_stat_get_mod_since_analyze(oid) AS changed FROM pg_class WHERE oid = '${sqlName}'::regclass`,
    )
    return row
  }
  await stage.postgres.query(`ALTER TABLE ${sqlName} SET (autovacuum_enabled = false)`)
  await stage.postgres.query(
    `INSERT INTO ${sqlName} (caller, request, key, request_hash, recorded_at)
     SELECT 'alice', 'POST /', n, 'aa', now() FROM generate_series(1, 1001) AS n`,
  )
  await until(async () => (await known())?.changed === 1_001)
  return { stage, sqlName, known }
}

test('leaves out a table that is locked, as while an index is built, so that the lease is renewed', async () => {
  const { stage, sqlName, known } = await grownTable()
  const settings = { lock_timeout: '1s' }
  const impatient = connectPostgres({ url: stage.database.url, name: 'spec', size: 1, settings })
  const { gather, noteWritten } = createStatistics(impatient, stage.readModels, clock)
  noteWritten()
  await stage.postgres.transaction(async (connection) => {
    await connection.query(`LOCK TABLE ${sqlName} IN SHARE MODE`)
    await gather()
    expect(await known()).toMatchObject({ changed: 1_001 })
  })
  await gather()
  expect(await known()).toEqual({ rows: 1_001, changed: 0 })
  await impatient.close()
  await stage.close()
})

test('passes over a table that is dropped after it was found', async () => {
  const { stage, sqlName } = await grownTable()
  const found: unknown[] = []
  const dropping: Pick<Postgres, 'query'> = {
    async query<Row>(text: string) {
      const rows = await stage.postgres.query<Row>(text)
      if (rows.length > 0) await stage.postgres.query(`DROP TABLE ${sqlName}`)
      found.push(...rows)
      return rows
    },
  }
  const { gather, noteWritten } = createStatistics(dropping, stage.readModels, clock)
  noteWritten()
  await gather()
  expect(found).toEqual([{ name: expect.stringContaining('idempotency') }])
  await stage.close()
})
