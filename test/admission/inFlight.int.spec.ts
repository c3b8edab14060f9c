import { once } from 'node:events'
import { type ClientRequest, request } from 'node:http'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import {
  bytesOfRequest,
  createInFlight,
  type InFlight,
  type RequestBytes,
} from '../../src/admission/inFlight.ts'
import { send } from '../../src/http/kit/routing/respond.ts'
import type { Route } from '../../src/http/kit/routing/route.ts'
import { routes } from '../../src/http/routes.ts'
import { echoRoute } from '../http/routes.ts'
import { type Answer, call } from '../support/call.ts'
import { type HttpService, startHttp } from '../support/http.ts'
import { startIdentityProvider } from '../support/identity.ts'
import { own } from '../support/own.ts'
import { until } from '../support/until.ts'

/** While a store says nothing, what waits for it holds no more than it may. */

const maxBytes = 32 * bytesOfRequest
/** The bytes that other callers leave free, which is less than one caller may hold. */
const free = 4 * bytesOfRequest
/** Three of them fit beside a request that holds nothing. */
const text = 'x'.repeat(bytesOfRequest / 4)
const C = '/api/company/3f2b8c1e-5a47-4c0d-9b6e-1d2f3a4b5c6d'

let inFlight: InFlight
/** The bytes of the other callers. */
let others: RequestBytes
let service: HttpService
/** The store speaks again when it is resolved. */
let store: PromiseWithResolvers<void>

const waiting: Route = {
  ...echoRoute('/api/waiting', 'caller'),
  method: 'post',
  body: z.strictObject({ text: z.string() }),
  async answer({ res }) {
    await store.promise
    send(res, { status: 204 })
  },
}

const waitForStore = async (): Promise<never> => {
  await store.promise
  throw new Error('the spec looks no further')
}

const identity = await own(startIdentityProvider())
const token = await identity.token({ oid: 'me' })
beforeEach(async () => {
  store = Promise.withResolvers()
  inFlight = createInFlight(maxBytes)
  others = inFlight.begin()
  others.take(maxBytes - free)
  service = await startHttp({
    identity,
    inFlight,
    // Otherwise the slow bodies of one caller begin a second apart.
    largeBodies: (_caller, work) => work(),
    members: () => ['Admin'],
    routes: [...routes, waiting, echoRoute('/api/who', 'caller')],
    executor: { execute: waitForStore, check: waitForStore },
  })
})
afterEach(async () => {
  store.resolve()
  await service.close()
})

const post = (body: unknown = { text }): Promise<Answer> =>
  call('POST', `${service.url}/api/waiting`, { token, body })
const get = (path: string) => call('GET', `${service.url}${path}`, { token })
/** The bytes that the requests of a spec hold. */
const held = () => inFlight.bytes() - (maxBytes - free)
const sentLength = JSON.stringify({ text }).length
/** Requests whose bodies are held, as many as fit. */
const fill = async () => {
  const waiting = [post(), post(), post()]
  await until(() => held() === 3 * (bytesOfRequest + sentLength))
  return waiting
}
const line = JSON.stringify({
  orderNumber: 'SO-1',
  lineItems: [{ lineNumber: 10, lengthMm: 2_900, quantity: 3 }],
})
/** The statuses and codes of the answers to so many lines. */
const bulk = async (lines: number): Promise<string[]> => {
  const response = await fetch(`${service.url}${C}/orders/bulk`, {
    method: 'POST',
    body: `${line}\n`.repeat(lines),
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/x-ndjson' },
  })
  const answers = (await response.text()).trim().split('\n')
  return answers.map((answer) => JSON.parse(answer)).map(({ status, code }) => `${status} ${code}`)
}
const tooBusy = { status: 503, body: { code: 'too-busy' } }

it('refuses one request more, and answers the waiting ones when the store answers again', async () => {
  const waiting = await fill()
  const refused = await post()
  expect(refused).toMatchObject(tooBusy)
  expect(refused.headers.get('retry-after')).toBe('1')
  store.resolve()
  expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual([204, 204, 204])
  await until(() => held() === 0)
  expect((await post()).status).toBe(204)
})

it('counts a body as it arrives, whether or not its length was announced', async () => {
  const send = (headers: Record<string, string>) =>
    request(`${service.url}/api/waiting`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
    })
  const announced = send({ 'content-length': '1000000' })
  announced.flushHeaders()
  await until(() => held() === bytesOfRequest)
  const chunked = send({})
  chunked.write(`{"text":"${'x'.repeat(free)}`)
  const [response] = await once(chunked, 'response')
  expect(response.statusCode).toBe(503)
  await until(() => held() === bytesOfRequest)
  chunked.destroy()
  announced.on('error', () => {}).destroy()
  await until(() => held() === 0)
})

it('counts the bytes of running work although its client has gone', async () => {
  const gone = new AbortController()
  const asked = fetch(`${service.url}/api/waiting`, {
    method: 'POST',
    body: JSON.stringify({ text }),
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    signal: gone.signal,
  })
  await until(() => held() === bytesOfRequest + sentLength)
  gone.abort()
  await expect(asked).rejects.toThrow()
  await until(() => service.logged.length > 0)
  expect(held()).toBe(bytesOfRequest + sentLength)
  store.resolve()
  await until(() => held() === 0)
})

it('counts nothing for a refused request', async () => {
  expect((await post({ text: 1 })).status).toBe(400)
  expect((await call('POST', `${service.url}/api/waiting`, { body: { text } })).status).toBe(401)
  expect((await call('POST', `${service.url}/api/waiting`, { token, body: '{' })).status).toBe(400)
  await until(() => held() === 0)
})

describe('beside as many requests as may be', () => {
  it('one without a body is refused, and health is told', async () => {
    await fill()
    const share = inFlight.begin()
    share.take(free - held())
    expect(await get('/api/who')).toMatchObject(tooBusy)
    for (const path of ['/health/live', '/health/ready', '/openapi.json'])
      expect((await get(path)).status, path).toBe(200)
    share.release()
  })

  it('the lines of a bulk request are refused one by one', async () => {
    const share = inFlight.begin()
    share.take(free - bytesOfRequest - 2 * line.length)
    const answers = bulk(3)
    await until(() => held() === free)
    store.resolve()
    expect(await answers).toEqual(['500 internal-error', '500 internal-error', '503 too-busy'])
    share.release()
    await until(() => held() === 0)
  })
})

describe('one caller who sends many bodies slowly', () => {
  const ofOneCaller = maxBytes / 4
  const begin = (sender: string): ClientRequest => {
    const sent = request(`${service.url}/api/waiting`, {
      method: 'POST',
      headers: { authorization: `Bearer ${sender}`, 'content-type': 'application/json' },
    })
    sent.on('error', () => {}).write(`{"text":"${text}`)
    return sent
  }
  const statusOf = async (sent: ClientRequest): Promise<number> =>
    (await once(sent, 'response'))[0].statusCode
  /** The bytes that such a request holds. */
  const slow = bytesOfRequest + `{"text":"${text}`.length
  const fit = Math.floor(ofOneCaller / slow)

  it('is refused above a quarter of the bound, and others are served', async () => {
    others.release()
    const stranger = await identity.token({ oid: 'stranger' })
    const slowOnes = Array.from({ length: fit }, () => begin(stranger))
    await until(() => inFlight.bytes() === fit * slow)
    expect(await statusOf(begin(stranger))).toBe(503)
    expect((await get('/api/who')).status).toBe(200)
    store.resolve()
    expect((await post()).status).toBe(204)

    const [first] = slowOnes
    first!.end('"}')
    expect(await statusOf(first!)).toBe(204)
    await until(() => inFlight.bytes() === (fit - 1) * slow)
    const next = begin(stranger)
    next.end('"}')
    expect(await statusOf(next)).toBe(204)
    for (const sent of slowOnes) sent.destroy()
    await until(() => inFlight.bytes() === 0)
  })

  it('is refused a request without a body, too', async () => {
    others.release()
    const rest = inFlight.begin()
    rest.chargeTo('me')
    rest.take(ofOneCaller - bytesOfRequest + 1)
    expect(await get('/api/who')).toMatchObject(tooBusy)
    rest.release()
    expect((await get('/api/who')).status).toBe(200)
    await until(() => inFlight.bytes() === 0)
  })

  it('has the lines of a bulk request counted with the rest', async () => {
    others.release()
    const rest = inFlight.begin()
    rest.chargeTo('me')
    rest.take(ofOneCaller - bytesOfRequest)
    expect(await bulk(1)).toEqual(['503 too-busy'])
    rest.release()
    store.resolve()
    expect(await bulk(1)).toEqual(['500 internal-error'])
    await until(() => inFlight.bytes() === 0)
  })
})
