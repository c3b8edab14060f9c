import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Role, roles } from '../../../../src/domain/company/companyEvents.ts'
import { hashOf, newApiKey } from '../../../../src/identity/apiKeyFormat.ts'
import { type Permission, permissions } from '../../../../src/identity/permissions.ts'
import type { FoundKey } from '../../../../src/projections/company/apiKeyQueries.ts'
import { type HttpService, type HttpServiceOptions, startHttp } from '../../../support/http.ts'
import { startIdentityProvider } from '../../../support/identity.ts'
import { own } from '../../../support/own.ts'
import { until } from '../../../support/until.ts'
import { echoRoute } from '../../routes.ts'

/** Authentication admits and refuses callers: the specs cover every case that the source names, and some more. */

const company = '3f2b8c1e-5a47-4c0d-9b6e-1d2f3a4b5c6d'
const companyPermissions = Object.keys(permissions) as Permission[]
const routes = [
  echoRoute('/api/who', 'caller'),
  echoRoute('/api/bearer', 'bearer'),
  echoRoute('/api/operate', { platform: 'Operator' }),
  ...companyPermissions.map((company) => echoRoute(`/api/company/{companyId}/${company}`, { company })),
]
const roleOf: Readonly<Record<string, Role>> = Object.fromEntries(
  roles.map((role) => [role.toLowerCase(), role]),
)
const seconds = () => Math.floor(Date.now() / 1_000)

let service: HttpService
let now = () => new Date()

const serve = (options: Partial<HttpServiceOptions> = {}) =>
  startHttp({ identity, routes, now: () => now(), ...options })
const get = (path: string, authorization?: string, headers: Record<string, string> = {}) =>
  fetch(`${service.url}${path}`, { headers: { ...(authorization && { authorization }), ...headers } })
const statusOf = async (token: string) => (await get('/api/who', `Bearer ${token}`)).status

const identity = await own(startIdentityProvider())
beforeEach(async () => {
  service = await serve({
    members: (userId, companyId) => (companyId === company && roleOf[userId] ? [roleOf[userId]] : []),
  })
})
afterEach(async () => {
  now = () => new Date()
  await service.close()
})

const refused = async (response: Response, code: string) => {
  expect(response.status).toBe(401)
  expect(response.headers.get('www-authenticate')).toMatch(/^Bearer realm="heatmark"/)
  expect(response.headers.get('content-type')).toBe('application/problem+json')
  const problem = (await response.json()) as Record<string, string>
  expect(problem).toMatchObject({ status: 401, code })
  return problem
}

describe('the Authorization header', () => {
  it('admits a token after Bearer, in upper and lower case', async () => {
    const token = await identity.token({ oid: 'me', name: 'Me', roles: ['Operator', 'Other'] })
    for (const word of ['Bearer', 'bearer', 'BEARER'])
      expect(await (await get('/api/who', `${word} ${token}`)).json()).toEqual({
        id: 'me',
        name: 'Me',
        kind: 'application',
        platformRoles: ['Operator'],
      })
  })

  it('is required', async () => {
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
})

describe('an API key', () => {
  const { key } = newApiKey()
  const deleted = newApiKey().key
  const other = '0c7e4c7a-27d3-4a47-8d3b-1f4f4d2f9a11'
  const stored: FoundKey = {
    hash: hashOf(key),
    keyId: '6ec0bd7f-11c0-43da-975e-2a8ad9ebae0b',
    userId: 'me',
    userKind: 'user',
    expiresAt: null,
    snapshot: [{ companyId: other, roles: ['Editor'] }],
  }
  let lookUps: string[]
  let found: FoundKey
  const withKey = (path: string, shown: string, authorization?: string) =>
    get(path, authorization, { 'service-api-key': shown })

  beforeEach(async () => {
    lookUps = []
    found = stored
    await service.close()
    service = await serve({
      members: (userId, companyId) => (userId === 'me' && companyId === company ? ['Admin'] : []),
      keys: (hash) => {
        lookUps.push(hash)
        return hash === hashOf(key) ? found : undefined
      },
    })
  })

  it('stands for its account, without its platform roles', async () => {
    const response = await withKey('/api/who', key)
    const me = { id: 'me', name: '', kind: 'user', platformRoles: [] }
    expect(await response.json()).toEqual(me)
    expect((await withKey('/api/operate', key)).status).toBe(403)
    expect((await withKey('/metrics', key)).status).toBe(403)
  })

  it('has the permissions of its snapshot, whatever those of its account are now', async () => {
    expect((await withKey(`/api/company/${other}/edit`, key)).status).toBe(200)
    expect((await withKey(`/api/company/${other}/plan`, key)).status).toBe(403)
    expect((await withKey(`/api/company/${company}/view`, key)).status).toBe(403)
  })

  it('is looked up on every request', async () => {
    for (const _ of [1, 2, 3]) expect((await withKey('/api/who', key)).status).toBe(200)
    expect(lookUps).toEqual([hashOf(key), hashOf(key), hashOf(key)])
  })

  it('is refused when it is unknown or deleted', async () => {
    const { detail } = await refused(await withKey('/api/who', deleted), 'invalid-api-key')
    expect(detail).toBe('The API key is unknown or has been deleted. Create another one.')
    expect(lookUps).toEqual([hashOf(deleted)])
  })

  it.each(['', 'hmk_unknown', key.slice(0, -1), `${key}x`, `${key.slice(0, -1)}!`, `${key}, ${key}`])(
    'is not even looked up when it is mistyped: %j',
    async (shown) => {
      const { detail } = await refused(await withKey('/api/who', shown), 'invalid-api-key')
      expect(detail).toBe('The API key is mistyped or incomplete. Send all of it as it was shown.')
      expect(lookUps).toEqual([])
    },
  )

  it('is refused from the moment that it expires', async () => {
    found = { ...stored, expiresAt: '2026-03-01T12:00:00+00:00' }
    now = () => new Date('2026-03-01T11:59:59.999Z')
    expect((await withKey('/api/who', key)).status).toBe(200)
    now = () => new Date('2026-03-01T12:00:00.000Z')
    const { detail } = await refused(await withKey('/api/who', key), 'invalid-api-key')
    expect(detail).toBe('The API key has expired. Create another one.')
  })

  it('beside a token must be valid and of the same account, and the token decides', async () => {
    const mine = `Bearer ${await identity.token({ oid: 'me', roles: ['Operator'] })}`
    const yours = `Bearer ${await identity.token({ oid: 'you' })}`
    expect((await withKey(`/api/company/${company}/administer`, key, mine)).status).toBe(200)
    expect((await withKey('/api/operate', key, mine)).status).toBe(200)
    expect((await withKey(`/api/company/${other}/view`, key, mine)).status).toBe(403)
    await refused(await withKey('/api/who', key, yours), 'credentials-differ')
    await refused(await withKey('/api/who', deleted, mine), 'invalid-api-key')
    await refused(await withKey('/api/who', 'hmk_unknown', mine), 'invalid-api-key')
    await refused(await withKey('/api/who', key, 'Bearer nonsense'), 'invalid-token')
    await refused(await withKey('/api/who', key, 'Bearer: x'), 'authorization-malformed')
  })

  it('is refused as a token, with the name of its own header', async () => {
    const problem = await refused(await get('/api/who', `Bearer ${key}`), 'authorization-malformed')
    expect(problem.detail).toContain('Service-Api-Key')
  })

  it('does not replace a token where one is required', async () => {
    const mine = `Bearer ${await identity.token({ oid: 'me' })}`
    expect((await get('/api/bearer', mine)).status).toBe(200)
    expect((await withKey('/api/bearer', key, mine)).status).toBe(200)
    const keyAlone = await withKey('/api/bearer', key)
    expect(keyAlone.status).toBe(403)
    expect(await keyAlone.json()).toMatchObject({ code: 'token-required' })
    await refused(await withKey('/api/bearer', deleted), 'invalid-api-key')
  })

  it('is named in the log by its id alone', async () => {
    await withKey('/api/who', key)
    await withKey('/api/who', deleted)
    await until(() => service.logged.length === 2)
    const [good, bad] = service.logged
    expect(good?.res).toEqual({ status: 200, caller: 'me', keyId: stored.keyId })
    expect(bad?.res).toEqual({ status: 401, code: 'invalid-api-key' })
    expect(JSON.stringify(service.logged)).not.toContain(key.slice(0, 12))
    expect(JSON.stringify(service.logged)).not.toContain(deleted.slice(0, 12))
  })
})

describe('a token', () => {
  const invalid = async (token: string, detail: RegExp) => {
    const response = await get('/api/who', `Bearer ${token}`)
    expect(response.headers.get('www-authenticate')).toContain('error="invalid_token"')
    expect((await refused(response, 'invalid-token')).detail).toMatch(detail)
  }

  it('is refused with the reason', async () => {
    await invalid('a.b.c', /malformed/)
    await invalid(await identity.token({ exp: seconds() - 60 }), /expired/)
    await invalid(await identity.token({ oid: 'a/b' }), /"oid"/)
    await invalid(await identity.token({ nonce: 'n', roles: ['Operator'] }), /not an access token/)
    await invalid(await identity.token({}, { typ: 'logout+jwt' }), /"typ"/)
  })

  it('is refused when it was made for a client that is not accepted', async () => {
    await service.close()
    service = await serve({ authorizedParties: ['mes'] })
    expect(await statusOf(await identity.token({ azp: 'mes' }))).toBe(200)
    await invalid(await identity.token({ azp: 'portal' }), /"azp"/)
  })

  it('has its signature checked once, and its expiry every time', async () => {
    const token = await identity.token({ exp: seconds() + 60 })
    expect(await statusOf(token)).toBe(200)
    const fetched = identity.fetches()
    expect(await statusOf(token)).toBe(200)
    expect(identity.fetches()).toBe(fetched)
    const later = new Date(Date.now() + 120_000)
    now = () => later
    expect(await statusOf(token)).toBe(401)
  })
})

describe('the identity provider', () => {
  it('may change its keys at any time, and ends all tokens of a key when it withdraws the key', async () => {
    const before = await identity.token()
    const unseen = await identity.token({ oid: 'unseen' })
    expect(await statusOf(before)).toBe(200)
    await identity.rotate('kept')
    expect(await statusOf(await identity.token())).toBe(200)
    expect(await statusOf(before)).toBe(200)
    expect(await statusOf(unseen)).toBe(200)
    await identity.rotate()
    expect(await statusOf(await identity.token())).toBe(200)
    for (const token of [before, unseen])
      await refused(await get('/api/who', `Bearer ${token}`), 'invalid-token')
  })

  it('may be down: known tokens are accepted, and new ones get a 503', async () => {
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

describe('limits', () => {
  const restart = async (options: Partial<HttpServiceOptions>) => {
    await service.close()
    service = await serve(options)
  }

  it('count requests by caller and minute', async () => {
    let ms = 0
    await restart({ apiRateLimit: 2, clock: () => ms })
    const mine = `Bearer ${await identity.token({ oid: 'me' })}`
    const first = await get('/api/who', mine)
    expect(first.headers.get('ratelimit')).toBe('"requests";r=1;t=60')
    expect(first.headers.get('ratelimit-policy')).toBe('"requests";q=2;w=60')
    ms += 20_000
    await get('/api/who', mine)
    const third = await get('/api/who', mine)
    expect(third.status).toBe(429)
    expect(third.headers.get('retry-after')).toBe('40')
    expect(third.headers.get('ratelimit')).toBe('"requests";r=0;t=40')
    expect(third.headers.get('ratelimit-policy')).toBe('"requests";q=2;w=60')
    expect(await third.json()).toMatchObject({ code: 'rate-limit-exceeded' })
    expect((await get('/api/who', `Bearer ${await identity.token({ oid: 'you' })}`)).status).toBe(200)
    ms += 40_000
    expect((await get('/api/who', mine)).status).toBe(200)
  })

  it('count failed authentications by address, and let good tokens pass, known or new', async () => {
    await restart({ failureLimit: 3 })
    for (const header of [undefined, 'Bearer guess', 'nonsense'])
      expect((await get('/api/who', header)).status).toBe(401)
    const other = await startIdentityProvider()
    const forged = `Bearer ${await other.token({ iss: identity.issuer })}`
    await other.stop()
    for (const header of [undefined, 'Bearer guess', forged]) {
      const response = await get('/api/who', header)
      expect(response.status).toBe(429)
      expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
      expect(response.headers.get('www-authenticate')).toBeNull()
    }
    const mine = `Bearer ${await identity.token({ oid: 'new' })}`
    for (const _ of [1, 2]) expect((await get('/api/who', mine)).status).toBe(200)
    expect((await get('/health/live')).status).toBe(200)
  })

  it('on failed authentications are in the headers of each failure', async () => {
    await restart({ failureLimit: 2 })
    const left = async () => (await get('/api/who', 'Bearer guess')).headers.get('ratelimit')
    expect(await left()).toMatch(/^"authentication-failures";r=1;t=\d+$/)
    expect(await left()).toMatch(/^"authentication-failures";r=0;t=\d+$/)
    const third = await get('/api/who', 'Bearer guess')
    expect(third.status).toBe(429)
    expect(third.headers.get('ratelimit-policy')).toBe('"authentication-failures";q=2;w=60')
  })

  it('let API keys pass that this process has not seen before', async () => {
    const [{ key }, { key: guessed }] = [newApiKey(), newApiKey()]
    await restart({
      failureLimit: 1,
      keys: (hash) => {
        if (hash !== hashOf(key)) return undefined
        return {
          hash,
          keyId: 'id',
          userId: 'me',
          userName: 'Me',
          userKind: 'user' as const,
          expiresAt: null,
          snapshot: [],
        }
      },
    })
    const shown = (one: string) => get('/api/who', undefined, { 'service-api-key': one })
    expect((await shown(guessed)).status).toBe(401)
    for (const one of [guessed, 'hmk_', newApiKey().key]) expect((await shown(one)).status).toBe(429)
    expect((await shown(key)).status).toBe(200)
  })

  it('name the caller in the log', async () => {
    await restart({ apiRateLimit: 1 })
    const mine = `Bearer ${await identity.token({ oid: 'me' })}`
    await get('/api/who', mine)
    await get('/api/who', mine)
    await until(() => service.logged.length === 2)
    expect(service.logged[1]?.res).toEqual({ status: 429, code: 'rate-limit-exceeded', caller: 'me' })
  })

  const guessFrom = async (address: string) =>
    (await get('/api/who', 'Bearer guess', { 'x-forwarded-for': address, 'x-forwarded-proto': 'https' }))
      .status

  it('use the address of the connection, not that of a header', async () => {
    await restart({ failureLimit: 1 })
    expect(await guessFrom('203.0.113.1')).toBe(401)
    expect(await guessFrom('203.0.113.2')).toBe(429)
  })

  it('use the address that a named proxy reports, and no earlier one', async () => {
    await restart({ failureLimit: 1, trustProxy: ['loopback'] })
    expect(await guessFrom('203.0.113.1')).toBe(401)
    expect(await guessFrom('203.0.113.1')).toBe(429)
    expect(await guessFrom('203.0.113.2')).toBe(401)
    // The caller may have invented every address before the one that the proxy saw.
    expect(await guessFrom('198.51.100.7, 203.0.113.2')).toBe(429)
    expect(await guessFrom('2001:db8:0:1::1')).toBe(401)
    expect(await guessFrom('2001:db8:0:1:ffff::2')).toBe(429)
    expect(await guessFrom('2001:db8:0:2::1')).toBe(401)
  })
})
