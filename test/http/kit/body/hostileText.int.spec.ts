import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { Agent, createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addressGroup } from '../../../../src/admission/rateLimit.ts'
import { isUserId } from '../../../../src/domain/kernel/identifiers.ts'
import { nameKey, normalise } from '../../../../src/domain/kernel/spellings.ts'
import { readGrade } from '../../../../src/domain/steel/steelGrade.ts'
import { requireMediaType } from '../../../../src/http/kit/body/body.ts'
import { alreadyHas, ifMatch } from '../../../../src/http/kit/routing/conditional.ts'
import { codingFor } from '../../../../src/http/kit/routing/contentCoding.ts'
import { name, number } from '../../../../src/http/kit/schemas/fields.ts'
import { loggedPath } from '../../../../src/http/kit/server/accessLog.ts'
import { routes } from '../../../../src/http/routes.ts'
import { isWellFormed } from '../../../../src/identity/apiKeyFormat.ts'

import { httpApp } from '../../../support/http.ts'
import { type IdentityProvider, startIdentityProvider } from '../../../support/identity.ts'

/**
 * Text made to cost much time, at every place of a request. A check that looks at each character once takes four
 * times as long for 64 KB as for 16 KB. A pattern that starts again at each character takes sixteen times as long.
 */

const kilobytes = (count: number) => count * 1_024
const mostTimes = 6
/** About the time of sending and answering, whatever the text. A quadratic pattern takes a hundred times as long. */
const requestMs = 3
const units = 'a|0| |"|/|.|,|:|-|%|eyJ|hmk_|a |a/|%20|W/"|", |a=b;'.split('|')
/** The last character makes a pattern fail that requires its end there. */
const textOf = (unit: string, bytes: number): string => `${unit.repeat(bytes / unit.length)}!`

/** CPU time of this thread in ms, which does not count while others use the machine. */
const cpuMs = (): number => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

/** The least time of several, in ms. A long one needs no repeat. */
const timeOf = async (work: () => unknown, times: number): Promise<number> => {
  let least = Number.POSITIVE_INFINITY
  const longMs = 200
  for (let n = 0; n < times && (n === 0 || least < longMs); n += 1) {
    const began = cpuMs()
    await work()
    least = Math.min(least, cpuMs() - began)
  }
  return least
}

/** Time for 64 KB as a multiple of the time for 16 KB, which counts as `floorMs` at least. */
const ratioOf = async (work: (text: string) => unknown, unit: string, floorMs: number): Promise<number> => {
  const [small, large] = [textOf(unit, kilobytes(16)), textOf(unit, kilobytes(64))]
  const once = async (times: number) => {
    const less = await timeOf(() => work(small), times)
    return (await timeOf(() => work(large), times)) / Math.max(less, floorMs)
  }
  // A high figure is measured again before it counts.
  for (const times of [1, 5]) if ((await once(times)) <= mostTimes) return 1
  return once(20)
}

const expectLinear = async (work: (text: string) => unknown, texts: readonly string[], floorMs: number) => {
  for (const unit of texts)
    expect(await ratioOf(work, unit, floorMs), JSON.stringify(unit)).toBeLessThanOrEqual(mostTimes)
}

describe('64 KB of hostile text take at most six times as long as 16 KB', () => {
  it.each<[string, (text: string) => unknown]>([
    ['the path of the access log', loggedPath],
    ['If-Match', (text) => ifMatch(text)(1)],
    ['If-None-Match', (text) => alreadyHas({ headers: { 'if-none-match': text } } as never, '"1"')],
    ['Accept-Encoding', (text) => codingFor({ headers: { 'accept-encoding': text } } as never)],
    [
      'Content-Type',
      (text) =>
        requireMediaType({ headers: { 'content-length': '1', 'content-type': text } } as never, [text]),
    ],
    ['an API key', isWellFormed],
    ['a user id', isUserId],
    ['the address of a client', addressGroup],
    ['a name', (text) => name.safeParse(text)],
    ['a number', (text) => number.safeParse(text)],
    ['the key of a number', normalise],
    ['the key of a name', nameKey],
    ['a grade', readGrade],
  ])('as %s', async (_, work) => {
    const guarded = (text: string) => {
      try {
        work(text)
      } catch {
        // A refusal takes its time, too.
      }
    }
    // A quadratic check of 64 KB takes 100 ms and more; below this floor only the machine's noise is measured.
    await expectLinear(guarded, units, 0.2)
  })
})

describe('a request with 64 KB of hostile text takes at most six times as long as one with 16 KB', () => {
  const C = `/api/company/${randomUUID()}`
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  let identity: IdentityProvider
  let app: ReturnType<typeof httpApp>
  let server: Server
  let token: string
  beforeAll(async () => {
    identity = await startIdentityProvider()
    app = httpApp({
      identity,
      routes,
      corsOrigins: ['https://a.example'],
      members: () => ['Admin'],
      failureLimit: 1_000_000,
    })
    // The service itself listens with Node's limit of 16 KB.
    server = createServer({ maxHeaderSize: kilobytes(256) }, app.app)
    await once(server.listen(0, '127.0.0.1'), 'listening')
    token = await identity.token({ oid: 'anyone' })
  })
  afterAll(async () => {
    agent.destroy()
    server.close()
    app.close()
    await identity.stop()
  })

  const send = async (method: string, path: string, headers: Record<string, string>, body?: string) => {
    const { port } = server.address() as AddressInfo
    const asked = request({ agent, host: '127.0.0.1', port, method, path, headers })
    asked.end(body)
    const [response] = await once(asked, 'response')
    await response.toArray()
    return response.statusCode as number
  }
  const bearer = () => ({ authorization: `Bearer ${token}` })
  const json = () => ({ ...bearer(), 'content-type': 'application/json' })
  /** A path cannot have spaces; a header can. */
  const inPath = units.filter((unit) => !/[\s\\]/.test(unit))
  const inHeader = units

  it.each<[string, (text: string) => string]>([
    ['the path', (text) => `/${text}`],
    ['the path of a company', (text) => `${C}/${text}`],
    ['an id', (text) => `${C}/orders/${text}`],
    ['a user id', (text) => `${C}/members/${text}/x`],
    ['the path of the docs', (text) => `/docs/${text}`],
    ['the query', (text) => `${C}/orders?${text}`],
    ['a cursor', (text) => `${C}/orders?cursor=${text}`],
    ['a host before the path', (text) => `http://${text.replaceAll(/[^\w.-]/g, 'x')}`],
  ])('in %s', async (_, path) => {
    await expectLinear((text) => send('GET', path(text), bearer()), inPath, requestMs)
  })

  it.each([
    'authorization',
    'service-api-key',
    'if-none-match',
    'min-position',
    'traceparent',
    'x-forwarded-for',
    'range',
    'accept',
    'accept-encoding',
    'origin',
  ])('in the header %s', async (header) => {
    const headersOf = (text: string) => ({
      ...bearer(),
      [header]: header === 'authorization' ? `Bearer ${text}` : text,
    })
    await expectLinear((text) => send('GET', `${C}/orders`, headersOf(text)), inHeader, requestMs)
    await expectLinear((text) => send('GET', '/docs/', { [header]: text }), inHeader.slice(0, 5), requestMs)
  })

  it.each(['content-type', 'content-encoding', 'idempotency-key', 'if-match'])(
    'in the header %s of a command',
    async (header) => {
      const path = `${C}/millcert-tags/${randomUUID()}`
      await expectLinear(
        (text) => send('PUT', path, { ...json(), [header]: text }, '{}'),
        inHeader,
        requestMs,
      )
    },
  )

  it.each([
    ['a tag', 'POST', 'millcert-tags', ['name', 'color', 'severity']],
    ['an order', 'POST', 'orders', ['orderNumber', 'customer', 'lineItems']],
    [
      'a certificate',
      'POST',
      'millcert/certificates',
      ['certificateNumber', 'heatNumber', 'grade', 'standard'],
    ],
    ['a company’s member', 'PUT', 'members/zoe', ['roles']],
  ])('in the fields of %s', async (_, method, path, fields) => {
    const put = (body: object) => send(method, `${C}/${path}`, json(), JSON.stringify(body))
    for (const field of fields) await expectLinear((text) => put({ [field]: text }), units, requestMs)
    await expectLinear((text) => put({ [text]: 1 }), units, requestMs)
  })
})
