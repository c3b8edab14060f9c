import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import type { ClientName } from '../../src/embedded/identities.ts'
import { cookieNames } from '../../src/http/kit/authentication/cookies.ts'
import { idOf } from '../../src/identity/sessions/sessions.ts'
import { connectPostgres } from '../../src/postgres.ts'
import { expectAccessible } from '../support/accessible.ts'
import { call } from '../support/call.ts'
import { tokenOf } from '../support/serviceProcess.ts'
import { until } from '../support/until.ts'
import { rested, tapAtOnce } from './finger.ts'
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
import { type OwnBars, type OwnHeat, planBars, registerHeat, send } from './yard.ts'

/** Journeys at the saw: a tablet, a scanner that is a keyboard, gloves, and a network that comes and goes. */

export function workAtTheSaw(): void {
  atTheSaw(
    'finds a bar by its heat, starts and completes it by single taps, and takes the last one back',
    () => Promise.all([planHeat('Found twice', ['Approved', 'Approved']), planHeat('Beside', ['Started'])]),
    async (page, [own, beside]) => {
      await scan(page, own.heatNumber.toLowerCase())
      await page.getByRole('heading', { level: 2, name: 'Bars found' }).waitFor()
      // A glove that bounces taps on each button that comes where it is.
      const bounce = tapAtOnce(page, buttonIn('Start'))
      await page.getByRole('button', { name: 'Found twice · 2' }).click()
      await glance(page).getByText('May be cut').waitFor()
      await bounce
      await rested(button(page, 'Start')).waitFor()
      await expectLargeTargets(page)
      await button(page, 'Start').click()
      await tapAtOnce(page, buttonIn('Complete'))
      await rested(button(page, 'Complete')).click()
      await glance(page).getByText('Nothing to cut').waitFor()
      await tapAtOnce(page, primary)
      await rested(page.getByRole('button', { name: /^Next: / })).waitFor()
      await glance(page).getByText('Nothing to cut').waitFor()
      await button(page, 'Take back').click()
      await button(page, 'Complete').waitFor()
      const { heatNumber } = beside
      await scan(page, heatNumber)
      await page.getByRole('heading', { level: 2, name: 'Beside · 1' }).waitFor()
      await scan(page, heatNumber)
      await page.getByText(`Heat ${heatNumber} is the heat of this bar.`).waitFor()
      await scan(page, 'Z9999')
      await page.getByText(`This bar has heat ${heatNumber}, not Z9999.`).waitFor()
      expect(await statusOf(own.barIds[1]!)).toBe('Started')
    },
  )

  atTheSaw(
    'offers the next bar of the plan when a bar is completed, and shows it from its top',
    () => planHeat('One after the other', ['Approved', 'Started', 'Approved']),
    async (page, { heatNumber, barIds }) => {
      await page.setViewportSize({ width: 390, height: 664 })
      await scan(page, barIds[1]!)
      await rested(button(page, 'Complete')).click()
      const next = page.getByRole('button', { name: `Next: One after the other · 3 Heat ${heatNumber}` })
      await rested(next).click()
      await page.getByRole('heading', { level: 2, name: 'One after the other · 3' }).waitFor()
      expect(await page.evaluate('scrollY')).toBe(0)
      await tapAtOnce(page, buttonIn('Start'))
      await rested(button(page, 'Start')).waitFor()
      expect(await statusOf(barIds[2]!)).toBe('Approved')
    },
  )

  atTheSaw(
    'sets the heat that is scanned on a bar without one, which its number has found',
    () => Promise.all([planBars('Without heat', ['Draft']), registerHeat()]),
    async (page, [{ barIds }, { heatNumber }]) => {
      await scan(page, `https://example.com/portal${inCompany('/bars/')}${barIds[0]}`)
      await page.getByText('No heat', { exact: true }).waitFor()
      expect(await button(page, 'Start').count()).toBe(0)
      await scan(page, heatNumber)
      await page.locator('.sawHeat').getByText(`Heat ${heatNumber}`).waitFor()
      await button(page, 'Set heat').click()
      await page.getByRole('button', { name: `Heat ${heatNumber}` }).click()
      await glance(page).getByText('Not approved').waitFor()
      expect(await page.getByText('No certificate yet').count()).toBe(0)
      await button(page, 'All bars').click()
      await page.getByRole('heading', { level: 2, name: 'Bars to saw' }).waitFor()
    },
  )

  atTheSaw(
    'never presses a button with the Enter of a scanner',
    () => planHeat('Scanned twice', ['Approved']),
    async (page, { heatNumber }) => {
      await scan(page, heatNumber)
      await button(page, 'Start').focus()
      await page.keyboard.type(heatNumber)
      await page.keyboard.press('Enter')
      await page.getByText(`Heat ${heatNumber} is the heat of this bar.`).waitFor()
      expect(await button(page, 'Start').count()).toBe(1)
      await scan(page, 'Z9999')
      await glance(page).getByText('Wrong heat').waitFor()
      expect(await button(page, 'Start').count()).toBe(0)
      await scan(page, heatNumber)
      await glance(page).getByText('May be cut').waitFor()
      expect(await button(page, 'Start').count()).toBe(1)
    },
  )

  atTheSaw(
    'shows STOP as soon as a started bar may not be cut any more',
    () => planHeat('Called back', ['Started']),
    async (page, { heatNumber, millCertificationId }) => {
      await scan(page, heatNumber)
      await glance(page).getByText('May be cut').waitFor()
      await decide('quality', millCertificationId, 'reject', 'The mill has called it back.')
      await page.getByRole('alert').getByText('STOP', { exact: true }).waitFor()
      await page.getByRole('alert').getByText('The certificate is rejected').waitFor()
      expect(await button(page, 'Complete').count()).toBe(0)
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        await expectAccessible(page, `STOP, ${colorScheme}`)
      }
      await decide('quality', millCertificationId, 'reopen', 'It was another heat.')
      await button(page, 'Complete').waitFor()
    },
  )

  atTheSaw(
    'keeps the buttons where they are while a tap is sent',
    () => planHeat('Sent slowly', ['Approved']),
    async (page, { heatNumber, barIds }) => {
      const { promise: sent, resolve: send } = Promise.withResolvers<void>()
      await page.route('**/start', async (route) => {
        await sent
        await route.continue()
      })
      await scan(page, heatNumber)
      await rested(button(page, 'Start')).click()
      await page.getByText('Not sent yet: 1').waitFor()
      const place = () => rested(button(page, 'Complete')).boundingBox()
      const whileSent = await place()
      send()
      await page.getByText('Not sent yet').waitFor({ state: 'detached' })
      expect(await place()).toEqual(whileSent)
      expect(await statusOf(barIds[0]!)).toBe('Started')
    },
  )

  atTheSaw(
    'keeps taps without a network over a reload, and sends each of them once',
    () => planHeat('Tapped offline', ['Approved']),
    async (page, { heatNumber, barIds }) => {
      await scan(page, heatNumber)
      await button(page, 'Start').waitFor()
      await page.context().setOffline(true)
      await page.getByText('No connection').waitFor()
      await button(page, 'Start').click()
      await button(page, 'Complete').click()
      await page.getByText('Not sent yet: 2').waitFor()
      await page.route('**/production-plan-bars/**', (route) => route.abort())
      await page.context().setOffline(false)
      await page.reload()
      await page.getByText('Not sent yet: 2').waitFor()
      await glance(page).getByText('Nothing to cut').waitFor()
      await page.unroute('**/production-plan-bars/**')
      await page.getByText('Not sent yet').waitFor({ state: 'detached' })
      expect(await statusOf(barIds[0]!)).toBe('Completed')
      const { body } = await ask('GET', `/production-plan-bars/${barIds[0]}/history`)
      const kinds = (body as { kind: string; performedAt: string }[]).filter(({ performedAt }) => performedAt)
      expect(kinds.map(({ kind }) => kind)).toEqual(['BarCompleted', 'BarStarted'])
      allowNoNetwork()
    },
  )

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
      await button(page, 'All bars').click()
      await page.getByRole('heading', { level: 2, name: 'Bars to saw' }).waitFor()
      await page.context().setOffline(false)
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

  it('shows nothing without a network once nobody has touched the tablet for as long as a session lasts', async () => {
    const { heatNumber } = await planHeat('Left alone', ['Approved'])
    const context = await newContext('en-GB', 'cutter')
    try {
      const page = await context.newPage()
      const now = Date.now()
      const setMinutes = (minutes: number) => page.clock.setFixedTime(now + minutes * 60_000)
      const bar = page.getByRole('heading', { level: 2, name: 'Left alone · 1' })
      await setMinutes(0)
      await page.goto(`${service.url}/portal${inCompany('/saw')}`)
      await page.locator('.sawChoice').waitFor({ state: 'attached' })
      await scan(page, heatNumber)
      await workerIsReady(page)
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

  it('does not start a bar by a verdict of 15 minutes ago', async () => {
    const { heatNumber } = await planHeat('Judged long ago', ['Approved'])
    // The clock of a page is that of all pages of its browser.
    const context = await newContext('en-GB', 'cutter')
    try {
      const page = await context.newPage()
      const now = Date.now()
      const setMinutes = (minutes: number) => page.clock.setFixedTime(now + minutes * 60_000)
      await setMinutes(0)
      await page.goto(`${service.url}/portal${inCompany('/saw')}`)
      await page.locator('.sawChoice').waitFor({ state: 'attached' })
      await scan(page, heatNumber)
      await button(page, 'Start').waitFor()
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
    } finally {
      await context.close()
      allowNoNetwork()
    }
  })

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
      expectRefusal(409)
      allowRefusals(401)
      allowNoNetwork()
    },
  )
}

/** Plan bars of a heat that no other bar has. */
async function planHeat(name: string, states: Parameters<typeof planBars>[1]): Promise<OwnHeat & OwnBars> {
  const heat = await registerHeat()
  return { ...heat, ...(await planBars(name, states, heat.millCertificationId)) }
}

/**
 * Journey of a cutter in a browser of its own. Another page of the same browser would send its taps.
 *
 * @param prepare records what the page finds when it is opened
 */
function atTheSaw<Own>(
  title: string,
  prepare: () => Promise<Own>,
  journey: (page: Page, own: Own) => Promise<void>,
): void {
  it(title, async () => {
    const own = await prepare()
    const context = await newContext('en-GB', 'cutter')
    try {
      const page = await context.newPage()
      await page.setViewportSize({ width: 820, height: 1180 })
      await page.goto(`${service.url}/portal${inCompany('/saw')}`)
      await page.locator('.sawChoice').waitFor({ state: 'attached' })
      await journey(page, own)
    } finally {
      await context.close()
    }
  })
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

/** A scanner types into whatever has the focus. */
export async function scan(page: Page, text: string): Promise<void> {
  await until(() => page.evaluate("document.activeElement.tagName === 'INPUT'"))
  await page.keyboard.type(text)
  await page.keyboard.press('Enter')
}

/** The worker has the files, and the page is under its control. */
const workerIsReady = (page: Page) =>
  until(() => page.evaluate("navigator.serviceWorker.controller?.state === 'activated'"))

const keptFiles = `caches.keys()
  .then((names) => Promise.all(names.map(async (name) => (await caches.open(name)).keys())))
  .then((lists) => lists.flat().map(({ url }) => new URL(url).pathname))`

const glance = (page: Page) => page.locator('.sawBanner')

const buttonIn = (text: string) =>
  `[...document.querySelectorAll('button')].find(({ innerText }) => innerText === '${text}')`

const primary = `document.querySelector('.sawActions .primary')`

const overlayCovers = `(() => {
  const { width, height } = document.querySelector('.overlay').getBoundingClientRect()
  return width >= innerWidth && height >= innerHeight
})()`

async function expectLargeTargets(page: Page): Promise<void> {
  for (const target of await page.locator('button:visible, .brand a:visible, main input:visible').all()) {
    const box = await target.boundingBox()
    expect(Math.min(box!.width, box!.height), await target.innerText()).toBeGreaterThanOrEqual(64)
  }
}

async function ask(method: string, path: string, body?: object, who: ClientName = 'viewer') {
  const company = `${service.url}/api/company/${service.dev.companyId}`
  return call(method, company + path, { token: await tokenOf(service.dev, who), ...(body && { body }) })
}

async function statusOf(barId: string): Promise<string> {
  return (await ask('GET', `/production-plan-bars/${barId}`)).body.status
}

async function decide(who: ClientName, certificate: string, decision: string, reason: string): Promise<void> {
  const { status } = await ask('POST', `/millcert/certificates/${certificate}/${decision}`, { reason }, who)
  expect(status).toBe(200)
}
