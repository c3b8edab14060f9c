import { type AddressInfo, createServer } from 'node:net'
import { afterAll, expect, it } from 'vitest'
import { connectPostgres } from '../../../src/stores/postgres/postgres.ts'
import { mostPrepared, mostUnprepared } from '../../../src/stores/postgres/prepared.ts'
import { createDatabase } from '../../support/postgres.ts'

const database = await createDatabase()
const postgres = connectPostgres({ url: database.url, name: 'spec', size: 1 })
afterAll(async () => {
  await postgres.close()
  await database.drop()
})

it('keeps a bounded number of statements prepared, and answers all others as well', async () => {
  for (let n = 0; n < mostPrepared + 20; n += 1)
    expect(await postgres.query(`SELECT $1::int + ${n} AS sum`, [1])).toEqual([{ sum: n + 1 }])
  expect(await postgres.query('SELECT $1::int + 0 AS sum', [2])).toEqual([{ sum: 2 }])
  expect(await postgres.query('SELECT count(*) AS kept FROM pg_prepared_statements')).toEqual([
    { kept: mostPrepared },
  ])
})

it('closes a connection that has sent many statements unprepared, so that those in use are kept prepared', async () => {
  const postgres = connectPostgres({ url: database.url, name: 'spec', size: 1 })
  const kept = () => postgres.query<{ statement: string }>('SELECT statement FROM pg_prepared_statements')
  for (let n = 0; n < mostPrepared; n += 1) await postgres.query(`SELECT $1::int + ${n} AS former`, [1])
  for (let n = 0; n < mostUnprepared - 1; n += 1) await postgres.query('SELECT $1::int AS present', [n])
  expect((await kept()).filter(({ statement }) => statement.includes('present'))).toEqual([])
  expect(await postgres.query('SELECT $1::int AS present', [1])).toEqual([{ present: 1 }])
  expect(await postgres.query('SELECT $1::int AS present', [2])).toEqual([{ present: 2 }])
  expect(await kept()).toEqual([{ statement: 'SELECT $1::int AS present' }])
  await postgres.close()
})

it('tells no password to a listener on a port of this machine that asks for it', async () => {
  const heard: string[] = []
  const listener = createServer((socket) => {
    socket
      .on('error', () => {})
      .on('data', (bytes) => {
        heard.push(bytes.toString('latin1'))
        // AuthenticationCleartextPassword
        socket.write(Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 3]))
      })
  })
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  const { port } = listener.address() as AddressInfo
  const url = `postgres://heatmark:hush@127.0.0.1:${port}/heatmark`
  const postgres = connectPostgres({ url, name: 'spec', size: 1 })
  await expect(postgres.query('SELECT 1')).rejects.toThrow('asks for the password in clear text')
  expect(heard.join('')).toContain('heatmark')
  expect(heard.join('')).not.toContain('hush')
  await postgres.close()
  await new Promise((resolve) => listener.close(resolve))
})
