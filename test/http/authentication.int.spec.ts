import { createHmac } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { Role } from '../../src/domain/company.ts'
import { send } from '../../src/http/respond.ts'
import type { Route } from '../../src/http/route.ts'
import { type HttpService, type HttpServiceOptions, startHttp } from '../support/http.ts'
import { type IdentityProvider, startIdentityProvider } from '../support/identity.ts'

/** Who gets in, and who does not: every case that the source names, and some more. */

const company = '3f2b8c1e-5a47-4c0d-9b6e-1d2f3a4b5c6d'
const nothing = z.object({})
const route = (path: string, access: Route['access']): Route => ({
  path,
  access,
  method: 'get',
  operationId: path,
  summary: 'For specs',
  tag: 'Specs',
  params: path.includes('{') ? z.object({ companyId: z.string() }) : nothing,
  query: nothing,
  headers: nothing,
  body: undefined,
  responses: {},
  problems: [],
  answer: async ({ res, caller }) => send(res, { status: 200, body: caller }),
})
const routes = [
  route('/api/who', 'caller'),
  route('/api/operate', { platform: 'Operator' }),
  route('/api/company/{companyId}/view', { company: 'view' }),
  route('/api/company/{companyId}/edit', { company: 'edit' }),
  route('/api/company/{companyId}/plan', { company: 'plan' }),
  route('/api/company/{companyId}/administer', { company: 'administer' }),
]
const roleOf: Record<string, Role> = {
  viewer: 'Viewer',
  editor: 'Editor',
  planner: 'Planner',
  auditor: 'Auditor',
  admin: 'Admin',
}
const seconds = () => Math.floor(Date.now() / 1_000)

let identity: IdentityProvider
let service: HttpService
let clock = () => new Date()

const serve = (options: Partial<HttpServiceOptions> = {}) =>
  startHttp({ identity, routes, now: () => clock(), ...options })
const get = (path: string, authorization?: string, headers: Record<string, string> = {}) =>
  fetch(`${service.url}${path}`, { headers: { ...(authorization && { authorization }), ...headers } })
const statusOf = async (token: string) => (await get('/api/who', `Bearer ${token}`)).status

beforeAll(async () => {
  identity = await startIdentityProvider()
})
beforeEach(async () => {
  service = await serve({
    members: (userId, companyId) => (companyId === company && roleOf[userId] ? [roleOf[userId]] : []),
  })
})
afterEach(async () => {
  clock = () => new Date()
  await service.close()
})
afterAll(() => identity.stop())

const refused = async (response: Response, code: string) => {
  expect(response.status).toBe(401)
  expect(response.headers.get('www-authenticate')).toMatch(/^Bearer realm="heatmark"/)
  expect(response.headers.get('content-type')).toBe('application/problem+json')
  const problem = (await response.json()) as Record<string, string>
  expect(problem).toMatchObject({ status: 401, code })
  return problem
}

describe('the Authorization header', () => {
  it('lets in with Bearer and a token, in any spelling of the word', async () => {
    const token = await identity.token({ oid: 'me', name: 'Me', roles: ['Operator', 'Other'] })
    for (const word of ['Bearer', 'bearer', 'BEARER'])
      expect(await (await get('/api/who', `${word} ${token}`)).json()).toEqual({
        id: 'me',
        name: 'Me',
        kind: 'application',
        platformRoles: ['Operator'],
      })
  })

  it('must be there', async () => {
    const response = await get('/api/who')
    expect(response.headers.get('www-authenticate')).toBe('Bearer realm="heatmark"')
    await refused(response, 'credentials-missing')
  })

  it('must have the word Bearer, no colon and one token', async () => {
    const token = await identity.token()
    for (const header of [
      token,
      `Bearer: ${token}`,
      `Bearer:${token}`,
      'Bearer',
      'Bearer a b',
      `Basic ${token}`,
      '""',
    ])
      await refused(await get('/api/who', header), 'authorization-malformed')
  })

  it('is refused when an API key comes with it: none has been issued', async () => {
    const key = { 'service-api-key': 'hmk_unknown' }
    await refused(await get('/api/who', undefined, key), 'invalid-api-key')
    await refused(await get('/api/who', `Bearer ${await identity.token()}`, key), 'invalid-api-key')
  })
})

describe('a token', () => {
  const invalid = async (token: string, detail: RegExp) => {
    const response = await get('/api/who', `Bearer ${token}`)
    expect(response.headers.get('www-authenticate')).toContain('error="invalid_token"')
    expect((await refused(response, 'invalid-token')).detail).toMatch(detail)
  }

  it('is refused when it is malformed', async () => {
    await invalid('abc', /malformed/)
    await invalid('a.b.c', /malformed/)
    await invalid('x'.repeat(10_000), /malformed/)
  })

  it('is refused when it has expired, or is not yet valid', async () => {
    await invalid(await identity.token({ exp: seconds() - 60 }), /expired/)
    await invalid(await identity.token({ nbf: seconds() + 60 }), /"nbf"/)
    await invalid(await identity.token({ exp: undefined }), /"exp"/)
  })

  it('may be off by a few seconds, as clocks are', async () => {
    expect(await statusOf(await identity.token({ exp: seconds() - 2 }))).toBe(200)
    expect(await statusOf(await identity.token({ nbf: seconds() + 2 }))).toBe(200)
  })

  it('is refused from another issuer or for another audience', async () => {
    await invalid(await identity.token({ iss: 'https://elsewhere.example' }), /"iss"/)
    await invalid(await identity.token({ aud: 'api://elsewhere' }), /"aud"/)
  })

  it('is refused when its signature is not the provider’s', async () => {
    const [header, , signature] = (await identity.token({ oid: 'me' })).split('.')
    const forged = Buffer.from(JSON.stringify({ iss: identity.issuer, oid: 'admin' })).toString('base64url')
    await invalid(`${header}.${forged}.${signature}`, /signature/)
    const other = await startIdentityProvider()
    await invalid(await other.token({ iss: identity.issuer }), /signature/)
    await other.stop()
  })

  it('is refused when its algorithm is not on the list', async () => {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const claims = part({ iss: identity.issuer, aud: 'api://heatmark', exp: seconds() + 60, oid: 'admin' })
    await invalid(`${part({ alg: 'none' })}.${claims}.`, /algorithm|malformed/)
    const signed = `${part({ alg: 'HS256', kid: 'key-1' })}.${claims}`
    const mac = createHmac('sha256', 'guess').update(signed).digest('base64url')
    await invalid(`${signed}.${mac}`, /algorithm/)
  })

  it.each([undefined, '', 'a/b', 'a b', 'ä', 'x'.repeat(129), 7])(
    'is refused when its user is %j',
    async (oid) => {
      await invalid(await identity.token({ oid }), /"oid"/)
    },
  )

  it('is asked for its signature once, and for its age every time', async () => {
    const token = await identity.token({ exp: seconds() + 60 })
    expect(await statusOf(token)).toBe(200)
    const fetched = identity.fetches()
    expect(await statusOf(token)).toBe(200)
    expect(identity.fetches()).toBe(fetched)
    const later = new Date(Date.now() + 120_000)
    clock = () => later
    expect(await statusOf(token)).toBe(401)
  })
})

describe('the identity provider', () => {
  it('may change its keys', async () => {
    const before = await identity.token()
    expect(await statusOf(before)).toBe(200)
    await service.close()
    await identity.rotate()
    service = await serve()
    expect(await statusOf(await identity.token())).toBe(200)
    await refused(await get('/api/who', `Bearer ${before}`), 'invalid-token')
  })

  it('may be away: known tokens go on, new ones are told to come back', async () => {
    const known = await identity.token({ oid: 'known' })
    expect(await statusOf(known)).toBe(200)
    await service.close()
    service = await serve()
    await identity.stop()
    const response = await get('/api/who', `Bearer ${known}`)
    expect(response.status).toBe(503)
    expect(response.headers.get('retry-after')).toBe('1')
    expect(await response.json()).toMatchObject({ code: 'identity-provider-unavailable' })
    await identity.start()
    expect(await statusOf(known)).toBe(200)
    await identity.stop()
    expect(await statusOf(known)).toBe(200)
    await identity.start()
  })
})

describe('what a caller may do', () => {
  const companyPaths = ['view', 'edit', 'plan', 'administer']
  const allowed = async (oid: string) => {
    const authorization = `Bearer ${await identity.token({ oid })}`
    const answers = await Promise.all(
      companyPaths.map((path) => get(`/api/company/${company}/${path}`, authorization)),
    )
    return companyPaths.filter((_, index) => answers[index]!.status === 200)
  }

  it.each([
    ['viewer', ['view']],
    ['auditor', ['view']],
    ['editor', ['view', 'edit']],
    ['admin', ['view', 'edit', 'plan', 'administer']],
    ['planner', ['view', 'plan']],
    ['stranger', []],
  ])('follows from the roles: %s', async (oid, paths) => {
    expect(await allowed(oid)).toEqual(paths)
  })

  it('is nothing in another company, in the same words whether or not it exists', async () => {
    const authorization = `Bearer ${await identity.token({ oid: 'planner' })}`
    const foreign = await get('/api/company/0c7e4c7a-27d3-4a47-8d3b-1f4f4d2f9a11/view', authorization)
    const own = await get(`/api/company/${company}/administer`, authorization)
    const words = async (response: Response) => {
      const { traceId: _, instance: __, ...rest } = (await response.json()) as Record<string, unknown>
      return { status: response.status, ...rest }
    }
    expect(await words(foreign)).toEqual(await words(own))
  })

  it('does not follow from a platform role, nor the other way round', async () => {
    const operator = `Bearer ${await identity.token({ oid: 'otto', roles: ['Operator'] })}`
    expect((await get('/api/operate', operator)).status).toBe(200)
    expect((await get(`/api/company/${company}/view`, operator)).status).toBe(403)
    expect((await get('/metrics', operator)).status).toBe(200)
    const planner = `Bearer ${await identity.token({ oid: 'planner' })}`
    expect((await get('/api/operate', planner)).status).toBe(403)
    expect((await get('/metrics', planner)).status).toBe(403)
  })
})

describe('limits', () => {
  const restart = async (options: Partial<HttpServiceOptions>) => {
    await service.close()
    service = await serve(options)
  }

  it('count requests by caller and minute', async () => {
    await restart({ apiRateLimit: 2 })
    let now = Date.parse('2026-01-01T00:00:00Z')
    clock = () => new Date(now)
    const exp = now / 1_000 + 3_600
    const mine = `Bearer ${await identity.token({ oid: 'me', exp })}`
    const first = await get('/api/who', mine)
    expect(first.headers.get('ratelimit')).toBe('"requests";r=1;t=60')
    expect(first.headers.get('ratelimit-policy')).toBe('"requests";q=2;w=60')
    now += 20_000
    await get('/api/who', mine)
    const third = await get('/api/who', mine)
    expect(third.status).toBe(429)
    expect(third.headers.get('retry-after')).toBe('40')
    expect(third.headers.get('ratelimit')).toBe('"requests";r=0;t=40')
    expect(third.headers.get('ratelimit-policy')).toBe('"requests";q=2;w=60')
    expect(await third.json()).toMatchObject({ code: 'rate-limit-exceeded' })
    expect((await get('/api/who', `Bearer ${await identity.token({ oid: 'you', exp })}`)).status).toBe(200)
    now += 40_000
    expect((await get('/api/who', mine)).status).toBe(200)
  })

  it('count failed authentications by address, and let known tokens pass', async () => {
    await restart({ failureLimit: 3 })
    const known = `Bearer ${await identity.token({ oid: 'me' })}`
    expect((await get('/api/who', known)).status).toBe(200)
    for (const header of [undefined, 'Bearer guess', 'nonsense'])
      expect((await get('/api/who', header)).status).toBe(401)
    for (const header of [undefined, 'Bearer guess', `Bearer ${await identity.token()}`]) {
      const response = await get('/api/who', header)
      expect(response.status).toBe(429)
      expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
    }
    expect((await get('/api/who', known)).status).toBe(200)
    expect((await get('/health/live')).status).toBe(200)
  })
})
