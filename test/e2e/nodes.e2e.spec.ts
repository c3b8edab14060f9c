import pg from 'pg'
import { beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../../src/embedded/ports.ts'
import { call } from '../support/call.ts'
import { type ClusterNode, startCluster, untilServing } from '../support/cluster.ts'
import { own } from '../support/own.ts'
import { createDatabase } from '../support/postgres.ts'
import { givenOrNewStore } from '../support/store.ts'
import { until } from '../support/until.ts'

/** Several processes of the service on one stack. */

const eventStore = await own(givenOrNewStore())
let one: ClusterNode
let other: ClusterNode

const database = await own(createDatabase())
const cluster = await own(startCluster({ eventStoreUrl: eventStore.url, databaseUrl: database.url }))
beforeAll(async () => {
  ;[one, other] = await Promise.all([cluster.start(), cluster.start()])
  await Promise.all([untilServing(one), untilServing(other)])
})

function tagOf(name: string) {
  return { name, color: '#1f77b4' }
}

async function createTag(node: ClusterNode, name: string, headers: Record<string, string> = {}) {
  return node.send('editor', 'POST', 'millcert-tags', { body: tagOf(name), headers })
}

async function tagsOf(node: ClusterNode, headers: Record<string, string> = {}) {
  const { status, body } = await node.send('viewer', 'GET', 'millcert-tags', { headers })
  expect(status).toBe(200)
  return body as { tagId: string; name: string; usageCount: number }[]
}

async function namesOf(node: ClusterNode, headers?: Record<string, string>) {
  return (await tagsOf(node, headers)).map(({ name }) => name)
}

function positionOf({ headers }: { headers: Headers }) {
  return headers.get('commit-position')!
}

async function historyOf(node: ClusterNode, tagId: string, position: string) {
  const headers = { 'min-position': position }
  const { body } = await node.send('viewer', 'GET', `millcert-tags/${tagId}/history`, { headers })
  return body as { changeType: string; changedByName: string; changes: { from: string; to: string }[] }[]
}

function byStatus(answers: { status: number }[]) {
  return answers.map(({ status }) => status).sort()
}

function both<Value>(act: (node: ClusterNode, index: number) => Promise<Value>) {
  return Promise.all([act(one, 0), act(other, 1)])
}

describe('a change', () => {
  it('is visible at once on its own node, and on the other with Min-Position', async () => {
    for (let round = 0; round < 10; round++) {
      const made = await createTag(one, `seen ${round}`)
      expect(made.status).toBe(201)
      const here = one.send('viewer', 'GET', `millcert-tags/${made.body.tagId}`)
      const there = namesOf(other, { 'min-position': positionOf(made) })
      expect((await here).body).toMatchObject(made.body)
      expect(await namesOf(one)).toContain(`seen ${round}`)
      expect(await there).toContain(`seen ${round}`)
    }
  })

  it('reaches the other node without a request', async () => {
    await createTag(one, 'heard of')
    await until(async () => (await namesOf(other)).includes('heard of'))
  })
})

describe('commands from both nodes at once', () => {
  it('on one record lose no update: If-Match lets one through', async () => {
    const made = await createTag(one, 'contended 0')
    const path = `millcert-tags/${made.body.tagId}`
    let etag = made.headers.get('etag')!
    let position = positionOf(made)
    for (let round = 1; round <= 10; round++) {
      const answers = await both((node, index) =>
        node.send('editor', 'PUT', path, {
          body: tagOf(`contended ${round}.${index}`),
          headers: { 'if-match': etag },
        }),
      )
      expect(byStatus(answers)).toEqual([200, 412])
      const winner = answers.find(({ status }) => status === 200)!
      expect(answers.find(({ status }) => status === 412)!.body.code).toBe('precondition-failed')
      expect(winner.headers.get('etag')).not.toBe(etag)
      etag = winner.headers.get('etag')!
      position = positionOf(winner)
    }
    const renames = (await historyOf(other, made.body.tagId, position)).slice(0, 10)
    expect(renames).toHaveLength(10)
    // Each update begins where the one before it ended.
    for (const [later, earlier] of renames
      .slice(0, -1)
      .map((rename, n) => [rename, renames[n + 1]!] as const))
      expect(later.changes[0]!.from).toBe(earlier.changes[0]!.to)
  })
})

describe('roles in processes of their own', () => {
  let http: ClusterNode
  let first: ClusterNode
  let second: ClusterNode
  let metricsPort: number

  beforeAll(async () => {
    await Promise.all([one.end(), other.end()])
    metricsPort = await freePort()
    ;[http, first] = await Promise.all([
      cluster.start({ PROCESS_ROLES: 'http' }),
      cluster.start({ PROCESS_ROLES: 'projector', METRICS_PORT: String(metricsPort) }),
    ])
    await untilServing(http)
  })

  it('serve in one process the rows that the other projects', async () => {
    expect(first.url).toBe('')
    const made = await createTag(http, 'split')
    expect(made.status).toBe(201)
    expect(made.headers.get('projection-status')).toBeNull()
    expect(await namesOf(http)).toContain('split')
    const { body } = await call('GET', `http://127.0.0.1:${metricsPort}/metrics`)
    expect(body).toMatch(/^heatmark_projector_leading 1$/m)
  })

  it('write nothing through a paused projector that resumes after another took over', async () => {
    const sql = new pg.Client({ connectionString: database.url })
    sql.on('error', () => {})
    await sql.connect()
    const holder = async () => {
      const { rows } = await sql.query(
        `SELECT owner, fencing::int FROM heatmark_local.lease WHERE name LIKE 'projector/%'`,
      )
      return rows[0] as { owner: string; fencing: number }
    }
    const before = await holder()
    const { rows } = await sql.query(
      `SELECT quote_ident(schemaname) AS schema FROM pg_tables WHERE tablename = 'checkpoint'`,
    )
    const waiting = async (): Promise<boolean> => {
      const found = await sql.query(
        `SELECT 1 FROM pg_stat_activity WHERE application_name = 'heatmark projector' AND wait_event_type = 'Lock'`,
      )
      return found.rowCount !== 0
    }
    const tag = (await tagsOf(http)).find(({ name }) => name === 'split')!
    const blocker = new pg.Client({ connectionString: database.url })
    await blocker.connect()
    await blocker.query(`BEGIN; LOCK TABLE ${rows[0].schema}.checkpoint IN EXCLUSIVE MODE`)
    // This is the middle of a batch: rows are written, checkpoints wait for the lock, nothing is committed. The server
    // has the whole batch, and would commit it without the projector.
    const renaming = http.send('editor', 'PUT', `millcert-tags/${tag.tagId}`, { body: tagOf('once') })
    await until(waiting)
    first.signal('SIGSTOP')
    const renamed = await renaming
    expect(renamed.status).toBe(200)
    expect(renamed.headers.get('projection-status')).toBe('pending')

    second = await cluster.start({ PROCESS_ROLES: 'projector' })
    await until(async () => (await holder()).fencing === before.fencing + 1)
    await blocker.end()
    const after = await createTag(http, 'shown by the second')
    await until(async () => (await namesOf(http)).includes('shown by the second'))
    first.signal('SIGCONT')
    // It finds its connection closed and another leader, so it becomes a follower.
    await until(() => /"msg":"projector: /.test(first.stdout()))
    const history = await historyOf(http, tag.tagId, positionOf(after))
    expect(history.map(({ changeType }) => changeType)).toEqual(['Updated', 'Created'])
    expect((await holder()).fencing).toBe(before.fencing + 1)
    await sql.end()
  })

  it('let a follower lead as soon as the leader ends in order', async () => {
    expect(await second.end()).toBe(0)
    const made = await createTag(http, 'shown by the first again')
    expect(made.headers.get('projection-status')).toBeNull()
  })
})
