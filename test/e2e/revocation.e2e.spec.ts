import { randomUUID } from 'node:crypto'
import { Agent, request } from 'node:http'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Answer, call, type Sent } from '../support/call.ts'
import { type ClusterNode, startCluster, untilServing } from '../support/cluster.ts'
import { own } from '../support/own.ts'
import { createDatabase } from '../support/postgres.ts'
import { startProxy } from '../support/proxy.ts'
import { sized } from '../support/size.ts'
import { stopProjection } from '../support/stopProjection.ts'
import { givenOrNewStore } from '../support/store.ts'
import { until } from '../support/until.ts'

/**
 * A revocation through one node is in force on every node from the moment of its answer. The specs see this from
 * outside, with two processes that serve and a third that projects.
 */

const requests = sized(250, 2_000)

const eventStore = await own(givenOrNewStore())
let one: ClusterNode
let other: ClusterNode
/** The proxy between the other node and PostgreSQL. */
const agent = new Agent({ keepAlive: true, maxSockets: 8 })

const database = await own(createDatabase())
const proxy = await own(startProxy(database.url))
const cluster = await own(
  startCluster({
    eventStoreUrl: eventStore.url,
    databaseUrl: database.url,
  }),
)
beforeAll(async () => {
  await cluster.start({ PROCESS_ROLES: 'projector' })
  ;[one, other] = await Promise.all([
    cluster.start({ PROCESS_ROLES: 'http', AUTH_FAILURE_LIMIT: '1000000' }),
    cluster.start({ PROCESS_ROLES: 'http', DATABASE_URL: proxy.url, AUTH_FAILURE_LIMIT: '1000000' }),
  ])
  await Promise.all([one, other].map(untilServing))
})

afterAll(() => agent.destroy())

function tokenOf(oid: string) {
  return cluster.identity.token({ oid })
}

function member(oid: string, revoke = '') {
  return `/api/company/${cluster.companyId}/members/${oid}${revoke}`
}

async function join(oid: string): Promise<string> {
  await one.send('admin', 'PUT', member(oid), { body: { roles: ['Viewer'] } })
  const token = await tokenOf(oid)
  await until(async () => (await statusOf(other, { authorization: `Bearer ${token}` })) === 200)
  return token
}

function send(node: ClusterNode, method: string, path: string, sent: Sent) {
  return call(method, `${node.url}${path}`, sent)
}

async function createKey(token: string): Promise<{ key: string; keyId: string }> {
  return (await send(one, 'POST', '/api/me/keys', { token, body: { label: 'press' } })).body
}

/** Read company data and return the status; 0 when the request was given up. */
function statusOf(node: ClusterNode, headers: Record<string, string>, signal?: AbortSignal): Promise<number> {
  return new Promise((resolve) => {
    const { hostname, port } = new URL(node.url)
    const path = `/api/company/${cluster.companyId}/millcert-tags`
    request({ agent, hostname, port, path, headers, signal }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode!))
    })
      .on('error', () => resolve(0))
      .end()
  })
}

interface Load {
  /** Number of requests that are sent before the revocation. */
  readonly before: number
  /** Number of requests that are begun after the answer. */
  readonly after?: number
  /** Give up all requests so many milliseconds after the answer. */
  readonly forMs?: number
}

/**
 * Send requests to a node, eight at a time, and revoke something meanwhile. Return the statuses of the requests that
 * ended before the revocation, and of those that began after its answer.
 */
async function duringLoad(
  node: ClusterNode,
  headers: Record<string, string>,
  takeAway: () => Promise<Answer>,
  { before: least, after: most = Infinity, forMs }: Load = {
    before: requests / 5,
    after: (requests * 4) / 5,
  },
) {
  let answeredAt = Number.POSITIVE_INFINITY
  let taking: Promise<Answer> | undefined
  const over = new AbortController()
  const before: number[] = []
  const after: number[] = []
  const worker = async () => {
    while (!over.signal.aborted && after.length < most) {
      const startedAt = performance.now()
      const status = await statusOf(node, headers, over.signal)
      if (startedAt > answeredAt) after.push(status)
      else if (!taking) before.push(status)
      if (!taking && before.length >= least)
        taking = takeAway().then((answer) => {
          answeredAt = performance.now()
          if (forMs) setTimeout(() => over.abort(), forMs)
          return answer
        })
    }
  }
  await Promise.all(Array.from({ length: 8 }, worker))
  return { answer: await taking!, before: new Set(before), after: new Set(after) }
}

describe('under load on another node, no request begun after the answer succeeds', () => {
  it('with a key that was deleted', async () => {
    const token = await join('dora')
    const { key, keyId } = await createKey(token)
    const { answer, before, after } = await duringLoad(other, { 'service-api-key': key }, () =>
      send(one, 'DELETE', `/api/me/keys/${keyId}`, { token }),
    )
    expect(answer.status).toBe(204)
    expect(before).toEqual(new Set([200]))
    expect(after).toEqual(new Set([401]))
  })

  it('with a key that was rolled', async () => {
    const token = await join('rolf')
    const { key } = await createKey(token)
    const { answer, before, after } = await duringLoad(other, { 'service-api-key': key }, () =>
      send(one, 'POST', '/api/me/keys/roll', { token }),
    )
    expect(answer.status).toBe(200)
    expect(before).toEqual(new Set([200]))
    expect(after).toEqual(new Set([401]))
    expect(await statusOf(other, { 'service-api-key': answer.body.key })).toBe(200)
  })

  it('with a key that a company was taken out of, alone or with its owner’s membership', async () => {
    for (const [userId, path] of [
      ['kai', (keyId: string) => `/api/company/${cluster.companyId}/api-keys/${keyId}`],
      ['kim', () => member('kim', '')],
    ] as const) {
      const token = await join(userId)
      const elsewhere = randomUUID()
      const petra = await cluster.identity.token({ oid: 'petra', roles: ['PlatformAdmin'] })
      const body = { companyId: elsewhere, name: 'Elsewhere' }
      await send(one, 'POST', '/api/companies', { token: petra, body })
      const others = `/api/company/${elsewhere}`
      const sent = { token: petra, body: { roles: ['Viewer'] } }
      await send(one, 'PUT', `${others}/members/${userId}`, sent)
      const { key, keyId } = await createKey(token)
      const { answer, before, after } = await duringLoad(other, { 'service-api-key': key }, () =>
        one.send('admin', 'DELETE', path(keyId)),
      )
      expect(answer.status).toBe(204)
      expect(before).toEqual(new Set([200]))
      expect(after).toEqual(new Set([403]))
      const headers = { 'service-api-key': key }
      expect((await send(other, 'GET', `${others}/orders`, { headers })).status).toBe(200)
    }
  })

  it('as a member who was removed, nor with the keys that went along', async () => {
    const token = await join('mia')
    const { key } = await createKey(token)
    const { answer, before, after } = await duringLoad(other, { authorization: `Bearer ${token}` }, () =>
      one.send('admin', 'DELETE', member('mia', '')),
    )
    expect(answer.status).toBe(204)
    expect(before).toEqual(new Set([200]))
    expect(after).toEqual(new Set([403]))
    expect(await statusOf(other, { 'service-api-key': key })).toBe(401)
  })
})

describe('a node whose connection to PostgreSQL is silent', () => {
  it('does not admit a removed member', async () => {
    const token = await join('nora')
    const headers = { authorization: `Bearer ${token}` }
    const { answer, before, after } = await duringLoad(
      other,
      headers,
      () => {
        // Connections stay open but carry nothing: no notifications and no answers to queries.
        proxy.silence()
        return one.send('admin', 'DELETE', member('nora'))
      },
      // This is longer than a node may rely on its cache.
      { before: 50, forMs: 2_000 },
    )
    expect(answer.status).toBe(204)
    expect(before).toEqual(new Set([200]))
    expect(after.size).toBeGreaterThan(0)
    expect(after).not.toContain(200)
    proxy.cut()
    await until(async () => (await statusOf(other, headers)) === 403)
  })
})

describe('while access has stopped', () => {
  it('every node refuses members and keys', async () => {
    const token = await join('stan')
    const { key, keyId } = await createKey(token)
    const client = new pg.Client({ connectionString: database.url })
    await client.connect()
    const { rows } = await client.query(
      "SELECT nspname AS schema FROM pg_namespace WHERE nspname LIKE 'heatmark\\_%' AND nspname <> 'heatmark_local'",
    )
    try {
      await stopProjection(client, rows[0].schema, 'access')
      expect(await statusOf(other, { 'service-api-key': key })).toBe(503)
      for (const node of [one, other]) {
        await until(async () => (await statusOf(node, { authorization: `Bearer ${token}` })) === 503)
        // The rows show it at once. The node itself knows when its readiness names the projection.
        await until(async () => {
          const { notReady } = (await (await fetch(`${node.url}/health/ready`)).json()) as {
            notReady?: string[]
          }
          return notReady?.includes('projection access')
        })
      }
      const deletion = await send(one, 'DELETE', `/api/me/keys/${keyId}`, { token })
      expect(deletion).toMatchObject({ status: 503, body: { code: 'revocation-pending' } })
      const creation = await send(one, 'POST', '/api/me/keys', { token, body: { label: randomUUID() } })
      expect(creation.status).toBe(503)
      expect(
        (await send(one, 'GET', '/metrics', { token: await cluster.freshToken('operator') })).status,
      ).toBe(200)
    } finally {
      await client.end()
    }
  })
})
