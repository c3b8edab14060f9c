import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'

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

async function administer(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
