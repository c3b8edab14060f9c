import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  registerCompany,
  setCompanySettings,
  setMemberRoles,
} from '../../../../src/commands/company/companies.ts'
import type { CompanySettings } from '../../../../src/domain/company/companyEvents.ts'
import { replaceMembers } from '../../../../src/domain/kernel/edit.ts'
import { type Browser, createBrowser, fromPage } from '../../../support/browser.ts'
import { own } from '../../../support/own.ts'
import { people, startPortal } from '../../../support/portal.ts'
import { until } from '../../../support/until.ts'

/** People log in at the portal, and each way in for somebody else is closed. */

const [ada, bob] = people.accounts as [(typeof people.accounts)[0], (typeof people.accounts)[0]]
const companyId = randomUUID()
/** Bob works at its saw, and may stay logged in for a shift. */
const sawCompanyId = randomUUID()
/** Ada is its Admin. */
const adasCompanyId = randomUUID()
let browser: Browser

const service = await own(startPortal({ AUTH_FAILURE_LIMIT: '20' }))
beforeAll(async () => {
  const context = {
    actor: { id: 'spec', name: 'Spec', kind: 'service' },
    correlationId: 'spec',
  } as const
  await service.executor.execute(registerCompany(companyId, 'Beispiel'), context)
  await service.executor.execute(setMemberRoles({ companyId, userId: bob.oid, wanted: ['Viewer'] }), context)
  await service.executor.execute(registerCompany(sawCompanyId, 'Saw'), context)
  await service.executor.execute(registerCompany(adasCompanyId, 'Ada'), {
    ...context,
    actor: { id: ada.oid, name: 'Ada', kind: 'user' },
  })
  await service.executor.execute(
    setMemberRoles({ companyId: sawCompanyId, userId: bob.oid, wanted: ['Cutter'] }),
    context,
  )
  const allowed = setCompanySettings(
    sawCompanyId,
    replaceMembers<CompanySettings>({ cutterIdleMinutes: 480 }),
  )
  await service.executor.execute(allowed, context)
})
beforeEach(() => {
  browser = createBrowser()
})

const cookieOf = (one = browser) => one.cookies(service.url).get(service.cookieName)
const codeOf = async (response: Response) => ((await response.json()) as { code: string }).code
const whoAmI = async (one = browser) =>
  (await (await service.ask(one, '/api/me')).json()) as { userId?: string; kind?: string; code?: string }
const withCookie = (cookie: string, headers: Record<string, string> = fromPage, path = '/api/me') =>
  fetch(`${service.url}${path}`, { headers: { cookie: `${service.cookieName}=${cookie}`, ...headers } })

describe('a login', () => {
  it('leads back to the wanted path, and the person has exactly the rights of the account', async () => {
    const { url } = await service.logIn(browser, 'bob', `/portal/c/${companyId}/certificates?blocked=true`)
    expect(url).toBe(`${service.url}/portal/c/${companyId}/certificates?blocked=true`)
    expect(await whoAmI()).toMatchObject({ userId: bob.oid, name: 'Bob', kind: 'user', platformRoles: [] })
    await until(async () => (await service.ask(browser, `/api/company/${companyId}/orders`)).status === 200)
    const tag = { name: 'Mine', color: '#c00', severity: 'Info' }
    const wanted = {
      method: 'POST',
      body: JSON.stringify(tag),
      headers: { 'content-type': 'application/json' },
    }
    const written = await service.ask(browser, `/api/company/${companyId}/order-tags`, wanted)
    expect(await codeOf(written)).toBe('forbidden')
    expect((await service.ask(browser, '/api/me/keys')).status).toBe(200)
    expect((await service.ask(browser, '/api/ops/projections')).status).toBe(403)
  })

  it('makes the person a member of the company that has invited the verified address', async () => {
    const invitations = `/api/company/${adasCompanyId}/invitations`
    const invitation = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'Bob@Example.org', roles: ['Planner'] }),
    }
    await service.logIn(browser, 'ada')
    await until(async () => (await service.ask(browser, invitations, invitation)).status === 200)
    const guest = createBrowser()
    await service.logIn(guest, 'bob')
    const { memberships } = (await (await service.ask(guest, '/api/me')).json()) as {
      memberships: readonly { companyId: string; roles: readonly string[] }[]
    }
    expect(memberships.find((one) => one.companyId === adasCompanyId)?.roles).toEqual(['Planner'])
    expect(await (await service.ask(browser, invitations)).json()).toEqual([])
    const member = `/api/company/${adasCompanyId}/members/${bob.oid}`
    expect(await (await service.ask(browser, member)).json()).toMatchObject({ name: 'Bob' })
  })

  it('sets a cookie that no script, no other site and no other host gets, and none of login state', async () => {
    const page = await browser.open(`${service.url}/portal/login`)
    const { url } = await browser.submit(page, { userName: 'ada', password: people.password })
    expect(url).toBe(`${service.url}/portal`)
    expect([...browser.cookies(service.url).keys()].filter((name) => name.startsWith('__Host'))).toEqual([
      service.cookieName,
    ])
    const again = await browser.send(`${service.url}/portal/login`)
    const callback = await browser.send(again.headers.get('location')!)
    const { headers } = await browser.send(callback.headers.get('location')!)
    const set = headers.getSetCookie().find((line) => line.startsWith(`${service.cookieName}=`))
    expect(set).toMatch(/=[\w-]{43}; Path=\/; Secure; HttpOnly; SameSite=Strict$/)
  })

  it('begun in another browser, or twice, is refused', async () => {
    const begun = await browser.send(`${service.url}/portal/login`)
    const login = await browser.open(begun.headers.get('location')!)
    const body = new URLSearchParams({ userName: 'ada', password: people.password })
    const action = /action="([^"]+)"/.exec(login.text)![1]!
    const resume = await browser.send(new URL(action, login.url).href, { method: 'POST', body })
    const callback = (await browser.send(resume.headers.get('location')!)).headers.get('location')!
    const stranger = await createBrowser().send(callback)
    expect(stranger.status).toBe(400)
    expect(await codeOf(stranger)).toBe('login-failed')
    expect((await browser.send(callback)).status).toBe(303)
    const repeated = await browser.send(callback, { headers: { accept: 'text/html' } })
    expect(repeated.status).toBe(400)
    expect(await repeated.text()).toContain('<a href="/portal/login">Log in again</a>')
  })

  it('begins one session, although its state was copied and the provider gives another code for it', async () => {
    const begun = await browser.send(`${service.url}/portal/login`)
    const states = Object.fromEntries(browser.cookies(service.url))
    const asked = begun.headers.get('location')!
    const login = await browser.open(asked)
    const { url } = await browser.submit(login, { userName: 'ada', password: people.password })
    expect(url).toBe(`${service.url}/portal`)
    // The provider knows the person by now, and answers the same request once more.
    const callback = (await browser.send(asked)).headers.get('location')!
    expect(callback).toContain('code=')
    const cookie = Object.entries(states)
      .filter(([name]) => name.startsWith('__Host'))
      .map(([name, value]) => `${name}=${value}`)
      .join('; ')
    const replayed = await fetch(callback, { headers: { cookie }, redirect: 'manual' })
    expect(replayed.status).toBe(400)
    expect(await replayed.json()).toMatchObject({
      code: 'login-failed',
      detail: 'This login has been finished already. Open the portal, or log in again.',
    })
  })

  it('under another name of the service goes on under the configured one', async () => {
    const other = service.url.replace('127.0.0.1', 'localhost')
    const { url } = await service.logIn(browser, 'ada')
    expect(url).toBe(`${service.url}/portal`)
    const moved = await browser.send(`${other}/portal/login?returnTo=%2Fportal%2Fx`)
    expect(moved.headers.get('location')).toBe(`${service.url}/portal/login?returnTo=%2Fportal%2Fx&moved=1`)
    const forged = await fetch(`${service.url}/portal/login?moved=1`, {
      headers: { host: 'elsewhere.example' },
      redirect: 'manual',
    })
    const { searchParams } = new URL(forged.headers.get('location')!)
    expect(searchParams.get('redirect_uri')).toBe(`${service.url}/portal/callback`)
  })

  it.each(['http://[', 'http://h:99999', 'HTTPS://%'])('refuses an answer to the host %s', async (host) => {
    const { hostname, port, host: own } = new URL(service.url)
    const socket = connect(Number(port), hostname)
    const target = `${host}/portal/callback?code=x&state=y`
    socket.end(Buffer.from(`GET ${target} HTTP/1.1\r\nHost: ${own}\r\nConnection: close\r\n\r\n`, 'latin1'))
    const answer = await text(socket)
    expect(answer).toMatch(/^HTTP\/1.1 400 /)
    expect(answer).toContain('login-failed')
  })

  it.each([
    'https://elsewhere.example/',
    '//elsewhere.example/portal',
    '/\\elsewhere.example/portal',
    '/portal/..//elsewhere.example',
    '/portal/%2e%2e//elsewhere.example',
    '/portalx.elsewhere.example',
    '/portal@elsewhere.example',
    '\t//elsewhere.example',
    'javascript:alert(1)',
    '/api/me',
    '/portal/callback?code=x',
  ])('never leads to another place than the portal: %s', async (returnTo) => {
    expect((await service.logIn(browser, 'ada', returnTo)).url).toBe(`${service.url}/portal`)
  })
})

describe('the session cookie', () => {
  beforeEach(async () => {
    await service.logIn(browser, 'ada')
  })

  it('does not count for a form or picture of another port, which sends it too', async () => {
    const cookie = cookieOf()!
    const others: Record<string, string>[] = [
      {},
      { 'sec-fetch-site': 'same-site', 'heatmark-portal': '1' },
      { 'sec-fetch-site': 'cross-site', 'heatmark-portal': '1' },
      { 'sec-fetch-site': 'none', 'heatmark-portal': '1' },
      { 'heatmark-portal': '1' },
      { 'sec-fetch-site': 'same-origin' },
      { 'sec-fetch-site': 'same-origin', 'heatmark-portal': '0' },
    ]
    for (const headers of others) {
      const response = await withCookie(cookie, headers)
      expect(response.status, JSON.stringify(headers)).toBe(401)
      expect(await codeOf(response)).toBe('credentials-missing')
      const logout = await fetch(`${service.url}/portal/logout`, {
        method: 'POST',
        headers: { cookie: `${service.cookieName}=${cookie}`, ...headers },
      })
      expect(logout.status).toBe(401)
    }
    const form = await fetch(`${service.url}/api/me/keys`, {
      method: 'POST',
      body: new URLSearchParams({ label: 'Not mine' }),
      headers: {
        cookie: `${service.cookieName}=${cookie}`,
        origin: service.idp.issuer,
        'sec-fetch-site': 'same-site',
        'sec-fetch-mode': 'navigate',
      },
    })
    expect(await codeOf(form)).toBe('credentials-missing')
    expect((await withCookie(cookie)).status).toBe(200)
  })

  it('counts for a link of the portal to a file, and for no link of another page', async () => {
    // Bob is a member of the company.
    const member = createBrowser()
    await service.logIn(member, 'bob')
    const cookie = cookieOf(member)!
    const template = `/portal/download/api/company/${companyId}/imports/template`
    const ofPortal = { 'sec-fetch-site': 'same-origin' }
    await until(async () => (await withCookie(cookie, ofPortal, template)).status === 200)
    const table = await withCookie(cookie, ofPortal, `${template}?kind=orders&accept=text%2Fcsv`)
    expect(table.headers.get('content-disposition')).toBe('attachment; filename="orders.csv"')
    expect(await table.text()).toContain('orderNumber')
    // A value may have a question mark.
    expect((await withCookie(cookie, ofPortal, `${template}?kind=orders?`)).status).toBe(400)
    const sheet = await fetch(
      `${service.url}${template}?accept=application/vnd.openxmlformats-officedocument.spreadsheetml.sheet`,
      { method: 'HEAD', headers: { cookie: `${service.cookieName}=${cookie}`, ...ofPortal } },
    )
    expect(sheet.headers.get('content-disposition')).toBe('attachment; filename="certificates.xlsx"')

    for (const site of ['same-site', 'cross-site', 'none', undefined]) {
      const response = await withCookie(cookie, site ? { 'sec-fetch-site': site } : {}, template)
      expect(response.status, site).toBe(401)
      expect(await codeOf(response)).toBe('credentials-missing')
    }
    // A browser goes on with a download that broke off.
    for (const [site, status] of [
      ['none', 200],
      ['same-site', 401],
      ['cross-site', 401],
    ] as const) {
      const going = { 'sec-fetch-site': site, range: 'bytes=1-', 'if-range': '"a"' }
      expect((await withCookie(cookie, going, template)).status, site).toBe(status)
    }
    const going = { 'sec-fetch-site': 'none', 'if-range': '"a"', 'heatmark-portal': '1' }
    expect((await withCookie(cookie, going)).status).toBe(401)
    const beside = await withCookie(cookie, { ...ofPortal, 'service-api-key': 'hmk_unknown' }, template)
    expect(await codeOf(beside)).toBe('invalid-api-key')
  })

  it('leaves no answer in the browser, while a program may ask with the ETag of its own', async () => {
    const member = createBrowser()
    await service.logIn(member, 'bob')
    const bars = `/api/company/${companyId}/production-plan-bars`
    await until(async () => (await service.ask(member, bars)).status === 200)
    const authorization = `Bearer ${await service.programToken()}`
    const kept = async (answer: Response) => [answer.status, answer.headers.get('cache-control')]
    expect(await kept(await service.ask(member, bars))).toEqual([200, 'no-store'])
    expect(await kept(await service.ask(member, '/api/me'))).toEqual([200, 'no-store'])
    const program = await fetch(`${service.url}/api/me`, { headers: { authorization } })
    expect(await kept(program)).toEqual([200, 'private, no-cache'])
  })

  it('is offered to a person who opens the host without a path, and to no program', async () => {
    const open = (accept: string) =>
      fetch(service.url, { headers: { accept }, redirect: 'manual' }).then(({ status, headers }) => [
        status,
        headers.get('location'),
      ])
    expect(await open('text/html,application/xhtml+xml,*/*;q=0.8')).toEqual([302, '/portal'])
    expect(await open('*/*')).toEqual([404, null])
  })

  it('counts for nothing but reading by a link', async () => {
    const headers = { cookie: `${service.cookieName}=${cookieOf()!}`, 'sec-fetch-site': 'same-origin' }
    const body = new URLSearchParams({ label: 'Not mine' })
    const key = await fetch(`${service.url}/portal/download/api/me/keys`, { method: 'POST', body, headers })
    expect(await codeOf(key)).toBe('not-found')
    const left = await fetch(`${service.url}/portal/download/portal/logout`, { method: 'POST', headers })
    expect(await codeOf(left)).toBe('not-found')
    expect((await withCookie(cookieOf()!)).status).toBe(200)
  })

  it('is ignored beside an API key and beside a token', async () => {
    const cookie = cookieOf()!
    const bad = await withCookie(cookie, { ...fromPage, 'service-api-key': 'hmk_unknown' })
    expect(await codeOf(bad)).toBe('invalid-api-key')
    const malformed = await withCookie(cookie, { ...fromPage, authorization: 'Bearer: x' })
    expect(await codeOf(malformed)).toBe('authorization-malformed')
    const authorization = `Bearer ${await service.programToken()}`
    const program = await withCookie(cookie, { ...fromPage, authorization })
    expect(((await program.json()) as { userId: string }).userId).not.toBe(ada.oid)
    const keys = await service.ask(browser, '/api/me/keys', {
      method: 'POST',
      body: JSON.stringify({ label: 'mine' }),
      headers: { 'content-type': 'application/json' },
    })
    const { key } = (await keys.json()) as { key: string }
    const operate = await withCookie(cookie, { ...fromPage, 'service-api-key': key }, '/api/ops/runs')
    expect(operate.status).toBe(403)
    expect((await withCookie(cookie, fromPage, '/api/ops/runs')).status).toBe(200)
  })

  it('is in the database by its hash only, and the tokens are encrypted', async () => {
    const cookie = cookieOf()!
    const rows = await service.postgres.query<Record<string, string>>('SELECT * FROM heatmark_local.session')
    const text = JSON.stringify(rows)
    expect(text).toContain(createHash('sha256').update(cookie).digest('base64url'))
    expect(text).not.toContain(cookie)
    expect(text).not.toContain('eyJhbGciOiJSUzI1NiI')
  })

  it('cannot be chosen by somebody else before the login', async () => {
    const chosen = randomBytes(32).toString('base64url')
    const victim = createBrowser()
    const begun = await victim.send(`${service.url}/portal/login`, {
      headers: { cookie: `${service.cookieName}=${chosen}` },
    })
    const login = await victim.open(begun.headers.get('location')!)
    await victim.submit(login, { userName: 'bob', password: people.password })
    expect(cookieOf(victim)).toMatch(/^[\w-]{43}$/)
    expect(cookieOf(victim)).not.toBe(chosen)
    expect(await codeOf(await withCookie(chosen))).toBe('session-unknown')
  })
})

describe('a session that was not used for an hour', () => {
  it('goes on at the saw alone: neither another company nor the API keys are open again', async () => {
    await service.logIn(browser, 'bob')
    const outcomeOf = async (path: string) => {
      const answer = await service.ask(browser, path)
      return answer.ok ? answer.headers.get('session-ends')!.split(',')[0] : codeOf(answer)
    }
    const paths = ['/api/me', `/api/company/${sawCompanyId}/orders`]
    const closed = [`/api/company/${companyId}/orders`, '/api/me/keys']
    await until(async () => (await outcomeOf(paths[1]!)) !== 'forbidden')
    const ends = await Promise.all([...paths, closed[0]!].map(outcomeOf))
    const seconds = ends.map((end) => Number(end!.slice('idle=@'.length)))
    expect(Math.round((seconds[0]! - seconds[2]!) / 60)).toBe(450)
    expect(seconds[1]).toBe(seconds[0])
    await service.postgres.query(
      `UPDATE heatmark_local.session SET used_at = now() - interval '1 hour' WHERE user_id = $1`,
      [bob.oid],
    )
    for (const _ of ['before it is used', 'after it was used']) {
      expect(await Promise.all(closed.map(outcomeOf))).toEqual(['session-ended', 'session-ended'])
      expect(await Promise.all(paths.map(outcomeOf))).toEqual(
        paths.map(() => expect.stringMatching(/^idle=/)),
      )
    }
  })
})

describe('a logout', () => {
  it('ends the session at once on every node, for whoever has stolen it, too, and then the provider’s', async () => {
    await service.logIn(browser, 'ada')
    const stolen = cookieOf()!
    const another = await service.startAnother()
    try {
      expect((await service.ask(browser, '/api/me', { at: another.url })).status).toBe(200)
      const answer = await service.ask(browser, '/portal/logout', { method: 'POST' })
      expect(answer.status).toBe(200)
      expect(answer.headers.get('clear-site-data')).toBe('"cache"')
      expect(cookieOf()).toBeUndefined()
      for (const at of [service.url, another.url]) {
        const response = await fetch(`${at}/api/me`, {
          headers: { ...fromPage, cookie: `${service.cookieName}=${stolen}` },
        })
        expect(response.status).toBe(401)
        expect(response.headers.get('www-authenticate')).toBe('Bearer realm="heatmark"')
        expect(await codeOf(response)).toBe('session-ended')
      }
      const { location } = (await answer.json()) as { location: string }
      const provider = await browser.open(location)
      expect((await browser.submit(provider)).url).toBe(`${service.url}/portal`)
      expect((await browser.open(`${service.url}/portal/login`)).text).toContain('<h1>Log in</h1>')
    } finally {
      await another.stop()
    }
  })

  it('at the provider ends the session here, and no other', async () => {
    await service.logIn(browser, 'ada')
    const elsewhere = createBrowser()
    await service.logIn(elsewhere, 'ada')
    await browser.submit(await browser.open(`${service.idp.issuer}/oauth2/v2.0/logout`))
    expect((await whoAmI()).code).toBe('session-ended')
    expect((await whoAmI(elsewhere)).userId).toBe(ada.oid)
  })

  it('is taken from the provider only', async () => {
    const report = (body: string, type = 'application/x-www-form-urlencoded') =>
      fetch(`${service.url}/portal/backchannel-logout`, {
        method: 'POST',
        body,
        headers: { 'content-type': type },
      })
    expect(await codeOf(await report(''))).toBe('invalid-logout-token')
    expect(await codeOf(await report('logout_token=a.b.c'))).toBe('invalid-logout-token')
    const token = await service.programToken()
    expect(await codeOf(await report(`logout_token=${token}`))).toBe('invalid-logout-token')
    expect((await report('{}', 'application/json')).status).toBe(415)
    expect((await report(`logout_token=${'x'.repeat(40_000)}`)).status).toBe(413)
  })
})

describe('two people in one browser', () => {
  it('never act as each other: the first session ends, and a page that names its person is refused', async () => {
    await service.logIn(browser, 'ada')
    const first = cookieOf()!
    const { location } = (await (
      await service.ask(browser, '/portal/logout', { method: 'POST' })
    ).json()) as { location: string }
    await browser.submit(await browser.open(location))
    await service.logIn(browser, 'bob')
    expect(await codeOf(await withCookie(first))).toBe('session-ended')
    const ofFirst = await service.ask(browser, '/api/me', { headers: { 'heatmark-user': ada.oid } })
    expect(await codeOf(ofFirst)).toBe('session-ended')
    const ofSecond = await service.ask(browser, '/api/me', { headers: { 'heatmark-user': bob.oid } })
    expect(ofSecond.status).toBe(200)
  })

  it('without a logout, the next login ends the session before it', async () => {
    await service.logIn(browser, 'ada')
    const first = cookieOf()!
    await service.logIn(browser, 'ada')
    expect(cookieOf()).not.toBe(first)
    expect(await codeOf(await withCookie(first))).toBe('session-ended')
  })
})

/** Send so many unknown cookies over one connection without waiting for answers, and return the statuses. */
async function guess(count: number): Promise<string[]> {
  const { host, hostname, port } = new URL(service.url)
  const requests = Array.from({ length: count }, (_, index) => {
    const cookie = `${service.cookieName}=${randomBytes(32).toString('base64url')}`
    const headers = { ...fromPage, host, cookie, connection: index === count - 1 ? 'close' : 'keep-alive' }
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
    return `GET /api/me HTTP/1.1\r\n${lines.join('')}\r\n`
  })
  const answers = connect(Number(port), hostname)
  answers.write(requests.join(''))
  return [...(await text(answers)).matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status!)
}

describe('guesses', () => {
  it('are limited by address, and honest people behind the same address get in', async () => {
    await service.logIn(browser, 'ada')
    const gone = createBrowser()
    await service.logIn(gone, 'bob')
    const ended = cookieOf(gone)!
    await service.ask(gone, '/portal/logout', { method: 'POST' })
    const statuses: string[] = []
    for (let round = 0; round < 2; round++) {
      const guesses = await Promise.all(Array.from({ length: 20 }, () => guess(250)))
      statuses.push(...guesses.flat())
      expect(await whoAmI()).toMatchObject({ userId: ada.oid })
    }
    expect(statuses.length).toBe(10_000)
    expect(new Set(statuses)).toEqual(new Set(['401', '429']))
    // The limit is for a minute, and another minute may begin in between.
    expect(statuses.filter((status) => status === '401').length).toBeLessThanOrEqual(2 * 20)
    // A tab that goes on asking is told why, and does not use up the limit of the address.
    expect(await codeOf(await withCookie(ended))).toBe('session-ended')
    const newcomer = createBrowser()
    await service.logIn(newcomer, 'bob')
    expect((await whoAmI(newcomer)).userId).toBe(bob.oid)
  })
})

describe('made-up codes', () => {
  it('do not reach the provider without limit, and other addresses log in', async () => {
    const another = await service.startAnother({ TRUST_PROXY: 'loopback' })
    try {
      const from = (address: string) => ({ 'x-forwarded-for': address, 'x-forwarded-proto': 'https' })
      const begun = await fetch(`${another.url}/portal/login?moved=1`, {
        headers: from('192.0.2.1'),
        redirect: 'manual',
      })
      const cookie = begun.headers.get('set-cookie')!.split(';')[0]!
      const finish = (address: string, headers: Record<string, string> = { cookie }) =>
        fetch(`${another.url}/portal/callback?code=made-up&state=x`, {
          headers: { ...from(address), ...headers },
        })
      // Such requests never reach the provider, and a page of another site could send them from any browser.
      const withoutLogin = await Promise.all(Array.from({ length: 320 }, () => finish('192.0.2.1', {})))
      for (const answer of withoutLogin) expect(await codeOf(answer)).toBe('login-failed')
      const answers = await Promise.all(Array.from({ length: 620 }, () => finish('192.0.2.1')))
      const refused = answers.filter(({ status }) => status === 429)
      // The limit is for a minute, and another minute may begin in between.
      expect(refused.length).toBeGreaterThanOrEqual(20)
      expect(refused.length).toBeLessThanOrEqual(320)
      expect(Number(refused[0]!.headers.get('retry-after'))).toBeGreaterThan(0)
      expect(await codeOf(await finish('192.0.2.2'))).toBe('login-failed')
    } finally {
      await another.stop()
    }
  })
})

describe('the log', () => {
  it('has no cookie, code, token or password', async () => {
    await service.logIn(browser, 'ada')
    const cookie = cookieOf()!
    await service.ask(browser, '/portal/logout', { method: 'POST' })
    const logged = service.logged()
    expect(logged).toContain('/portal/callback')
    expect(logged).toContain(ada.oid)
    for (const secret of [cookie, people.password, 'eyJ', 'code=', 'id_token_hint'])
      expect(logged).not.toContain(secret)
  })
})

describe('without the settings', () => {
  it('there is no portal, a cookie is nothing, and the API works', async () => {
    await service.logIn(browser, 'ada')
    const another = await service.startAnother({ OIDC_CLIENT_ID: '', OIDC_CLIENT_SECRET: '' })
    try {
      for (const path of ['/portal', '/portal/login', '/portal/callback', '/portal/c/x'])
        expect((await fetch(`${another.url}${path}`)).status, path).toBe(404)
      const byCookie = await service.ask(browser, '/api/me', { at: another.url })
      expect(await codeOf(byCookie)).toBe('credentials-missing')
      const authorization = `Bearer ${await service.programToken()}`
      expect((await fetch(`${another.url}/api/me`, { headers: { authorization } })).status).toBe(200)
    } finally {
      await another.stop()
    }
  })
})

describe('while the provider is away', () => {
  it('sessions go on, logins are refused, and both work again when it is back', async () => {
    const another = await service.startAnother()
    await service.logIn(browser, 'ada')
    await service.idp.stop()
    try {
      expect((await whoAmI()).userId).toBe(ada.oid)
      const refused = await fetch(`${another.url}/portal/login?moved=1`)
      expect(refused.status).toBe(503)
      expect(await codeOf(refused)).toBe('identity-provider-unavailable')
      const answer = await service.ask(browser, '/portal/logout', { method: 'POST' })
      expect(answer.status).toBe(200)
    } finally {
      await service.restartProvider()
      await another.stop()
    }
    await service.logIn(browser, 'bob')
    expect((await whoAmI()).userId).toBe(bob.oid)
  })
})
