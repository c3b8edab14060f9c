import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { own } from '../../../support/own.ts'
import { type Answer, type ClientName, type Sent, startTestService } from '../../../support/testService.ts'

/** The ETags of single records, as conditions of reads and of writes. */

// A key of this Admin names all companies of the account, on a given store also those of other specs.
const service = await own(startTestService({ EVENTSTORE_URL: '' }))

const send = (client: ClientName, method: string, path: string, body?: unknown, sent: Sent = {}) =>
  service.send(client, method, path, { body, ...sent })
const done = async (answer: Promise<Answer>, status: number) => {
  const { status: got, body, headers } = await answer
  expect(got, JSON.stringify(body)).toBe(status)
  return { body, headers, etag: plain(headers) }
}
/** The ETag without the coding that the client asked for. */
const plain = (headers: Headers) => headers.get('etag')?.replace(/\.(br|gzip)"$/, '"') ?? ''
const get = (path: string) => done(send('admin', 'GET', path), 200)
const revisionIn = (etag: string) => Number(/^"(\d+)-[\w-]{27}"$/.exec(etag)?.[1] ?? Number.NaN)
const number = () => randomUUID().slice(0, 18)

const create = async (client: ClientName, path: string, body: unknown) => {
  const made = await done(send(client, 'POST', path, body), 201)
  return { ...made, path: made.headers.get('location')! }
}
const tag = (family = 'millcert-tags') =>
  create('editor', family, { name: number(), color: '#123', severity: 'Block' })
const certificate = () =>
  create('planner', 'millcert/certificates', {
    certificateNumber: number(),
    heatNumber: 'H',
    grade: 'S355J2',
    inspectionDocument: '3.1',
    chemistry: { Mn: 1.4, C: 0.17 },
    mechanical: { rmMpa: 500 },
  })
const order = () =>
  create('planner', 'orders', {
    orderNumber: number(),
    customer: 'Bridge',
    lineItems: [20, 10].map((lineNumber) => ({ lineNumber, lengthMm: 1_000.5, quantity: 1 })),
  })
const plan = async (status = 'Proposed') => {
  const { body } = await order()
  const cut = { orderId: body.orderId, lineItemId: body.lineItems[0].lineItemId, lengthMm: 1_000.5 }
  const cuts = [
    { ...cut, status, pieceMark: 'B-17' },
    { ...cut, status: 'Rejected' },
  ]
  const bar = { stockLengthMm: 6_000, grade: 'S355J2', cuts }
  const made = await create('planner', 'production-plans', { name: 'Week 17', bars: [bar, bar] })
  return { ...made, order: body }
}
const profile = () =>
  create('editor', 'optimisation/filter-profiles', { name: number(), filters: { b: 1, a: [] } })
const key = () => create('admin', '/api/me/keys', { label: 'Saw' })
const barOf = async () => {
  const { body, order } = await plan()
  return { path: `production-plan-bars/${body.bars[0].barId}`, cutId: body.bars[0].cuts[0].cutId, order }
}

describe('the ETag of a created record', () => {
  it.each(Object.entries({ tag, certificate, order, plan, profile, key }))(
    'is that of its GET, to which Location leads: %s',
    async (_kind, made) => {
      const { path, etag, body } = await made()
      const read = await get(path)
      expect(revisionIn(etag)).toBeGreaterThanOrEqual(0)
      expect(read.etag).toBe(etag)
      // A tag is created with fewer members, and the answer alone holds the key.
      for (const name of Object.keys(read.body)) if (name in body) expect(body[name]).toEqual(read.body[name])
    },
  )
})

describe('the ETag of a written record', () => {
  it.each<[string, () => Promise<{ path: string; client: ClientName; method: string; body: object }>]>([
    [
      'a tag',
      async () => ({
        path: (await tag()).path,
        client: 'editor',
        method: 'PUT',
        body: { name: number(), color: '#abc' },
      }),
    ],
    [
      'a certificate',
      async () => ({
        path: (await certificate()).path,
        client: 'planner',
        method: 'PATCH',
        body: { grade: 'S235JR' },
      }),
    ],
    [
      'an order',
      async () => ({
        path: (await order()).path,
        client: 'planner',
        method: 'PATCH',
        body: { customer: 'New' },
      }),
    ],
    [
      'a profile',
      async () => ({
        path: (await profile()).path,
        client: 'editor',
        method: 'PUT',
        body: { name: number() },
      }),
    ],
    [
      'a cut',
      async () => {
        const { path, cutId } = await barOf()
        return {
          path: `${path}/cuts/${cutId}`,
          client: 'planner',
          method: 'PUT',
          body: { status: 'Accepted' },
        }
      },
    ],
    [
      'the manual tags of an order',
      async () => {
        const { tagId } = (await tag('order-tags')).body
        const path = `order-tag-assignments/${(await order()).body.orderId}/manual`
        return { path, client: 'editor', method: 'PUT', body: { tagIds: [tagId] } }
      },
    ],
  ])('is that of its GET, before and after: %s', async (_kind, prepare) => {
    const { path, client, method, body } = await prepare()
    const before = await get(path)
    const written = await done(
      send(client, method, path, body, { headers: { 'if-match': before.etag } }),
      200,
    )
    const after = await get(path)
    expect(after.body).toMatchObject(written.body)
    expect(after.etag).toBe(written.etag)
    expect(revisionIn(after.etag)).toBeGreaterThan(revisionIn(before.etag))
    const stale = await done(send(client, method, path, body, { headers: { 'if-match': before.etag } }), 412)
    expect(stale.body.code).toBe('precondition-failed')
  })

  it('of a member has the revision of its GET', async () => {
    const path = 'members/someone'
    expect((await done(send('admin', 'GET', path), 404)).body.code).toBe('member-not-found')
    const { etag } = await done(send('admin', 'PUT', path, { roles: ['Viewer'] }), 200)
    const read = await get(path)
    expect(read.body).toEqual({ userId: 'someone', roles: ['Viewer'], name: null })
    expect(revisionIn(read.etag)).toBe(revisionIn(etag))
    const changed = { headers: { 'if-match': read.etag } }
    await done(send('admin', 'PUT', path, { roles: ['Editor'] }, changed), 200)
    await done(send('admin', 'DELETE', path, undefined, changed), 412)
    await done(
      send('admin', 'DELETE', path, undefined, { headers: { 'if-match': (await get(path)).etag } }),
      204,
    )
  })

  it('of an API key lets its owner and its company delete it', async () => {
    const mine = await key()
    const stale = { headers: { 'if-match': '"999"' } }
    await done(send('admin', 'DELETE', mine.path, undefined, stale), 412)
    await done(send('admin', 'DELETE', mine.path, undefined, { headers: { 'if-match': mine.etag } }), 204)
    await done(send('admin', 'GET', mine.path), 404)

    const { keyId } = (await key()).body
    const ofCompany = await get(`api-keys/${keyId}`)
    expect(ofCompany.body).toMatchObject({ keyId, userId: 'admin', roles: ['Admin'] })
    expect((await get('api-keys')).body).toContainEqual(ofCompany.body)
    await done(send('admin', 'DELETE', `api-keys/${keyId}`, undefined, stale), 412)
    const current = { headers: { 'if-match': ofCompany.etag } }
    await done(send('admin', 'DELETE', `api-keys/${keyId}`, undefined, current), 204)
    expect((await done(send('admin', 'GET', `api-keys/${keyId}`), 404)).body.code).toBe('api-key-not-found')
  })
})

describe('an ETag', () => {
  it('changes with the tags that the record shows, and If-Match accepts the old one', async () => {
    const [order1, tag1] = [await order(), await tag('order-tags')]
    const { orderId } = order1.body
    await done(
      send('editor', 'PUT', `order-tag-assignments/${orderId}/manual`, { tagIds: [tag1.body.tagId] }),
      200,
    )
    const tagged = await get(order1.path)
    expect(tagged.body.blocked).toBe(true)
    await done(send('editor', 'PATCH', tag1.path, { severity: null }), 200)
    const freed = await get(order1.path)
    expect(freed.body.blocked).toBe(false)
    expect(new Set([order1.etag, tagged.etag, freed.etag]).size).toBe(3)
    expect([order1, tagged, freed].map(({ etag }) => revisionIn(etag))).toEqual([0, 0, 0])
    await done(
      send('planner', 'PATCH', order1.path, { customer: 'New' }, { headers: { 'if-match': order1.etag } }),
      200,
    )
    await done(send('planner', 'PATCH', order1.path, {}, { headers: { 'if-match': freed.etag } }), 412)
  })

  it('changes with the roll-up of a line, with the bars of a plan, and with the last use of a key', async () => {
    const { path, cutId, order } = await barOf()
    const orderPath = `orders/${order.orderId}`
    const before = await get(orderPath)
    const { planId } = (await get(path)).body
    const planned = await get(`production-plans/${planId}`)
    await done(send('planner', 'PUT', `${path}/cuts/${cutId}`, { status: 'Accepted' }), 200)
    for (const step of ['approve', 'start']) await done(send('planner', 'POST', `${path}/${step}`), 204)
    const after = await get(orderPath)
    expect(after.body.lineItems[0].status).toBe('In Progress')
    expect(after.etag).not.toBe(before.etag)
    expect(revisionIn(after.etag)).toBe(revisionIn(before.etag))
    const plannedAfter = await get(`production-plans/${planId}`)
    expect(plannedAfter.etag).not.toBe(planned.etag)
    expect(revisionIn(plannedAfter.etag)).toBe(revisionIn(planned.etag))
  })

  it('of the revision alone is good for If-Match and never for If-None-Match', async () => {
    const { path, etag } = await tag()
    const bare = `"${revisionIn(etag)}"`
    await done(send('viewer', 'GET', path, undefined, { headers: { 'if-none-match': bare } }), 200)
    await done(send('editor', 'PATCH', path, { color: '#fff' }, { headers: { 'if-match': bare } }), 200)
    await done(send('editor', 'PATCH', path, { color: '#000' }, { headers: { 'if-match': bare } }), 412)
  })

  it('of an answer that is no record is for caches alone', async () => {
    const [{ body: ordered }, { body: certified }] = [await order(), await certificate()]
    for (const path of [
      `orders/${ordered.orderId}/traceability`,
      `millcert/certificates/${certified.millCertificationId}/usage`,
    ]) {
      const { etag } = await get(path)
      expect(etag).toMatch(/^"[\w-]{27}"$/)
      await done(send('viewer', 'GET', path, undefined, { headers: { 'if-none-match': etag } }), 304)
    }
    const traced = await get(`orders/${ordered.orderId}/traceability`)
    const condition = { headers: { 'if-match': traced.etag } }
    await done(send('planner', 'PATCH', `orders/${ordered.orderId}`, { customer: 'X' }, condition), 412)
  })
})

describe('If-None-Match', () => {
  it.each(Object.entries({ tag, certificate, order, plan, profile, key }))(
    'answers 304 without a body while the record is the same: %s',
    async (_kind, made) => {
      const { path } = await made()
      const { headers } = await get(path)
      const etag = headers.get('etag')!
      for (const condition of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
        const same = await done(
          send('admin', 'GET', path, undefined, { headers: { 'if-none-match': condition } }),
          304,
        )
        expect(same.body).toBeUndefined()
        expect(Number(same.headers.get('read-position'))).toBeGreaterThan(0)
        expect(plain(same.headers)).toBe(plain(headers))
      }
      await done(send('admin', 'GET', path, undefined, { headers: { 'if-none-match': '"x"' } }), 200)
    },
  )
})
