import { once } from 'node:events'
import { request } from 'node:http'
import { connect } from 'node:net'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { Command, CommandContext, Executor, Outcome } from '../../../../src/commands/executor/command.ts'
import { conflict, invalid, notFound, Refusal } from '../../../../src/domain/kernel/refusal.ts'
import { Problem, unavailable } from '../../../../src/http/kit/problem.ts'
import { commandRoute } from '../../../../src/http/kit/routing/commandRoute.ts'
import { createReadModels } from '../../../../src/projections/engine/schema/readModels.ts'
import { StoreUnavailable } from '../../../../src/stores/eventStore.ts'
import { PostgresUnavailable } from '../../../../src/stores/postgres/postgres.ts'
import { startHttp } from '../../../support/http.ts'
import { startIdentityProvider } from '../../../support/identity.ts'
import { own } from '../../../support/own.ts'
import { until } from '../../../support/until.ts'

/** The rules that every route follows, shown on routes made for this purpose. */

const company = '3f2b8c1e-5a47-4c0d-9b6e-1d2f3a4b5c6d'
const otherCompany = '0c7e4c7a-27d3-4a47-8d3b-1f4f4d2f9a11'
const thing = '7a1d2c3b-4e5f-4a6b-8c7d-9e0f1a2b3c4d'

interface Thing {
  readonly name: string
  readonly thingId: string
}
const thingBody = z.strictObject({
  name: z.string().min(1).max(10),
  size: z.number().max(5).nullish(),
  parts: z.array(z.strictObject({ label: z.string() })).optional(),
})
const aggregate = { name: 'thing', streamName: (id: string) => `thing-${id}`, initial: undefined }
const creating = (name: string): Command<Thing> => ({
  aggregate: { ...aggregate, evolve: () => undefined, events: { ThingMade: {} } },
  id: name,
  decide: () => [],
  answer: () => ({ body: { name, thingId: thing }, etag: 7 }),
})

/** If set, the read for the answer of a recorded command fails with this error. */
let unreadable: Error | undefined

const declared = { tag: 'Service', summary: 'For specs', access: { company: 'edit' } } as const
const routes = [
  commandRoute({
    ...declared,
    method: 'post',
    path: '/api/company/{companyId}/things',
    operationId: 'createThing',
    body: thingBody,
    command: ({ body }) => creating(body.name),
    record: z.object({ name: z.string(), thingId: z.string() }),
    location: ({ thingId }) => `/api/company/${company}/things/${thingId}`,
    problems: ['tag-name-taken'],
  }),
  commandRoute({
    ...declared,
    method: 'delete',
    path: '/api/company/{companyId}/things/{thingId}',
    operationId: 'deleteThing',
    conditional: true,
    command: ({ params }) => creating(params.thingId),
    problems: ['tag-not-found'],
  }),
  commandRoute({
    ...declared,
    method: 'post',
    path: '/api/company/{companyId}/things/all',
    operationId: 'countThings',
    command: () => creating('all'),
  }),
  commandRoute({
    ...declared,
    method: 'post',
    path: '/api/company/{companyId}/things/shown',
    operationId: 'showThing',
    command: () => creating('shown'),
    record: z.object({ name: z.string(), thingId: z.string() }),
    present: async (made: Thing, reader) => {
      if (reader && unreadable) throw unreadable
      return made
    },
  }),
]

/** Decides the outcome of the next command. */
let meets: (context: CommandContext) => Partial<Outcome<Thing>> = () => ({})
let shown = true
let ready = true
let getsOn = true
let looked: { position: number; names: string[]; timeoutMs: number }[] = []
const contexts: CommandContext[] = []

const identity = await own(startIdentityProvider())
const service = await own(
  startHttp({
    identity,
    routes,
    tokenUrl: () => 'https://login.example/token',
    members: (userId, companyId) => (userId === 'editor' && companyId === company ? ['Editor'] : []),
    readModels: createReadModels('things', [
      { name: 'things', version: 1, tables: {}, handlers: { ThingMade: {} as never } },
      { name: 'others', version: 1, tables: {}, handlers: { OtherMade: {} as never } },
    ]),
    positions: {
      waitFor: async (projections, position, timeoutMs) => {
        looked.push({ position, names: projections.map(({ name }) => name), timeoutMs })
        return shown
      },
      positionOf: () => 0,
      onChange: () => () => {},
      lastHeardAt: 0,
    },
    health: async () => [
      { name: 'the store', ready },
      { name: 'something else', ready: true },
      { name: 'a policy', ready: getsOn, background: true },
    ],
    executor: {
      check: async () => {
        throw new Error('no workflow here')
      },
      execute: async (useCase, context) => {
        contexts.push(context)
        const changed = meets(context)
        return {
          position: 42,
          recorded: ['ThingMade'],
          replayed: false,
          ...useCase.answer?.(undefined, [], undefined),
          ...changed,
        } as never
      },
    } satisfies Executor,
  }),
)
const editor = await identity.token({ oid: 'editor', name: 'Edith' })

interface Sent {
  method?: string
  body?: string | Buffer
  headers?: Record<string, string>
  token?: string
}
const send = (path: string, { method = 'POST', body, headers = {}, token = editor }: Sent = {}) =>
  fetch(`${service.url}${path}`, {
    method,
    body: body ?? null,
    headers: {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
  })
const things = `/api/company/${company}/things`
const problemFrom = async (response: Response) => {
  expect(response.headers.get('content-type')).toBe('application/problem+json')
  const problem = (await response.json()) as Record<string, unknown> & {
    errors: { path: string; message: string }[]
  }
  expect(problem).toMatchObject({
    type: `${service.url}/problems/${problem.code}`,
    title: expect.any(String),
    status: response.status,
    detail: expect.any(String),
    instance: new URL(response.url).pathname,
    traceId: expect.stringMatching(/^[0-9a-f]{32}$/),
  })
  return problem
}
const codeOf = async (response: Response) => `${response.status} ${(await problemFrom(response)).code}`
const pathsOf = async (response: Response) =>
  (await problemFrom(response)).errors.map(({ path }) => path).sort()

describe('paths and methods', () => {
  it.each(['http://elsewhere', 'HTTPS://elsewhere:8443'])(
    'are the same with %s before them',
    async (host) => {
      const statusOf = async (path: string) => {
        const [response] = await once(request(service.url, { path }).end(), 'response')
        return response.resume().statusCode
      }
      expect(await statusOf(`${host}/api/health/live`)).toBe(200)
      expect(await statusOf(`${host}/health/live?`)).toBe(200)
      expect(await statusOf(`${host}/nothing`)).toBe(404)
      expect(await statusOf(host)).toBe(404)
    },
  )

  it('prefer the literal path to the one with a parameter', async () => {
    expect((await send(`${things}/all`)).status).toBe(204)
    expect((await send(`${things}/all`, { method: 'DELETE' })).headers.get('allow')).toBe('POST')
  })

  it('do not name their framework, and forbid use by pages', async () => {
    const { headers } = await fetch(`${service.url}/health/live`)
    expect(headers.get('x-powered-by')).toBeNull()
    expect(headers.get('etag')).toBeNull()
    expect(headers.get('content-security-policy')).toBe("default-src 'none';frame-ancestors 'none'")
    expect(headers.get('x-content-type-options')).toBe('nosniff')
  })
})

describe('the reference', () => {
  it('is a page that asks no other host for anything but a token', async () => {
    const page = await fetch(`${service.url}/docs`)
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
    const policy = page.headers.get('content-security-policy')!
    expect(policy).toMatch(/^default-src 'none'; /)
    expect(policy.match(/unsafe|https?:[^ ;]+/g)).toEqual(['https://login.example'])
    const html = await page.text()
    const parts = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, part]) => part!)
    expect(parts).toHaveLength(4)
    for (const part of parts) {
      expect(part).toMatch(/^\/docs\//)
      expect((await fetch(`${service.url}${part}`)).status).toBe(200)
    }
    expect(await (await fetch(`${service.url}/docs/start.js`)).text()).toContain("url: '/openapi.json'")
    expect((await fetch(`${service.url}/docs/`, { redirect: 'manual' })).headers.get('location')).toBe(
      '/docs',
    )
    expect((await fetch(`${service.url}/docs/package.json`)).status).toBe(404)
    expect((await fetch(`${service.url}/docs`, { method: 'POST' })).status).toBe(405)
  })

  it.each([
    ['range', 'bytes=999999999-', '416 range-not-satisfiable'],
    ['if-match', '"x"', '412 precondition-failed'],
    ['if-unmodified-since', 'Thu, 01 Jan 1970 00:00:00 GMT', '412 precondition-failed'],
  ])('tells whoever asks its files for what they cannot give: %s: %s', async (name, value, code) => {
    const response = await fetch(`${service.url}/docs/swagger-ui.css`, { headers: { [name]: value } })
    expect(response.headers.get('content-range')).toBe(
      name === 'range' ? `bytes */${(await stylesheet()).length}` : null,
    )
    for (const header of ['etag', 'last-modified']) expect(response.headers.get(header)).toBeNull()
    expect(await codeOf(response)).toBe(code)
  })
  const stylesheet = async () => (await fetch(`${service.url}/docs/swagger-ui.css`)).bytes()

  it('shows what is served', async () => {
    const document = (await (await fetch(`${service.url}/openapi.json`)).json()) as Record<string, object>
    expect(document.openapi).toBe('3.1.0')
    expect(Object.keys(document.paths!)).toContain('/api/company/{companyId}/things/{thingId}')
  })
})

describe('health', () => {
  it('names what is not ready', async () => {
    expect(await (await fetch(`${service.url}/health/ready`)).json()).toEqual({
      status: 'ready',
      version: '0.0.0-spec',
      commit: null,
    })
    ready = false
    const response = await fetch(`${service.url}/health/ready`)
    ready = true
    expect(response.headers.get('retry-after')).toBe('1')
    expect(await problemFrom(response)).toMatchObject({ code: 'not-ready', notReady: ['the store'] })
    expect((await fetch(`${service.url}/health/live`)).status).toBe(200)
  })

  it('is not logged for each probe', async () => {
    const asked = '2'.repeat(32)
    ready = false
    const headers = { traceparent: `00-${asked}-${'3'.repeat(16)}-01` }
    for (const prefix of ['', '/api']) await fetch(`${service.url}${prefix}/health/ready`, { headers })
    ready = true
    await fetch(`${service.url}/nothing`)
    await until(() => JSON.stringify(service.logged).includes('"path":"/nothing"'))
    expect(JSON.stringify(service.logged)).not.toContain(asked)
  })

  it('is ready and names degraded background work', async () => {
    getsOn = false
    const response = await fetch(`${service.url}/health/ready`)
    expect([response.status, await response.json()]).toEqual([
      200,
      { status: 'ready', version: '0.0.0-spec', commit: null, degraded: ['a policy'] },
    ])
    ready = false
    expect(await problemFrom(await fetch(`${service.url}/health/ready`))).toMatchObject({
      notReady: ['the store'],
      degraded: ['a policy'],
    })
    ready = true
    getsOn = true
  })
})

describe('the order of checks', () => {
  const wrong = { body: '{', headers: { 'content-type': 'text/plain', 'idempotency-key': 'ü' } }

  it('is credentials, path ids, permission, media type, content', async () => {
    const bad = '/api/company/not-an-id/things'
    expect(await codeOf(await send(bad, { ...wrong, token: '' }))).toBe('401 credentials-missing')
    expect(await codeOf(await send(bad, wrong))).toBe('400 validation-failed')
    expect(await codeOf(await send(things.replace(company, otherCompany), wrong))).toBe('403 forbidden')
    expect(await codeOf(await send(things, wrong))).toBe('415 unsupported-media-type')
    expect(await codeOf(await send(things, { body: '{' }))).toBe('400 malformed-json')
  })

  it('names a malformed path id, also one that cannot be decoded', async () => {
    expect(await pathsOf(await send('/api/company/x/things/y', { method: 'DELETE' }))).toEqual([
      'companyId',
      'thingId',
    ])
    expect(await pathsOf(await send('/api/company/%E0%A4/things'))).toEqual(['companyId'])
    expect(await codeOf(await send('/api/company/%zz/things', { token: '' }))).toBe('401 credentials-missing')
  })

  it('accepts ids in any case and hands them on in lower case', async () => {
    const shouting = `/api/company/${company.toUpperCase()}/things/${thing.toUpperCase()}`
    const response = await send(shouting, { method: 'DELETE', headers: { 'idempotency-key': 'k' } })
    expect(response.status).toBe(204)
    expect(contexts.at(-1)?.idempotency?.request).toBe(`DELETE /company/${company}/things/${thing}`)
  })

  it('refuses without having read the body', async () => {
    const socket = connect(service.port, '127.0.0.1')
    socket.write(
      `POST ${things.replace(company, otherCompany)} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${editor}\r\n` +
        'Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n',
    )
    const answer = await new Promise<string>((resolve) =>
      socket.once('data', (data) => resolve(String(data))),
    )
    socket.destroy()
    expect(answer).toMatch(/^HTTP\/1\.1 403/)
  })
})

describe('bodies', () => {
  it.each([
    ['not JSON', '{"name":'],
    ['nothing', ''],
    ['not UTF-8', Buffer.from([0x7b, 0xff, 0x7d])],
    ['an encoded surrogate', Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22])],
  ])('must be JSON: %s', async (_, body) => {
    expect(await codeOf(await send(things, { body }))).toBe('400 malformed-json')
  })

  it('are not quoted when they are not JSON', async () => {
    const problem = await problemFrom(await send(things, { body: '{"secret": hunter2}' }))
    expect(JSON.stringify(problem)).not.toContain('hunter2')
  })

  it('have all their faults reported at once, by JSON Pointer', async () => {
    const body = JSON.stringify({
      size: 6,
      parts: [{ label: 'ok' }, { label: 1, 'a/b~c': 1 }],
      more: 'x',
    })
    expect(await pathsOf(await send(things, { body, headers: { 'idempotency-key': 'a b' } }))).toEqual([
      '/more',
      '/name',
      '/parts/1/a~1b~0c',
      '/parts/1/label',
      '/size',
      'Idempotency-Key',
    ])
  })

  it('have a pointer that a URI can hold', async () => {
    const body = '{"name":"a","ä b/#":1,"\\u0000":1}'
    expect((await problemFrom(await send(things, { body }))).errors).toEqual([
      { path: '/\0', pointer: '#/%00', code: 'not-storable', message: expect.any(String) },
      { path: '/ä b~1#', pointer: '#/%C3%A4%20b~1%23', code: 'unknown-member', message: 'is not known here' },
      { path: '/\0', pointer: '#/%00', code: 'unknown-member', message: 'is not known here' },
    ])
  })

  it('have the pointer of the nearest part around them instead of a long one', async () => {
    const [long, encodedLong] = ['n'.repeat(201), 'ä'.repeat(70)]
    const parts = [{ label: 'ok', [long]: 1, [encodedLong]: 1 }]
    const { errors } = await problemFrom(await send(things, { body: JSON.stringify({ name: 'a', parts }) }))
    expect(errors).toMatchObject([
      { path: `/parts/0/${'n'.repeat(191)}…`, pointer: '#/parts/0', code: 'unknown-member' },
      { path: `/parts/0/${encodedLong}`, pointer: '#/parts/0', code: 'unknown-member' },
    ])
  })

  it('and headers, query and path are told apart by pointer and parameter', async () => {
    const faultsOf = async (path: string, headers = {}) =>
      (await problemFrom(await send(path, { body: '[]', headers }))).errors
    expect(await faultsOf(`${things}?/name=1&=2`, { 'idempotency-key': 'a b' })).toEqual([
      { path: '/name', parameter: '/name', code: 'unknown-parameter', message: 'is not known here' },
      { path: '', parameter: '', code: 'unknown-parameter', message: 'is not known here' },
      {
        path: 'Idempotency-Key',
        parameter: 'Idempotency-Key',
        code: 'wrong-format',
        message: expect.any(String),
      },
      { path: '', pointer: '#', code: 'wrong-type', message: 'must be an object' },
    ])
    expect(await faultsOf('/api/company/x/things')).toEqual([
      { path: 'companyId', parameter: 'companyId', code: 'wrong-format', message: 'must be a UUID' },
    ])
  })

  it.each([
    ['NUL', '{"name":"a\\u0000"}', '/name'],
    ['an unpaired surrogate', '{"name":"\\ud83d"}', '/name'],
    ['NUL in a name', '{"name":"a","parts":[{"label":"a","\\u0000":1}]}', '/parts/0/\0'],
    ['a name that every object has', '{"name":"a","__proto__":1}', '/__proto__'],
    ['a name of objects', '{"name":"a","constructor":{"prototype":1}}', '/constructor'],
  ])('may not hold %s', async (_, body, path) => {
    expect(await pathsOf(await send(things, { body }))).toContain(path)
  })

  it('may be a mebibyte and no more, and the connection lives on', async () => {
    const sized = (bytes: number) => {
      const empty = JSON.stringify({ name: '' })
      return JSON.stringify({ name: 'n'.repeat(bytes - empty.length) })
    }
    expect(await codeOf(await send(things, { body: sized(1_048_576) }))).toBe('400 validation-failed')
    expect(await codeOf(await send(things, { body: sized(1_048_577) }))).toBe('413 body-too-large')

    const socket = connect(service.port, '127.0.0.1')
    const head = `POST ${things} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${editor}\r\nContent-Type: application/json\r\n`
    const chunk = 'x'.repeat(65_536)
    socket.write(`${head}Transfer-Encoding: chunked\r\n\r\n`)
    for (let sent = 0; sent < 20; sent += 1) socket.write(`10000\r\n${chunk}\r\n`)
    socket.write('0\r\n\r\nGET /health/live HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
    const answers = await new Promise<string>((resolve) => {
      let text = ''
      socket.on('data', (data) => {
        text += data
      })
      socket.on('close', () => resolve(text))
    })
    expect(answers.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 413', 'HTTP/1.1 200'])
  })

  it.each([
    ['text/plain', {}],
    ['application/json; charset=latin1', {}],
    ['application/jsonp', {}],
    ['application/json', { 'content-encoding': 'gzip' }],
  ])('must be application/json in UTF-8, not %s %o', async (type, more) => {
    const response = await send(things, { body: '{"name":"a"}', headers: { 'content-type': type, ...more } })
    expect(await codeOf(response)).toBe('415 unsupported-media-type')
  })

  it('may say that they are in UTF-8', async () => {
    const headers = { 'content-type': 'Application/JSON; charset="UTF-8"' }
    expect((await send(things, { body: '{"name":"a"}', headers })).status).toBe(201)
  })
})

describe('commands', () => {
  const body = JSON.stringify({ name: 'a' })

  it('answer the record, its path and its position', async () => {
    looked = []
    const response = await send(things, { body })
    expect(response.status).toBe(201)
    expect(await response.json()).toEqual({ name: 'a', thingId: thing })
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'commit-position': '42',
      etag: expect.stringMatching(/^"7-[\w-]{27}"$/),
      location: `${things}/${thing}`,
      'content-type': 'application/json',
    })
    expect(response.headers.has('projection-status')).toBe(false)
    expect(looked).toEqual([{ position: 42, names: ['things'], timeoutMs: 2_000 }])
  })

  it('answer 200 when nothing was recorded', async () => {
    meets = () => ({ recorded: [] })
    const response = await send(things, { body })
    meets = () => ({})
    expect(response.status).toBe(200)
    expect(response.headers.get('location')).toBeNull()
  })

  it('answer as pending when the read models are behind', async () => {
    shown = false
    const response = await send(things, { body })
    shown = true
    expect(response.status).toBe(201)
    expect(response.headers.get('projection-status')).toBe('pending')
  })

  it('do not wait for the read models when the caller prefers respond-async', async () => {
    looked = []
    await send(things, { body, headers: { prefer: 'respond-async' } })
    expect(looked).toMatchObject([{ position: 42, timeoutMs: 0 }])
  })

  it('pass on the caller and the trace of the request', async () => {
    const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'
    await send(things, { body, headers: { traceparent } })
    expect(contexts.at(-1)).toEqual({
      actor: { id: 'editor', name: 'Edith', kind: 'application' },
      correlationId: '4bf92f3577b34da6a3ce929d0e0e4736',
      requireAccess: expect.any(Function),
    })
    await send(things, { body, headers: { traceparent: `00-${'0'.repeat(32)}-00f067aa0ba902b7-01` } })
    expect(contexts.at(-1)?.correlationId).toMatch(/^(?!0{32})[0-9a-f]{32}$/)
  })

  it('carry an Idempotency-Key with what tells a repeat from another request', async () => {
    const headers = { 'idempotency-key': 'k'.repeat(255) }
    await send(things, { body, headers })
    const first = contexts.at(-1)?.idempotency
    await send(things.replace('/api', ''), { body, headers })
    expect(contexts.at(-1)?.idempotency).toEqual(first)
    expect(first).toMatchObject({ caller: 'editor', request: `POST /company/${company}/things` })
    await send(things, { body: '{"name":"b"}', headers })
    const other = contexts.at(-1)?.idempotency
    expect(other?.requestHash).not.toBe(first?.requestHash)
    await send(things, { body: '{ "name": "b" }', headers: { 'idempotency-key': '"k"' } })
    expect(contexts.at(-1)?.idempotency).toEqual({ ...other, key: 'k' })

    meets = () => ({ replayed: true })
    const replay = await send(things, { body, headers })
    meets = () => ({})
    expect(replay.headers.get('idempotent-replayed')).toBe('true')
    for (const key of ['', '""', 'k'.repeat(256), `"${'k'.repeat(256)}"`, 'a b', '"a b"'])
      expect(await pathsOf(await send(things, { body, headers: { 'idempotency-key': key } }))).toEqual([
        'Idempotency-Key',
      ])
  })

  it.each([
    ['"7"', true],
    ['"1", "7"', true],
    [`"7-${'x'.repeat(27)}"`, true],
    [`"1","7-${'x'.repeat(27)}.br"`, true],
    [`W/"7-${'x'.repeat(27)}"`, false],
    [`"7-${'x'.repeat(26)}"`, false],
    [`"${'7'.repeat(27)}"`, false],
    ['""', false],
    ['*', true],
    ['W/"7"', false],
    ['7', false],
    ['"8"', false],
  ])('heed If-Match: %s', async (header, matches) => {
    await send(`${things}/${thing}`, { method: 'DELETE', headers: { 'if-match': header } })
    expect(contexts.at(-1)?.ifMatch?.(7)).toBe(matches)
  })
})

describe('what goes wrong', () => {
  const body = JSON.stringify({ name: 'a' })
  const failing = async (error: unknown) => {
    meets = () => {
      throw error
    }
    try {
      return await send(things, { body })
    } finally {
      meets = () => ({})
    }
  }

  it.each([
    [invalid([{ path: '/name', code: 'wrong-format', message: 'x' }]), '400 validation-failed'],
    [notFound('tag-not-found', thing), '404 tag-not-found'],
    [conflict('tag-name-taken', 'x', { tagId: thing }), '409 tag-name-taken'],
    [new Refusal('precondition-failed', 'x'), '412 precondition-failed'],
    [new Refusal('too-large-to-record', 'x'), '413 too-large-to-record'],
    [new Refusal('idempotency-key-reused', 'x'), '422 idempotency-key-reused'],
    [new Refusal('outcome-unknown', 'x'), '503 outcome-unknown'],
    [new StoreUnavailable('gone'), '503 store-unavailable'],
    [new PostgresUnavailable('gone', true), '503 database-unavailable'],
    [new PostgresUnavailable('gone', false, 'table-gone'), '503 database-unavailable'],
    [Object.assign(new Error('no such table'), { code: '42P01' }), '500 internal-error'],
    [new TypeError('secret detail'), '500 internal-error'],
  ])('%s is answered %s', async (error, code) => {
    const response = await failing(error)
    expect(response.headers.get('retry-after')).toBe(response.status === 503 ? '1' : null)
    expect(await codeOf(response.clone())).toBe(code)
    expect(await response.text()).not.toMatch(/secret detail|\.ts:|\n/)
  })

  it.each([new PostgresUnavailable('gone', true), new Refusal('too-busy', 'Too many reads.')])(
    'a recorded command is answered although its record meets: %s',
    async (error) => {
      unreadable = error
      const response = await send(`${things}/shown`)
      unreadable = undefined
      expect(response.status).toBe(200)
      expect(response.headers.get('projection-status')).toBe('pending')
      expect(await response.json()).toEqual({ name: 'shown', thingId: thing })
    },
  )

  it('lists the faults of a refusal as it lists those of a body', async () => {
    const faults = Array.from({ length: 1_001 }, (_, n) => ({
      path: `/parts/${n}`,
      code: 'not-unique' as const,
      message: 'x',
    }))
    const problem = await problemFrom(await failing(invalid(faults, 'No.')))
    expect(problem.errors).toEqual(
      faults.slice(0, 1_000).map((fault) => ({ ...fault, pointer: `#${fault.path}` })),
    )
    expect(problem.detail).toBe('No. The first 1000 are listed, and there may be more.')
  })

  it('carries the details of the refusal', async () => {
    expect(await problemFrom(await failing(conflict('tag-name-taken', 'x', { tagId: thing })))).toMatchObject(
      {
        title: 'A tag has this name',
        detail: 'x',
        tagId: thing,
      },
    )
  })

  it.each([
    ['what is no JSON', conflict('tag-name-taken', 'x', { tagId: 1n as never })],
    ['a header that is none', new Problem('malformed-json', 'x', { headers: { 'Retry-After': 'a\nb' } })],
  ])('is a 500 without any detail when it cannot be told: %s', async (_, error) => {
    const response = await failing(error)
    expect(response.headers.get('retry-after')).toBeNull()
    expect(await codeOf(response.clone())).toBe('500 internal-error')
    expect(await response.text()).not.toMatch(/BigInt|\.ts:|\n/)
  })

  it('is in the log under its traceId, and no credential is', async () => {
    const { traceId } = await problemFrom(await failing(new TypeError('look here')))
    const lines = service.logged.filter((line) => JSON.stringify(line).includes(String(traceId)))
    expect(JSON.stringify(lines)).toContain('look here')
    expect(JSON.stringify(service.logged).includes(editor)).toBe(false)
  })

  it('is in the log with its cause, if it has one, and no stack when it was meant', async () => {
    const logOf = async (error: Error) => {
      const { traceId } = await problemFrom(await failing(error))
      const lines = service.logged.map((line) => JSON.stringify(line))
      return lines.filter((line) => line.includes(String(traceId))).join('\n')
    }
    const gone = await logOf(new PostgresUnavailable('gone', true))
    expect(gone).toContain('"cause":"PostgreSQL: gone"')
    const bare = await logOf(unavailable('too-busy', 'Too busy.'))
    expect(bare).toContain('"code":"too-busy"')
    expect(gone + bare).not.toMatch(/stack|undefined/)
  })

  it('is answered as a problem even when it is not valid HTTP', async () => {
    const socket = connect(service.port, '127.0.0.1')
    socket.write('HELLO\r\n\r\n')
    const answer = await new Promise<string>((resolve) =>
      socket.once('data', (data) => resolve(String(data))),
    )
    expect(answer).toMatch(/^HTTP\/1\.1 400 [\s\S]*application\/problem\+json/)
  })
})
