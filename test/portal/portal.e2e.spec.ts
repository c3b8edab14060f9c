import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { ClientName } from '../../src/embedded/identities.ts'
import { expectAccessible, hasChromium, launchChromium, watch } from '../support/chromium.ts'
import { newDataDir, removeDataDir } from '../support/dataDir.ts'
import { cleanEnvironment, type EmbeddedService, root, startEmbedded } from '../support/serviceProcess.ts'

/**
 * People use the portal in a real browser, on the stack and the data that `npm start` and `npm run demo` give. Each
 * journey is one that a person makes; a page that reports an error or asks another host fails it.
 */

const isLong = process.env.HEATMARK_TEST_LONG === '1'
const dataDir = newDataDir()
let service: EmbeddedService
let browser: Browser
let faults: string[] = []
const contexts = new Map<string, { context: BrowserContext; faults: string[] }>()

beforeAll(async () => {
  if (!hasChromium) return
  service = await startEmbedded(dataDir)
  const demo = promisify(execFile)(process.execPath, ['src/cli/demo.ts'], {
    cwd: root,
    env: cleanEnvironment({ HEATMARK_DATA_DIR: dataDir }),
  })
  ;[browser] = await Promise.all([launchChromium(), demo])
})

afterAll(async () => {
  await browser?.close()
  await service?.end()
  removeDataDir(dataDir)
})

afterEach(() => expect(faults).toEqual([]))

const inCompany = (path: string) => `/c/${service.dev.companyId}${path}`

async function contextOf(who: ClientName, language = 'en-GB') {
  const known = contexts.get(`${who} ${language}`)
  if (known) return known
  const context = await browser.newContext({ locale: language, viewport: { width: 1440, height: 900 } })
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: service.url })
  const hosts = [new URL(service.url).host, new URL(service.dev.tokenUrl).host]
  const made = { context, faults: watch(context, hosts) }
  contexts.set(`${who} ${language}`, made)
  const page = await context.newPage()
  await page.goto(`${service.url}/portal`)
  await page.getByRole('button', { name: /^(Log in|Anmelden)$/ }).click()
  await page.locator('[name=userName]').fill(who)
  await page.locator('[name=password]').fill(service.dev.people[who].password)
  await page.getByRole('button').click()
  await page.getByRole('navigation').waitFor()
  await page.close()
  return made
}

/** Open a page of the portal as a person who has logged in. */
async function open(who: ClientName, path: string, language?: string): Promise<Page> {
  const known = await contextOf(who, language)
  faults = known.faults
  const page = await known.context.newPage()
  await page.goto(`${service.url}/portal${path}`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  return page
}

/** Take away the browser's own report of a refusal that the journey provoked. There must be one. */
function expectRefusal(status: number): void {
  const index = faults.findIndex((fault) => fault.includes(`status of ${status} `))
  expect(index, `a refusal with ${status}`).not.toBe(-1)
  faults.splice(0, faults.length, ...faults.filter((fault) => !fault.includes(`status of ${status} `)))
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })

async function chooseInRow(page: Page, name: string, action: string): Promise<void> {
  await row(page, name).getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: action }).click()
}

describe.skipIf(!hasChromium)('tags', () => {
  it('are created, edited, deleted and restored, and their timeline shows it', async () => {
    const page = await open('editor', inCompany('/tags/millcert'))
    await button(page, 'New tag').click()
    await page.getByLabel('Name').fill('<img src=x onerror=alert(1)>')
    await page.getByLabel('Severity').selectOption('Block')
    await page.getByLabel('Description').fill('Off the saw.')
    await button(page, 'Save').click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await chooseInRow(page, '<img', 'Edit')
    await page.getByLabel('Name').fill('Held back')
    await button(page, 'Save').click()
    await page.getByRole('link', { name: 'Held back' }).click()
    await page.getByRole('heading', { level: 1, name: 'Held back' }).waitFor()
    expect(await page.title()).toBe('Held back – Heatmark')
    const timeline = page.getByRole('listitem').filter({ hasText: 'Edith Editor updated' })
    await timeline.waitFor()
    expect(await timeline.innerText()).toContain('<img src=x onerror=alert(1)>')
    await button(page, 'Delete').click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await button(page, 'Restore').click()
    await button(page, 'Edit').waitFor()
    await page.goBack()
    await row(page, 'Held back').waitFor()
    await chooseInRow(page, 'Held back', 'Delete')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await row(page, 'Held back').waitFor({ state: 'detached' })
    await button(page, 'Deleted').click()
    expect(page.url()).toContain('?view=deleted')
    await row(page, 'Held back').waitFor()
    await chooseInRow(page, 'Held back', 'Restore')
    await row(page, 'Held back').waitFor({ state: 'detached' })
    await page.close()
  })

  it('are created by keyboard alone', async () => {
    const page = await open('editor', inCompany('/tags/order'))
    await button(page, 'New tag').waitFor()
    await page.keyboard.press('Tab')
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to content')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.type('By Friday')
    for (const key of ['Tab', 'Tab']) await page.keyboard.press(key)
    await page.keyboard.type('Flag')
    await page.keyboard.press('Tab')
    await page.keyboard.type('Before all others.')
    for (const key of ['Tab', 'Tab', 'Enter']) await page.keyboard.press(key)
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await row(page, 'By Friday').innerText()).toContain('Flag')
    await page.close()
  })

  it('that somebody else has changed meanwhile show both versions', async () => {
    const page = await open('editor', inCompany('/tags/order'))
    await button(page, 'New tag').click()
    await page.getByLabel('Name').fill('Contested')
    await button(page, 'Save').click()
    await chooseInRow(page, 'Contested', 'Edit')
    await page.getByLabel('Name').fill('Mine')
    const other = await open('admin', inCompany('/tags/order'))
    await chooseInRow(other, 'Contested', 'Edit')
    await other.getByLabel('Name').fill('Theirs')
    await button(other, 'Save').click()
    await row(other, 'Theirs').waitFor()
    await other.close()
    await button(page, 'Save').click()
    const conflict = page.getByRole('alertdialog', { name: 'Changed by someone else' })
    await conflict.waitFor()
    await conflict.getByRole('cell', { name: 'Theirs' }).waitFor()
    expect(await conflict.getByRole('cell', { name: 'Mine' }).count()).toBe(1)
    await conflict.getByRole('button', { name: 'Save mine' }).click()
    await row(page, 'Mine').waitFor()
    await page.close()
    faults = (await contextOf('editor')).faults
    expectRefusal(412)
  })

  it('are not offered for a change to one who may only read', async () => {
    const page = await open('viewer', inCompany('/tags/millcert'))
    await row(page, "Customer's material").waitFor()
    expect(await button(page, 'New tag').count()).toBe(0)
    expect(await page.getByRole('button', { name: 'More actions' }).count()).toBe(0)
    await page.close()
  })
})

describe.skipIf(!hasChromium)('API keys', () => {
  it('are created, shown once, rolled and deleted', async () => {
    const page = await open('admin', '/account/keys')
    await page.getByText('No API keys yet').waitFor()
    await button(page, 'Create key').click()
    await page.getByLabel('Label').fill('The planning program')
    expect(await page.getByLabel('Expires').inputValue()).toBe('90')
    await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click()
    await page.getByRole('heading', { name: 'Your new key' }).waitFor()
    await button(page, 'Copy').click()
    await button(page, 'Copied').waitFor()
    const key = await page.evaluate<string>('navigator.clipboard.readText()')
    const me = await fetch(`${service.url}/api/me`, { headers: { 'service-api-key': key } })
    expect(me.status).toBe(200)
    await button(page, 'Done').click()
    await row(page, 'The planning program').waitFor()
    expect(await page.content()).not.toContain(key)
    await page.reload()
    await row(page, 'The planning program').waitFor()
    const kept = await page.evaluate<string>('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])')
    expect((await page.content()) + kept).not.toContain(key)
    await button(page, 'Roll').click()
    const question = page.getByRole('alertdialog')
    expect(await question.innerText()).toContain('The planning program')
    await question.getByRole('button', { name: 'Roll' }).click()
    await button(page, 'Done').click()
    expect((await fetch(`${service.url}/api/me`, { headers: { 'service-api-key': key } })).status).toBe(401)
    await chooseInRow(page, 'The planning program', 'Delete')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('No API keys yet').waitFor()
    await page.close()
  })
})

describe.skipIf(!hasChromium)('the frame', () => {
  it('says that a page, a record or a company is not there', async () => {
    const missing = '00000000-0000-4000-8000-000000000000'
    for (const path of ['/nothing', inCompany('/nothing'), `/c/${service.dev.otherCompanyId}`]) {
      const page = await open('viewer', path)
      await page.getByRole('heading', { level: 1, name: 'Not found' }).waitFor()
      await page.close()
    }
    const page = await open('viewer', inCompany(`/tags/millcert/${missing}`))
    await page.getByRole('heading', { level: 1, name: 'Not found' }).waitFor()
    await page.close()
    expectRefusal(404)
  })

  it('speaks German, and keeps the choice', async () => {
    const page = await open('planner', inCompany('/tags/millcert'), 'de-DE')
    await page.getByRole('heading', { level: 1, name: 'Zeugnis-Tags' }).waitFor()
    expect(await page.locator('html').getAttribute('lang')).toBe('de')
    await page.getByLabel('Sprache').selectOption('en')
    await page.getByRole('heading', { level: 1, name: 'Certificate tags' }).waitFor()
    await page.reload()
    await page.getByRole('heading', { level: 1, name: 'Certificate tags' }).waitFor()
    await page.close()
  })

  it('offers the login again over the page when the session ends, and keeps what was typed', async () => {
    const page = await open('quality', inCompany('/tags/millcert'))
    await button(page, 'New tag').click()
    await page.getByLabel('Name').fill('Half typed')
    const other = await open('quality', '/account/keys')
    await button(other, 'Log out').click()
    await other.waitForURL((url) => url.pathname === '/portal')
    await other.getByRole('button', { name: 'Log in' }).waitFor()
    await other.close()
    await button(page, 'Save').click()
    const ended = page.getByRole('alertdialog', { name: 'The session has ended' })
    const popup = page.context().waitForEvent('page')
    await ended.getByRole('button', { name: 'Log in' }).click()
    const login = await popup
    await login.locator('[name=userName]').fill('quality')
    await login.locator('[name=password]').fill(service.dev.people.quality.password)
    await login.getByRole('button').click()
    await ended.waitFor({ state: 'detached' })
    expect(await page.getByLabel('Name').inputValue()).toBe('Half typed')
    await button(page, 'Save').click()
    await row(page, 'Half typed').waitFor()
    await page.close()
    expectRefusal(401)
  })
})

describe.skipIf(!hasChromium)('every screen is accessible', () => {
  const screens: readonly (readonly [ClientName, string])[] = [
    ['admin', '/c/{companyId}/tags/millcert'],
    ['admin', '/c/{companyId}/tags/order?view=deleted'],
    ['admin', '/account/keys'],
  ]
  const widths = [390, 820, 1440]

  it.each(screens)('%s %s', async (who, path) => {
    const page = await open(who, path.replace('{companyId}', service.dev.companyId))
    await page.locator('.loading').waitFor({ state: 'detached' })
    const views = isLong
      ? widths.flatMap((width) => [{ width, scheme: 'light' } as const, { width, scheme: 'dark' } as const])
      : [{ width: 1440, scheme: 'light' } as const, { width: 390, scheme: 'dark' } as const]
    for (const { width, scheme } of views) {
      await page.setViewportSize({ width, height: 900 })
      await page.emulateMedia({ colorScheme: scheme })
      await expectAccessible(page, `${path} at ${width} px, ${scheme}`)
      const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
      expect(overflow, `${path} at ${width} px is wider than the window`).toBeLessThanOrEqual(0)
    }
    await page.close()
  })

  it('with its dialogs', async () => {
    const page = await open('editor', inCompany('/tags/millcert'))
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await button(page, 'New tag').click()
      await page.getByRole('dialog').waitFor()
      await expectAccessible(page, `the panel, ${colorScheme}`)
      await page.keyboard.press('Escape')
      await chooseInRow(page, "Customer's material", 'Delete')
      await page.getByRole('alertdialog').waitFor()
      await expectAccessible(page, `the question, ${colorScheme}`)
      await page.keyboard.press('Escape')
    }
    await page.close()
  })
})
