import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ClientName } from '../../src/embedded/identities.ts'
import { type Answer, call, type Sent } from '../support/call.ts'
import { newDataDir, removeDataDir } from '../support/dataDir.ts'
import { operationsOf } from '../support/operations.ts'
import { own } from '../support/own.ts'
import { startEmbedded, tokenOf } from '../support/serviceProcess.ts'

/** Every path of the service with embedded stores, and what it writes to its log. */

const dataDir = newDataDir()
afterAll(() => removeDataDir(dataDir))

const service = await own(startEmbedded(dataDir))

async function send(client: ClientName, method: string, path: string, sent: Sent = {}): Promise<Answer> {
  return call(method, `${service.url}/api/company/${service.dev.companyId}/${path}`, {
    token: await tokenOf(service.dev, client),
    ...sent,
  })
}

const expectProblem = ({ body, status, headers }: Answer, code: unknown = expect.any(String)) => {
  expect(headers.get('content-type')).toBe('application/problem+json')
  expect(body).toMatchObject({
    type: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/problems\/[a-z-]+$/),
    title: expect.any(String),
    status,
    detail: expect.any(String),
    instance: expect.stringMatching(/^\//),
    code,
    traceId: expect.stringMatching(/^[0-9a-f]{32}$/),
  })
}

describe('every path in the OpenAPI document', () => {
  let paths: [string, Record<string, { security?: object[] }>][]
  beforeAll(async () => {
    paths = Object.entries(operationsOf((await call('GET', `${service.url}/openapi.json`)).body))
  })
  const methods = ['get', 'put', 'post', 'delete', 'patch']
  /** The parameters that some operations need. */
  const queries: Readonly<Record<string, string>> = {
    recalls: '?heatNumber=H-1',
    consistency: '?from=1&to=1',
  }
  const urlOf = (path: string, prefix: 'with' | 'without' = 'with') => {
    const filled = path
      .replace('{companyId}', service.dev.companyId)
      .replace(/\{\w+\}/g, '00000000-0000-4000-8000-000000000000')
    const asked = filled + (queries[path.split('/').at(-1)!] ?? '')
    return service.url + (prefix === 'with' ? asked : asked.replace(/^\/api/, ''))
  }
  const isOpen = ({ security }: { security?: object[] } = {}) => security?.length === 0

  it('answers 405 with Allow to any other method', async () => {
    expect(paths.length).toBeGreaterThan(20)
    for (const [path, operations] of paths) {
      const known = Object.keys(operations)
      const allowed = [...known, ...(known.includes('get') ? ['head'] : [])].map((name) => name.toUpperCase())
      for (const method of methods.filter((name) => !known.includes(name))) {
        const answer = await call(method.toUpperCase(), urlOf(path))
        expect(answer.status, `${method} ${path}`).toBe(405)
        expect(answer.headers.get('allow')!.split(', ').sort()).toEqual(allowed.sort())
        expectProblem(answer, 'method-not-allowed')
      }
    }
  })

  it('needs credentials, with and without its prefix', async () => {
    for (const [path, operations] of paths)
      for (const [method, operation] of Object.entries(operations)) {
        if (isOpen(operation)) continue
        for (const prefix of ['with', 'without'] as const) {
          const answer = await call(method.toUpperCase(), urlOf(path, prefix))
          expect(answer.status, `${method} ${path}`).toBe(401)
          expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer /)
          expectProblem(answer, 'credentials-missing')
        }
      }
  })

  it('answers HEAD as GET, with and without its prefix, and every error as a problem', async () => {
    const token = await tokenOf(service.dev, 'admin')
    for (const [path, operations] of paths) {
      if (!operations.get) continue
      const got = await call('GET', urlOf(path), { token })
      // A browser comes to the portal: without the parameters of a login it gets a page that says so.
      const isPage = path.startsWith('/portal')
      // Some have to be told what is wanted.
      const isAnswer = path.endsWith('/labels') ? [400] : [200, 403, 404]
      expect(isPage ? [400, 404, 503] : isAnswer, `GET ${path}`).toContain(got.status)
      if (got.status !== 200 && !isPage) expectProblem(got)
      for (const prefix of ['with', 'without'] as const) {
        const head = await call('HEAD', urlOf(path, prefix), { token })
        expect(head.status, `HEAD ${path}`).toBe(got.status)
        expect(head.headers.get('content-type')).toBe(got.headers.get('content-type'))
        expect(head.body).toBeUndefined()
      }
    }
  })
})

describe('the log', () => {
  it('has a line for each request, and neither secrets nor request bodies', async () => {
    const traceId = '0af7651916cd43dd8448eb211c80319c'
    const headers = { traceparent: `00-${traceId}-b7ad6b7169203331-01` }
    await send('editor', 'POST', 'order-tags', { body: { name: 'Zebra', colour: 'x' }, headers })
    await send('editor', 'GET', 'order-tags?limit=1&cursor=secret-in-a-query')
    await call('GET', `${service.url}/api/company/${service.dev.companyId}/orders`, {
      headers: { authorization: 'Bearer not.a.token', 'service-api-key': 'hmk_not-a-key' },
    })
    const log = readFileSync(join(dataDir, 'heatmark.log'), 'utf8')
    const lines = log.trimEnd().split('\n')
    expect(lines.every((line) => typeof JSON.parse(line) === 'object')).toBe(true)
    expect(lines.filter((line) => line.includes(traceId))).toHaveLength(1)

    const { clients, databaseUrl } = service.dev
    const secrets = Object.values(clients).map(({ clientSecret }) => clientSecret)
    const tokens = await Promise.all(
      (['editor', 'admin', 'viewer'] as const).map((name) => tokenOf(service.dev, name)),
    )
    const written = `${log}${service.stdout()}${service.stderr()}`
    for (const secret of [...secrets, ...tokens, new URL(databaseUrl).password])
      expect(written).not.toContain(secret)
    for (const word of ['eyJ', 'not.a.token', 'hmk_', 'Zebra', 'secret-in-a-query'])
      expect(log).not.toContain(word)
  })
})
