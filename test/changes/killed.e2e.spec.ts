import { randomInt, randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { CloudEvent } from '../../src/changes/cloudEvents.ts'
import { type Cluster, type ClusterNode, startCluster, untilServing } from '../support/cluster.ts'
import { createDatabase, type TestDatabase } from '../support/postgres.ts'
import { sized } from '../support/size.ts'
import { givenOrNewStore } from '../support/store.ts'
import { until } from '../support/until.ts'
import { type Receiver, startReceiver } from '../webhooks/receiver.ts'

/** Two mirrors, one that follows the feed and one that webhooks reach, while processes are killed. */

const [changes, kills] = sized([300, 3], [10_000, 10])
const tagCount = 20

const eventStore = await givenOrNewStore()
let database: TestDatabase
let cluster: Cluster
let receiver: Receiver
let http: ClusterNode
let background: ClusterNode
beforeAll(async () => {
  database = await createDatabase()
  cluster = await startCluster({ eventStoreUrl: eventStore.url, databaseUrl: database.url })
  receiver = await startReceiver()
  ;[http, background] = await Promise.all([startHttp(), startBackground()])
  await untilServing(http)
})
afterAll(async () => {
  receiver?.stop()
  await cluster?.stop()
  await eventStore.stop()
  await database?.drop()
})

const startHttp = () => cluster.start({ PROCESS_ROLES: 'http' })
const startBackground = () =>
  cluster.start({ PROCESS_ROLES: 'projector,policies', WEBHOOK_NETWORKS: '127.0.0.0/8' })

/** Send a command until it is answered, as a client does: with the same Idempotency-Key. */
async function record(method: string, path: string, body: object) {
  const headers = { 'idempotency-key': randomUUID() }
  for (;;) {
    const answer = await http.send('admin', method, path, { body, headers }).catch(() => undefined)
    if (answer && answer.status < 300) return answer.body
    if (answer && answer.status < 500)
      throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
    await pause(50)
  }
}

/** Follow the feed until `done`, and forget every fifth answer, as a client that is killed before it has kept it. */
async function mirror(from: number, done: () => boolean): Promise<CloudEvent[]> {
  const seen = new Map<string, CloudEvent>()
  for (let after = from; ; ) {
    const isLast = done()
    const path = `changes?types=heatmark.tag&after=${after}`
    const answer = await http
      .send('viewer', 'GET', path, { headers: { prefer: 'wait=1' } })
      .catch(() => undefined)
    if (answer?.status !== 200) await pause(50)
    else if (isLast || randomInt(5) > 0) {
      for (const change of answer.body as CloudEvent[]) {
        seen.delete(change.id)
        seen.set(change.id, change)
      }
      const next = /after=(\d+)/.exec(answer.headers.get('link')!)![1]!
      if (isLast && answer.body.length === 0) return [...seen.values()]
      after = Number(next)
    }
  }
}

const newest = (events: readonly CloudEvent[]) =>
  new Map(events.map(({ subject, data }) => [subject.replace('tag/', ''), data]))

it(`keeps both mirrors equal to the list after ${changes} changes, ${kills} kills of each process and a rebuild`, {
  timeout: sized(300_000, 1_800_000),
}, async () => {
  const { webhookId } = await record('POST', 'webhooks', { url: receiver.url, types: ['heatmark.tag'] })
  await until(async () => (await http.send('admin', 'GET', `webhooks/${webhookId}`)).body.state === 'active')
  const begin = Number(receiver.received[0]!.events[0]!.position)
  const tag = (name: string) => ({ name, color: '#1f77b4' })
  const tagIds: string[] = []
  for (let n = 0; n < tagCount; n += 1)
    tagIds.push((await record('POST', 'millcert-tags', tag(`Tag ${n}`))).tagId)
  let written = 0
  let isWritten = false
  const mirroring = mirror(begin, () => isWritten)
  const write = async (lane: number) => {
    for (let n = 0; n < changes / 4; n += 1) {
      const tagId = tagIds[lane + 4 * (n % (tagCount / 4))]!
      await record('PUT', `millcert-tags/${tagId}`, tag(`Tag ${lane} ${n}`))
      written += 1
    }
  }
  const writing = Promise.all([0, 1, 2, 3].map(write))
  for (let kill = 1; kill <= kills; kill += 1) {
    await until(() => written >= (changes * kill) / (kills + 1), 300_000)
    await background.end('SIGKILL')
    background = await startBackground()
    await http.end('SIGKILL')
    http = await startHttp()
    if (kill === 1)
      expect((await http.send('operator', 'POST', '/api/ops/projections/tags/rebuild')).status).toBe(202)
  }
  await writing
  isWritten = true
  const followed = await mirroring
  expect(new Set(followed.map(({ id }) => id)).size).toBe(changes + tagCount)
  await until(() => new Set(receiver.accepted().map(({ id }) => id)).size === changes + tagCount)
  const inOrder = [...new Set(receiver.accepted().map(({ id }) => id))]
  expect(inOrder).toEqual(
    followed.toSorted((a, b) => Number(a.position) - Number(b.position)).map(({ id }) => id),
  )
  const { body } = await http.send('viewer', 'GET', 'millcert-tags')

  const listed = new Map(body.map((one: { tagId: string; name: string }) => [one.tagId, one.name]))
  for (const events of [followed, receiver.accepted()])
    expect(new Map([...newest(events)].map(([id, data]) => [id, data?.name]))).toEqual(listed)
})
