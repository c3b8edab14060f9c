import { randomUUID } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { binaryEvent, jsonEvent, START } from '@eventstore/db-client'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type RunningPostgres, startPostgres } from '../../src/embedded/postgres.ts'
import { openClient } from '../../src/stores/eventStoreDb/client.ts'
import { type Cluster, type ClusterNode, startCluster, untilServing } from '../support/cluster.ts'
import { newDataDir, removeDataDir } from '../support/dataDir.ts'
import { startNode, type TestNode } from '../support/node.ts'
import { startProxy } from '../support/proxy.ts'
import { until } from '../support/until.ts'

/**
 * The service answers while a store or the identity provider is gone, and needs no restart when they are back.
 * These specs kill and damage stores, so they use embedded ones of their own, whatever EVENTSTORE_URL and
 * DATABASE_URL name.
 */

const dataDir = newDataDir()
let eventStore: TestNode
let postgres: RunningPostgres
let proxy: Awaited<ReturnType<typeof startProxy>>
let cluster: Cluster
let node: ClusterNode
/** A second node, which reaches the event store through the proxy. */
let behind: ClusterNode

beforeAll(async () => {
  ;[eventStore, postgres] = await Promise.all([
    startNode({ dbFile: `${dataDir}/events.db` }),
    startPostgres({ dataDir }),
  ])
  proxy = await startProxy(eventStore.url)
  cluster = await startCluster({ eventStoreUrl: eventStore.url, databaseUrl: postgres.url })
  ;[node, behind] = await Promise.all([
    cluster.start(),
    cluster.start({ EVENTSTORE_URL: proxy.url, PROCESS_ROLES: 'http' }),
  ])
  await Promise.all([untilServing(node), untilServing(behind)])
})

afterAll(async () => {
  await cluster?.stop()
  await proxy?.close()
  await eventStore?.stop()
  await postgres?.stop()
  removeDataDir(dataDir)
})

function tagOf(name: string) {
  return { name, color: '#1f77b4' }
}

function createTag(name: string, headers: Record<string, string> = {}, at = node) {
  return at.send('editor', 'POST', 'millcert-tags', { body: tagOf(name), headers })
}

async function tagNames(headers: Record<string, string> = {}): Promise<string[]> {
  const { status, body } = await node.send('viewer', 'GET', 'millcert-tags', { headers })
  expect(status).toBe(200)
  return body.map(({ name }: { name: string }) => name)
}

function ready() {
  return node.send('viewer', 'GET', '/health/ready')
}

function untilReady() {
  return until(async () => (await ready()).status === 200)
}

/** Read the types of a stream's events from the store itself. */
async function recorded(stream: string): Promise<{ type: string; data: unknown }[]> {
  const client = openClient(eventStore.url)
  try {
    const events = await Array.fromAsync(client.readStream(stream, { fromRevision: START }))
    return events.map(({ event }) => ({ type: event!.type, data: event!.data }))
  } finally {
    await client.dispose()
  }
}

function catalogue() {
  return recorded(`tags-${cluster.companyId}`)
}

async function restartEventStore() {
  eventStore = await startNode({ dbFile: eventStore.dbFile, port: eventStore.port })
}

function expectUnavailable(
  answer: { status: number; headers: Headers; body: { code: string; detail: string } },
  code: string,
) {
  expect(answer.body).toMatchObject({ status: 503, code, traceId: expect.any(String) })
  expect(answer.status).toBe(503)
  expect(answer.headers.get('content-type')).toBe('application/problem+json')
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(JSON.stringify(answer.body)).not.toMatch(/ at .*\.ts|node:internal|ECONNREFUSED/)
}

describe('while the event store is gone', () => {
  it('commands answer that they record nothing, reads go on, and commands work once it is back', async () => {
    expect((await createTag('before')).status).toBe(201)
    await eventStore.kill('SIGKILL')
    // Until the node notices the loss, it does not know the outcome of an append.
    await until(async () => (await createTag('meanwhile')).body.code === 'store-unavailable')
    expectUnavailable(await createTag('meanwhile'), 'store-unavailable')
    expect(await tagNames()).toEqual(['before'])
    await until(async () => (await ready()).status === 503)
    expect((await ready()).body.notReady).toContain('event store')

    await restartEventStore()
    await until(async () => (await createTag('meanwhile')).status === 201)
    // The projector may need a moment longer than the command to find the store again.
    await until(async () => (await tagNames()).length === 2)
    expect(await tagNames()).toEqual(['before', 'meanwhile'])
    await untilReady()
  })
})

describe('events of other programs in the same store', () => {
  it('are ignored, whatever they contain', async () => {
    const client = openClient(eventStore.url)
    const said = node.stdout().length
    const others = [
      jsonEvent({ type: 'Rang', data: {} }),
      jsonEvent({ type: 'Rang', data: 'a text' as never, metadata: [1] as never }),
      jsonEvent({ type: 'Rang', data: {}, metadata: { occurredAt: 'yesterday' } }),
      binaryEvent({ type: 'Rang', data: Buffer.from([0, 1, 2]) }),
    ]
    for (const [n, event] of others.entries()) {
      await client.appendToStream(`bell-${randomUUID()}`, event)
      expect((await createTag(`after the bell ${n}`)).headers.get('projection-status')).toBeNull()
    }
    await client.dispose()
    expect(node.stdout().slice(said)).not.toContain('"projector: ')
    await untilReady()
  })
})

describe('an error that nobody hears', () => {
  /** Start a node in which a module at this place throws at SIGUSR2. */
  const startFaulty = async (place: string) => {
    const file = `${dataDir}/${place}/fault.mjs`
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, `process.on('SIGUSR2', () => { throw new Error('a fault') })`)
    const faulty = await cluster.start({ NODE_OPTIONS: `--import=${file}` })
    await untilServing(faulty)
    return faulty
  }

  it('is survived if the client of the event store throws it', async () => {
    const faulty = await startFaulty('node_modules/@eventstore/db-client')
    faulty.signal('SIGUSR2')
    await until(() => faulty.stdout().includes('the client of the event store failed'))
    expect((await createTag('after a fault of the client', {}, faulty)).status).toBe(201)
    expect(await faulty.end()).toBe(0)
  })

  it('ends the process if anything else throws it', async () => {
    const faulty = await startFaulty('node_modules/another')
    faulty.signal('SIGUSR2')
    expect(await faulty.ended).toBe(1)
    expect(faulty.stderr()).toContain('a fault')
  })
})

describe('while PostgreSQL is gone', () => {
  it('a command under way succeeds as pending, and reads come back by themselves', async () => {
    const before = (await catalogue()).length
    const blocker = new pg.Client({ connectionString: postgres.url })
    blocker.on('error', () => {})
    await blocker.connect()
    const { rows } = await blocker.query(
      `SELECT quote_ident(schemaname) AS schema FROM pg_tables WHERE tablename = 'checkpoint'`,
    )
    // This lock stops the projector and not the reads.
    await blocker.query(`BEGIN; LOCK TABLE ${rows[0].schema}.checkpoint IN EXCLUSIVE MODE`)
    const underWay = createTag('pending')
    await until(async () => (await catalogue()).length === before + 1)
    process.kill(postgres.pid, 'SIGKILL')

    const pending = await underWay
    expect(pending.status).toBe(201)
    expect(pending.body).toMatchObject({ name: 'pending', active: true })
    expect(pending.headers.get('projection-status')).toBe('pending')
    const list = await node.send('viewer', 'GET', 'millcert-tags')
    expectUnavailable(list, 'database-unavailable')
    expectUnavailable(await createTag('nobody knows who may'), 'database-unavailable')
    expect(await catalogue()).toHaveLength(before + 1)
    const { body } = await ready()
    expect(body.notReady).toContain('PostgreSQL')

    postgres = await startPostgres({ dataDir, port: postgres.port })
    await until(async () => (await node.send('viewer', 'GET', 'millcert-tags')).status === 200)
    expect(await tagNames({ 'min-position': pending.headers.get('commit-position')! })).toContain('pending')
    expect((await createTag('after')).headers.get('projection-status')).toBeNull()
    await untilReady()
  })
})

describe('while the identity provider is gone', () => {
  it('a node that has its keys accepts known and new tokens', async () => {
    await tagNames()
    await cluster.identity.stop()
    await tagNames()
    const token = await cluster.freshToken('viewer')
    const { status } = await node.send('viewer', 'GET', 'millcert-tags', {
      headers: { authorization: `Bearer ${token}` },
    })
    expect(status).toBe(200)
    await until(async () => (await ready()).body.degraded?.includes('identity provider'))
    expect((await ready()).status).toBe(200)
  })

  it('a node without its keys answers 503 until the provider is back', async () => {
    const fresh = await cluster.start({ EVENTSTORE_URL: eventStore.url })
    expectUnavailable(await fresh.send('viewer', 'GET', 'millcert-tags'), 'identity-provider-unavailable')
    const { body } = await fresh.send('viewer', 'GET', '/health/ready')
    expect(body.notReady).toEqual(['identity provider'])
    await cluster.identity.start()
    await untilServing(fresh)
    await fresh.end()
    await untilReady()
  })
})

describe('an event that PostgreSQL refuses', () => {
  /** Append as a program would that does not check the domain's rules. */
  const append = async (stream: string, type: string, data: Record<string, unknown>) => {
    const client = openClient(eventStore.url)
    const metadata = {
      actor: { id: 'intruder', name: 'Intruder', kind: 'service' },
      occurredAt: new Date().toISOString(),
      correlationId: 'c',
      schemaVersion: 1,
    }
    const event = jsonEvent({ type, data: { companyId: cluster.companyId, ...data } as never, metadata })
    await client.appendToStream(stream, event)
    await client.dispose()
  }
  const orderBody = (orderNumber: string) => ({
    orderNumber,
    lineItems: [{ lineNumber: 10, lengthMm: 6_000, quantity: 4 }],
  })

  it('is passed over by its projection, which readiness names as degraded', async () => {
    const made = await node.send('planner', 'POST', 'orders', { body: orderBody('SO-1') })
    expect(made.status).toBe(201)
    const orderId = randomUUID()
    await append(`order-${cluster.companyId}_${orderId}`, 'OrderRegistered', {
      orderId,
      customer: 'NUL \0',
      requiredInspectionDocument: null,
      executionClass: null,
      orderNumber: 'SO-2',
      numberKey: 'SO-2',
      lineItems: [],
    })
    // The stores and the identity provider of the specs before may still be on their way back.
    await until(async () => {
      const { status, body } = await ready()
      return status === 200 && body.degraded?.includes('events that read models skip')
    })

    const next = await node.send('planner', 'POST', 'orders', { body: orderBody('SO-3') })
    expect(next.status).toBe(201)
    expect(next.headers.get('projection-status')).toBeNull()
    const kept = await node.send('viewer', 'GET', 'orders')
    const numbers = kept.body.map(({ orderNumber }: { orderNumber: string }) => orderNumber)
    expect(numbers.toSorted()).toEqual(['SO-1', 'SO-3'])
  })

  it('locks everyone out of companies when it stops access, because a removed member could get in', async () => {
    await append(`company-${cluster.companyId}`, 'MemberRolesSet', { userId: 'nul \0', roles: ['Viewer'] })
    await until(async () => (await ready()).body.notReady?.includes('projection access'))
    expectUnavailable(await node.send('viewer', 'GET', 'millcert-tags'), 'database-unavailable')
    expectUnavailable(await createTag('refused'), 'database-unavailable')
    expect((await node.send('operator', 'GET', '/metrics')).status).toBe(200)
  })
})
