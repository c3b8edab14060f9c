import { randomUUID } from 'node:crypto'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type Answer, call } from '../support/call.ts'
import { type ClusterNode, startCluster, untilServing } from '../support/cluster.ts'
import { own } from '../support/own.ts'
import { createDatabase } from '../support/postgres.ts'
import { startProxy } from '../support/proxy.ts'
import { startStore } from '../support/store.ts'
import { soonMs, until } from '../support/until.ts'

/**
 * A PostgreSQL whose connections stay open and say nothing, as when its host vanishes: nobody is kept waiting
 * for it, and nothing has to be started again.
 */

let node: ClusterNode
let apiKey: string

const eventStore = await own(startStore())
const database = await own(createDatabase())
const proxy = await own(startProxy(database.url))
const cluster = await own(startCluster({ eventStoreUrl: eventStore.url, databaseUrl: proxy.url }))
beforeAll(async () => {
  node = await cluster.start()
  await untilServing(node)
  const made = await node.send('viewer', 'POST', '/api/me/keys', { body: { label: 'spec' } })
  expect(made.status).toBe(201)
  apiKey = made.body.key
})
afterEach(() => proxy.resume())

const tags = () => `/api/company/${cluster.companyId}/millcert-tags`
const byKey = () => call('GET', node.url + tags(), { headers: { 'service-api-key': apiKey } })
const createTag = (name: string, headers: Record<string, string> = {}) =>
  node.send('editor', 'POST', 'millcert-tags', { body: { name, color: '#1f77b4' }, headers })

const inTime = async (asked: Promise<Answer>): Promise<string> => {
  const began = performance.now()
  const { status, body, headers } = await asked
  expect(performance.now() - began).toBeLessThan(soonMs)
  if (status === 503) expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
  return `${status} ${body.code}`
}

/** Connections that are used a moment before are silent in the middle; others are from the start. */
const useAll = () =>
  Promise.all(Array.from({ length: 30 }, () => node.send('viewer', 'GET', `orders?limit=1`)))

describe('while PostgreSQL is connected and does not answer', () => {
  it('every request gets a 503, and succeeds once PostgreSQL answers again', async () => {
    await createTag('before')
    expect((await byKey()).status).toBe(200)
    await useAll()

    proxy.hold()
    // None of them has been asked for before: what is in memory is answered for another second.
    const reads = ['orders', 'order-tags', `orders/${randomUUID()}`, 'orders?limit=2', '/api/me']
    // Also when many wait for few connections.
    const answers = await Promise.all([
      ...reads.flatMap((path) => [1, 2, 3, 4].map(() => inTime(node.send('viewer', 'GET', path)))),
      ...[1, 2, 3, 4, 5].map(() => inTime(byKey())),
      inTime(createTag('meanwhile', { 'idempotency-key': randomUUID() })),
      inTime(node.send('operator', 'GET', '/api/ops/projections')),
    ])
    expect(new Set(answers)).toEqual(new Set(['503 database-unavailable']))
    expect(await inTime(node.send('viewer', 'GET', '/health/ready'))).toBe('503 not-ready')

    proxy.resume()
    await until(async () => (await node.send('viewer', 'GET', '/health/ready')).status === 200)
    await Promise.all(
      reads.slice(0, 2).map(async (path) => {
        expect((await node.send('viewer', 'GET', path)).status).toBe(200)
      }),
    )
    expect((await byKey()).status).toBe(200)
    const after = await createTag('after')
    expect([after.status, after.headers.get('projection-status')]).toEqual([201, null])
  })

  it('the service still stops when it is told to, also the one that projects', async () => {
    proxy.hold()
    await until(async () => (await node.send('viewer', 'GET', '/health/ready')).status === 503)
    const underWay = node.send('viewer', 'GET', 'orders').catch(() => undefined)
    // It has come in before this is answered.
    await node.send('viewer', 'GET', '/health/live')
    const began = performance.now()
    expect(await node.end()).toBe(0)
    expect(performance.now() - began).toBeLessThan(soonMs)
    await underWay
  })
})
