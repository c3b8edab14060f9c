import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { routes } from '../../../../src/http/routes.ts'
import { type HttpService, startHttp } from '../../../support/http.ts'
import { startIdentityProvider } from '../../../support/identity.ts'
import { own } from '../../../support/own.ts'
import { echoRoute } from '../../routes.ts'

/** Pages of other origins may call the API only where `CORS_ORIGINS` lists their origin. */

const page = 'https://app.example.com'
let listing: HttpService
let closed: HttpService
const identity = await own(startIdentityProvider())
beforeAll(async () => {
  const who = echoRoute('/api/who', 'caller')
  const corsOrigins = [page, 'http://localhost:5173']
  listing = await startHttp({ identity, routes: [...routes, who], corsOrigins })
  closed = await startHttp({ identity, routes: [who] })
})
afterAll(() => Promise.all([listing.close(), closed.close()]))

const fill = (path: string) => path.replace(/\{\w+\}/g, '0c7e4c7a-27d3-4a47-8d3b-1f4f4d2f9a11')
const preflight = (
  path: string,
  { origin = page, method = 'GET', asked = 'authorization', at = listing } = {},
) =>
  fetch(at.url + path, {
    method: 'OPTIONS',
    headers: { origin, 'access-control-request-method': method, 'access-control-request-headers': asked },
  })
const listed = (response: Response, name: string) =>
  response.headers
    .get(name)
    ?.toLowerCase()
    .split(',')
    .map((part) => part.trim())

describe.each(routes.map(({ method, path, headers }) => ({ method: method.toUpperCase(), path, headers })))(
  'a preflight for $method $path',
  ({ method, path, headers }) => {
    it('is answered without credentials, and allows the method and every header of the route', async () => {
      const response = await preflight(fill(path), { method })
      expect(response.status).toBe(204)
      expect(response.headers.get('access-control-allow-origin')).toBe(page)
      expect(listed(response, 'access-control-allow-methods')).toContain(method.toLowerCase())
      expect(listed(response, 'access-control-allow-headers')).toEqual(
        expect.arrayContaining([
          'authorization',
          'service-api-key',
          'content-type',
          ...Object.keys(headers.shape),
        ]),
      )
      expect(response.headers.get('access-control-allow-credentials')).toBeNull()
    })
  },
)

describe('a request of a listed origin', () => {
  const ask = async (origin: string | undefined, at = listing, more = {}) => {
    const authorization = `Bearer ${await identity.token({ oid: 'me' })}`
    return fetch(`${at.url}/api/who`, { headers: { ...(origin && { origin }), authorization, ...more } })
  }

  it.each([page, 'http://localhost:5173'])('from %s may read the answer and its headers', async (origin) => {
    const response = await ask(origin)
    expect(response.status).toBe(200)
    expect(response.headers.get('access-control-allow-origin')).toBe(origin)
    expect(listed(response, 'vary')).toContain('origin')
    expect(listed(response, 'access-control-expose-headers')).toEqual(
      expect.arrayContaining([
        'allow',
        'commit-position',
        'etag',
        'idempotent-replayed',
        'link',
        'location',
        'projection-status',
        'ratelimit',
        'ratelimit-policy',
        'read-position',
        'retry-after',
        'www-authenticate',
        'deprecation',
        'sunset',
      ]),
    )
  })

  it('may read a problem, too', async () => {
    const response = await ask(page, listing, { authorization: 'Bearer x' })
    expect(response.status).toBe(401)
    expect(response.headers.get('access-control-allow-origin')).toBe(page)
  })

  it.each([
    'https://app.example.com.evil.example',
    'http://app.example.com',
    'https://app.example.com:8443',
    'https://APP.example.com',
    'null',
    undefined,
  ])('does not let %s read it, and differs by origin for caches', async (origin) => {
    const response = await ask(origin)
    expect(response.status).toBe(200)
    expect(response.headers.get('access-control-allow-origin')).toBeNull()
    expect(listed(response, 'vary')).toContain('origin')
  })

  it('carries no CORS headers when no browser sent it', async () => {
    const response = await ask(undefined)
    expect([...response.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
  })

  it('has no preflight for OPTIONS that no browser sent', async () => {
    const response = await fetch(`${listing.url}/api/who`, { method: 'OPTIONS' })
    expect(response.status).toBe(405)
    expect(listed(response, 'vary')).toContain('origin')
    expect(response.headers.get('allow')).toBe('GET, HEAD')
  })

  it('gets no CORS headers while no origin is listed', async () => {
    const response = await ask(page, closed)
    expect(response.status).toBe(200)
    expect([...response.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
    expect((await preflight('/api/who', { at: closed })).status).toBe(405)
  })
})
