import pg from 'pg'
import { expect, test } from 'vitest'
import { createDatabase } from '../support/postgres.ts'

test('two spec files do not see each other', async () => {
  const one = await createDatabase()
  const other = await createDatabase()
  const client = new pg.Client({ connectionString: one.url })
  await client.connect()
  await client.query('CREATE TABLE mine ()')
  await client.end()
  const b = new pg.Client({ connectionString: other.url })
  await b.connect()
  await expect(b.query('SELECT FROM mine')).rejects.toThrow('does not exist')
  await b.end()
  await one.drop()
  await other.drop()
})
