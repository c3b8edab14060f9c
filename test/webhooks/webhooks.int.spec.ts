import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { connectPostgres } from '../../src/stores/postgres/postgres.ts'
import { type Company, newCompany } from '../http/people.ts'
import { own } from '../support/own.ts'
import { startTestService } from '../support/testService.ts'
import { until } from '../support/until.ts'
import { isSigned, type Receiver, startReceiver } from './receiver.ts'

/** Webhooks in the whole service: an Admin adds them, and their endpoints receive what changes. */

let company: Company
let receiver: Receiver
const service = await own(startTestService({ WEBHOOK_NETWORKS: '127.0.0.0/8' }))
beforeEach(async () => {
  company = await newCompany(service)
  receiver = await startReceiver()
})
afterEach(() => receiver.stop())

const send = (method: string, path: string, body?: object) =>
  company.admin.send(method, path, body ? { body } : {})
async function add(content: object = {}) {
  const { status, body } = await send('POST', 'webhooks', { url: receiver.url, ...content })
  expect(status, JSON.stringify(body)).toBe(201)
  return body
}
async function stateOf(webhookId: string) {
  return (await send('GET', `webhooks/${webhookId}`)).body
}
const untilState = (webhookId: string, state: string) =>
  until(async () => (await stateOf(webhookId)).state === state)
async function added(content?: object) {
  const made = await add(content)
  await untilState(made.webhookId, 'active')
  return made
}
const names = () => receiver.accepted().map(({ data }) => data?.name)

describe('an endpoint', () => {
  it('is asked by a ping, then receives the changes of the feed in order, signed', async () => {
    await company.createTag(company.admin, 'Before')
    const { secret, webhookId } = await added({ types: ['heatmark.tag'] })
    for (const name of ['First', 'Second', 'Third']) await company.createTag(company.admin, name)
    await until(() => names().length >= 3)
    expect(names()).toEqual(['First', 'Second', 'Third'])
    const [ping, ...others] = receiver.received
    expect(ping!.events).toMatchObject([
      { type: 'heatmark.webhook.ping.v1', subject: `webhook/${webhookId}` },
    ])
    for (const one of receiver.received) {
      expect(await isSigned(one, secret)).toBe(true)
      expect(one.headers['content-type']).toBe('application/cloudevents-batch+json')
    }
    const { after } = await stateOf(webhookId)
    const feed = await send('GET', `changes?types=heatmark.tag&after=${ping!.events[0]!.position}`)
    expect(others.flatMap(({ events }) => events)).toEqual(feed.body)
    expect(after).toBeGreaterThanOrEqual(Number(feed.body.at(-1).position))
  })

  it('that fails is asked again with the same id, and its Admin sees why', async () => {
    const { webhookId } = await added({ types: ['heatmark.tag'] })
    receiver.answer = { status: 503 }
    await company.createTag(company.admin, 'Held up')
    await untilState(webhookId, 'failing')
    const answered = { message: 'The endpoint answered 503.' }
    expect(await stateOf(webhookId)).toMatchObject({ condition: answered, nextTryAt: expect.any(String) })
    const attempts = await send('GET', `webhooks/${webhookId}/attempts?limit=1`)
    expect(attempts.body).toMatchObject([{ isPing: false, changes: 1, status: 503, failure: answered }])
    receiver.answer = { status: 204 }
    await until(() => names().includes('Held up'))
    const ids = receiver.received.slice(1).map(({ headers }) => headers['webhook-id'])
    expect(new Set(ids).size).toBe(1)
  })

  it('that is gone receives nothing until it is resumed, and misses nothing', async () => {
    const { webhookId } = await added({ types: ['heatmark.tag'] })
    receiver.answer = { status: 410 }
    await company.createTag(company.admin, 'While it was gone')
    await untilState(webhookId, 'disabled')
    receiver.answer = { status: 204 }
    await company.createTag(company.admin, 'Meanwhile')
    expect(names()).toEqual([])
    expect((await send('POST', `webhooks/${webhookId}/resume`)).status).toBe(200)
    await until(() => names().length >= 2)
    expect(names()).toEqual(['While it was gone', 'Meanwhile'])
  })

  it('is not followed to another address', async () => {
    const elsewhere = await startReceiver()
    receiver.answer = { status: 307, headers: { location: elsewhere.url } }
    const { webhookId } = await add()
    await untilState(webhookId, 'failing')
    expect((await stateOf(webhookId)).condition.message).toMatch(/redirects are not followed/)
    expect(elsewhere.received).toEqual([])
    elsewhere.stop()
  })

  it('that is paused keeps its place, and one that is moved asks the new address first', async () => {
    const { webhookId } = await added({ types: ['heatmark.tag'] })
    await send('PUT', `webhooks/${webhookId}`, { active: false })
    await company.createTag(company.admin, 'Paused')
    expect((await stateOf(webhookId)).state).toBe('paused')
    const moved = `${receiver.url}/moved`
    await send('PUT', `webhooks/${webhookId}`, { active: true, url: moved })
    await until(() => names().includes('Paused'))
    expect(receiver.received.map(({ path, events }) => [path, events[0]!.type])).toEqual([
      ['/hook', 'heatmark.webhook.ping.v1'],
      ['/hook/moved', 'heatmark.webhook.ping.v1'],
      ['/hook/moved', 'heatmark.tag.created.v1'],
    ])
  })

  it('receives everything again from the place that its Admin names', async () => {
    const { webhookId } = await added({ types: ['heatmark.tag'] })
    await company.createTag(company.admin, 'Once more')
    await until(() => names().length === 1)
    await send('POST', `webhooks/${webhookId}/resume`, { after: 0 })
    await until(() => names().length === 2)
    const [first, again] = receiver.received.slice(1)
    expect(again!.headers['webhook-id']).not.toBe(first!.headers['webhook-id'])
  })

  it('receives nothing after it was deleted, and nothing of it is kept', async () => {
    const { webhookId } = await added()
    expect((await send('DELETE', `webhooks/${webhookId}`)).status).toBe(204)
    expect((await send('GET', `webhooks/${webhookId}`)).status).toBe(404)
    const postgres = connectPostgres({ url: service.settings.DATABASE_URL!, name: 'spec', size: 1 })
    const kept = async () => {
      const of = (table: string) =>
        postgres.query(`SELECT FROM heatmark_local.webhook_${table} WHERE webhook_id = $1`, [webhookId])
      return (await Promise.all(['secret', 'place', 'attempt'].map(of))).flat()
    }
    expect(await kept()).toEqual([])
    await postgres.close()
    const { length } = receiver.received
    const other = await startReceiver()
    await add({ url: other.url })
    await company.createTag(company.admin, 'Unsent')
    await until(() => other.accepted().length > 0)
    expect(receiver.received).toHaveLength(length)
    other.stop()
  })
})

it('signs by the secret before as well, until the overlap ends', async () => {
  const { webhookId, secret } = await added({ types: ['heatmark.tag'] })
  const rolled = await send('POST', `webhooks/${webhookId}/roll-secret`, { overlapHours: 1 })
  await company.createTag(company.admin, 'Signed twice')
  await until(() => names().length === 1)
  const last = receiver.received.at(-1)!
  expect([await isSigned(last, secret), await isSigned(last, rolled.body.secret)]).toEqual([true, true])
  const again = await send('POST', `webhooks/${webhookId}/roll-secret`, { overlapHours: 0 })
  await company.createTag(company.admin, 'Signed once')
  await until(() => names().length === 2)
  const newest = receiver.received.at(-1)!
  expect([await isSigned(newest, rolled.body.secret), await isSigned(newest, again.body.secret)]).toEqual([
    false,
    true,
  ])
})

it('shows a secret once, and to a repeat none', async () => {
  const sent = { headers: { 'idempotency-key': 'one' }, body: { url: receiver.url } }
  const made = await company.admin.send('POST', 'webhooks', sent)
  const repeat = await company.admin.send('POST', 'webhooks', sent)
  expect(made.body.secret).toMatch(/^whsec_/)
  expect(repeat).toMatchObject({ status: 201, body: { ...made.body, secret: null } })
  expect(JSON.stringify((await send('GET', 'webhooks')).body)).not.toContain('whsec_')
})

it('refuses addresses that are none, types that do not exist, and a 21st webhook', async () => {
  for (const body of [
    { url: 'ftp://example.com' },
    { url: 'https://user:secret@example.com' },
    { url: 'example.com' },
    { url: receiver.url, types: ['heatmark.crane'] },
    { url: 'https://10.0.0.1/' },
    { url: 'https://[::ffff:10.0.0.1]/' },
    { url: 'http://8.8.8.8/' },
  ])
    expect((await send('POST', 'webhooks', body)).status, JSON.stringify(body)).toBe(400)
  for (let n = 0; n < 20; n += 1) await add({ active: false })
  expect(await send('POST', 'webhooks', { url: receiver.url })).toMatchObject({
    status: 409,
    body: { code: 'too-many-webhooks' },
  })
})

it('lets no webhook move to a private address that the operator has not allowed', async () => {
  const { webhookId } = await added()
  expect(await send('PUT', `webhooks/${webhookId}`, { url: 'https://10.0.0.1/' })).toMatchObject({
    status: 400,
    body: { errors: [{ pointer: '#/url', code: 'not-public' }] },
  })
})

it('asks five endpoints of a company at the same time, and the others after them', async () => {
  receiver.isSilent = true
  for (let n = 0; n < 7; n += 1) await add({ url: `${receiver.url}/${n}` })
  const other = await newCompany(service)
  const quick = await startReceiver()
  await other.admin.send('POST', 'webhooks', { body: { url: quick.url } })
  await until(() => quick.received.length === 1)
  const asked = () => new Set(receiver.received.map(({ path }) => path)).size
  await until(() => asked() === 5)
  receiver.release()
  await until(() => asked() === 7)
  quick.stop()
})
