import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createApiKey } from '../../src/commands/company/apiKeys.ts'
import { setMemberRoles } from '../../src/commands/company/companies.ts'
import { newApiKey } from '../../src/identity/apiKeyFormat.ts'
import { type Answer, call } from '../support/call.ts'
import { startTestService } from '../support/testService.ts'
import { until } from '../support/until.ts'
import { furnishCompany } from './furnish.ts'
import { admitted, type Client, clients, type Ids, permissionTable, roleClients } from './permissionTable.ts'

/**
 * Every route of the OpenAPI document × every kind of caller, against the table: and nothing of another
 * company is ever seen or changed.
 */

const service = await startTestService()
afterAll(() => service.stop())
const { companyId, otherCompanyId, identity, executor } = service

const document = (await call('GET', `${service.url}/openapi.json`)).body
const routes = Object.entries<object>(document.paths).flatMap(([path, methods]) =>
  Object.keys(methods)
    .filter((method) => method !== 'parameters')
    .map((method) => ({ method: method.toUpperCase(), path })),
)
const permissionOf = ({ method, path }: { method: string; path: string }) =>
  permissionTable[`${method} ${path}`]!
const ofCompanies = routes.filter(({ path }) => path.startsWith('/api/company/{companyId}'))

type Headers = Readonly<Record<string, string>>
const credentials = new Map<Client, Headers>()
const context = (id: string) => ({ actor: { id, name: id, kind: 'user' as const }, correlationId: 'spec' })

const send = (method: string, path: string, headers: Headers, body?: unknown): Promise<Answer> =>
  call(method, `${service.url}${path}`, { headers, ...(body !== undefined && { body }) })
const bearer = async (oid: string, roles: string[] = []): Promise<Headers> => ({
  authorization: `Bearer ${await identity.token({ oid, roles })}`,
})

/** A key of an account, by the rules of the interface but for its expiry, which may be in the past. */
const keyOf = async (userId: string, of: string, expiresInDays: number | null = null) => {
  const snapshot = async () => [{ companyId: of, roles: ['Admin' as const] }]
  const workflow = createApiKey(userId, { label: 'spec', expiresInDays }, snapshot, () => newApiKey())
  const { body } = await workflow.run({ ...executor, newId: randomUUID }, context(userId))
  return { keyId: body.keyId, shown: { 'service-api-key': body.key! } }
}

/** A company with a record of every kind, made by its Admin. */
const furnish = async (id: string, admin: Headers, userId: string, keyholder: string): Promise<Ids> => ({
  ...(await furnishCompany(id, (method, path, body) => send(method, path, admin, body))),
  userId,
  keyId: (await keyOf(keyholder, id)).keyId,
})

// Their keys stay, and an account may have so many: a store that is given must not run full of them.
const keyholder = `keyholder-${randomUUID()}`
const outsiderKeyholder = `outsider-${randomUUID()}`

let own: Ids
let foreign: Ids
const nobodys = (): Ids => ({
  ...Object.fromEntries(Object.keys(own).map((name) => [name, randomUUID()])),
  ...({ companyId } as Ids),
})

beforeAll(async () => {
  await executor.execute(setMemberRoles({ companyId, userId: keyholder, wanted: ['Admin'] }), context('spec'))
  await executor.execute(
    setMemberRoles({ companyId: otherCompanyId, userId: outsiderKeyholder, wanted: ['Admin'] }),
    context('spec'),
  )
  const deleted = await keyOf(keyholder, companyId)
  for (const client of [...roleClients, 'outsider'] as const) credentials.set(client, await bearer(client))
  credentials.set('operator', await bearer('operator', ['Operator']))
  credentials.set('platformAdmin', await bearer('platformAdmin', ['PlatformAdmin']))
  credentials.set('none', {})
  credentials.set('key', (await keyOf(keyholder, companyId)).shown)
  credentials.set('outsiderKey', (await keyOf(outsiderKeyholder, otherCompanyId)).shown)
  credentials.set('expiredKey', (await keyOf(keyholder, companyId, -1)).shown)
  credentials.set('deletedKey', deleted.shown)
  const removed = await send('DELETE', `/api/me/keys/${deleted.keyId}`, await bearer(keyholder))
  expect(removed.status).toBe(204)
  expect((await send('GET', '/api/me', deleted.shown)).status).toBe(401)
  own = await furnish(companyId, credentials.get('admin')!, 'viewer', keyholder)
  foreign = await furnish(otherCompanyId, credentials.get('outsider')!, 'outsider', outsiderKeyholder)
})

const paramsOf = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!)
const idOf = (ids: Ids, name: string, path: string): string => {
  if (name === 'tagId') return path.includes('/order-tag') ? ids.orderTagId : ids.millCertTagId
  return (ids as unknown as Record<string, string>)[name] ?? randomUUID()
}
const fill = (path: string, idsFor: (name: string) => Ids): string =>
  path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(idOf(idsFor(name), name, path)))

it('the table lists exactly the routes of the service', () => {
  const declared = routes.map(({ method, path }) => `${method} ${path}`)
  expect(declared.filter((route) => !permissionTable[route])).toEqual([])
  expect(Object.keys(permissionTable).filter((route) => !declared.includes(route))).toEqual([])
  expect(credentials.size).toBe(clients.length)
})

/** The first tells how the service is, and of the second a company may have one at a time. */
const mayRefuse503 = ['/health/ready', '/api/company/{companyId}/exports']

describe('who gets in', () => {
  it.each(routes)('$method $path', async (route) => {
    const { who } = permissionOf(route)
    // Nothing is changed: whoever gets in meets a missing body, or records that are not there.
    const path = fill(route.path, nobodys)
    const statuses = await Promise.all(
      clients.map(async (client) => (await send(route.method, path, credentials.get(client)!)).status),
    )
    const turnedAway = (status: number) => status === 401 || status === 403
    expect(clients.filter((_, index) => !turnedAway(statuses[index]!)).toSorted()).toEqual(
      admitted[who].toSorted(),
    )
    expect(statuses.filter((status) => status >= 500 && !mayRefuse503.includes(route.path))).toEqual([])
    const withoutCredentials = ['none', 'expiredKey', 'deletedKey']
    for (const [index, client] of clients.entries())
      if (turnedAway(statuses[index]!)) {
        expect(statuses[index], client).toBe(withoutCredentials.includes(client) ? 401 : 403)
      }
  })
})

/** Everything that can be read of the other company, as its Admin reads it. */
const stateOfOther = async () => {
  const reads = ofCompanies.filter(({ method }) => method === 'GET')
  const answers = await Promise.all(
    reads.map(async (route) => {
      const { path } = route
      const answer = await send(
        'GET',
        fill(path, () => foreign) + (permissionOf(route).query?.(foreign) ?? ''),
        credentials.get('outsider')!,
      )
      // When its keys were used last is written a while after they were used.
      const ofKeys = path.includes('/api-keys')
      if (ofKeys) for (const key of [answer.body].flat()) delete key.lastUsedAt
      const etag = ofKeys ? undefined : answer.headers.get('etag')
      // A checkpoint covers the same events a minute later, without anybody's doing: its log stays the same.
      const body = path.endsWith('/checkpoint') ? answer.body.split('\n')[0] : answer.body
      return [path, { status: answer.status, etag, body }] as const
    }),
  )
  return Object.fromEntries(answers)
}

describe('the other company', () => {
  let before: Awaited<ReturnType<typeof stateOfOther>>
  beforeAll(async () => {
    // The first look downloads an export, which a later one shows as an anchor.
    await until(async () => {
      before = await stateOfOther()
      const { body } = before['/api/company/{companyId}/history/log/anchors']!
      // There must be records to compare: an empty company is easy to isolate.
      const empty = Object.entries(before).filter(
        ([, { status, body }]) => status !== 200 || body.length === 0,
      )
      const expectedEmpty = /(millcert-tags|order-tags)\/deleted$|explanations|rule-packs|attempts$/
      expect(empty.map(([path]) => path).filter((path) => !expectedEmpty.test(path))).toEqual([])
      return (body as { anchors: unknown[] }).anchors.length > 0
    })
  })

  it.each(ofCompanies)('is closed to all others, whatever they ask: $method $path', async (route) => {
    const body = permissionOf(route).body?.(foreign)
    const path = fill(route.path, () => foreign)
    for (const client of ['viewer', 'admin', 'key', 'platformAdmin', 'operator'] as const) {
      const answer = await send(route.method, path, credentials.get(client)!, body)
      expect(answer.status, client).toBe(403)
      expect(answer.body).toMatchObject({
        code: 'forbidden',
        detail: expect.stringMatching(/^None of your roles allows this/),
      })
    }
  })

  const withIds = ofCompanies.filter((route) => {
    const { foreignPath } = permissionOf(route) ?? {}
    return foreignPath !== false && paramsOf(route.path).length > 1
  })
  it.each(withIds)('lends no id to $method $path', async (route) => {
    const [, ...names] = paramsOf(route.path)
    const { who, foreignPath, body: bodyOf } = permissionOf(route)
    const body = bodyOf?.(own)
    // One of the ids is the other company's, or all of them are.
    for (const lent of [names, ...(names.length > 1 ? names.map((name) => [name]) : [])]) {
      const path = fill(route.path, (name) => (lent.includes(name) ? foreign : own))
      const expected = (foreignPath && lent.length === 1 && foreignPath[lent[0]!]) || 404
      for (const client of ['admin', 'key'] as const) {
        const { status } = await send(route.method, path, credentials.get(client)!, body)
        const isAdmitted = (admitted[who] as readonly Client[]).includes(client)
        expect(status, `${client} ${path}`).toBe(isAdmitted ? expected : 403)
      }
    }
  })

  const withForeignBody = ofCompanies.filter((route) => permissionOf(route)?.foreignBody !== undefined)
  it.each(withForeignBody)('lends no id to the body of $method $path', async (route) => {
    const { body, foreignBody } = permissionOf(route)
    const path = fill(route.path, () => own)
    for (const client of ['admin', 'key'] as const) {
      const { status } = await send(route.method, path, credentials.get(client)!, body!(foreign))
      expect(status).toBe(foreignBody)
    }
  })

  it('is as it was, after all that', async () => {
    expect(await stateOfOther()).toEqual(before)
  })

  it('takes as long to be refused as one that does not exist', async () => {
    const took = { there: [] as number[], nowhere: [] as number[] }
    const headers = credentials.get('admin')!
    const time = async (id: string, times: number[]) => {
      const startedAt = performance.now()
      const { status } = await send('GET', `/api/company/${id}/orders`, headers)
      times.push(performance.now() - startedAt)
      expect(status).toBe(403)
    }
    const ratio = () => {
      const [there, nowhere] = [Math.min(...took.there), Math.min(...took.nowhere)]
      return Math.max(there, nowhere) / Math.min(there, nowhere)
    }
    // Other work on the machine makes answers slower, and none faster: the shortest times meet sooner or later.
    for (let n = 0; n < 75 || (n < 1_500 && ratio() >= 1.5); n++) {
      await time(otherCompanyId, took.there)
      await time(randomUUID(), took.nowhere)
    }
    expect(ratio()).toBeLessThan(1.5)
  })
})
