import type { Page, Route } from 'playwright-core'
import { expect, it } from 'vitest'
import { until } from '../support/until.ts'
import { ask, atTheSaw, glance, planHeat, scan } from './tablet.ts'
import { allowNoNetwork, allowRefusals, button, inCompany, newContext, service } from './visits.ts'

/** Journeys at the saw with a network that comes and goes. */

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
}

/** The worker has the files, and the page is under its control. */
const workerIsReady = (page: Page) =>
  until(() => page.evaluate("navigator.serviceWorker.controller?.state === 'activated'"))

const keptFiles = `caches.keys()
  .then((names) => Promise.all(names.map(async (name) => (await caches.open(name)).keys())))
  .then((lists) => lists.flat().map(({ url }) => new URL(url).pathname))`
