import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { checkLocalSchema } from '../../../src/cli/heatmark/doctor/localSchema.ts'
import { loadLocalRows, takeLocalRows } from '../../../src/embedded/backup/localRows.ts'
import { localVersion, migrateLocal, readLocalSchemaStatus } from '../../../src/stores/localSchema/migrate.ts'
import { type Migration, migrations } from '../../../src/stores/localSchema/migrations.ts'
import { localTables, localTablesThat } from '../../../src/stores/localSchema/tables.ts'
import { connectPostgres, type Postgres } from '../../../src/stores/postgres/postgres.ts'
import { createDatabase, type TestDatabase } from '../../support/postgres.ts'

/** The registry of heatmark_local, and all that follows it. */

let database: TestDatabase
let postgres: Postgres
beforeEach(async () => {
  database = await createDatabase()
  postgres = connectPostgres({ url: database.url, name: 'spec', size: 2 })
})
afterEach(async () => {
  await postgres.close()
  await database.drop()
})

const columnsOf = async (): Promise<Map<string, string[]>> => {
  const rows = await postgres.query<{ table: string; columns: string[] }>(
    `SELECT table_name AS "table", array_agg(column_name::text) AS columns
     FROM information_schema.columns WHERE table_schema = 'heatmark_local' GROUP BY table_name`,
  )
  return new Map(rows.map(({ table, columns }) => [table, columns]))
}

describe('the registry', () => {
  it('names every table that the migrations make, and the column that tells its store', async () => {
    await migrateLocal(postgres)
    const columns = await columnsOf()
    expect([...columns.keys()].sort()).toEqual([...Object.keys(localTables), 'migration'].sort())
    for (const [name, { storeKey }] of Object.entries(localTables))
      if (storeKey) expect(columns.get(name), name).toContain(storeKey)
      else expect(columns.get(name), name).not.toContain('store_id')
  })

  it('is what docs/operations.md deletes from after a store was rewound', () => {
    const runbook = readFileSync(join(import.meta.dirname, '../../../docs/operations.md'), 'utf8')
    const deleted = [...runbook.matchAll(/DELETE FROM heatmark_local\.(\w+);/g)].map(([, table]) => table)
    expect(deleted.sort()).toEqual(localTablesThat(({ droppedWhenRewound }) => droppedWhenRewound).sort())
  })

  it('is what the doctor finds missing', async () => {
    await migrateLocal(postgres)
    expect(await checkLocalSchema(postgres)).toMatchObject([{ status: 'ok' }])
    for (const name of Object.keys(localTables)) {
      await postgres.query(`ALTER TABLE heatmark_local.${name} RENAME TO away`)
      expect(await checkLocalSchema(postgres)).toMatchObject([
        { status: 'problem', found: `somebody has dropped ${name}` },
      ])
      await postgres.query(`ALTER TABLE heatmark_local.away RENAME TO ${name}`)
    }
  })
})

describe('a backup', () => {
  it('holds the rows of the tables that the registry says, and a restore brings them back', async () => {
    await migrateLocal(postgres)
    await postgres.query(
      `INSERT INTO heatmark_local.last_used VALUES ('k', '2026-01-02T03:04:00Z');
       INSERT INTO heatmark_local.run (run_id, schema, kind, projection, status, detail)
       VALUES (gen_random_uuid(), 's', 'verify', 'tags', 'succeeded', '{}')`,
    )
    const taken = (await takeLocalRows(postgres))!
    expect(taken.version).toBe(localVersion)
    expect(Object.keys(taken.rows).sort()).toEqual(localTablesThat(({ inBackups }) => inBackups).sort())

    await postgres.query('DROP SCHEMA heatmark_local CASCADE')
    await loadLocalRows(postgres, taken)
    expect(await takeLocalRows(postgres)).toEqual(taken)
    expect(await postgres.query('SELECT 1 FROM heatmark_local.run')).toEqual([])
  })

  it('of an older version goes into the tables of that version, which are then migrated', async () => {
    const rows = { last_used: [{ key_id: 'k', last_used_at: '2026-01-02T03:04:00.000Z', of_no_use: 1 }] }
    await loadLocalRows(postgres, { version: localVersion, rows }, [...migrations, renaming])
    expect(await readLocalSchemaStatus(postgres)).toMatchObject({ version: localVersion + 1 })
    expect(await postgres.query('SELECT * FROM heatmark_local.last_used')).toEqual([
      { used_key: 'k', last_used_at: '2026-01-02T03:04:00.000Z' },
    ])
  })

  it('is not taken of a schema in which a newer release may keep rows elsewhere', async () => {
    await migrateLocal(postgres, [...migrations, oneMore])
    await expect(takeLocalRows(postgres)).rejects.toThrow('back up with the newer release')
  })
})

const oneMore: Migration = { startableFrom: 1, sql: 'CREATE TABLE heatmark_local.one_more (one integer)' }
const breaking: Migration = {
  startableFrom: localVersion + 2,
  sql: 'ALTER TABLE heatmark_local.one_more RENAME COLUMN one TO two',
}
const renaming: Migration = {
  startableFrom: localVersion + 1,
  sql: 'ALTER TABLE heatmark_local.last_used RENAME COLUMN key_id TO used_key',
}

describe('a migration', () => {
  it('that is additive leaves the way back to the release before, again and again', async () => {
    await migrateLocal(postgres)
    for (let turn = 0; turn < 2; turn++) {
      await migrateLocal(postgres, [...migrations, oneMore])
      await migrateLocal(postgres)
      const [finding] = await checkLocalSchema(postgres)
      expect(finding).toMatchObject({
        status: 'ok',
        found: `version ${localVersion + 1}, of a newer release; this one knows ${localVersion}, and can work on it`,
      })
    }
    expect((await columnsOf()).has('one_more')).toBe(true)
  })

  it('that is not additive ends the way back: the release before says so and changes nothing', async () => {
    await migrateLocal(postgres, [...migrations, oneMore, breaking])
    for (const known of [migrations, [...migrations, oneMore]])
      await expect(migrateLocal(postgres, known)).rejects.toThrow(
        `a release must know version ${localVersion + 2} to start on it; this one knows ${known.length}`,
      )
    expect(await checkLocalSchema(postgres)).toMatchObject([{ status: 'problem' }])
    expect(await readLocalSchemaStatus(postgres)).toEqual({
      version: localVersion + 2,
      startableFrom: localVersion + 2,
    })
  })
})
