import type { Page, Route } from 'playwright-core'
import { expect, it } from 'vitest'
import { cookieNames } from '../../src/http/kit/authentication/cookies.ts'
import { idOf } from '../../src/identity/sessions/sessions.ts'
import { connectPostgres } from '../../src/postgres.ts'
import { expectAccessible } from '../support/accessible.ts'
import { until } from '../support/until.ts'
import { ask, atTheSaw, decide, glance, planHeat, scan, statusOf } from './tablet.ts'
import {
  allowNoNetwork,
  allowRefusals,
  button,
  expectRefusal,
  inCompany,
  logInAt,
  newContext,
  service,
} from './visits.ts'
import { send } from './yard.ts'

/** Journeys at the saw with a network that comes and goes, and sessions that end. */

export function workOffline(): void {
  atTheSaw(
    'shows the saw after a reload without a network, and applies each tap once',
    () => planHeat('Reloaded offline', ['Approved']),
    async (page, { heatNumber, barIds }) => {
      await scan(page, heatNumber)
      await button(page, 'Start').waitFor()
      await workerIsReady(page)
      await page.context().setOffline(true)
      await page.reload()
      await page.getByText('No connection').waitFor()
      await button(page, 'Start').click()
      await page.getByText('Not sent yet: 1').waitFor()
      await page.reload()
      await page.getByText('Not sent yet: 1').waitFor()
      await button(page, 'Complete').click()
      await page.getByText('Not sent yet: 2').waitFor()
      await page.reload()
      await glance(page).getByText('Nothing to cut').waitFor()
      await button(page, 'All bars').click()
      await page.getByRole('heading', { level: 2, name: 'Bars to saw' }).waitFor()
      // The network is back before the service.
      await page.route('**/production-plan-bars/**', (route) => route.abort())
      await page.context().setOffline(false)
      await page.getByText('No connection').waitFor({ state: 'detached' })
      await page.getByText('Not sent yet: 2').waitFor()
      await page.unroute('**/production-plan-bars/**')
      await page.getByText('Not sent yet').waitFor({ state: 'detached' })
      const { body } = await ask('GET', `/production-plan-bars/${barIds[0]}/history`)
      const kinds = (body as { kind: string; performedAt: string }[]).filter(({ performedAt }) => performedAt)
      expect(kinds.map(({ kind }) => kind)).toEqual(['BarCompleted', 'BarStarted'])
      // The service says again who the person is, and which bars there are.
      await page.getByText('No connection').waitFor({ state: 'detached' })
      await page.getByText('Carla Cutter').waitFor({ state: 'attached' })
      allowNoNetwork()
    },
  )

  atTheSaw(
    'leaves nothing of the person after the logout but the files of the portal',
    () => planHeat('Logged out', ['Approved']),
    async (page, { heatNumber }) => {
      await scan(page, heatNumber)
      await button(page, 'Start').waitFor()
      await workerIsReady(page)
      await page.reload()
      await button(page, 'Start').waitFor()
      expect(await page.evaluate(`sessionStorage.getItem('heatmark-kept')`)).toContain(heatNumber)
      const files = await page.evaluate<string[]>(keptFiles)
      expect(files.filter((path) => path !== '/portal/' && !path.startsWith('/portal/assets/'))).toEqual([])
      expect(files.length).toBeGreaterThan(20)
      await button(page, 'Start').click()
      await button(page, 'Complete').waitFor()
      await page.getByText('Not sent yet').waitFor({ state: 'detached' })
      const url = page.url()
      await button(page, 'Menu').click()
      await button(page, 'Log out').click()
      await button(page, 'Log in').waitFor()
      expect(await page.evaluate(`({ ...sessionStorage })`)).toEqual({})
      expect(JSON.stringify(await page.evaluate(`({ ...localStorage })`))).not.toMatch(
        /heatmark-tap|Logged out/,
      )
      await page.context().setOffline(true)
      await page.goto(url)
      await page.getByText('No connection').waitFor()
      expect(await page.getByText('Logged out').count()).toBe(0)
      allowNoNetwork()
      allowRefusals(401)
    },
  )

  it('without a network, starts no bar by a verdict of 15 minutes ago, and shows nothing when the session would have ended', async () => {
    const { heatNumber } = await planHeat('Left alone', ['Approved'])
    // The clock of a page is that of all pages of its browser.
    const context = await newContext('en-GB', 'cutter')
    try {
      const page = await context.newPage()
      const now = Date.now()
      const setMinutes = (minutes: number) => page.clock.setFixedTime(now + minutes * 60_000)
      const bar = page.getByRole('heading', { level: 2, name: 'Left alone · 1' })
      await setMinutes(0)
      const { promise: isScanned, resolve: letRead } = Promise.withResolvers<void>()
      const read = async (route: Route) => {
        await isScanned
        await route.continue()
      }
      await page.route(/[?&]status=/, read, { times: 1 })
      await page.goto(`${service.url}/portal${inCompany('/saw')}`)
      // A scan waits for the bars.
      await scan(page, heatNumber)
      letRead()
      await button(page, 'Start').waitFor()
      await workerIsReady(page)
      // Neither the list of bars nor the open one may be on its way any more.
      const lost = ['status=', 'barId='].map((part) =>
        page.waitForEvent('requestfailed', (request) => request.url().includes(part)),
      )
      await context.setOffline(true)
      await Promise.all(lost)
      await page.getByText('No connection').waitFor()
      await setMinutes(14)
      await page.getByText('Verdict is 14 min old').waitFor()
      expect(await button(page, 'Start').count()).toBe(1)
      await setMinutes(15)
      await glance(page).getByText('Verdict too old').waitFor()
      expect(await button(page, 'Start').count()).toBe(0)
      await context.setOffline(false)
      await button(page, 'Start').waitFor()
      await context.setOffline(true)
      await page.getByText('No connection').waitFor()
      await setMinutes(29)
      await page.reload()
      await bar.waitFor()
      await setMinutes(61)
      await page.getByRole('alertdialog', { name: 'The session has ended' }).waitFor()
      expect(await page.evaluate(`sessionStorage.getItem('heatmark-kept')`)).toBeNull()
      await page.reload()
      await page.getByText('No connection').waitFor()
      expect(await bar.count()).toBe(0)
    } finally {
      await context.close()
      allowNoNetwork()
    }
  })

  atTheSaw(
    'shows the next person a tap that was not sent, and takes it off when it is too late',
    () => planHeat('Never sent', ['Approved']),
    async (page, { heatNumber }) => {
      await scan(page, heatNumber)
      await page.route('**/start', (route) => route.abort())
      await button(page, 'Start').click()
      await page.getByText('Not sent yet: 1').waitFor()
      await button(page, 'Menu').click()
      await button(page, 'Log out').click()
      const asked = page.getByRole('alertdialog', { name: 'Taps at the saw that were not sent' })
      await asked.getByText(/^Not sent yet: 1\. They stay on this device/).waitFor()
      await asked.getByRole('button', { name: 'Log out' }).click()
      await button(page, 'Log in').waitFor()
      await page.goto(`${service.url}/portal${inCompany('')}`)
      await button(page, 'Log in').click()
      await logInAt(page, 'planner')
      const unsent = page.locator('section').filter({ hasText: 'Taps at the saw that were not sent' })
      await unsent.getByText('Never sent · 1: Start').waitFor()
      await unsent.getByText('It is sent when the person who made it logs in here.').waitFor()
      await expectAccessible(page, 'a tap of another person')
      expect(await unsent.getByRole('button', { name: 'Done' }).count()).toBe(0)
      await page.clock.setFixedTime(Date.now() + 25 * 3_600_000)
      await unsent.getByRole('button', { name: 'Done' }).click()
      await unsent.waitFor({ state: 'detached' })
      allowRefusals(401)
      allowNoNetwork()
    },
  )

  atTheSaw(
    'keeps a Cutter logged in for a shift, says when the session will end, and sends taps after the next login',
    async () => {
      await send('PUT', '/settings', { cutterIdleMinutes: 480 })
      return planHeat('A whole shift', ['Approved'])
    },
    async (page, { heatNumber, barIds }) => {
      const ending = page.locator('.sessionEnding')
      const answered = () =>
        page.waitForResponse((response) => response.url().includes('production-plan-bars'))
      await scan(page, heatNumber)
      await button(page, 'Start').waitFor()
      await setSession(page, { idleMinutes: 7 * 60 })
      expect((await answered()).ok()).toBe(true)
      expect(await ending.count()).toBe(0)
      await setSession(page, { idleMinutes: 7 * 60 + 57 })
      await ending.getByText('The session ends in 3 min, because nobody has used it.').waitFor()
      await expectAccessible(page, 'a session that ends soon')
      await button(page, 'Stay logged in').click()
      await ending.waitFor({ state: 'detached' })
      await setSession(page, { leftMinutes: 3 })
      await ending.getByText('The session ends in 3 min, 12 hours after the login.').waitFor()

      // With the setting of other people, the same session has ended.
      await send('PUT', '/settings', { cutterIdleMinutes: 30 })
      await page.context().setOffline(true)
      await button(page, 'Start').click()
      await page.getByText('Not sent yet: 1').waitFor()
      await setSession(page, { idleMinutes: 31 })
      await page.context().setOffline(false)
      const ended = page.getByRole('alertdialog', { name: 'The session has ended' })
      await ended.waitFor()
      expect(await statusOf(barIds[0]!)).toBe('Approved')
      const [login] = await Promise.all([
        page.context().waitForEvent('page'),
        ended.getByRole('button', { name: 'Log in' }).click(),
      ])
      await logInAt(login, 'cutter')
      await ended.waitFor({ state: 'detached' })
      await page.getByText('Not sent yet').waitFor({ state: 'detached' })
      expect(await statusOf(barIds[0]!)).toBe('Started')
      expectRefusal(401)
      allowNoNetwork()
    },
  )

  atTheSaw(
    'covers the screen with a tap that is refused later, until a finger acknowledges it',
    () => planHeat('Refused later', ['Approved']),
    async (page, { heatNumber, millCertificationId }) => {
      await scan(page, heatNumber)
      await button(page, 'Start').waitFor()
      await page.context().setOffline(true)
      await button(page, 'Start').click()
      await button(page, 'Complete').click()
      await decide('quality', millCertificationId, 'reject', 'The paint has no adhesion.')
      await page.context().setOffline(false)
      const refused = page.getByRole('alertdialog', { name: 'A tap was refused' })
      await refused.getByText(/: Start/).waitFor()
      await refused.getByText('It was not sent, because an earlier tap on this bar was refused.').waitFor()
      await expectAccessible(page, 'a refused tap')
      expect(await page.evaluate(overlayCovers)).toBe(true)
      await page.keyboard.type(heatNumber)
      await page.keyboard.press('Enter')
      await page.keyboard.press('Escape')
      await page.reload()
      await refused.getByRole('button', { name: 'Understood' }).click()
      await refused.waitFor({ state: 'detached' })
      const home = `${service.url}/portal${inCompany('')}`
      await page.goto(home)
      const kept = page.locator('section').filter({ hasText: 'Refused taps at the saw' })
      await kept.getByText(/: Start/).waitFor()
      await page.reload()
      await kept.getByText(/: Start/).waitFor()
      await button(page, 'Menu').click()
      await button(page, 'Log out').click()
      for (const who of ['planner', 'cutter'] as const) {
        await button(page, 'Log in').waitFor()
        await page.goto(home)
        await button(page, 'Log in').click()
        await logInAt(page, who)
        await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
        if (who === 'cutter') break
        // They are nobody else's.
        expect(await kept.count()).toBe(0)
        await button(page, 'Menu').click()
        await button(page, 'Log out').click()
      }
      await kept.getByText(/: Start/).waitFor()
      for (const _ of ['Start', 'Complete']) await kept.getByRole('button', { name: 'Done' }).first().click()
      await kept.waitFor({ state: 'detached' })
      expectRefusal(412)
      allowRefusals(401)
      allowNoNetwork()
    },
  )
}

/** Change the times of the page's session, as if minutes had passed since its last use or its login. */
async function setSession(
  page: Page,
  { idleMinutes, leftMinutes }: { readonly idleMinutes?: number; readonly leftMinutes?: number },
): Promise<void> {
  const cookies = await page.context().cookies(service.url.replace('http:', 'https:'))
  const { value } = cookies.find(({ name }) => name === cookieNames(service.url).session)!
  const postgres = connectPostgres({ url: service.dev.databaseUrl, name: 'spec', size: 1 })
  const set = (column: string, minutes: number) =>
    postgres.query(
      `UPDATE heatmark_local.session SET ${column} = now() + $2 * interval '1 minute' WHERE id_hash = $1`,
      [idOf(value), minutes],
    )
  if (idleMinutes !== undefined) await set('used_at', -idleMinutes)
  if (leftMinutes !== undefined) await set('ends_at', leftMinutes)
  await postgres.close()
}

/** The worker has the files, and the page is under its control. */
const workerIsReady = (page: Page) =>
  until(() => page.evaluate("navigator.serviceWorker.controller?.state === 'activated'"))

const keptFiles = `caches.keys()
  .then((names) => Promise.all(names.map(async (name) => (await caches.open(name)).keys())))
  .then((lists) => lists.flat().map(({ url }) => new URL(url).pathname))`

const overlayCovers = `(() => {
  const { width, height } = document.querySelector('.overlay').getBoundingClientRect()
  return width >= innerWidth && height >= innerHeight
})()`
