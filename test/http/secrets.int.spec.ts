import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { beforeAll, expect, it } from 'vitest'
import { newApiKey } from '../../src/identity/apiKeyFormat.ts'
import { connectEventStore } from '../../src/stores/eventStoreDb/connect.ts'
import { type Answer, call, type Sent } from '../support/call.ts'
import { own } from '../support/own.ts'
import { secretsIn } from '../support/suiteLog.ts'
import { startTestService } from '../support/testService.ts'
import { until } from '../support/until.ts'

/** A key is in one answer, and nowhere else: in no log, event, error or table. Neither is a token. */

/** This run uses an account of its own, because others may use the same store. */
const user = `petra-${randomUUID()}`
const keys: string[] = []
/** Every answer but those that hold a new key. */
const answers: Answer[] = []

const send = async (method: string, path: string, sent: Sent = {}) => {
  const answer = await call(method, `${service.url}${path}`, sent)
  const issued = answer.body?.key
  if (typeof issued === 'string') keys.push(issued)
  else answers.push(answer)
  return answer
}

const service = await own(startTestService())
const token = await service.identity.token({ oid: user, name: 'Petra', roles: ['PlatformAdmin', 'Operator'] })
beforeAll(async () => {
  const { body: company } = await send('POST', '/api/companies', { token, body: { name: 'Yard' } })
  const headers = { 'idempotency-key': 'once' }
  for (const body of [{ label: 'press', expiresInDays: 1 }, { label: 'saw' }])
    await send('POST', '/api/me/keys', { token, body })
  await send('POST', '/api/me/keys', { token, headers, body: { label: 'again' } })
  await send('POST', '/api/me/keys', { token, headers, body: { label: 'again' } })
  await send('POST', '/api/me/keys', { token, headers, body: { label: 'reused' } })
  const { body: rolled } = await send('POST', '/api/me/keys/roll', { token, headers })
  await send('POST', '/api/me/keys/roll', { token, headers })
  const { key, keyId } = rolled
  const C = `/api/company/${company.companyId}`
  const shown = { 'service-api-key': key }
  const guessed = newApiKey().key
  keys.push(guessed)
  for (const one of [...keys, `${key}x`, key.slice(0, -1), `${key}, ${key}`])
    await send('GET', `${C}/orders`, { headers: { 'service-api-key': one } })
  for (const authorization of [
    `Bearer: ${token}`,
    token,
    `Bearer ${token}x`,
    `Basic ${key}`,
    `Bearer ${key}`,
  ])
    await send('GET', '/api/me', { headers: { authorization } })
  // Neither belongs in these places, though people put them there.
  for (const path of [
    `/api/me?access_token=${token}`,
    `/api/me?key=${key}`,
    `/api/${key}/keys`,
    `/api/company/${token}/orders`,
    `/api/me/keys/${key}`,
  ])
    await send('DELETE', path, { headers: { ...shown, 'idempotency-key': 'x y', 'if-match': token } })
  for (const body of ['{', { name: key.repeat(3) }, { color: key, severity: token }, `"${key}`])
    await send('POST', `${C}/millcert-tags`, { headers: shown, body })
  await send('PUT', `${C}/members/${token.slice(0, 120)}`, { headers: shown, body: { roles: [key] } })
  await send('GET', '/api/me/keys', { token })
  await send('GET', '/api/me', { headers: shown })
  await until(async () => (await send('GET', '/api/me/keys', { token })).body[0].lastUsedAt !== null)
  await send('GET', '/metrics', { token })
  await send('DELETE', `/api/me/keys/${keyId}`, { token })
  await send('DELETE', `/api/me/keys/${keyId}`, { token })
})

/** The part of a key that nobody is told, from the first character after its prefix. */
const hiddenIn = (text: string): string[] => [
  ...keys.map((key) => key.slice(9)).filter((secret) => text.includes(secret)),
  ...token.split('.').filter((part) => text.includes(part)),
]

it('the run has made five keys and collected its answers', () => {
  expect(keys).toHaveLength(5)
  expect(new Set(keys).size).toBe(5)
  expect(answers.length).toBeGreaterThan(30)
  expect(hiddenIn(`nothing, but ${keys[2]}`)).toHaveLength(1)
})

it('the log holds no part of a key or token', () => {
  const log = service.logged()
  expect(log.split('\n').length).toBeGreaterThan(answers.length)
  expect(log).toContain(`"caller":"${user}"`)
  expect(log).toContain('"code":"invalid-api-key"')
  expect(hiddenIn(log)).toEqual([])
  expect(secretsIn(log)).toEqual([])
})

it('no event holds a part of a key or token', async () => {
  const store = connectEventStore(service.settings.EVENTSTORE_URL!)
  const events = JSON.stringify(await Array.fromAsync(store.readAll(0)))
  await store.close()
  for (const type of ['ApiKeyCreated', 'ApiKeysRolled', 'ApiKeyDeleted']) expect(events).toContain(type)
  expect(hiddenIn(events)).toEqual([])
})

it('no answer but the first holds a part of a key or token', () => {
  const statuses = new Set(answers.map(({ status }) => status))
  for (const status of [200, 201, 204, 400, 401, 404, 422]) expect(statuses).toContain(status)
  for (const { status, headers, body } of answers) {
    const text = JSON.stringify([...headers, { ...body, instance: undefined }])
    expect(hiddenIn(text), `${status} ${text}`).toEqual([])
  }
})

it('no table holds a part of a key or token', async () => {
  const client = new pg.Client({ connectionString: service.settings.DATABASE_URL! })
  await client.connect()
  try {
    const { rows: tables } = await client.query<{ name: string }>(
      `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname LIKE 'heatmark%'`,
    )
    expect(tables.length).toBeGreaterThan(10)
    let seen = ''
    for (const { name } of tables) {
      const { rows } = await client.query(`SELECT t::text AS row FROM ${name} t`)
      seen += rows.map(({ row }) => row).join('\n')
    }
    expect(seen).toContain(user)
    expect(hiddenIn(seen)).toEqual([])
  } finally {
    await client.end()
  }
})
