import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import type { ClientName } from '../../src/embedded/identities.ts'
import { connectChromium, hasChromium, sessionCookie, watch } from '../support/chromium.ts'
import { demand } from '../support/demand.ts'
import { cleanEnvironment, root } from '../support/serviceProcess.ts'
import type { SharedStack } from '../support/sharedStack.ts'
import { ceilingMs } from '../support/until.ts'
import { registerOwnCompany } from './ownCompany.ts'

/**
 * All journeys share a stack and a Chromium, because they take long to start. The journeys of a file have a company of
 * their own. Each person has a browser and a page, and a page that reports an error or asks another host fails the
 * journey.
 */

const faults: string[] = []
export let service: SharedStack
let browser: Browser

beforeAll(async () => {
  if (!hasChromium) return
  const [connected, stack] = await Promise.all([connectChromium(), demand<SharedStack>('stack')])
  browser = connected
  service = { ...stack, dev: await registerOwnCompany(stack.url, stack.dev) }
})

/** Load the data of `npm run demo`. */
export async function loadExamples(): Promise<void> {
  if (!hasChromium) return
  const { dataDir, dev } = service
  await promisify(execFile)(process.execPath, ['src/cli/demo.ts', '--company', dev.companyId], {
    cwd: root,
    env: cleanEnvironment({ HEATMARK_DATA_DIR: dataDir }),
  })
}

afterAll(() => browser?.close())

afterEach(async ({ task }) => {
  const found = faults.splice(0)
  expect(browser.isConnected(), 'Chromium is still connected').toBe(true)
  for (const [name, page] of pages) {
    if (task.result?.state === 'fail') pages.delete(name)
    // A page that stays on a screen would go on asking the service.
    await (task.result?.state === 'fail' ? page.close() : goTo(page, '/nowhere'))
  }
  expect(found).toEqual([])
})

export const inCompany = (path: string) => `/c/${service.dev.companyId}${path}`

const contexts = new Map<ClientName, Promise<BrowserContext>>()
const pages = new Map<ClientName, Page>()

/** The browser of a person. Its session comes from a login without scripts, so only one journey needs the form. */
function contextOf(who: ClientName): Promise<BrowserContext> {
  const made = contexts.get(who) ?? newContext('en-GB', who)
  contexts.set(who, made)
  return made
}

/** Open another browser, which may visit the service, the identity provider and these hosts. */
export async function newContext(
  locale: string,
  who?: ClientName,
  hosts: readonly string[] = [],
): Promise<BrowserContext> {
  const context = await browser.newContext({
    locale,
    viewport: { width: 1440, height: 900 },
    // An animation would draw frames for as long as a page waits.
    reducedMotion: 'reduce',
  })
  context.setDefaultTimeout(ceilingMs)
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: service.url })
  watch(context, [new URL(service.url).host, new URL(service.dev.tokenUrl).host, ...hosts], faults)
  if (who) await context.addCookies([await sessionCookie(service.url, service.dev.people[who])])
  return context
}

/** Open a page of the portal as a person who has logged in. */
export async function load(who: ClientName, path: string): Promise<Page> {
  const page = await (await contextOf(who)).newPage()
  await page.goto(`${service.url}/portal${path}`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  return page
}

/** Go to the path on the person's page, as a link does. That is much faster than loading another page. */
export async function open(who: ClientName, path: string): Promise<Page> {
  const kept = pages.get(who)
  if (kept) await goTo(kept, path)
  const page = kept ?? (await load(who, path))
  pages.set(who, page)
  await page.getByRole('heading', { level: 1 }).waitFor()
  return page
}

export const goTo = (page: Page, path: string) =>
  page.evaluate(`history.pushState(null, '', '/portal${path}')`)

export async function logInAt(page: Page, who: ClientName): Promise<void> {
  await page.locator('[name=userName]').fill(who)
  await page.locator('[name=password]').fill(service.dev.people[who].password)
  await page.getByRole('button').click()
}

/** Take away the browser's own report of a refusal that the journey provoked. There must be one. */
export function expectRefusal(status: number): void {
  const index = faults.findIndex((fault) => fault.includes(`status of ${status} `))
  expect(index, `a refusal with ${status}`).not.toBe(-1)
  allowRefusals(status)
}

export function allowRefusals(status: number): void {
  faults.splice(0, faults.length, ...faults.filter((fault) => !fault.includes(`status of ${status} `)))
}

/** Take away the browser's reports of requests that found no network. */
export function allowNoNetwork(): void {
  faults.splice(0, faults.length, ...faults.filter((fault) => !fault.includes('net::ERR_')))
}

export const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
export const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })

export async function chooseInRow(page: Page, name: string, action: string): Promise<void> {
  await row(page, name).getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: action }).click()
}
