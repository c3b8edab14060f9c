import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { connectPostgres, type Postgres, quoteIdentifier } from '../../src/stores/postgres/postgres.ts'
import { call } from '../support/call.ts'
import { type ClusterNode, startCluster, untilServing } from '../support/cluster.ts'
import { own } from '../support/own.ts'
import { createDatabase } from '../support/postgres.ts'
import { sized } from '../support/size.ts'
import { stopProjection } from '../support/stopProjection.ts'
import { givenOrNewStore } from '../support/store.ts'
import { until } from '../support/until.ts'

/** `access` stops and is rebuilt again and again under load. Its leader resumes it some time after each rebuild. */

const rounds = sized(10, 60)
const roundsAtOnce = 10

const eventStore = await own(givenOrNewStore())
let postgres: Postgres
let schema: string
let nodes: readonly ClusterNode[]
const database = await own(createDatabase())
const cluster = await own(startCluster({ eventStoreUrl: eventStore.url, databaseUrl: database.url }))
beforeAll(async () => {
  const limits = { AUTH_FAILURE_LIMIT: '1000000', API_RATE_LIMIT: '1000000' }
  nodes = [await cluster.start(limits), await cluster.start(limits)]
  await Promise.all(nodes.map(untilServing))
  postgres = connectPostgres({ url: database.url, name: 'spec', size: 2 })
  const [found] = await postgres.query<{ schema: string }>(
    `SELECT nspname AS schema FROM pg_namespace WHERE nspname ~ '^heatmark_[0-9a-f]{32}_'`,
  )
  schema = found!.schema
})

afterAll(() => postgres?.close())

/** The node that executes commands. The other one only gets their notifications. */
function one() {
  return nodes[0]!
}

function keys(method: string, path = '') {
  return one().send('viewer', method, `/api/me/keys${path}`, {
    ...(method === 'POST' && { body: { label: 'press' } }),
  })
}

/** Repeat a request while it is refused because `access` has stopped. */
async function untilTaken(method: string, path?: string) {
  for (;;) {
    const answer = await keys(method, path)
    if (answer.status !== 503) return answer
    await pause(10)
  }
}

async function createKey(): Promise<{ key: string; keyId: string }> {
  const { status, body } = await untilTaken('POST')
  expect(status).toBe(201)
  return body
}

function statusesOf(key: string) {
  return Promise.all(
    nodes.map(async ({ url }) => {
      const path = `/api/company/${cluster.companyId}/millcert-tags?limit=1`
      return (await call('GET', `${url}${path}`, { headers: { 'service-api-key': key } })).status
    }),
  )
}

/** Delete a key, and use it as soon as the deletion is answered. */
async function deleteAndUse({ key, keyId }: { key: string; keyId: string }) {
  expect((await untilTaken('DELETE', `/${keyId}`)).status).toBe(204)
  return statusesOf(key)
}

async function accessState(): Promise<string> {
  const [row] = await postgres.query<{ status: string }>(
    `SELECT status FROM ${quoteIdentifier(schema)}.state WHERE name = 'access'`,
  )
  return row!.status
}

async function stopAndRebuild() {
  await stopProjection(postgres, schema, 'access')
  const { status } = await nodes[1]!.send('operator', 'POST', '/api/ops/projections/access/rebuild')
  expect(status).toBe(202)
  await until(async () => (await accessState()) === 'running')
}

it('refuses a deleted key on every node, also while a rebuilt access waits for its leader', async () => {
  let over = false
  const written = new Map<number, number>()
  /** Change one tag again and again, because the leader sends its position with each change. */
  const write = async (node: ClusterNode) => {
    const created = await node.send('editor', 'POST', 'millcert-tags', {
      body: { name: randomUUID(), color: '#000000' },
    })
    for (let change = 1; !over; change++) {
      const color = `#${change.toString(16).padStart(6, '0')}`
      const { status } = await node.send('editor', 'PUT', `millcert-tags/${created.body.tagId}`, {
        body: { name: created.body.name, color },
      })
      written.set(status, (written.get(status) ?? 0) + 1)
    }
  }
  const load = Promise.all(nodes.map(write))

  const statuses: number[][] = []
  for (let round = 0; round < rounds; round += roundsAtOnce) {
    const made = await Promise.all(Array.from({ length: roundsAtOnce / 2 }, createKey))
    for (const { key } of made) expect(await statusesOf(key)).toEqual([200, 200])
    await stopAndRebuild()
    const madeSince = Array.from({ length: roundsAtOnce / 2 }, async () => deleteAndUse(await createKey()))
    statuses.push(...(await Promise.all([...made.map(deleteAndUse), ...madeSince])))
  }
  over = true
  await load
  expect(statuses).toHaveLength(rounds)
  expect(statuses.filter((ofNodes) => ofNodes.some((status) => status !== 401))).toEqual([])
  // A request is refused while access has stopped, which may be too short for any request to see.
  expect([...written.keys()].filter((status) => status !== 200 && status !== 503)).toEqual([])
  expect(written.get(200)).toBeGreaterThan(0)
}, 900_000)
