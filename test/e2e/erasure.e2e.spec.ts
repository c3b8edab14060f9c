import { setTimeout as pause } from 'node:timers/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { companyStream } from '../../src/domain/company/company.ts'
import { connectEventStore } from '../../src/stores/eventStoreDb/connect.ts'
import { connectPostgres } from '../../src/stores/postgres/postgres.ts'
import { type Answer, call } from '../support/call.ts'
import { type ClusterNode, startCluster, untilServing } from '../support/cluster.ts'
import { own } from '../support/own.ts'
import { createDatabase } from '../support/postgres.ts'
import { startProxy } from '../support/proxy.ts'
import { sized } from '../support/size.ts'
import { givenOrNewStore } from '../support/store.ts'
import { until } from '../support/until.ts'

/** Erasures whose process is killed, and a node that is cut off while a person is erased. */

const kills = sized(2, 10)

const eventStore = await own(givenOrNewStore())
let steady: ClusterNode
/** The proxy between the other node and PostgreSQL. */
let other: ClusterNode

const database = await own(createDatabase())
const postgres = await own(connectPostgres({ url: database.url, name: 'spec', size: 2 }))
const proxy = await own(startProxy(database.url))
const cluster = await own(startCluster({ eventStoreUrl: eventStore.url, databaseUrl: database.url }))
beforeAll(async () => {
  ;[steady, other] = await Promise.all([
    cluster.start(),
    cluster.start({ PROCESS_ROLES: 'http', DATABASE_URL: proxy.url }),
  ])
  await Promise.all([steady, other].map(untilServing))
})

/** Admit somebody who then creates a tag, and return the path of the tag's history. */
async function admit(userId: string, name: string): Promise<string> {
  const put = await steady.send('admin', 'PUT', `members/${userId}`, { body: { roles: ['Editor'] } })
  expect(put.status).toBe(200)
  const token = await cluster.identity.token({ oid: userId, name })
  const url = `${steady.url}/api/company/${cluster.companyId}/millcert-tags`
  const made = await call('POST', url, { token, body: { name: `Tag of ${userId}`, color: '#123456' } })
  expect(made.status).toBe(201)
  return `millcert-tags/${made.body.tagId}/history`
}

function erase(at: ClusterNode, userId: string): Promise<Answer> {
  return at.send('admin', 'DELETE', `members/${userId}?erase=true`)
}

async function namesOf(userId: string): Promise<string[]> {
  const rows = await postgres.query<{ name: string }>(
    'SELECT name FROM heatmark_local.person WHERE user_id = $1',
    [userId],
  )
  return rows.map(({ name }) => name)
}

async function erasuresOf(userId: string): Promise<number> {
  const store = connectEventStore(eventStore.url)
  const events = await Array.fromAsync(store.readStream(companyStream(cluster.companyId), 0))
  await store.close()
  return events.filter(
    ({ type, data }) => type === 'PersonErased' && (data as { userId: string }).userId === userId,
  ).length
}

async function shownName(at: ClusterNode, history: string): Promise<string> {
  const { status, body } = await at.send('viewer', 'GET', history)
  return status === 200 ? body[0].changedByName : String(status)
}

describe('a process that is killed during an erasure', () => {
  it('leaves a masked name behind, which a repeat deletes', async () => {
    const history = await admit('eve', 'Eve Eder')
    const doomed = await cluster.start({ PROCESS_ROLES: 'http' })
    await untilServing(doomed)
    // A name that is being written keeps the erasure from deleting names.
    const writing = await postgres.connect()
    await writing.query('BEGIN; LOCK TABLE heatmark_local.person IN ROW EXCLUSIVE MODE')
    const answer = erase(doomed, 'eve').catch(() => 'killed')
    const waiting =
      "SELECT 1 FROM pg_locks WHERE NOT granted AND relation = 'heatmark_local.person'::regclass"
    await until(async () => (await postgres.query(waiting)).length > 0)
    await doomed.end('SIGKILL')
    await writing.query('COMMIT')
    writing.release()
    expect(await answer).toBe('killed')
    // PostgreSQL notices the end of the connection only when it answers.
    await until(async () => (await postgres.query(waiting)).length === 0)

    expect(await erasuresOf('eve')).toBe(1)
    expect(await namesOf('eve')).toEqual(['Eve Eder'])
    expect(await shownName(steady, history)).toBe('erased person')
    expect((await erase(steady, 'eve')).status).toBe(200)
    expect(await namesOf('eve')).toEqual([])
    expect(await erasuresOf('eve')).toBe(1)
  })

  it(`can be finished after a kill at any moment: ${kills} kills`, async () => {
    for (let n = 0; n < kills; n++) {
      const userId = `fay-${n}`
      const history = await admit(userId, 'Fay Falk')
      const doomed = await cluster.start({ PROCESS_ROLES: 'http' })
      await untilServing(doomed)
      const answer = erase(doomed, userId).catch(() => undefined)
      await pause((n * 37) % 150)
      await doomed.end('SIGKILL')
      await answer
      expect((await erase(steady, userId)).status).toBe(200)
      expect(await namesOf(userId)).toEqual([])
      expect(await erasuresOf(userId)).toBe(1)
      for (const at of [steady, other]) expect(await shownName(at, history)).toBe('erased person')
    }
  })
})

describe('a node that is cut off from PostgreSQL while a person is erased', () => {
  it('does not show the name after the answer', async () => {
    const history = await admit('gus', 'Gus Gram')
    await until(async () => (await shownName(other, history)) === 'Gus Gram')
    proxy.hold()
    expect((await erase(steady, 'gus')).status).toBe(200)
    const after = await Promise.all(Array.from({ length: 5 }, () => shownName(other, history)))
    proxy.resume()
    expect(after).not.toContain('Gus Gram')
    await until(async () => (await shownName(other, history)) === 'erased person')
  })
})
