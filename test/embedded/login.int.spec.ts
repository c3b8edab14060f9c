import { createHash, randomBytes } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type IdentityProvider, startIdentityProvider } from '../../src/embedded/identityProvider.ts'
import { type Browser, createBrowser } from '../support/browser.ts'
import { newDataDir, removeDataDir } from '../support/dataDir.ts'

/** People log in to the embedded identity provider, at its own page. */

const tenant = 'a2c0d8a4-0f6e-4b62-8f2b-6d5c4b3a2f10'
const editor = {
  userName: 'editor',
  oid: '0a4b1c52-7a8e-4e4a-9d0c-57e0f1b2c3d4',
  name: 'Edith Editor',
  roles: [],
}
const operator = {
  userName: 'operator',
  oid: '1b4b1c52-7a8e-4e4a-9d0c-57e0f1b2c3d4',
  name: 'Otto',
  roles: ['Operator'],
}
const password = 'the-password'
const portal = { clientId: 'client-portal', clientSecret: 'secret-of-the-portal' }

const dataDir = newDataDir()
const verifier = randomBytes(32).toString('base64url')
const challenge = createHash('sha256').update(verifier).digest('base64url')
let idp: IdentityProvider
let service: Server
let serviceUrl: string
let reported: string[]
let browser: Browser

beforeAll(async () => {
  service = createServer((req, res) => {
    let body = ''
    req.on('data', (chunk) => {
      body += chunk
    })
    req.on('end', () => {
      if (req.url === '/portal/backchannel-logout') reported.push(body)
      res.end()
    })
  })
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve))
  serviceUrl = `http://127.0.0.1:${(service.address() as AddressInfo).port}`
  idp = await startIdentityProvider({
    dataDir,
    tenant,
    portal,
    apiId: 'heatmark',
    clients: [],
    people: { password, accounts: [editor, operator] },
  })
  idp.servePortalAt(serviceUrl)
})
beforeEach(() => {
  browser = createBrowser()
  reported = []
})
afterAll(async () => {
  await idp.stop()
  await new Promise((resolve) => service.close(resolve))
  removeDataDir(dataDir)
})

const authorizeUrl = (more: Record<string, string> = {}, at = serviceUrl) =>
  `${idp.issuer}/oauth2/v2.0/authorize?${new URLSearchParams({
    client_id: portal.clientId,
    response_type: 'code',
    state: 'state',
    nonce: 'nonce',
    scope: `openid profile ${idp.scope}`,
    redirect_uri: `${at}/portal/callback`,
    code_challenge: challenge,
    code_challenge_method: 'S256',
    ...more,
  })}`
const logIn = async (userName: string, at = serviceUrl) => {
  const page = await browser.open(authorizeUrl({}, at))
  return browser.submit(page, { userName, password })
}
const exchange = async (fields: Record<string, string>) => {
  const response = await fetch(idp.tokenUrl, {
    method: 'POST',
    body: new URLSearchParams({ client_id: portal.clientId, client_secret: portal.clientSecret, ...fields }),
  })
  return { status: response.status, body: (await response.json()) as Record<string, string> }
}
const tokensOf = async (callback: string) =>
  exchange({
    grant_type: 'authorization_code',
    code: new URL(callback).searchParams.get('code')!,
    redirect_uri: `${serviceUrl}/portal/callback`,
    code_verifier: verifier,
  })

describe('the login page', () => {
  it('asks for user name and password, loads nothing and lets the form go to the portal only', async () => {
    const page = await browser.open(authorizeUrl())
    expect(page.status).toBe(200)
    expect(page.text).toContain('<h1>Log in</h1>')
    expect(page.text).not.toMatch(/<script|https?:\/\/|<link|@import/)
    const policy = page.headers.get('content-security-policy')
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain(`form-action 'self' ${serviceUrl};`)
    expect(policy).not.toContain('unsafe-inline')
  })

  it('is in German for a browser that prefers German', async () => {
    const first = await browser.send(authorizeUrl())
    const page = await browser.open(new URL(first.headers.get('location')!, idp.authUrl).href, {
      headers: { 'accept-language': 'de-DE,de;q=0.9,en;q=0.5' },
    })
    expect(page.text).toContain('<h1>Anmelden</h1>')
  })

  it('refuses a wrong password and an unknown user in the same words, and escapes what was typed', async () => {
    const page = await browser.open(authorizeUrl())
    const wrong = await browser.submit(page, { userName: 'editor', password: 'guess' })
    const unknown = await browser.submit(page, { userName: '"><script>', password })
    for (const { status, text } of [wrong, unknown]) {
      expect(status).toBe(401)
      expect(text).toContain('The user name or the password is wrong.')
    }
    expect(unknown.text).toContain('value="&quot;&gt;&lt;script&gt;"')
    expect((await browser.submit(wrong, { userName: 'editor', password })).url).toContain(
      `${serviceUrl}/portal/callback`,
    )
  })

  it('leads back to the portal when the login has expired or belongs to another browser', async () => {
    const { url } = await browser.open(authorizeUrl())
    for (const address of [url, `${idp.issuer}/login/unknown`]) {
      const page = await createBrowser().open(address)
      expect(page.status).toBe(400)
      expect(page.text).toContain(`<a href="${serviceUrl}/portal/login">`)
    }
  })

  it('is refused under another host name', async () => {
    const { port } = new URL(idp.authUrl)
    const response = await fetch(authorizeUrl().replace('127.0.0.1', 'localhost'), { redirect: 'manual' })
    expect(new URL(response.url).host).toBe(`localhost:${port}`)
    expect(response.status).toBe(421)
  })
})

describe('a login', () => {
  it('gives an access token that names the person, an ID token and a refresh token', async () => {
    const { url } = await logIn('operator')
    const { status, body } = await tokensOf(url)
    expect(status).toBe(200)
    expect(decodeJwt(body.access_token!)).toMatchObject({
      iss: idp.issuer,
      aud: idp.audience,
      azp: portal.clientId,
      tid: tenant,
      scp: 'access_as_user',
      oid: operator.oid,
      name: operator.name,
      roles: ['Operator'],
      ver: '2.0',
    })
    expect(decodeJwt(body.id_token!)).toMatchObject({
      sub: operator.oid,
      aud: portal.clientId,
      nonce: 'nonce',
      sid: expect.any(String),
    })
    expect(body.refresh_token).toEqual(expect.any(String))
  })

  it('works on any port of every loopback name', async () => {
    for (const at of ['http://127.0.0.1:1', 'http://localhost:65000', 'http://[::1]:8080']) {
      browser = createBrowser()
      const answer = await browser.send(authorizeUrl({}, at))
      const page = await browser.open(new URL(answer.headers.get('location')!, idp.authUrl).href)
      expect(page.text, at).toContain('<h1>Log in</h1>')
    }
  })

  it('is refused for another address, and without PKCE', async () => {
    const elsewhere = await browser.open(authorizeUrl({}, 'http://elsewhere.example'))
    expect(elsewhere.status).toBe(400)
    expect(elsewhere.text).toContain('<h1>The login failed</h1>')
    const { url } = await browser.open(authorizeUrl({ code_challenge: '', code_challenge_method: '' }))
    expect(new URL(url).searchParams.get('error')).toBe('invalid_request')
  })

  it('of the same browser needs no password a second time, until it has logged out', async () => {
    const { url } = await logIn('editor')
    const { body } = await tokensOf(url)
    expect((await browser.open(authorizeUrl())).url).toContain(`${serviceUrl}/portal/callback?code=`)
    const logout = await browser.open(
      `${idp.issuer}/oauth2/v2.0/logout?${new URLSearchParams({
        id_token_hint: body.id_token!,
        post_logout_redirect_uri: `${serviceUrl}/portal`,
      })}`,
    )
    expect(logout.text).toContain("<script>document.getElementById('op.logoutForm').submit()</script>")
    expect((await browser.submit(logout)).url).toBe(`${serviceUrl}/portal`)
    expect((await browser.open(authorizeUrl())).text).toContain('<h1>Log in</h1>')
  })
})

describe('the portal’s client', () => {
  it('gets a new refresh token each time, and a used one ends them all', async () => {
    const { body } = await tokensOf((await logIn('editor')).url)
    const refresh = (refresh_token: string) => exchange({ grant_type: 'refresh_token', refresh_token })
    const second = await refresh(body.refresh_token!)
    expect(second.status).toBe(200)
    expect(decodeJwt(second.body.access_token!)).toMatchObject({ oid: editor.oid, scp: 'access_as_user' })
    expect(await refresh(body.refresh_token!)).toMatchObject({
      status: 400,
      body: { error: 'invalid_grant' },
    })
    expect((await refresh(second.body.refresh_token!)).status).toBe(400)
  })

  it('is told of a logout at the provider', async () => {
    const { body } = await tokensOf((await logIn('editor')).url)
    const { sid } = decodeJwt(body.id_token!)
    const page = await browser.open(`${idp.issuer}/oauth2/v2.0/logout`)
    expect(page.text).not.toContain('<script>')
    await browser.submit(page)
    expect(reported).toHaveLength(1)
    const token = decodeJwt(new URLSearchParams(reported[0]).get('logout_token')!)
    expect(token).toMatchObject({ iss: idp.issuer, aud: portal.clientId, sid })
    expect(token.events).toEqual({ 'http://schemas.openid.net/event/backchannel-logout': {} })
  })

  it('gets no token by client credentials', async () => {
    const { status } = await exchange({ grant_type: 'client_credentials', scope: idp.scope })
    expect(status).toBe(400)
  })
})
