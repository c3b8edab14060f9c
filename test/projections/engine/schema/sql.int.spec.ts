import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { projections } from '../../../../src/projections/all.ts'
import type { Table } from '../../../../src/projections/engine/projection.ts'
import type { GenerationTable } from '../../../../src/projections/engine/schema/readModels.ts'
import { ensureSchema } from '../../../../src/projections/engine/schema/schema.ts'
import { planByKeyOnce, statementsFor } from '../../../../src/projections/engine/schema/sql.ts'
import { ownDatabase } from '../../../support/postgres.ts'

const { postgres } = await ownDatabase({ size: 1, settings: planByKeyOnce })

const readModels = await ensureSchema(postgres, randomUUID(), projections)

/** The indexes, and the ways around an index, that PostgreSQL would use for the statements that find rows by key. */
async function accessPaths(sqlName: string, table: Table): Promise<Set<string>> {
  const { one, many } = statementsFor(sqlName, table)
  const paths = new Set<string>()
  for (const text of [one.select, one.remove, many.select, many.remove]) {
    const plan = await postgres.query<{ 'QUERY PLAN': string }>(`EXPLAIN (GENERIC_PLAN) ${text}`)
    for (const { 'QUERY PLAN': line } of plan)
      for (const [path] of line.matchAll(/(?<=using )\S+|Seq Scan|Sort|(?<=Bitmap Index Scan on )\S+/g))
        paths.add(path)
  }
  return paths
}

async function keyOf(sqlName: string): Promise<string> {
  const [key] = await postgres.query<{ name: string }>(
    `SELECT indexrelid::regclass::text AS name FROM pg_index WHERE indrelid = '${sqlName}'::regclass AND indisprimary`,
  )
  return key!.name.split('.').at(-1)!
}

const lookedUp = (): GenerationTable[] =>
  projections.flatMap(({ name }) => readModels.tablesOf(name, 1)).filter(({ table }) => !table.appendOnly)

test('finds the rows of every table only by the index of its key, while the tables are empty', async () => {
  expect(lookedUp().length).toBeGreaterThan(20)
  for (const { sqlName, table } of lookedUp())
    expect([...(await accessPaths(sqlName, table))]).toEqual([await keyOf(sqlName)])
})

test('finds rows by the index of the key when only one company has a tag thousands of times', async () => {
  const { sqlName, table } = lookedUp().find(
    (one) => one.sqlName === readModels.tableName('certificateTag', 1),
  )!
  const add = (rows: string) =>
    postgres.query(
      `INSERT INTO ${sqlName} (company_id, tag_id, mill_certification_id, heat_key, from_position)
       SELECT ${rows}, gen_random_uuid(), 'h' || n, n FROM generate_series(1, 5000) AS n`,
    )
  await add('gen_random_uuid(), gen_random_uuid()')
  await add(`'${randomUUID()}'::uuid, '${randomUUID()}'::uuid`)
  await postgres.query(`ANALYZE ${sqlName}`)
  expect([...(await accessPaths(sqlName, table))]).toEqual([await keyOf(sqlName)])
})
