import { randomUUID } from 'node:crypto'
import { Agent, get } from 'node:http'
import { setImmediate as turn } from 'node:timers/promises'
import { Registry } from 'prom-client'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Role } from '../../../../src/domain/company/companyEvents.ts'
import { routes } from '../../../../src/http/routes.ts'
import type { Changes } from '../../../../src/projections/engine/reading/knownStates.ts'
import { type HttpService, readerOf, startHttp } from '../../../support/http.ts'
import { startIdentityProvider } from '../../../support/identity.ts'
import { own } from '../../../support/own.ts'
import { until } from '../../../support/until.ts'

/** A request for a list that comes again gets the answer of the usual way, or takes the usual way. */

const companyId = randomUUID()
const tags = `/api/company/${companyId}/millcert-tags`
const listed = routes.find(({ operationId }) => operationId === 'listMillCertTags')!
const identity = await own(startIdentityProvider())
const token = await identity.token({ oid: 'ada' })
const agent = new Agent({ keepAlive: true })

let service: HttpService
let metrics: Registry
/** The number of requests that took the usual way. */
let usual: number
/** The callers of the answers whose unread bytes were counted. */
let unread: string[]
let node: {
  now: number
  heardAt: number
  roles: readonly Role[]
  position: number
  name: string
  late: number
}
let tell: (changes: Changes) => void

beforeEach(async () => {
  metrics = new Registry()
  usual = 0
  unread = []
  node = { now: 0, heardAt: 0, roles: ['Viewer'], position: 7, name: 'Hold', late: 0 }
  const listeners: ((changes: Changes) => void)[] = []
  tell = (changes) => {
    for (const listener of listeners) listener(changes)
  }
  const rows = () =>
    [1, 2].map((n) => ({ sortKey: [node.name, randomUUID()], name: node.name.repeat(900), n }))
  service = await startHttp({
    identity,
    metrics,
    trustProxy: ['127.0.0.1'],
    corsOrigins: ['https://a.example'],
    apiRateLimit: 5,
    unread: { note: (_, caller) => unread.push(caller), bytes: () => 0 },
    routes: [
      {
        ...listed,
        answer(...of) {
          usual += 1
          return listed.answer(...of)
        },
      },
    ],
    members: () => node.roles,
    clock: () => node.now,
    now: () => new Date(Date.now() + node.late),
    positions: {
      waitFor: async () => true,
      positionOf: () => node.position,
      onChange: (listener) => {
        listeners.push(listener)
        return () => {}
      },
      get lastHeardAt() {
        return node.heardAt
      },
    },
    reader: readerOf({
      stream: () => expect.fail(),
      read: async (_, look) => ({
        position: node.position,
        value: await look({
          position: node.position,
          storeId: '',
          table: (_, table) => table,
          requireRunning: () => {},
          lack: async () => undefined,
          query: async <Row>({ text }: { text: string }) =>
            (text.includes('count(*)') ? [{ count: 2 }] : rows()) as Row[],
          portions: () => expect.fail(),
        }),
      }),
    }),
  })
})
afterEach(() => service.close())

interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** In the order and spelling of the connection. */
  readonly rawHeaders: string[]
  readonly body: string
}

async function ask(headers: Record<string, string> = {}, path = tags): Promise<Answer> {
  const usually = { authorization: `Bearer ${token}`, 'x-forwarded-proto': 'https' }
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  const request = get(
    `${service.url}${path}`,
    { agent, headers: { ...usually, ...headers } },
    async (res) => {
      const body = Buffer.concat(await res.toArray()).toString('base64')
      const { statusCode: status, headers, rawHeaders } = res
      resolve({ status: status!, headers: headers as Answer['headers'], rawHeaders, body })
    },
  )
  request.on('error', reject)
  const answer = await promise
  // The service keeps its answer as it ends it.
  await turn()
  return answer
}

/** All of an answer but the headers that are new in each. */
function lasting({ status, rawHeaders, body }: Answer) {
  const pairs = rawHeaders.flatMap((name, at) => (at % 2 === 0 ? [`${name}: ${rawHeaders[at + 1]}`] : []))
  return { status, body, headers: pairs.filter((pair) => !/^(?:Date|RateLimit):/.test(pair)).sort() }
}

describe('the same request again', () => {
  it.each<[string, Record<string, string>, string]>([
    ['the whole list', {}, ''],
    ['compressed bytes', { 'accept-encoding': 'gzip' }, ''],
    ['a page with its link and count', { 'accept-encoding': 'br' }, '?limit=1&count=true'],
    ['an answer to a page of another origin', { origin: 'https://a.example' }, ''],
    ['304', { 'if-none-match': '*' }, ''],
  ])('gets %s as before, and does not take the usual way', async (_, headers, query) => {
    const first = await ask(headers, tags + query)
    expect(lasting(await ask(headers, tags + query))).toEqual(lasting(first))
    expect(usual).toBe(1)
  })

  it('is counted, logged and measured like any other', async () => {
    const remaining: unknown[] = []
    for (const _ of Array(5)) remaining.push((await ask()).headers.ratelimit)
    expect(remaining).toEqual([4, 3, 2, 1, 0].map((left) => `"requests";r=${left};t=60`))
    expect(usual).toBe(1)
    expect(unread).toEqual(Array(5).fill('ada'))
    expect((await ask()).status).toBe(429)
    await until(() => service.logged.length === 6)
    const lines = service.logged.map(({ req, res }) => ({ req, res })) as {
      req: { traceId: string; path: string }
      res: object
    }[]
    expect(new Set(lines.map(({ req }) => req.traceId)).size).toBe(6)
    for (const { req, res } of lines.slice(0, 5)) {
      expect(req).toEqual({ ...lines[0]!.req, traceId: req.traceId })
      expect(res).toEqual({ status: 200, caller: 'ada' })
    }
    expect(await metrics.metrics()).toContain(
      `heatmark_http_requests_total{method="GET",route="${listed.path}",status="200"} 5`,
    )
  })

  it('tells the position that this node has heard of since', async () => {
    await ask()
    node.position = 9
    expect((await ask()).headers['read-position']).toBe('9')
    expect(usual).toBe(1)
  })

  it('gets the new list once this node has heard of a change, and that one again', async () => {
    const old = await ask()
    node.name = 'Stop'
    tell([{ companyId, projection: 'tags' }])
    const fresh = await ask({ 'x-other': 'the new list is in memory now' })
    expect(fresh.body).not.toBe(old.body)
    for (const _ of [1, 2]) expect((await ask()).body).toBe(fresh.body)
    expect(usual).toBe(3)
  })
})

describe('the usual way is taken', () => {
  it.each<[string, string, Record<string, string>]>([
    ['a short list, which is compressed for each answer', '', { 'accept-encoding': 'gzip, identity;q=0' }],
    ['a request with a long value, which may be a secret', 'Hold', { 'x-long': 'x'.repeat(257) }],
  ])('each time for %s', async (_, name, headers) => {
    node.name = name
    expect(lasting(await ask(headers))).toEqual(lasting(await ask(headers)))
    expect(usual).toBe(2)
  })

  it.each<[string, number, () => unknown, Record<string, string>]>([
    ['after a second', 200, () => (node.now = node.heardAt = 1_001), {}],
    ['when this node has heard nothing for a second', 200, () => (node.heardAt = -1_001), {}],
    ['by a member who has lost the role', 403, () => (node.roles = []), {}],
    ['with a token that has expired', 401, () => (node.late = 86_400_000), {}],
    ['with another token, which is not known yet', 401, () => {}, { authorization: 'Bearer a.b.c' }],
    ['with an API key beside the token', 401, () => {}, { 'service-api-key': 'hmk_x' }],
    ['without TLS', 403, () => {}, { 'x-forwarded-proto': 'http' }],
    ['for another media type', 200, () => {}, { accept: 'text/csv' }],
    ['for another language', 200, () => {}, { 'accept-language': 'de' }],
    ['with a header that it did not have before', 200, () => {}, { 'x-new': '' }],
  ])('%s', async (_, status, change, headers) => {
    await ask()
    change()
    expect((await ask(headers)).status).toBe(status)
    // A refused request does not reach its route.
    expect(usual).toBe(status === 200 ? 2 : 1)
  })
})
