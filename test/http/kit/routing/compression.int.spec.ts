import { createHook } from 'node:async_hooks'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { commandRoute } from '../../../../src/http/kit/routing/commandRoute.ts'
import { startHttp } from '../../../support/http.ts'
import { own } from '../../../support/own.ts'
import { startTestService } from '../../../support/testService.ts'

/** Answers are compressed as Accept-Encoding asks, and mean the same in every coding. */

let large: string
let small: string
const service = await own(startTestService())
const C = `/api/company/${service.companyId}`
beforeAll(async () => {
  // Nothing is unstated, so the orders have no findings.
  const line = { grade: 'S355J2', lengthMm: 100, quantity: 1 }
  const order = (orderNumber: string, lines: number) => ({
    orderNumber,
    requiredInspectionDocument: '3.1',
    executionClass: 'EXC2',
    lineItems: Array.from({ length: lines }, (_, n) => ({ ...line, lineNumber: n + 1 })),
  })
  const made = async (orderNumber: string, lines: number) =>
    (await service.send('planner', 'POST', 'orders', { body: order(orderNumber, lines) })).body.orderId
  large = `${C}/orders/${await made('LARGE', 40)}`
  small = `${C}/orders/${await made('SMALL', 1)}`
})

interface Got {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  /** As sent. */
  readonly bytes: Buffer
  readonly text: string
}

/** Ask without the coding that `fetch` asks for by itself. */
async function askEncoded(
  path: string,
  headers: Record<string, string> = {},
  method = 'GET',
  body?: string,
): Promise<Omit<Got, 'text'>> {
  const authorization = `Bearer ${await service.identity.token({ oid: 'planner' })}`
  const asked = request(service.url + path, { method, headers: { authorization, ...headers } })
  asked.end(body)
  const [response] = (await once(asked, 'response')) as [IncomingMessage]
  return { status: response.statusCode!, headers: response.headers, bytes: await buffer(response) }
}

async function ask(...asked: Parameters<typeof askEncoded>): Promise<Got> {
  const got = await askEncoded(...asked)
  return { ...got, text: String(decoded(got.bytes, got.headers['content-encoding'])) }
}

function decoded(bytes: Buffer, coding: string | undefined): Buffer {
  if (bytes.length === 0 || coding === undefined) return bytes
  return coding === 'br' ? brotliDecompressSync(bytes) : gunzipSync(bytes)
}

const accepting = (coding: string) => ({ 'accept-encoding': coding })
const list = () => `${C}/orders`

/** A list is also a table, by Accept. */
const ofList = 'Accept, Accept-Language, Accept-Encoding'

describe.each([
  ['a record', () => large, 'Accept-Language, Accept-Encoding'],
  ['a list', list, ofList],
  ['a page', () => `${list()}?limit=2`, ofList],
  ['the OpenAPI document', () => '/openapi.json', 'Accept-Encoding'],
])('%s above 1 KiB', (_, path, vary) => {
  it.each([
    ['br', 'br'],
    ['gzip', 'gzip'],
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip;q=1, br;q=0.9', 'gzip'],
    ['br;q=0, *', 'gzip'],
    ['*', 'br'],
    ['identity;q=0, GZIP', 'gzip'],
    ['gzip;q=0.1', 'gzip'],
    ['identity, gzip;q=0.5', undefined],
    ['gzip;q=0', undefined],
    ['identity', undefined],
    ['*;q=0', undefined],
    ['deflate, zstd', undefined],
    ['', undefined],
  ])('is for Accept-Encoding "%s" answered in %s', async (accepted, coding) => {
    const plain = await ask(path())
    expect(plain.headers['content-encoding']).toBeUndefined()
    expect(plain.bytes.length).toBeGreaterThan(1_024)
    expect(plain.headers.vary).toBe(vary)
    const got = await ask(path(), accepting(accepted))
    expect(got.headers['content-encoding']).toBe(coding)
    expect(got.headers.vary).toBe(vary)
    expect(got.headers['content-length']).toBe(String(got.bytes.length))
    expect(got.text).toBe(plain.text)
    if (coding) expect(got.bytes.length).toBeLessThan(plain.bytes.length)
  })

  it('has for HEAD the headers of GET', async () => {
    for (const coding of ['br', 'gzip', 'identity']) {
      const got = await ask(path(), accepting(coding))
      const head = await ask(path(), accepting(coding), 'HEAD')
      expect(head.bytes).toHaveLength(0)
      for (const name of ['content-encoding', 'content-length', 'etag', 'vary', 'content-type'])
        expect(head.headers[name]).toBe(got.headers[name])
    }
  })
})

describe('an answer', () => {
  it('below 1 KiB stays as it is, unless the caller refuses that', async () => {
    const plain = await ask(small, accepting('br, gzip'))
    expect(plain.bytes.length).toBeLessThan(1_024)
    expect(plain.headers['content-encoding']).toBeUndefined()
    expect(plain.headers.vary).toBe('Accept-Language, Accept-Encoding')
    const coded = await ask(small, accepting('gzip, identity;q=0'))
    expect(coded.headers['content-encoding']).toBe('gzip')
    expect(coded.text).toBe(plain.text)
    const empty = `${C}/order-tags`
    expect((await ask(empty, accepting('br'))).text).toBe('[]')
    expect((await ask(empty, accepting('br'))).headers['content-encoding']).toBeUndefined()
  })

  it('to a header of more than 1 KiB stays as it is', async () => {
    const got = await ask(large, accepting(`br${', x'.repeat(400)}`))
    expect(got.headers['content-encoding']).toBeUndefined()
    expect(got.bytes.length).toBeGreaterThan(1_024)
  })

  it('that reports many faults is compressed, too', async () => {
    const body = JSON.stringify(Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`member${n}`, 1])))
    const headers = { 'content-type': 'application/json', ...accepting('gzip') }
    const got = await ask(list(), headers, 'POST', body)
    expect(got).toMatchObject({ status: 400, headers: { 'content-encoding': 'gzip' } })
    expect(got.headers['content-type']).toBe('application/problem+json')
    expect(JSON.parse(got.text).errors.length).toBeGreaterThan(100)
  })

  it('that is a page of lines or text for programs is not compressed', async () => {
    const headers = { 'content-type': 'application/x-ndjson', ...accepting('br') }
    const lines = await ask(`${list()}/bulk`, headers, 'POST', '{}\n'.repeat(100))
    expect(lines.status).toBe(200)
    expect(lines.bytes.length).toBeGreaterThan(1_024)
    expect(lines.headers['content-encoding']).toBeUndefined()
  })

  it('that holds a secret is never compressed', async () => {
    const made = (operationId: string, holdsSecret: boolean) =>
      commandRoute({
        tag: 'Service',
        summary: 'For specs',
        access: 'caller' as const,
        method: 'post' as const,
        path: `/api/${operationId}`,
        operationId,
        holdsSecret,
        command: () => ({
          aggregate: {
            name: 'thing',
            streamName: () => 'thing',
            initial: undefined,
            evolve: () => undefined,
            events: {},
          },
          id: 'thing',
          decide: () => [],
          answer: () => ({ body: { key: 'secret'.repeat(1_000) } }),
        }),
        record: z.object({ key: z.string() }),
      })
    const executed = { body: { key: 'secret'.repeat(1_000) }, position: 1, recorded: [], replayed: false }
    const http = await startHttp({
      identity: service.identity,
      routes: [made('secret', true), made('open', false)],
      executor: { execute: async () => executed as never, check: async () => executed as never },
    })
    const authorization = `Bearer ${await service.identity.token({ oid: 'me' })}`
    const codingOf = async (path: string) => {
      const response = await fetch(`${http.url}/api/${path}`, { method: 'POST', headers: { authorization } })
      expect(await response.json()).toEqual(executed.body)
      return response.headers.get('content-encoding')
    }
    expect(await codingOf('secret')).toBeNull()
    expect(await codingOf('open')).toBe('gzip')
    await http.close()
  })
})

describe('the ETag of a compressed answer', () => {
  const codings = ['br', 'gzip', 'identity']

  it.each([
    ['a list', list],
    ['a page', () => `${list()}?limit=2`],
  ])('differs by coding for %s, is strong, and is answered 304 with itself', async (_, path) => {
    const etags = await Promise.all(
      codings.map(async (coding) => (await ask(path(), accepting(coding))).headers.etag!),
    )
    expect(new Set(etags).size).toBe(3)
    for (const etag of etags) expect(etag).toMatch(/^"[^"]+"$/)
    for (const [n, etag] of etags.entries()) {
      const conditional = { 'if-none-match': `"x", ${etag}` }
      const again = await ask(path(), { ...conditional, ...accepting(codings[n]!) })
      expect(again).toMatchObject({ status: 304, headers: { etag, vary: ofList } })
      expect(again.bytes).toHaveLength(0)
      expect(await ask(path(), { ...conditional, ...accepting('gzip, br') })).toMatchObject({
        status: 304,
        headers: { etag },
      })
      expect(await ask(path(), conditional)).toMatchObject({ status: 304, headers: { etag } })
    }
  })

  it('is no match for a caller that no longer accepts its coding', async () => {
    const { etag } = (await ask(list(), accepting('br'))).headers
    const got = await ask(list(), { 'if-none-match': etag!, ...accepting('gzip') })
    expect(got).toMatchObject({ status: 200, headers: { 'content-encoding': 'gzip' } })
  })

  it.each(codings)('of a record in %s is good for If-Match', async (coding) => {
    const { etag } = (await ask(large, accepting(coding))).headers
    const { lineItems, customer } = JSON.parse((await ask(large)).text)
    const items = lineItems.map(({ lineItemId: _, status: __, ...item }: Record<string, unknown>) => item)
    const body = JSON.stringify({ customer: `${customer ?? ''}x`, lineItems: items })
    const headers = { 'content-type': 'application/json', 'if-match': etag!, ...accepting(coding) }
    const changed = await ask(large, headers, 'PUT', body)
    expect(changed.status).toBe(200)
    expect(changed.headers.etag).not.toBe(etag)
    expect((await ask(large, accepting(coding))).headers.etag).toBe(changed.headers.etag)
    expect((await ask(large, headers, 'PUT', body)).status).toBe(412)
  })
})

describe('the memory of lists', () => {
  /** The bytes that it holds. */
  const held = async () => {
    const authorization = `Bearer ${await service.identity.token({ oid: 'operator', roles: ['Operator'] })}`
    const metrics = await (await fetch(`${service.url}/metrics`, { headers: { authorization } })).text()
    return Number(/^heatmark_cache_bytes\{cache="lists"\} (\d+)$/m.exec(metrics)![1])
  }
  /** How often this process begins to compress, or to decompress, during the work. */
  const codingsDuring = async (work: () => Promise<unknown>) => {
    let begun = 0
    const init = (_: number, type: string) => {
      if (type === 'ZLIB') begun += 1
    }
    const hook = createHook({ init }).enable()
    await work()
    hook.disable()
    return begun
  }

  it('keeps each coding beside the list, in its bound, so that a hit costs no compression', async () => {
    const body = { orderNumber: 'FRESH', lineItems: [{ lineNumber: 1, lengthMm: 1, quantity: 1 }] }
    expect((await service.send('planner', 'POST', 'orders', { body })).status).toBe(201)
    for (const coding of ['identity', 'br', 'gzip']) {
      const before = await held()
      let first: Awaited<ReturnType<typeof askEncoded>> | undefined
      const ofMiss = await codingsDuring(async () => {
        first = await askEncoded(list(), accepting(coding))
      })
      const grown = (await held()) - before
      expect(ofMiss).toBe(coding === 'identity' ? 0 : 1)
      expect(grown - first!.bytes.length).toBeGreaterThan(0)
      expect(grown - first!.bytes.length).toBeLessThan(1_500)
      const ofHit = await codingsDuring(async () => {
        const again = await askEncoded(list(), accepting(coding))
        expect(again.bytes).toEqual(first!.bytes)
      })
      expect(ofHit).toBe(0)
      expect(await held()).toBe(before + grown)
    }
  })
})
