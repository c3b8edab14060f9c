import { expect, it, vi } from 'vitest'
import { createClient } from '../../packages/client/src/index.ts'
import { problem, scripted } from './scriptedFetch.ts'

/** A client sends a request again while that may help, and never so that it is done twice. */

const register = 'POST /api/company/{companyId}/orders'
const orders = 'GET /api/company/{companyId}/orders'
const body = { orderNumber: 'SO 1', lineItems: [] }
const keysOf = (asked: readonly { headers: Readonly<Record<string, string>> }[]) =>
  asked.map(({ headers }) => headers['Idempotency-Key'])

it('sends a request again with the same key, after what Retry-After asks for', async () => {
  const { options, asked, waitedMs } = scripted(
    new TypeError('fetch failed'),
    problem(503, 'outcome-unknown', { 'Retry-After': '7' }),
    problem(429, 'rate-limit-exceeded', { 'Retry-After': '30' }),
    new Response('bad gateway', { status: 502 }),
    Response.json({ orderId: 'o' }, { status: 201, headers: { ETag: '"0"' } }),
  )
  const answer = await createClient(options).call(register, { body })
  expect(answer).toMatchObject({ status: 201, body: { orderId: 'o' }, etag: '"0"' })
  expect(asked).toHaveLength(5)
  expect(new Set(keysOf(asked))).toEqual(new Set([expect.stringMatching(/^[0-9a-f-]{36}$/)]))
  expect(waitedMs.slice(1, 3)).toEqual([7_000, 30_000])
  expect(asked[0]).toMatchObject({ url: '/api/company/c/orders', body: JSON.stringify(body) })
})

it('gives another request another key, and a read none', async () => {
  const { options, asked } = scripted(...[{}, {}, []].map((one) => Response.json(one)))
  const client = createClient(options)
  await client.call(register, { body })
  await client.call(register, { body })
  await client.call(orders)
  const [first, second, none] = keysOf(asked)
  expect(first).not.toBe(second)
  expect(none).toBeUndefined()
})

it('gives up after the attempts, at once for a longer pause, and for what no repeat mends', async () => {
  const unanswered = scripted(new TypeError('refused'), new TypeError('refused'))
  await expect(createClient({ ...unanswered.options, attempts: 2 }).call(orders)).rejects.toMatchObject({
    code: 'no-answer',
    status: 0,
    isTemporary: true,
  })
  const tomorrow = scripted(problem(429, 'company-too-large', { 'Retry-After': '3600' }))
  await expect(createClient(tomorrow.options).call(register, { body })).rejects.toMatchObject({
    code: 'company-too-large',
  })
  const refused = scripted(problem(409, 'order-already-registered'))
  await expect(createClient(refused.options).call(register, { body })).rejects.toMatchObject({
    code: 'order-already-registered',
    status: 409,
    isTemporary: false,
    message: 'POST /api/company/c/orders: 409 In words. (order-already-registered, trace abc)',
  })
  const elsewhere = scripted(new Response('<html>', { status: 404 }))
  await expect(createClient(elsewhere.options).call(orders)).rejects.toMatchObject({ code: 'not-a-problem' })
  expect([...tomorrow.waitedMs, ...refused.waitedMs, ...elsewhere.waitedMs]).toEqual([])
})

it('asks once for a new token when the service refuses the last one', async () => {
  const { options, asked } = scripted(problem(401, 'invalid-token'), problem(401, 'invalid-token'))
  const given: boolean[] = []
  const token = async (isRefused: boolean) => {
    given.push(isRefused)
    return `t${given.length}`
  }
  await expect(createClient({ ...options, token }).call(orders)).rejects.toMatchObject({ status: 401 })
  expect(given).toEqual([false, true])
  expect(asked.map(({ headers }) => headers.Authorization)).toEqual(['Bearer t1', 'Bearer t2'])
})

it('sends an API key in its own header', async () => {
  const { options, asked } = scripted(Response.json([]))
  const { token: _, ...others } = options
  await createClient({ ...others, key: 'k' }).call(orders)
  expect(asked[0]!.headers).toEqual({ 'Service-Api-Key': 'k' })
})

it('reads its own writes: every read has the highest position that was recorded', async () => {
  const committed = (position: string) => Response.json({}, { headers: { 'Commit-Position': position } })
  const { options, asked } = scripted(
    Response.json([]),
    committed('9007199254740993'),
    committed('12'),
    Response.json([]),
  )
  const client = createClient(options)
  await client.call(orders)
  await client.call(register, { body })
  await client.call(register, { body })
  await client.call(orders)
  expect(asked.map(({ headers }) => headers['Min-Position'])).toEqual([
    undefined,
    undefined,
    undefined,
    '9007199254740993',
  ])
})

it('ends with the reason of the signal', async () => {
  const stopped = new AbortController()
  const { options } = scripted(new TypeError('cut off'))
  stopped.abort(new Error('no more'))
  await expect(createClient(options).call(orders, { signal: stopped.signal })).rejects.toThrow('no more')
})

it('reads a list over all its pages', async () => {
  const page = (items: object[], link?: string) =>
    Response.json(items, {
      headers: { 'Read-Position': '5', ...(link && { Link: `<${link}>; rel="next"` }) },
    })
  const { options, asked } = scripted(
    page([{ orderNumber: 'a' }, { orderNumber: 'b' }], '/api/company/c/orders?limit=1000&cursor=x'),
    page([]),
  )
  const found: string[] = []
  for await (const { orderNumber } of createClient(options).list(orders, { query: { status: ['Open'] } }))
    found.push(orderNumber)
  expect(found).toEqual(['a', 'b'])
  expect(asked.map(({ url }) => url)).toEqual([
    '/api/company/c/orders?limit=1000&status=Open',
    '/api/company/c/orders?limit=1000&cursor=x',
  ])
})

it('refuses a base address that is none, before a reader of the feed waits for it', () => {
  expect(() => createClient({ baseUrl: 'heatmark.example' })).toThrow(
    /baseUrl is heatmark.example, and must be/,
  )
})

it('limits the time until an answer begins, not until it ends', async () => {
  const signals: AbortSignal[] = []
  const silent = (_: string, { signal }: RequestInit) =>
    new Promise<Response>((_, reject) => signal!.addEventListener('abort', () => reject(signal!.reason)))
  const begun = async (_: string, { signal }: RequestInit) => {
    signals.push(signal!)
    return Response.json([])
  }
  const options = { ...scripted().options, attempts: 1, timeoutMs: 20 }
  await expect(createClient({ ...options, fetch: silent }).call(orders)).rejects.toMatchObject({
    code: 'no-answer',
  })
  vi.useFakeTimers()
  await createClient({ ...options, fetch: begun }).call(orders)
  await vi.advanceTimersByTimeAsync(10 * options.timeoutMs)
  vi.useRealTimers()
  expect(signals[0]!.aborted).toBe(false)
})

it('pauses before it changes a record again that somebody else has changed', async () => {
  const replies = Array.from({ length: 10 }, () => [Response.json({}), problem(412, 'precondition-failed')])
  const { options, asked, waitedMs } = scripted(...replies.flat())
  const path = '/api/company/{companyId}/orders/{orderId}'
  const update = createClient(options).update(path, { orderId: 'o' }, () => ({ customer: 'x' }))
  await expect(update).rejects.toMatchObject({ code: 'precondition-failed' })
  expect(asked).toHaveLength(20)
  expect(waitedMs).toHaveLength(9)
  expect(waitedMs[0]).toBeLessThanOrEqual(20)
})

it('answers a file as a Blob', async () => {
  const { options } = scripted(new Response('%PDF', { headers: { 'Content-Type': 'application/pdf' } }))
  const { body: file } = await createClient(options).call('GET /api/company/{companyId}/labels')
  expect(await file.text()).toBe('%PDF')
})

it('promises no bar of a step that answers none', async () => {
  const { options } = scripted(new Response(null, { status: 204 }))
  const step = 'POST /api/company/{companyId}/production-plan-bars/{barId}/start'
  const { body: bar } = await createClient(options).call(step, { params: { barId: 'b' } })
  // @ts-expect-error: without `Prefer: return=representation`, there is no bar.
  expect(() => bar.status).toThrow(TypeError)
})
