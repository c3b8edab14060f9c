import { statSync } from 'node:fs'
import { join } from 'node:path'
import { createRemoteJWKSet, jwtVerify } from 'jose'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { type IdentityProvider, startIdentityProvider } from '../../src/embedded/identityProvider.ts'
import { newDataDir, removeDataDir } from '../support/dataDir.ts'

const editor = {
  clientId: 'client-editor',
  clientSecret: 'secret-of-the-editor',
  oid: '0a4b1c52-7a8e-4e4a-9d0c-57e0f1b2c3d4',
  name: 'Edith Editor',
  roles: [],
}
const operator = { ...editor, clientId: 'client-operator', roles: ['Operator'] }
const ungranted = { ...editor, clientId: 'client-ungranted', scopes: [] }
const clients = [editor, operator, ungranted]
const tenant = 'a2c0d8a4-0f6e-4b62-8f2b-6d5c4b3a2f10'

const dataDir = newDataDir()
const log: string[] = []
let clock = 0
const people = {
  password: 'the-password',
  accounts: [{ userName: 'editor', oid: editor.oid, name: editor.name, roles: [] }],
}
const portal = { clientId: 'client-portal', clientSecret: 'secret-of-the-portal' }
const options = {
  people,
  portal,
  dataDir,
  clients,
  tenant,
  apiId: 'heatmark',
  tokenLimit: 20,
  clock: () => clock,
  log: (line: string) => log.push(line),
}
const warn = vi.spyOn(console, 'warn')
const info = vi.spyOn(console, 'info')
let idp: IdentityProvider

beforeAll(async () => {
  idp = await startIdentityProvider(options)
})
afterEach(() => {
  clock += 60_000 // a fresh minute for every spec
})
afterAll(async () => {
  await idp.stop()
  removeDataDir(dataDir)
})

function form(fields: Record<string, string | undefined> = {}) {
  const whole = {
    grant_type: 'client_credentials',
    client_id: editor.clientId,
    client_secret: editor.clientSecret,
    scope: idp.scope,
    ...fields,
  }
  const given = Object.entries(whole).filter((field): field is [string, string] => field[1] !== undefined)
  return new URLSearchParams(given)
}
async function ask(fields?: Record<string, string | undefined>, url = idp.tokenUrl) {
  const response = await fetch(url, { method: 'POST', body: form(fields) })
  const body = (await response.json()) as Record<string, string>
  return { status: response.status, headers: response.headers, body }
}
function described(error: string) {
  return { error, error_description: expect.any(String) }
}

test('client credentials give a bearer token that is good for an hour', async () => {
  expect(idp.tokenUrl).toBe(`${idp.authUrl}/${tenant}/oauth2/v2.0/token`)
  const answer = await ask()
  expect(answer.status).toBe(200)
  expect(answer.body).toMatchObject({ token_type: 'Bearer', expires_in: 3600 })
  expect(answer.headers.get('cache-control')).toBe('no-store')
})

test('pages of the service may ask for tokens, and no other page', async () => {
  const page = 'http://127.0.0.1:8080'
  idp.servePortalAt(page)
  const allowed = async (origin: string) => {
    const { status, headers } = await fetch(idp.tokenUrl, {
      method: 'POST',
      headers: { origin },
      body: form(),
    })
    return [status, headers.get('access-control-allow-origin')]
  }
  expect(await allowed(page)).toEqual([200, page])
  expect((await allowed('http://127.0.0.1:8081'))[1]).toBeNull()
})

test('the token verifies against the published keys and names its user', async () => {
  const { body } = await ask()
  const { payload, protectedHeader } = await jwtVerify(
    body.access_token!,
    createRemoteJWKSet(new URL(idp.jwksUri)),
    { issuer: idp.issuer, audience: idp.audience, algorithms: ['RS256'] },
  )
  expect(protectedHeader.kid).toEqual(expect.any(String))
  const who = { sub: editor.oid, oid: editor.oid, tid: tenant, azp: editor.clientId, name: editor.name }
  expect(payload).toMatchObject({ ...who, roles: [], ver: '2.0' })
  expect(payload.exp! - payload.iat!).toBe(3600)
  expect(payload.nbf).toBe(payload.iat)
})

test('a platform role is in the roles claim', async () => {
  const { body } = await ask({ client_id: operator.clientId })
  const payload = JSON.parse(Buffer.from(body.access_token!.split('.')[1]!, 'base64url').toString())
  expect(payload.roles).toEqual(['Operator'])
})

test('discovery names issuer, keys and token endpoint, whatever the Host header is', async () => {
  const response = await fetch(`${idp.issuer}/.well-known/openid-configuration`)
  expect(await response.json()).toMatchObject({
    issuer: idp.issuer,
    jwks_uri: idp.jwksUri,
    token_endpoint: idp.tokenUrl,
  })
})

test('the published keys have no private parts', async () => {
  const response = await fetch(idp.jwksUri)
  const { keys } = (await response.json()) as { keys: object[] }
  expect(keys).toHaveLength(1)
  expect(Object.keys(keys[0]!).sort()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use'])
})

test.each<[string, Record<string, string | undefined>, path?: string]>([
  ['a wrong secret', { client_secret: 'wrong' }],
  ['a missing secret', { client_secret: undefined }],
  ['an unregistered client', { client_id: 'nobody-knows' }],
  ['a missing client id', { client_id: undefined }],
  ['a wrong tenant in the URL', {}, 'another-tenant/oauth2/v2.0/token'],
  ['a wrong token address', {}, `${tenant}/oauth2/token`],
])('%s is invalid_client', async (_, fields, path) => {
  const answer = await ask(fields, path && `${idp.authUrl}/${path}`)
  expect(answer).toMatchObject({ status: 401, body: described('invalid_client') })
})

test.each<[string, () => Record<string, string | undefined>]>([
  ['an unknown scope', () => ({ scope: 'api://another/access_as_user' })],
  ['a missing scope', () => ({ scope: undefined })],
  ['the right scope beside an unknown one', () => ({ scope: `${idp.scope} openid` })],
  ['a scope that is not granted to the client', () => ({ client_id: ungranted.clientId })],
])('%s is invalid_scope', async (_, fields) => {
  const answer = await ask(fields())
  expect(answer).toMatchObject({ status: 400, body: described('invalid_scope') })
  expect(Object.keys(answer.body)).toEqual(['error', 'error_description'])
})

test('a wrong secret is reported before a wrong scope', async () => {
  const answer = await ask({ client_secret: 'wrong', scope: undefined })
  expect(answer.body.error).toBe('invalid_client')
})

test('another grant type is refused', async () => {
  const answer = await ask({ grant_type: 'password' })
  expect(answer).toMatchObject({ status: 400, body: described('unsupported_grant_type') })
})

test('a body that is not a form is refused, in JSON whatever the caller accepts', async () => {
  const response = await fetch(idp.tokenUrl, { method: 'POST', body: '{}', headers: { accept: 'text/html' } })
  expect(response.status).toBe(401)
  expect(await response.json()).toEqual(described('invalid_client'))
})

test('a body larger than 32 KiB is refused', async () => {
  const answer = await ask({ padding: 'x'.repeat(40_000) })
  expect(answer).toMatchObject({ status: 413, body: described('invalid_request') })
})

test('a client above the limit waits for its minute to end, and other clients do not', async () => {
  for (let request = 0; request < 20; request++) await ask({ scope: undefined })
  clock += 12_500
  const refused = await ask()
  expect(refused.status).toBe(429)
  expect(refused.headers.get('retry-after')).toBe('48')
  expect(refused.body).toEqual({
    error: 'rate_limit_exceeded',
    message: expect.stringContaining('48 seconds'),
  })
  expect((await ask({ client_id: operator.clientId })).status).toBe(200)
  clock += 47_500
  expect((await ask()).status).toBe(200)
})

test('address, keys and tokens survive a restart', async () => {
  const { body } = await ask()
  const { jwksUri, issuer } = idp
  await idp.stop()
  idp = await startIdentityProvider(options)
  expect(idp).toMatchObject({ jwksUri, issuer })
  // The first request may still meet the connection that the restart closed.
  await vi.waitFor(() => fetch(jwksUri))
  await jwtVerify(body.access_token!, createRemoteJWKSet(new URL(jwksUri)), { issuer })
})

test('its file is for this user alone, and the log has no secrets and no warnings', () => {
  expect(statSync(join(dataDir, 'identityProvider.json')).mode & 0o777).toBe(0o600)
  expect([...log, ...warn.mock.calls, ...info.mock.calls]).toEqual([])
})
