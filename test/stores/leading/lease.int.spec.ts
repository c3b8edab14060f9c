import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  heldSql,
  type Lease,
  releaseLease,
  renewLeases,
  takeLease,
} from '../../../src/stores/leading/lease.ts'
import { migrateLocal } from '../../../src/stores/localSchema/migrate.ts'
import { type Connection, PostgresUnavailable } from '../../../src/stores/postgres/postgres.ts'
import { ownDatabase } from '../../support/postgres.ts'
import { until } from '../../support/until.ts'

const { postgres } = await ownDatabase({ size: 20 })
let name: string

await migrateLocal(postgres)
beforeEach(() => {
  name = `projector/${randomUUID()}`
})

const taken: Connection[] = []
afterEach(() => {
  for (const connection of taken.splice(0)) connection.release(true)
})

function expire() {
  return postgres.query(
    `UPDATE heatmark_local.lease SET expires_at = clock_timestamp() - interval '1 ms' WHERE name = $1`,
    [name],
  )
}

async function take(owner: string): Promise<{ connection: Connection; lease: Lease | undefined }> {
  const connection = await postgres.connect()
  taken.push(connection)
  return { connection, lease: await takeLease(connection, name, owner) }
}

async function isHeld(lease: Lease): Promise<boolean> {
  return (await renewLeases(postgres, [{ ...lease, condition: undefined }])).has(lease.name)
}

async function isAlive({ connection }: { connection: Connection }) {
  try {
    await connection.query('SELECT 1')
    return true
  } catch (error) {
    expect(error).toBeInstanceOf(PostgresUnavailable)
    return false
  }
}

test('gives the lease to one process, and to another when it has expired', async () => {
  const first = await take('a')
  expect(first.lease).toEqual({ name, owner: 'a', fencing: 1 })
  const second = await take('b')
  expect(second.lease).toBeUndefined()
  await expire()
  const third = await take('c')
  expect(third.lease).toEqual({ name, owner: 'c', fencing: 2 })
  expect(await isHeld(first.lease!)).toBe(false)
  expect(await isHeld(third.lease!)).toBe(true)
  expect(await Promise.all([first, second, third].map(isAlive))).toEqual([false, true, true])
})

test('gives a lease that expires later than a renewal could have made it to another process', async () => {
  const first = await take('a')
  // As after a crash of the database, whose clock was then set back.
  await postgres.query(
    `UPDATE heatmark_local.lease SET expires_at = clock_timestamp() + interval '1 hour' WHERE name = $1`,
    [name],
  )
  expect((await take('b')).lease).toMatchObject({ fencing: 2 })
  expect(await isHeld(first.lease!)).toBe(false)
})

test('leaves the lease to its holder after the clock of the database was set back by a second', async () => {
  await take('a')
  await postgres.query(
    `UPDATE heatmark_local.lease SET expires_at = expires_at + interval '1 second' WHERE name = $1`,
    [name],
  )
  expect((await take('b')).lease).toBeUndefined()
})

test('gives the lease of a holder whose backend is gone to another process', async () => {
  const first = await take('a')
  first.connection.release(true)
  const isGone = async () => (await take('b')).lease !== undefined
  await until(isGone)
  expect(await isHeld(first.lease!)).toBe(false)
})

test('leaves the lease to a holder whose backend belongs to another role', async () => {
  await take('a')
  await postgres.query('DROP ROLE IF EXISTS lease_watcher; CREATE ROLE lease_watcher')
  await postgres.query(
    'GRANT ALL ON SCHEMA heatmark_local TO lease_watcher; GRANT ALL ON heatmark_local.lease TO lease_watcher',
  )
  const connection = await postgres.connect()
  taken.push(connection)
  await connection.query('SET ROLE lease_watcher')
  expect(await takeLease(connection, name, 'b')).toBeUndefined()
  await connection.query('RESET ROLE')
  await postgres.query('DROP OWNED BY lease_watcher; DROP ROLE lease_watcher')
})

test('gives a new or expired lease to one of many that ask at once', async () => {
  for (let round = 1; round <= 3; round++) {
    const all = await Promise.all(['a', 'b', 'c', 'd', 'e'].map((owner) => take(`${owner}${round}`)))
    const winners = all.filter(({ lease }) => lease)
    expect(winners.map(({ lease }) => lease!.fencing)).toEqual([round])
    expect(await isAlive(winners[0]!)).toBe(true)
    await expire()
  }
})

test('ends the connection of a holder that stopped with the lease row locked', async () => {
  const holder = await take('a')
  await expire()
  await holder.connection.query('BEGIN')
  expect(await holder.connection.query(heldSql('$1', '$2'), [name, 1])).toHaveLength(1)
  const taker = await take('b')
  expect(taker.lease).toMatchObject({ owner: 'b', fencing: 2 })
  expect(await isAlive(holder)).toBe(false)
  expect(await taker.connection.query(heldSql('$1', '$2'), [name, 1])).toEqual([])
  expect(await isAlive(taker)).toBe(true)
})

test('does not end another connection that has the pid of the former holder', async () => {
  await take('a')
  const bystander = await postgres.connect()
  taken.push(bystander)
  const [{ pid } = { pid: 0 }] = await bystander.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
  await postgres.query('UPDATE heatmark_local.lease SET backend_pid = $2 WHERE name = $1', [name, pid])
  await expire()
  const taker = await take('b')
  expect(taker.lease).toMatchObject({ fencing: 2 })
  expect(await isAlive({ connection: bystander })).toBe(true)
})

test('gives a lease at once to its owner on another connection, and to anyone after its release', async () => {
  const first = await take('a')
  const again = await take('a')
  expect(again.lease).toMatchObject({ fencing: 2 })
  expect(await isAlive(first)).toBe(false)
  await releaseLease(postgres, again.lease!)
  expect((await take('b')).lease).toMatchObject({ fencing: 3 })
})
