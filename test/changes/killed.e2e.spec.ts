import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { apply, type Copy } from '../../examples/mirror/mirror.ts'
import { createClient } from '../../packages/client/src/index.ts'
import type { CloudEvent } from '../../src/changes/cloudEvents.ts'
import { type ClusterNode, startCluster, untilServing } from '../support/cluster.ts'
import { newDataDir } from '../support/dataDir.ts'
import { own } from '../support/own.ts'
import { createDatabase } from '../support/postgres.ts'
import { type ServiceProcess, startProcess } from '../support/serviceProcess.ts'
import { sized } from '../support/size.ts'
import { givenOrNewStore } from '../support/store.ts'
import { until } from '../support/until.ts'
import { startReceiver } from '../webhooks/receiver.ts'

/** Two mirrors of certificates and bars, one by the feed and one by webhooks, while processes are killed. */

const [changes, kills] = sized([300, 3], [10_000, 10])
const lanes = 4
const certificatesOfLane = 5
const types = ['heatmark.bar', 'heatmark.certificate', 'heatmark.tag']

const eventStore = await own(givenOrNewStore())
const file = join(newDataDir(), 'mirror.json')
const database = await own(createDatabase())
const cluster = await own(startCluster({ eventStoreUrl: eventStore.url, databaseUrl: database.url }))
const receiver = await own(startReceiver())
let http: ClusterNode
let background: ClusterNode
let following: ServiceProcess
let key: string
beforeAll(async () => {
  ;[http, background] = await Promise.all([startHttp(), startBackground()])
  await untilServing(http)
  key = (await record('POST', '/api/me/keys', { label: 'Mirror' })).key
  following = startMirror()
})
afterAll(() => following?.end('SIGKILL'))

const networks = { WEBHOOK_NETWORKS: '127.0.0.0/8' }
const startHttp = () => cluster.start({ PROCESS_ROLES: 'http', ...networks })
const startBackground = () => cluster.start({ PROCESS_ROLES: 'projector,policies', ...networks })
const startMirror = () =>
  startProcess('node', ['examples/mirror/mirror.ts', file], {
    HEATMARK_URL: http.url,
    HEATMARK_COMPANY_ID: cluster.companyId,
    HEATMARK_KEY: key,
  })

/** Send a command until it is answered, as a client does: with the same Idempotency-Key. */
async function record(method: string, path: string, body?: object) {
  const headers = { 'idempotency-key': randomUUID() }
  for (;;) {
    const answer = await http.send('admin', method, path, { body, headers }).catch(() => undefined)
    if (answer && answer.status < 300) return answer.body
    if (answer && answer.status < 500)
      throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
    await pause(50)
  }
}

async function readAll<One>(path: string): Promise<One[]> {
  const found: One[] = []
  for (let next: string | undefined = path; next; ) {
    const { body, headers } = await http.send('admin', 'GET', next)
    found.push(...body)
    next = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1]
    if (body.length === 0) return found
  }
  return found
}

async function plan(certificateIds: readonly string[]): Promise<string[]> {
  const { orderId, lineItems } = await record('POST', 'orders', {
    orderNumber: 'SO 1',
    lineItems: [{ lineNumber: 1, lengthMm: 1_000, quantity: 1_000 }],
  })
  const cut = { orderId, lineItemId: lineItems[0].lineItemId, lengthMm: 1_000, status: 'Accepted' }
  const bar = { stockLengthMm: 6_000, grade: 'S355J2', cuts: [cut] }
  const bars = certificateIds.map((millCertificationId) => ({ ...bar, millCertificationId }))
  const planned = await record('POST', 'production-plans', { name: 'Plan', bars })
  return planned.bars.map(({ barId }: { barId: string }) => barId)
}

/** Change certificates, bars and a tag that nobody else changes. */
async function write(lane: number, onWritten: () => void): Promise<void> {
  const tag = (name: string) => ({ name: `${lane} ${name}`, color: '#1f77b4' })
  const { tagId } = await record('POST', 'millcert-tags', tag('new'))
  const certificateIds: string[] = []
  for (let n = 0; n < certificatesOfLane; n += 1) {
    const content = { certificateNumber: `C ${lane} ${n}`, heatNumber: `H ${lane} ${n}` }
    const made = { ...content, grade: 'S355J2', inspectionDocument: '3.1' }
    certificateIds.push((await record('POST', 'millcert/certificates', made)).millCertificationId)
  }
  const barIds = await plan(certificateIds)
  let isAssigned = false
  for (let n = 0; n < changes / lanes; n += 1) {
    const round = Math.floor(n / 10)
    const certificateId = certificateIds[n % certificatesOfLane]!
    const bar = `production-plan-bars/${barIds[round % barIds.length]}`
    const assignment = `millcert-tag-assignments/${certificateId}/manual/${tagId}`
    const step = n % 10
    if (n % 50 === 49) await record('PUT', `millcert-tags/${tagId}`, tag(String(n)))
    else if (step === 2 || step === 6) await record('POST', `${bar}/approve`)
    else if (step === 4 || step === 8) await record('POST', `${bar}/revert`, { to: 'Draft', reason: 'Again' })
    else if (step === 9) {
      await record(isAssigned ? 'DELETE' : 'PUT', assignment)
      isAssigned = !isAssigned
    } else await record('PATCH', `millcert/certificates/${certificateId}`, { manufacturer: `Mill ${n}` })
    onWritten()
  }
}

it(`keeps both mirrors equal to the lists after ${changes} changes, ${kills} kills of each process and two rebuilds`, {
  timeout: sized(300_000, 3_600_000),
}, async () => {
  const { webhookId } = await record('POST', 'webhooks', { url: receiver.url, types })
  await until(async () => (await http.send('admin', 'GET', `webhooks/${webhookId}`)).body.state === 'active')
  const begin = receiver.received[0]!.events[0]!.position
  let written = 0
  const writing = Promise.all(
    Array.from({ length: lanes }, (_, lane) =>
      write(lane, () => {
        written += 1
      }),
    ),
  )
  for (let kill = 1; kill <= kills; kill += 1) {
    await until(() => written >= (changes * kill) / (kills + 1), 600_000)
    await background.end('SIGKILL')
    background = await startBackground()
    await Promise.all([http.end('SIGKILL'), following.end('SIGKILL')])
    http = await startHttp()
    following = startMirror()
    const rebuilt = ['certificates', 'production'][kill - 1]
    if (rebuilt !== undefined)
      expect((await http.send('operator', 'POST', `/api/ops/projections/${rebuilt}/rebuild`)).status).toBe(
        202,
      )
  }
  await writing
  const feed = await readAll<CloudEvent>(`changes?types=${types}&after=${begin}&limit=1000`)
  const idsOf = (events: readonly CloudEvent[]) => [...new Set(events.map(({ id }) => id))]
  await until(() => idsOf(receiver.accepted()).length >= feed.length, 300_000)
  expect(idsOf(receiver.accepted())).toEqual(idsOf(feed))
  expect(feed.length).toBeGreaterThanOrEqual(changes)

  const client = createClient({ baseUrl: http.url, companyId: cluster.companyId, key })
  const hooked: Copy = { certificate: {}, bar: {} }
  await apply(client, hooked, receiver.accepted())
  const byId = (id: string, records: Record<string, string>[]) =>
    Object.fromEntries(records.map((one) => [one[id], one]))
  const listed = {
    certificate: byId('millCertificationId', await readAll('millcert/certificates')),
    bar: byId('barId', await readAll('production-plan-bars')),
  }
  expect(hooked).toEqual(listed)
  await until(() => BigInt(JSON.parse(readFileSync(file, 'utf8')).after) >= BigInt(feed.at(-1)!.position))
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ ...listed, after: expect.anything() })
})
