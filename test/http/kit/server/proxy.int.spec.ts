import { once } from 'node:events'
import { get as getByHttp } from 'node:http'
import { get as getByTls } from 'node:https'
import { afterAll, describe, expect, it } from 'vitest'
import { listen } from '../../../../src/http/kit/server/server.ts'
import { clock } from '../../../../src/lib/clocks.ts'
import { httpApp } from '../../../support/http.ts'
import { startIdentityProvider } from '../../../support/identity.ts'
import { own } from '../../../support/own.ts'
import { writeTlsFiles } from '../../../support/selfSigned.ts'
import { echoRoute } from '../../routes.ts'

/** Where a proxy that ends TLS is named, nothing is answered that did not come by TLS. */

const proxy = ['127.0.0.1']
const another = ['10.9.9.9', 'uniquelocal']
const { tls, remove } = writeTlsFiles()
const identity = await own(startIdentityProvider())
const token = await identity.token({ oid: 'me' })
afterAll(() => remove())

interface Asked {
  readonly trustProxy?: readonly string[]
  readonly byTls?: boolean
  readonly protocol?: string
  readonly path?: string
}

/** The status and code of the answer to a request from 127.0.0.1. */
const answerTo = async ({
  trustProxy,
  byTls = false,
  protocol,
  path = '/api/who',
}: Asked): Promise<string> => {
  const { app, close } = httpApp({
    identity,
    routes: [echoRoute('/api/who', 'caller')],
    ...(trustProxy && { trustProxy }),
  })
  const server = await listen(app, { host: '127.0.0.1', port: 0, clock, tls: byTls ? tls : undefined })
  const headers = {
    authorization: `Bearer ${token}`,
    ...(protocol !== undefined && { 'x-forwarded-proto': protocol }),
  }
  const asked = (byTls ? getByTls : getByHttp)(`${server.url}${path}`, {
    agent: false,
    headers,
    rejectUnauthorized: false,
  } as never)
  const [response] = await once(asked, 'response')
  const body = Buffer.concat(await response.toArray()).toString()
  await server.close(100)
  close()
  return [response.statusCode, JSON.parse(body).code].filter(Boolean).join(' ')
}
const refused = '403 https-required'

describe('with the proxy named from which a request comes', () => {
  it.each([
    ['https', '200'],
    ['HTTPS', '200'],
    ['https, https', '200'],
    ['http', refused],
    ['', refused],
    [undefined, refused],
    ['https, http', refused],
    ['http, https', refused],
    ['https,', refused],
    ['wss', refused],
  ])('X-Forwarded-Proto %j is answered %s', async (protocol, answer) => {
    const said = protocol === undefined ? {} : { protocol }
    expect(await answerTo({ trustProxy: proxy, ...said })).toBe(answer)
    expect(await answerTo({ trustProxy: proxy, byTls: true, ...said })).toBe(answer)
  })
})

describe('with another proxy named', () => {
  it('refuses plain HTTP, whatever its headers say', async () => {
    expect(await answerTo({ trustProxy: another })).toBe(refused)
    expect(await answerTo({ trustProxy: another, protocol: 'https' })).toBe(refused)
  })

  it('answers TLS connections, whatever their headers say', async () => {
    expect(await answerTo({ trustProxy: another, byTls: true })).toBe('200')
    expect(await answerTo({ trustProxy: another, byTls: true, protocol: 'http' })).toBe('200')
  })

  it.each([
    '/api/who',
    '/api/nothing',
    '/openapi.json',
    '/docs/',
    '/metrics',
    '/api/company/x/orders',
    '/healthy',
  ])('plain HTTP is refused at %s', async (path) => {
    expect(await answerTo({ trustProxy: another, path })).toBe(refused)
  })

  it.each(['/health/live', '/health/ready', '/api/health/ready'])(
    'plain HTTP is answered at %s',
    async (path) => {
      expect(await answerTo({ trustProxy: another, path })).toBe('200')
    },
  )
})

it('answers plain HTTP and ignores X-Forwarded-Proto when no proxy is named', async () => {
  expect(await answerTo({})).toBe('200')
  expect(await answerTo({ protocol: 'http' })).toBe('200')
})
