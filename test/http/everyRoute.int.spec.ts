import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { Route } from '../../src/http/kit/routing/route.ts'
import { routes } from '../../src/http/routes.ts'
import { own } from '../support/own.ts'
import { startTestService } from '../support/testService.ts'

/** Rules that hold for every route. */

const service = await own(startTestService())

const fill = (path: string, companyId = service.companyId) =>
  path.replace(/\{(\w+)\}/g, (_, name) => (name === 'companyId' ? companyId : randomUUID()))
const ask = async (
  method: string,
  path: string,
  user?: string,
  headers: Record<string, string> = {},
  body?: string,
) => {
  const response = await fetch(service.url + path, {
    method,
    ...(body !== undefined && { body }),
    headers: {
      ...(user && { authorization: `Bearer ${await service.identity.token({ oid: user })}` }),
      ...headers,
    },
  })
  const text = await response.text()
  return {
    status: response.status,
    headers: response.headers,
    text,
    problem:
      /[/+]json/.test(response.headers.get('content-type') ?? '') && text ? JSON.parse(text) : undefined,
  }
}
const named = (some: readonly Route[]) =>
  some.map((route) => ({ method: route.method.toUpperCase(), path: route.path, route }))
const paths = [...new Set(routes.map(({ path }) => path))]
const ofCompanies = routes.filter(({ access }) => typeof access === 'object' && 'company' in access)

describe.each(named(routes))('$method $path', ({ method, path }) => {
  it('needs credentials, says which kind, and is the same without /api', async () => {
    for (const address of [fill(path), fill(path).replace(/^\/api/, '')]) {
      const { status, headers, problem } = await ask(method, address)
      expect(status).toBe(401)
      expect(headers.get('www-authenticate')).toBe('Bearer realm="heatmark"')
      expect(problem).toMatchObject({ status: 401, code: 'credentials-missing', instance: address })
    }
  })
})

describe.each(named(routes))('$method $path', ({ method, path, route }) => {
  it('never ignores a condition', async () => {
    const sent = { 'if-match': '"999"', 'if-unmodified-since': 'Thu, 01 Jan 1970 00:00:00 GMT' }
    const type = route.bodyType ?? 'application/json'
    const [headers, body] = route.body ? [{ ...sent, 'content-type': type }, '{}'] : [sent]
    const { status, problem } = await ask(method, fill(path), 'admin', headers, body)
    // Nobody is told the faults of a request before it is known who may ask.
    if (status === 403 || status === 415) return
    expect({ status, code: problem.code }).toEqual({ status: 400, code: 'validation-failed' })
    const named = problem.errors.map(({ parameter }: { parameter?: string }) => parameter)
    expect(named).toContain('If-Unmodified-Since')
    expect(named.includes('If-Match')).toBe(!('if-match' in route.headers.shape))
  })
})

describe.each(named(ofCompanies))('$method $path', ({ method, path }) => {
  it('is closed to non-members, in the same words whether or not the company exists', async () => {
    const said = async (companyId: string) => {
      const { status, headers, problem } = await ask(method, fill(path, companyId), 'outsider')
      expect(status).toBe(403)
      const { traceId: _, instance: __, ...rest } = problem
      return { rest, names: [...headers.keys()].sort() }
    }
    expect(await said(service.companyId)).toEqual(await said(randomUUID()))
  })
})

describe.each(named(routes.filter(({ method }) => method === 'get')))('HEAD $path', ({ path, route }) => {
  it('answers as GET does, without the body', async () => {
    const address = fill(path)
    const got = await ask('GET', address, 'admin')
    const head = await ask('HEAD', address, 'admin')
    expect(head.status).toBe(got.status)
    expect(head.text).toBe('')
    // The client asks for HEAD without keeping the connection, and no body has no transfer coding.
    const names = ({ headers }: { headers: Headers }) =>
      [...headers.keys()]
        .filter((name) => !['connection', 'keep-alive', 'transfer-encoding'].includes(name))
        .sort()
    expect(names(head)).toEqual(names(got))
    for (const name of ['etag', 'content-type']) expect(head.headers.get(name)).toBe(got.headers.get(name))
    // The keys of the log and a template are no read model.
    if (got.status === 200 && !/\/(history\/log\/keys|imports\/template)$/.test(route.path))
      expect(Number(got.headers.get('read-position'))).toBeGreaterThan(0)
  })
})

describe.each(paths)('%s', (path) => {
  it('answers 405 to other methods, and lists the supported ones', async () => {
    const known = routes.filter((route) => route.path === path).map(({ method }) => method.toUpperCase())
    const allowed = new Set(known.includes('GET') ? [...known, 'HEAD'] : known)
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND']) {
      if (allowed.has(method)) continue
      const { status, headers, problem } = await ask(method, fill(path))
      expect(status).toBe(405)
      expect(new Set(headers.get('allow')?.split(', '))).toEqual(allowed)
      expect(problem.code).toBe('method-not-allowed')
    }
  })
})

describe.each(named(routes.filter(({ query }) => 'cursor' in query.shape)))('$path', ({ path }) => {
  it('answers 304 while the list or page is unchanged', async () => {
    for (const query of ['', '?limit=5']) {
      const first = await ask('GET', fill(path) + query, 'admin')
      // Lists within a record that is not there have no ETag to compare.
      if (first.status === 404) continue
      expect(first.status).toBe(200)
      const etag = first.headers.get('etag')!
      const again = await ask('GET', fill(path) + query, 'admin', { 'if-none-match': `"other", ${etag}` })
      expect(again.status).toBe(304)
      expect(again.text).toBe('')
      expect(again.headers.get('etag')).toBe(etag)
    }
  })
})

describe('an address', () => {
  it.each(['/', '/api', '/api/', '/api/company', '/api/api/companies', '/API/companies', '/api/companies/'])(
    'is unknown: %s',
    async (path) => {
      const { status, problem } = await ask('GET', path, 'admin')
      expect(status).toBe(404)
      expect(problem).toMatchObject({ code: 'not-found', instance: path })
    },
  )
})
