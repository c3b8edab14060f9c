import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Route } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { cookieNames } from '../../src/http/kit/authentication/cookies.ts'
import { hasChromium } from '../support/chromium.ts'
import { correctRecords } from './correctionJourneys.ts'
import { exportTheCompany } from './exportJourneys.ts'
import { importFiles } from './importJourneys.ts'
import { scrollLongLists } from './longLists.ts'
import { issuePacks } from './packJourneys.ts'
import { lookAtThePast } from './pastJourneys.ts'
import { searchEverywhere } from './searchJourneys.ts'
import { keepSessionsApart } from './sessionJourneys.ts'
import { readTimelines } from './timelineJourneys.ts'
import { countThePieces, walkTheTrace } from './traceJourneys.ts'
import {
  allowRefusals,
  button,
  chooseInRow,
  expectRefusal,
  inCompany,
  logInAt,
  newContext,
  open,
  row,
  service,
} from './visits.ts'
import { send } from './yard.ts'

/**
 * People use the portal in a real browser, on the stack that `npm start` gives. Each journey is one that a person
 * makes; a page that reports an error or asks another host fails it. The specs beside this one are journeys, too.
 */

describe.skipIf(!hasChromium)('tags', () => {
  it('are created, edited, taken back, deleted and restored, and their timeline shows it', async () => {
    const page = await open('editor', inCompany('/tags/millcert'))
    await button(page, 'New tag').click()
    await page.getByLabel('Name').fill('<img src=x onerror=alert(1)>')
    await page.getByLabel('Severity').selectOption('Block')
    await page.getByLabel('Description').fill('Off the saw.')
    await button(page, 'Save').click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await chooseInRow(page, '<img', 'Edit')
    await page.getByLabel('Name').fill('Mistaken')
    await button(page, 'Save').click()
    await row(page, 'Mistaken').waitFor()
    await button(page, 'Undo').click()
    await chooseInRow(page, '<img', 'Edit')
    await page.getByLabel('Name').fill('Held back')
    await button(page, 'Save').click()
    await page.getByRole('link', { name: 'Held back' }).click()
    await page.getByRole('heading', { level: 1, name: 'Held back' }).waitFor()
    expect(await page.title()).toBe('Held back – Heatmark')
    const timeline = page.getByRole('listitem').filter({ hasText: 'Edith Editor updated' }).first()
    await timeline.waitFor()
    expect(await timeline.innerText()).toContain('<img src=x onerror=alert(1)>')
    await button(page, 'Delete').click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await button(page, 'Restore').click()
    await button(page, 'Edit').waitFor()
    // The list comes late: no row from before the restore may be shown meanwhile, for its revision would be refused.
    const late = async (route: Route) => {
      await delay(1_000)
      await route.continue()
    }
    await page.route(/\/millcert-tags\?/, late, { times: 1 })
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
  })

  it('are not offered for a change to one who may only read', async () => {
    await send('POST', '/millcert-tags', { name: 'Only to be read', color: '#123456' })
    const page = await open('viewer', inCompany('/tags/millcert'))
    await row(page, 'Only to be read').waitFor()
    expect(await button(page, 'New tag').count()).toBe(0)
    expect(await page.getByRole('button', { name: 'More actions' }).count()).toBe(0)
  })
})

describe.skipIf(!hasChromium)('the trace of an order', walkTheTrace)

describe.skipIf(!hasChromium)('the roll-up of an order', countThePieces)

describe.skipIf(!hasChromium)('timelines', readTimelines)

describe.skipIf(!hasChromium)('the import', importFiles)

describe.skipIf(!hasChromium)('the pack of an order', issuePacks)

describe.skipIf(!hasChromium)('exports of the company', exportTheCompany)

describe.skipIf(!hasChromium)('an earlier time', lookAtThePast)

describe.skipIf(!hasChromium)('API keys', () => {
  it('are created, shown once, rolled and deleted', async () => {
    const page = await open('admin', '/account/keys')
    await page.getByText('No API keys yet').waitFor()
    await button(page, 'Create key').click()
    await page.getByLabel('Label').fill('The planning program')
    expect(await page.getByLabel('Expires').inputValue()).toBe('90')
    const created = page.waitForResponse((response) => response.request().method() === 'POST')
    await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click()
    expect((await created).headers()['cache-control']).toBe('no-store')
    await page.getByRole('heading', { name: 'Your new key' }).waitFor()
    await button(page, 'Copy').click()
    await button(page, 'Copied').waitFor()
    const key = await page.evaluate<string>('navigator.clipboard.readText()')
    const me = await fetch(`${service.url}/api/me`, { headers: { 'service-api-key': key } })
    expect(me.status).toBe(200)
    await button(page, 'Done').click()
    await row(page, 'The planning program').waitFor()
    const kept = await page.evaluate<string>('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])')
    expect((await page.content()) + kept).not.toContain(key)
    expect(await page.evaluate('caches.keys()')).toEqual([])
    expect(readFileSync(join(service.dataDir, 'heatmark.log'), 'utf8')).not.toContain(key)
    await chooseInRow(page, 'The planning program', 'Roll this key')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Roll this key' }).click()
    await button(page, 'Done').click()
    // The old key goes on for a day.
    expect((await fetch(`${service.url}/api/me`, { headers: { 'service-api-key': key } })).status).toBe(200)
    await button(page, 'Roll').click()
    const question = page.getByRole('alertdialog')
    expect(await question.innerText()).toContain('The planning program')
    await question.getByRole('button', { name: 'Roll' }).click()
    await button(page, 'Done').click()
    expect((await fetch(`${service.url}/api/me`, { headers: { 'service-api-key': key } })).status).toBe(401)
    await chooseInRow(page, 'The planning program', 'Delete')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('No API keys yet').waitFor()
  })
})

describe.skipIf(!hasChromium)('sessions', keepSessionsApart)

describe.skipIf(!hasChromium)('the frame', () => {
  it('says that a page, a record or a company is not there', async () => {
    const missing = '00000000-0000-4000-8000-000000000000'
    for (const path of ['/nothing', inCompany('/nothing'), `/c/${service.dev.otherCompanyId}`]) {
      const page = await open('viewer', path)
      await page.getByRole('heading', { level: 1, name: 'Not found' }).waitFor()
    }
    const page = await open('viewer', inCompany(`/tags/millcert/${missing}`))
    await page.getByRole('heading', { level: 1, name: 'Not found' }).waitFor()
    expectRefusal(404)
  })

  it('asks for the login in the language of the browser or of choice, and keeps what was typed', async () => {
    const context = await newContext('de-DE')
    const page = await context.newPage()
    await page.goto(`${service.url}/portal${inCompany('/tags/millcert')}`)
    await button(page, 'Anmelden').click()
    await logInAt(page, 'quality')
    await page.getByRole('heading', { level: 1, name: 'Zeugnis-Tags' }).waitFor()
    expect(new URL(page.url()).pathname).toBe(`/portal${inCompany('/tags/millcert')}`)
    expect(await page.locator('html').getAttribute('lang')).toBe('de')
    await page.getByLabel('Sprache').selectOption('en')
    await page.getByRole('heading', { level: 1, name: 'Certificate tags' }).waitFor()
    await button(page, 'New tag').click()
    await page.getByLabel('Name').fill('Half typed')
    const { session } = cookieNames(service.url)
    await context.clearCookies({ name: session })
    // When a person returns to the tab, it asks again, and so learns that the session has ended.
    await page.evaluate("window.dispatchEvent(new Event('visibilitychange'))")
    const ended = page.getByRole('alertdialog', { name: 'The session has ended' })
    await ended.waitFor()
    // The provider still knows the person, so the other tab needs no form.
    await ended.getByRole('button', { name: 'Log in' }).click()
    await ended.waitFor({ state: 'detached' })
    expect(await page.getByLabel('Name').inputValue()).toBe('Half typed')
    await button(page, 'Save').click()
    await row(page, 'Half typed').waitFor()
    await button(page, 'Log out').click()
    await page.waitForURL((url) => url.pathname === '/portal')
    await button(page, 'Log in').waitFor()
    await context.close()
    // The dialog came with the first refusal; it depends on the moment which requests were refused.
    allowRefusals(401)
  })
})

describe.skipIf(!hasChromium)('long lists', scrollLongLists)

describe.skipIf(!hasChromium)('the search', searchEverywhere)

describe.skipIf(!hasChromium)('corrections', correctRecords)
