import { randomUUID } from 'node:crypto'
import { readConfig } from '../../src/config/config.ts'
import { type IdentityProvider, startIdentityProvider } from '../../src/embedded/identityProvider.ts'
import { freePort } from '../../src/embedded/ports.ts'
import { type Service, startService } from '../../src/service.ts'
import { connectPostgres, type Postgres } from '../../src/stores/postgres/postgres.ts'
import { packs } from '../rulePacks/shipped.ts'
import { type Browser, fromPage, type Page } from './browser.ts'
import { newDataDir, removeDataDir } from './dataDir.ts'
import { createDatabase } from './postgres.ts'
import { givenOrNewStore } from './store.ts'
import { suiteLog } from './suiteLog.ts'
import { until } from './until.ts'

/** Runs the whole service with its portal, and the embedded identity provider with two people. */

export const people = {
  password: 'the-password-of-this-spec',
  accounts: [
    { userName: 'ada', oid: randomUUID(), name: 'Ada', roles: ['Operator'] },
    { userName: 'bob', oid: randomUUID(), name: 'Bob', roles: [] },
  ],
}
const portalClient = { clientId: 'the-portal', clientSecret: 'secret-of-the-portal-in-this-spec' }
const program = { clientId: 'a-program', clientSecret: 'secret', oid: randomUUID(), name: 'P', roles: [] }

export interface PortalService {
  readonly url: string
  readonly executor: Service['executor']
  readonly idp: IdentityProvider
  readonly postgres: Postgres
  readonly cookieName: string
  logged(): string
  /** Log in as this person, and return the page at the end of all redirects. */
  logIn(browser: Browser, userName: string, returnTo?: string): Promise<Page>
  /** Ask as a page of the portal does. */
  ask(browser: Browser, path: string, init?: RequestInit & { at?: string }): Promise<Response>
  /** Return an access token of a program. */
  programToken(): Promise<string>
  /** Start another node of the same service. */
  startAnother(more?: Record<string, string>): Promise<{ url: string; stop(): Promise<void> }>
  restartProvider(): Promise<void>
  stop(): Promise<void>
}

export async function startPortal(more: Record<string, string> = {}): Promise<PortalService> {
  const dataDir = newDataDir()
  const [node, database, port] = await Promise.all([givenOrNewStore(), createDatabase(), freePort()])
  const startProvider = () =>
    startIdentityProvider({
      dataDir,
      people,
      portal: portalClient,
      clients: [program],
      tenant: 'a2c0d8a4-0f6e-4b62-8f2b-6d5c4b3a2f10',
      apiId: 'heatmark',
    })
  let idp = await startProvider()
  const settings = {
    PORT: String(port),
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    EVENTSTORE_URL: node.url,
    DATABASE_URL: database.url,
    OIDC_ISSUER: idp.issuer,
    OIDC_AUDIENCE: idp.audience,
    OIDC_CLIENT_ID: portalClient.clientId,
    OIDC_CLIENT_SECRET: portalClient.clientSecret,
    OIDC_SCOPE: `openid profile ${idp.scope}`,
    ...more,
  }
  const { log, written } = suiteLog()
  const start = (environment: Record<string, string>) =>
    startService(readConfig(environment), log, new AbortController().signal, { rulePacks: packs })
  const service = await start(settings)
  const url = service.url!
  idp.servePortalAt(url)
  const postgres = connectPostgres({ url: database.url, name: 'spec', size: 2 })

  const programToken = async () => {
    const body = new URLSearchParams({
      grant_type: 'client_credentials',
      scope: idp.scope,
      client_id: program.clientId,
      client_secret: program.clientSecret,
    })
    const response = await fetch(idp.tokenUrl, { method: 'POST', body })
    return ((await response.json()) as { access_token: string }).access_token
  }
  const authorization = `Bearer ${await programToken()}`
  await until(async () => (await fetch(`${url}/api/me`, { headers: { authorization } })).ok)

  return {
    url,
    executor: service.executor,
    get idp() {
      return idp
    },
    postgres,
    cookieName: `__Host-Http-heatmark-${port}`,
    logged: written,
    async logIn(browser, userName, returnTo = '/portal') {
      const page = await browser.open(`${url}/portal/login?${new URLSearchParams({ returnTo })}`)
      return page.text.includes('<form')
        ? browser.submit(page, { userName, password: people.password })
        : page
    },
    ask: (browser, path, { at = url, ...init } = {}) =>
      browser.send(`${at}${path}`, { ...init, headers: { ...fromPage, ...(init.headers as object) } }),
    programToken,
    async startAnother(others = {}) {
      const another = await start({ ...settings, PORT: '0', ...others })
      return { url: another.url!, stop: async () => void (await another.stop()) }
    },
    async restartProvider() {
      await idp.stop()
      idp = await startProvider()
      idp.servePortalAt(url)
    },
    async stop() {
      await service.stop()
      await postgres.close()
      await Promise.all([idp.stop(), node.stop(), database.drop()])
      removeDataDir(dataDir)
    },
  }
}
