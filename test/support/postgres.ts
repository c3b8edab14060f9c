import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, inject } from 'vitest'
import { connectPostgres, type Postgres, type PostgresOptions } from '../../src/stores/postgres/postgres.ts'

export interface TestDatabase {
  url: string
  /** Drop the database, also while clients are connected. */
  drop(): Promise<void>
}

/** Create an empty database in the run's shared PostgreSQL: one for each spec file. */
export async function createDatabase(): Promise<TestDatabase> {
  const shared = inject('postgresUrl')
  const name = `test_${randomUUID().replaceAll('-', '')}`
  await administer(shared, `CREATE DATABASE ${name}`)
  const url = new URL(shared)
  url.pathname = `/${name}`
  return { url: url.href, drop: () => administer(shared, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`) }
}

/** Connect to a database of the spec file's own, which goes when the file ends. */
export async function ownDatabase(
  options: Partial<PostgresOptions> = {},
): Promise<{ url: string; postgres: Postgres }> {
  const { url, drop } = await createDatabase()
  const postgres = connectPostgres({ url, name: 'spec', size: 2, ...options })
  afterAll(async () => {
    await postgres.close()
    await drop()
  })
  return { url, postgres }
}

async function administer(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
