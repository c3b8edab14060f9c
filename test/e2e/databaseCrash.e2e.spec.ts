import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findReadModels, openStores } from '../../src/cli/heatmark/stores.ts'
import { type RunningPostgres, startPostgres } from '../../src/embedded/postgres.ts'
import { clock } from '../../src/lib/clocks.ts'
import { verify } from '../../src/projections/engine/operations/verify.ts'
import { type Answer, call } from '../support/call.ts'
import { type Cluster, type ClusterNode, startCluster, untilServing } from '../support/cluster.ts'
import { newDataDir, removeDataDir } from '../support/dataDir.ts'
import { startNode, type TestNode } from '../support/node.ts'
import { isFullRun, sized } from '../support/size.ts'
import { until } from '../support/until.ts'

/**
 * PostgreSQL is killed under load, and loses the last commits of the projector, which do not wait for the disk. Nobody
 * who has seen them sees them taken back. The spec uses embedded stores, whatever EVENTSTORE_URL and DATABASE_URL name.
 */

const kills = sized(1, 10)

const dataDir = newDataDir()
let eventStore: TestNode
let postgres: RunningPostgres
let cluster: Cluster
/** All roles, and a node that hears of the projector's batches by notification. */
let nodes: ClusterNode[]

beforeAll(async () => {
  ;[eventStore, postgres] = await Promise.all([
    startNode({ dbFile: `${dataDir}/events.db` }),
    startPostgres({ dataDir }),
  ])
  cluster = await startCluster({ eventStoreUrl: eventStore.url, databaseUrl: postgres.url })
  const limits = { AUTH_FAILURE_LIMIT: '1000000', API_RATE_LIMIT: '1000000' }
  nodes = await Promise.all([cluster.start(limits), cluster.start({ ...limits, PROCESS_ROLES: 'http' })])
  await Promise.all(nodes.map(untilServing))
})

afterAll(async () => {
  await cluster?.stop()
  await eventStore?.stop()
  await postgres?.stop()
  removeDataDir(dataDir)
})

/** The answers that callers got. `faults` lists what contradicts them. */
const shown: string[] = []
/** The last name that each writer was told of as recorded. */
const lastNames = new Map<number, string>()
const refusedKeys: string[] = []
const faults: string[] = []
let going = true

function list(node: ClusterNode, headers: Record<string, string> = {}): Promise<Answer> {
  return node.send('viewer', 'GET', 'millcert-tags', { headers })
}

/** Whether the answer is a success. Any other answer must say that a store is away. */
function succeeds({ status, body }: Answer, expected: readonly number[]): boolean {
  if (expected.includes(status)) return true
  if (status !== 503) faults.push(`${status} ${JSON.stringify(body)}`)
  return false
}

/**
 * Rename a tag through one node; a read of it on any node shows the name that an answer has shown. A company cannot
 * have a tag for each name.
 */
async function write(worker: number): Promise<void> {
  const node = nodes[worker % nodes.length]!
  let tagId: string | undefined
  for (let n = 0; going; n++) {
    const body = { name: `tag ${worker}.${n}`, color: '#1f77b4' }
    const headers = { 'idempotency-key': randomUUID() }
    const sent =
      tagId === undefined
        ? await node.send('editor', 'POST', 'millcert-tags', { body, headers })
        : await node.send('editor', 'PUT', `millcert-tags/${tagId}`, { body, headers })
    if (!succeeds(sent, [200, 201])) continue
    tagId = sent.body.tagId as string
    lastNames.set(worker, body.name)
    if (sent.headers.has('projection-status')) continue
    shown.push(body.name)
    const minPosition = sent.headers.get('commit-position')!
    const read = await list(nodes[(worker + n) % nodes.length]!, { 'min-position': minPosition })
    if (!succeeds(read, [200])) continue
    const names = read.body.map(({ name }: { name: string }) => name)
    if (!names.includes(body.name)) faults.push(`${body.name} is not in the list`)
  }
}

/** Read from a node again and again: its position never goes back. */
async function read(node: ClusterNode): Promise<void> {
  let last = 0
  while (going) {
    const answer = await list(node)
    if (!succeeds(answer, [200])) continue
    const position = Number(answer.headers.get('read-position'))
    if (position < last) faults.push(`position ${position} was read after ${last}`)
    last = position
  }
}

/** Delete keys, and use them afterwards. */
async function revoke(): Promise<void> {
  const token = await cluster.freshToken('viewer')
  const path = `/api/company/${cluster.companyId}/millcert-tags`
  while (going) {
    const made = await call('POST', `${nodes[0]!.url}/api/me/keys`, { token, body: { label: 'press' } })
    if (!succeeds(made, [201])) continue
    const { key, keyId } = made.body
    const deleted = await call('DELETE', `${nodes[0]!.url}/api/me/keys/${keyId}`, { token })
    if (!succeeds(deleted, [204, 404]) || deleted.status === 404) continue
    refusedKeys.push(key)
    for (const node of nodes)
      for (const refused of refusedKeys.slice(-5)) {
        const { status } = await call('GET', node.url + path, { headers: { 'service-api-key': refused } })
        if (![401, 503].includes(status)) faults.push(`a deleted key was answered ${status}`)
      }
  }
}

it(
  `takes nothing back that anybody has seen, in crash after crash: ${kills}`,
  async () => {
    const load = [write(0), write(1), write(2), ...nodes.map(read), revoke()]
    for (let killed = 0; killed < kills; killed++) {
      const [tags, keys] = [shown.length, refusedKeys.length]
      await until(() => {
        // If the wait runs out of time, its error shows the faults.
        expect(faults).toEqual([])
        return shown.length > tags + 20 + Math.random() * 30 && refusedKeys.length > keys
      })
      process.kill(postgres.pid, 'SIGKILL')
      postgres = await startPostgres({ dataDir, port: postgres.port })
    }
    const tags = shown.length
    await until(() => shown.length > tags + 20)
    going = false
    await Promise.all(load)
    expect(faults).toEqual([])

    const stores = openStores({ eventStoreUrl: eventStore.url, databaseUrl: postgres.url })
    const readModels = await findReadModels(stores)
    const verified = await verify({ ...stores, readModels, clock })
    await stores.close()
    expect(verified).toMatchObject({ differences: [], stopped: [] })
    const names = (await list(nodes[0]!)).body.map(({ name }: { name: string }) => name)
    expect(names).toEqual(expect.arrayContaining([...lastNames.values()]))
  },
  isFullRun ? 900_000 : undefined,
)
