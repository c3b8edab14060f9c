import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Answer, call, type Sent } from '../../../support/call.ts'
import { own } from '../../../support/own.ts'
import { startTestService } from '../../../support/testService.ts'
import { until } from '../../../support/until.ts'

/** Companies, members, API keys and who I am, over the whole service. */

const at = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const uuid = expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)

let platformAdmin: string
// A read that waited for a position that never comes would outlast the test.
const service = await own(startTestService({}, { minPositionWithinMs: 3_600_000, membershipsEndWithinMs: 0 }))
beforeAll(async () => {
  platformAdmin = await tokenOf('petra', { name: 'Petra', roles: ['PlatformAdmin'] })
})

const run = randomUUID().slice(0, 8)
/** A user of this run alone: accounts are the store's, and a store may be given. */
const user = (name: string) => `${name}-${run}`
const tokenOf = (name: string, claims: object = {}) => service.identity.token({ oid: user(name), ...claims })
const send = (method: string, path: string, sent?: Sent): Promise<Answer> =>
  call(method, `${service.url}${path}`, sent)
const withKey = (method: string, path: string, key: string, sent: Sent = {}) =>
  send(method, path, { ...sent, headers: { ...sent.headers, 'service-api-key': key } })
const newCompany = async (token = platformAdmin): Promise<string> =>
  (await send('POST', '/api/companies', { token, body: { name: 'New yard' } })).body.companyId
const createKey = (token: string, body: object = { label: 'press' }, headers = {}) =>
  send('POST', '/api/me/keys', { token, body, headers })
const listKeys = async (token: string) => (await send('GET', '/api/me/keys', { token })).body
const memberPath = (companyId: string, userId: string) =>
  `/api/company/${companyId}/members/${encodeURIComponent(userId)}`
const paths = ({ body }: Answer) => body.errors.map(({ path }: { path: string }) => path).sort()

describe('companies', () => {
  it('are registered by a platform admin, who becomes their first Admin', async () => {
    const companyId = randomUUID()
    const body = { companyId: companyId.toUpperCase(), name: '  Hütte Nord ' }
    const made = await send('POST', '/api/companies', { token: platformAdmin, body })
    expect(made).toMatchObject({ status: 201, body: { companyId, name: 'Hütte Nord' } })
    expect(made.headers.get('location')).toBe(`/api/company/${companyId}`)
    const read = await send('GET', made.headers.get('location')!, { token: platformAdmin })
    expect(read).toMatchObject({ status: 200, body: made.body })
    expect(read.headers.get('etag')).toBe(made.headers.get('etag'))
    const members = await send('GET', `/api/company/${companyId}/members`, { token: platformAdmin })
    expect(members.body).toEqual([{ userId: user('petra'), name: 'Petra', roles: ['Admin'] }])
    const again = await send('POST', '/api/companies', { token: platformAdmin, body })
    expect(again).toMatchObject({ status: 200, body: made.body })
    const other = await send('POST', '/api/companies', {
      token: platformAdmin,
      body: { companyId, name: 'Other' },
    })
    expect(other).toMatchObject({ status: 409, body: { code: 'company-already-exists' } })
  })

  it('refuse a stranger at once whose Min-Position is not a number', async () => {
    const company = await newCompany()
    const token = await tokenOf('stranger')
    const headers = { 'min-position': 'Infinity' }
    expect((await send('GET', `/api/company/${company}`, { token, headers })).status).toBe(403)
  })

  it('accept an id that is not a UUID of RFC 9562', async () => {
    const companyId = `${randomUUID().slice(0, 14)}0000-c${randomUUID().slice(20)}`
    const token = platformAdmin
    const made = await send('POST', '/api/companies', { token, body: { companyId, name: 'Old yard' } })
    expect(made).toMatchObject({ status: 201, body: { companyId } })
    const C = `/api/company/${companyId}`
    const lineItems = [{ lineNumber: 10, lengthMm: 2_000, quantity: 1 }]
    const order = await send('POST', `${C}/orders`, { token, body: { orderNumber: 'SO-1', lineItems } })
    expect(order.status).toBe(201)
    const planned = { token, headers: { 'idempotency-key': 'plan' }, body: { name: 'Week 17', bars: [] } }
    const plan = await send('POST', `${C}/production-plans`, planned)
    expect(plan.status).toBe(201)
    expect((await send('POST', `${C}/production-plans`, planned)).body).toEqual(plan.body)
    const quoted = { ...planned, headers: { 'idempotency-key': '"plan"' } }
    expect((await send('POST', `${C}/production-plans`, quoted)).body).toEqual(plan.body)
    expect((await send('GET', `${C}/orders`, { token })).body).toHaveLength(1)
  })

  it('are listed only to their members', async () => {
    const token = await tokenOf('lister', { roles: ['PlatformAdmin'] })
    const mine = [await newCompany(token), await newCompany(token)].sort()
    const { status, body } = await send('GET', '/api/companies', { token })
    expect(status).toBe(200)
    expect(body).toEqual(mine.map((companyId) => ({ companyId, name: 'New yard' })))
    const page = await send('GET', '/api/companies?limit=1', { token })
    expect(page.body).toEqual([{ companyId: mine[0], name: 'New yard' }])
    const next = /<([^>]+)>/.exec(page.headers.get('link')!)![1]!
    expect((await send('GET', next, { token })).body).toEqual([{ companyId: mine[1], name: 'New yard' }])
    expect((await send('GET', '/api/companies', { token: await tokenOf('nobody') })).body).toEqual([])
  })
})

describe('members', () => {
  it('are added, changed, listed by id and removed by an Admin', async () => {
    const companyId = await newCompany()
    const put = (userId: string, roles: string[], headers = {}) =>
      send('PUT', memberPath(companyId, userId), { token: platformAdmin, body: { roles }, headers })
    const made = await put(user('zoe@example.org'), ['Planner', 'Editor', 'Planner'])
    expect(made).toMatchObject({
      status: 200,
      body: { userId: user('zoe@example.org'), roles: ['Editor', 'Planner'] },
    })
    expect((await put('ann', ['Viewer'])).status).toBe(200)
    const members = await send('GET', `/api/company/${companyId}/members`, { token: platformAdmin })
    expect(members.body).toEqual([
      { userId: 'ann', name: null, roles: ['Viewer'] },
      { userId: user('petra'), name: 'Petra', roles: ['Admin'] },
      { userId: user('zoe@example.org'), name: null, roles: ['Editor', 'Planner'] },
    ])
    const stale = await put(user('zoe@example.org'), ['Viewer'], { 'if-match': '"0"' })
    expect(stale).toMatchObject({ status: 412, body: { code: 'precondition-failed' } })
    const changed = await put(user('zoe@example.org'), ['Viewer'], { 'if-match': made.headers.get('etag')! })
    expect(changed.body.roles).toEqual(['Viewer'])
    const zoe = await tokenOf('zoe@example.org')
    expect((await send('GET', `/api/company/${companyId}/orders`, { token: zoe })).status).toBe(200)
    const removed = await send('DELETE', memberPath(companyId, user('zoe@example.org')), {
      token: platformAdmin,
    })
    expect(removed).toMatchObject({ status: 204, body: undefined })
    expect(removed.headers.get('projection-status')).toBeNull()
    expect((await send('GET', `/api/company/${companyId}/orders`, { token: zoe })).status).toBe(403)
    const again = await send('DELETE', memberPath(companyId, user('zoe@example.org')), {
      token: platformAdmin,
    })
    expect(again.status).toBe(204)
    const never = await send('DELETE', memberPath(companyId, 'nobody'), { token: platformAdmin })
    expect(never).toMatchObject({ status: 404, body: { code: 'member-not-found' } })
  })

  it('cannot add themselves again while an Admin removes them', async () => {
    const companyId = await newCompany()
    const fired = memberPath(companyId, user('fired'))
    const admin = ['Admin']
    await send('PUT', fired, { token: platformAdmin, body: { roles: admin } })
    const token = await tokenOf('fired')
    let removed = false
    const ask = async () => {
      for (let n = 0; !removed; n += 1)
        await send('PUT', fired, { token, body: { roles: n % 2 ? admin : ['Viewer', ...admin] } })
    }
    const asking = [ask(), ask(), ask(), ask()]
    const removal = await send('DELETE', fired, { token: platformAdmin })
    removed = true
    await Promise.all(asking)
    expect(removal.status).toBe(204)
    const members = await send('GET', `/api/company/${companyId}/members`, { token: platformAdmin })
    expect(members.body).toEqual([{ userId: user('petra'), name: 'Petra', roles: admin }])
  })

  it('lose the company from their keys unless the removal keeps them', async () => {
    const [companyId, other] = [await newCompany(), await newCompany()]
    for (const id of [companyId, other])
      await send('PUT', memberPath(id, user('kim')), { token: platformAdmin, body: { roles: ['Viewer'] } })
    const kim = await tokenOf('kim')
    const both = await createKey(kim)
    await send('DELETE', `${memberPath(companyId, user('kim'))}?keepKeys=true`, { token: platformAdmin })
    const one = await createKey(kim)
    // A key acts by its snapshot.
    expect((await withKey('GET', `/api/company/${companyId}/orders`, both.body.key)).status).toBe(200)
    const revoked = await send('DELETE', memberPath(companyId, user('kim')), {
      token: platformAdmin,
    })
    expect(revoked.status).toBe(204)
    expect((await withKey('GET', `/api/company/${companyId}/orders`, both.body.key)).status).toBe(403)
    // An Admin must not see what the key holds for another company.
    for (const { key } of [both.body, one.body])
      expect((await withKey('GET', `/api/company/${other}/orders`, key)).status).toBe(200)
    const snapshot = [{ companyId: other, roles: ['Viewer'] }]
    expect(await listKeys(kim)).toMatchObject([
      { keyId: both.body.keyId, snapshot },
      { keyId: one.body.keyId, snapshot },
    ])
    const again = await send('DELETE', memberPath(other, user('kim')), {
      token: platformAdmin,
    })
    expect(again.status).toBe(204)
    expect(await listKeys(kim)).toEqual([])
    for (const { key } of [both.body, one.body])
      expect((await withKey('GET', '/api/me', key)).status).toBe(401)
  })
})

describe('a request that waits while its caller loses access', () => {
  const tagsOf = (companyId: string) => `/api/company/${companyId}/millcert-tags`
  /** A company with a member of this role, and a function that records one event and returns its position. */
  const yard = async (name: string, role: string) => {
    const companyId = await newCompany()
    const token = await tokenOf(name)
    const member = `/api/company/${companyId}/members/${user(name)}`
    await send('PUT', member, { token: platformAdmin, body: { roles: [role] } })
    const record = async () => {
      const body = { name: `Tag ${randomUUID()}`, color: '#c00' }
      const made = await send('POST', tagsOf(companyId), { token: platformAdmin, body })
      expect(made.status).toBe(201)
      return Number(made.headers.get('commit-position'))
    }
    return { companyId, token, member, record }
  }
  /** A check of the access holds for 100 ms. */
  const accessStandsMs = 150
  type Yard = Awaited<ReturnType<typeof yard>>

  /** Send reads that wait for an event, which is recorded only after `revoke`. Return their answers. */
  const readsAcross = async (
    { companyId, record }: Yard,
    credentials: Sent,
    revoke: () => Promise<Answer>,
  ) => {
    const [one, two] = [await record(), await record()]
    // Beyond what the revocation records.
    const awaited = two + 10 * (two - one)
    const sent = { ...credentials, headers: { ...credentials.headers, 'min-position': String(awaited) } }
    const company = `/api/company/${companyId}`
    const paths = ['/api/me', company, tagsOf(companyId), `${company}/recalls?heatNumber=H`]
    const answers = Promise.all(paths.map((path) => send('GET', path, sent)))
    await pause(accessStandsMs)
    expect((await revoke()).status).toBe(204)
    await pause(accessStandsMs)
    for (let position = two; position < awaited; ) position = await record()
    return answers
  }

  it('reads nothing that was recorded after a member was removed', async () => {
    const made = await yard('waiting', 'Viewer')
    const { token, member } = made
    const answers = await readsAcross(made, { token }, () => send('DELETE', member, { token: platformAdmin }))
    const [me, ...others] = answers
    expect(me).toMatchObject({ status: 200, body: { memberships: [] } })
    for (const answer of others) expect(answer).toMatchObject({ status: 403, body: { code: 'forbidden' } })
  })

  it('is refused at once, although it sends Min-Position', async () => {
    const { companyId, token, member } = await yard('sending', 'Admin')
    const rest = Promise.withResolvers<void>()
    const content = async function* () {
      yield Buffer.from('{"name":"Late",')
      await rest.promise
      yield Buffer.from('"color":"#c00"}')
    }
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'min-position': '999999999999',
    }
    const sent = fetch(`${service.url}${tagsOf(companyId)}`, {
      method: 'POST',
      headers,
      duplex: 'half',
      body: ReadableStream.from(content()),
    })
    await pause(accessStandsMs)
    expect((await send('DELETE', member, { token: platformAdmin })).status).toBe(204)
    rest.resolve()
    expect((await sent).status).toBe(403)
  })

  it('reads nothing that was recorded after an API key was deleted', async () => {
    const made = await yard('waiting-key', 'Viewer')
    const { token } = made
    const { keyId, key } = (await createKey(token)).body
    const credentials = { headers: { 'service-api-key': key } }
    const answers = await readsAcross(made, credentials, () =>
      send('DELETE', `/api/me/keys/${keyId}`, { token }),
    )
    for (const answer of answers)
      expect(answer).toMatchObject({ status: 401, body: { code: 'invalid-api-key' } })
  })
})

describe('GET /api/me', () => {
  it('shows the account of the token, or of the key, with its memberships', async () => {
    const token = await tokenOf('walt', {
      name: 'Walt Wächter',
      roles: ['Operator', 'PlatformAdmin'],
      scp: 'x',
    })
    const companyId = await newCompany(token)
    const me = await send('GET', '/api/me', { token })
    expect(me).toMatchObject({ status: 200 })
    expect(me.body).toEqual({
      userId: user('walt'),
      id: user('walt'),
      name: 'Walt Wächter',
      kind: 'user',
      platformRoles: ['PlatformAdmin', 'Operator'],
      memberships: [{ companyId, companyName: 'New yard', roles: ['Admin'] }],
    })
    expect(Number(me.headers.get('read-position'))).toBeGreaterThan(0)
    const { key } = (await createKey(token)).body
    await newCompany(token)
    expect((await withKey('GET', '/api/me', key)).body).toEqual({ ...me.body, platformRoles: [] })
    expect((await withKey('GET', '/api/companies', key)).body).toEqual([{ companyId, name: 'New yard' }])
    expect((await withKey('GET', '/api/me', key, { token })).body.memberships).toHaveLength(2)
  })
})

describe('API keys', () => {
  it('are created, listed, used and deleted', async () => {
    const token = await tokenOf('carl', { roles: ['PlatformAdmin'] })
    const companyId = await newCompany(token)
    const made = await createKey(token, { label: ' press ', expiresInDays: 30 })
    expect(made.status).toBe(201)
    expect(made.body).toEqual({
      keyId: uuid,
      label: 'press',
      prefix: made.body.key.slice(0, 9),
      createdAt: at,
      lastUsedAt: null,
      expiresAt: at,
      snapshot: [{ companyId, roles: ['Admin'] }],
      key: expect.stringMatching(/^hmk_[0-9A-Za-z]{49}$/),
    })
    const { key, ...record } = made.body
    expect(Date.parse(record.expiresAt) - Date.parse(record.createdAt)).toBe(30 * 86_400_000)
    expect(made.headers.get('location')).toBe(`/api/me/keys/${record.keyId}`)
    expect(made.headers.get('cache-control')).toBe('no-store')
    expect(await listKeys(token)).toEqual([record])
    expect((await withKey('GET', `/api/company/${companyId}/members`, key)).status).toBe(200)
    await until(async () => (await listKeys(token))[0].lastUsedAt !== null)
    const [used] = await listKeys(token)
    expect(used).toEqual({ ...record, lastUsedAt: expect.stringMatching(/:00\.000Z$/) })
    const removed = await send('DELETE', `/api/me/keys/${record.keyId}`, { token })
    expect(removed).toMatchObject({ status: 204, body: undefined })
    expect((await withKey('GET', `/api/company/${companyId}/members`, key)).status).toBe(401)
    expect(await listKeys(token)).toEqual([])
    expect((await send('DELETE', `/api/me/keys/${record.keyId}`, { token })).status).toBe(204)
    const never = await send('DELETE', `/api/me/keys/${randomUUID()}`, { token })
    expect(never).toMatchObject({ status: 404, body: { code: 'api-key-not-found' } })
  })

  it('are rolled alone, also by themselves, and are good until the overlap ends', async () => {
    const token = await tokenOf('roland', { roles: ['PlatformAdmin'] })
    await newCompany(token)
    const [first, other] = [
      await createKey(token, { label: 'press', expiresInDays: 30 }),
      await createKey(token),
    ]
    const path = `/api/me/keys/${first.body.keyId}/roll`
    expect(await withKey('POST', path, other.body.key)).toMatchObject({
      status: 403,
      body: { code: 'token-required' },
    })
    const made = await withKey('POST', path, first.body.key, { body: { overlapHours: 2 } })
    expect(made).toMatchObject({
      status: 201,
      body: { label: 'press', snapshot: first.body.snapshot, key: expect.stringMatching(/^hmk_/) },
    })
    expect(made.headers.get('location')).toBe(`/api/me/keys/${made.body.keyId}`)
    expect(Date.parse(made.body.expiresAt) - Date.parse(made.body.createdAt)).toBe(30 * 86_400_000)
    const left = (await send('GET', `/api/me/keys/${first.body.keyId}`, { token })).body.expiresAt
    expect(Date.parse(left) - Date.parse(made.body.createdAt)).toBe(2 * 3_600_000)
    for (const { key } of [first.body, other.body, made.body])
      expect((await withKey('GET', '/api/me', key)).status).toBe(200)
    const atOnce = await send('POST', `/api/me/keys/${other.body.keyId}/roll`, {
      token,
      body: { overlapHours: 0 },
    })
    expect(atOnce.status).toBe(201)
    expect((await withKey('GET', '/api/me', other.body.key)).status).toBe(401)
    const never = await send('POST', `/api/me/keys/${randomUUID()}/roll`, { token })
    expect(never).toMatchObject({ status: 404, body: { code: 'api-key-not-found' } })
    const long = await send('POST', path, { token, body: { overlapHours: 169 } })
    expect(long.status).toBe(400)
  })

  it('share their account’s Idempotency-Keys and rate limit', async () => {
    const token = await tokenOf('tim', { roles: ['PlatformAdmin'] })
    const tags = `/api/company/${await newCompany(token)}/millcert-tags`
    const { key } = (await createKey(token)).body
    const sent = { body: { name: 'Hold', color: '#fff' }, headers: { 'idempotency-key': 'same' } }
    const byToken = await send('POST', tags, { ...sent, token })
    const byKey = await withKey('POST', tags, key, sent)
    expect(byKey).toMatchObject({ status: 201, body: byToken.body })
    expect(byKey.headers.get('idempotent-replayed')).toBe('true')
    const left = ({ headers }: Answer) => Number(/r=(\d+)/.exec(headers.get('ratelimit')!)![1])
    const before = left(await send('GET', '/api/me', { token }))
    expect(left(await withKey('GET', '/api/me', key))).toBe(before - 1)
  })
})

describe('the API keys of a company', () => {
  const path = (companyId: string, keyId?: string) =>
    `/api/company/${companyId}/api-keys${keyId === undefined ? '' : `/${keyId}`}`
  const list = (companyId: string, token = platformAdmin) => send('GET', path(companyId), { token })
  const join = (companyId: string, userId: string, roles = ['Viewer']) =>
    send('PUT', `/api/company/${companyId}/members/${userId}`, { token: platformAdmin, body: { roles } })
  const idsOf = ({ body }: Answer) => body.map(({ keyId }: { keyId: string }) => keyId)

  it('are listed with their owners and their roles there, and without other companies', async () => {
    const [companyId, other] = [await newCompany(), await newCompany()]
    await join(companyId, user('lea'), ['Editor', 'Planner'])
    await join(other, user('lea'))
    await join(other, user('leo'))
    const lea = await tokenOf('lea')
    const { key, snapshot, ...both } = (await createKey(lea, { label: 'press', expiresInDays: 3 })).body
    expect(snapshot).toHaveLength(2)
    const elsewhere = await createKey(await tokenOf('leo'))
    const { body } = await list(companyId)
    expect(body).toEqual([{ ...both, userId: user('lea'), roles: ['Editor', 'Planner'] }])
    expect(JSON.stringify(body)).not.toContain(other)
    expect(idsOf(await list(other))).toEqual([both.keyId, elsewhere.body.keyId])
    await withKey('GET', path(companyId), key)
    await until(async () => (await list(companyId)).body[0].lastUsedAt !== null)
    const page = await send('GET', `${path(other)}?limit=1`, { token: platformAdmin })
    const next = /<([^>]+)>/.exec(page.headers.get('link')!)![1]!
    expect(idsOf(await send('GET', next, { token: platformAdmin }))).toEqual([elsewhere.body.keyId])
  })

  it('bring no former Admin back', async () => {
    const companyId = await newCompany()
    await join(companyId, user('mal'), ['Admin'])
    const { key } = (await createKey(await tokenOf('mal'))).body
    const removal = await send('DELETE', `${memberPath(companyId, user('mal'))}?keepKeys=true`, {
      token: platformAdmin,
    })
    expect(removal.status).toBe(204)
    for (const [method, to, body] of [
      ['PUT', memberPath(companyId, user('mal')), { roles: ['Admin'] }],
      ['DELETE', memberPath(companyId, user('petra'))],
      ['DELETE', `${memberPath(companyId, user('mal'))}?erase=true`],
      ['PUT', `/api/company/${companyId}/settings`, { requireIfMatch: true }],
      ['PUT', `/api/company/${companyId}/release-policy`, { fourEyes: true }],
      ['POST', `/api/company/${companyId}/rule-packs/completeness/subscribe`],
    ] as const) {
      const refused = await withKey(method, to, key, { body })
      expect([to, refused.status, refused.body.code]).toEqual([to, 403, 'token-required'])
    }
    const trail = await send('GET', `/api/company/${companyId}/audit?limit=1`, { token: platformAdmin })
    expect(JSON.stringify(trail.body[0])).toContain('the API keys of the account were kept')
  })

  it('lose the roles that their owner loses, if the Admin says so', async () => {
    const companyId = await newCompany()
    const token = await tokenOf('nan')
    await join(companyId, user('nan'), ['Quality'])
    const inspector = (await createKey(token)).body
    await join(companyId, user('nan'), ['Quality', 'Planner'])
    const both = (await createKey(token)).body
    const lower = (query: string) =>
      send('PUT', memberPath(companyId, user('nan')) + query, {
        token: platformAdmin,
        body: { roles: ['Planner', 'Viewer'] },
      })
    const plan = async ({ key }: { key: string }) =>
      (
        await withKey('POST', `/api/company/${companyId}/production-plans`, key, {
          body: { name: 'W', bars: [] },
        })
      ).status
    const reject = async ({ key }: { key: string }) =>
      (
        await withKey('POST', `/api/company/${companyId}/millcert/certificates/${randomUUID()}/reject`, key, {
          body: { reason: 'Cracks' },
        })
      ).status
    expect((await lower('')).status).toBe(200)
    expect([await reject(inspector), await reject(both), await plan(both)]).toEqual([404, 404, 201])
    expect((await lower('?narrowKeys=true')).status).toBe(200)
    expect([await reject(inspector), await reject(both), await plan(both)]).toEqual([401, 403, 201])
    expect(await listKeys(token)).toMatchObject([{ keyId: both.keyId, snapshot: [{ roles: ['Planner'] }] }])
    const trail = await send('GET', `/api/company/${companyId}/audit`, { token: platformAdmin })
    expect(JSON.stringify(trail.body)).toContain('were cut to Planner, Viewer')
  })

  it('live no longer than a company lets them', async () => {
    const companyId = await newCompany()
    await join(companyId, user('liv'), ['Viewer'])
    const token = await tokenOf('liv')
    await send('PUT', `/api/company/${companyId}/settings`, {
      token: platformAdmin,
      body: { longestKeyDays: 30 },
    })
    for (const expiresInDays of [31, null]) {
      const refused = await createKey(token, { label: 'Saw', expiresInDays })
      expect([refused.status, paths(refused)]).toEqual([400, ['/expiresInDays']])
    }
    expect((await createKey(token, { label: 'Saw', expiresInDays: 30 })).status).toBe(201)
  })
})

describe('while no read model is brought up to date', () => {
  it('a revocation answers 503, and a repeat succeeds once it is in force', async () => {
    const companyId = await newCompany()
    const joined = async (name: string) => {
      const member = memberPath(companyId, user(name))
      await send('PUT', member, { token: platformAdmin, body: { roles: ['Viewer'] } })
      const token = await tokenOf(name)
      const { key, keyId } = (await createKey(token)).body
      return { token, member, key, keyId }
    }
    const [deleting, rolling, leaving, removed] = await Promise.all(
      ['deleting', 'rolling', 'leaving', 'removed'].map(joined),
    )
    const hasty = await service.startAnother({ PROCESS_ROLES: 'http' }, { revokedWithinMs: 50 })
    const ask = (method: string, path: string, token: string) =>
      call(method, `${hasty.url}${path}`, { token })
    const revoke = () =>
      Promise.all([
        ask('DELETE', `/api/me/keys/${deleting!.keyId}`, deleting!.token),
        ask('POST', '/api/me/keys/roll', rolling!.token),
        ask('DELETE', `/api/company/${companyId}/api-keys/${leaving!.keyId}`, platformAdmin),
        ask('DELETE', removed!.member, platformAdmin),
      ])
    const release = await holdReadModels()
    try {
      for (const { status, headers, body } of await revoke()) {
        expect({ status, code: body.code }).toEqual({ status: 503, code: 'revocation-pending' })
        expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
        expect(JSON.stringify(body)).not.toContain('hmk_')
      }
    } finally {
      await release()
    }
    let again: Answer[] = []
    await until(async () => {
      again = await revoke()
      return again.every(({ status }) => status !== 503)
    })
    expect(again.map(({ status }) => status)).toEqual([204, 200, 204, 204])
    for (const { key } of [deleting!, rolling!])
      expect((await withKey('GET', '/api/me', key)).status).toBe(401)
    for (const { key } of [leaving!, removed!])
      expect((await withKey('GET', `/api/company/${companyId}/orders`, key)).status).toBeGreaterThanOrEqual(
        401,
      )
    expect((await withKey('GET', '/api/me', again[1]!.body.key)).status).toBe(200)
    await hasty.stop()
  })
})

/** Keep the projector from writing until the returned function is called. */
async function holdReadModels(): Promise<() => Promise<unknown>> {
  const client = new pg.Client({ connectionString: service.settings.DATABASE_URL! })
  await client.connect()
  const { rows } = await client.query(
    `SELECT schemaname AS schema FROM pg_tables WHERE tablename = 'checkpoint' AND schemaname <> 'heatmark_local'`,
  )
  await client.query(`BEGIN; LOCK TABLE "${rows[0].schema}".checkpoint IN EXCLUSIVE MODE`)
  return () => client.end()
}
