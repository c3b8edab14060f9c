import { expect } from 'vitest'
import { expectAccessible } from '../support/accessible.ts'
import { until } from '../support/until.ts'
import { atTheSaw, decide, planHeat, scan, statusOf } from './tablet.ts'
import {
  allowNoNetwork,
  allowRefusals,
  button,
  expectRefusal,
  inCompany,
  logInAt,
  service,
} from './visits.ts'

/** Journeys with taps that are not sent, or that are refused after the cutter has gone on. */

export function leaveTaps(): void {
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
    'covers the screen with a tap that is refused later, until a finger acknowledges it',
    () => planHeat('Refused later', ['Approved']),
    async (page, { heatNumber, barIds, millCertificationId }) => {
      await scan(page, heatNumber)
      await button(page, 'Start').waitFor()
      await page.context().setOffline(true)
      await button(page, 'Start').click()
      await button(page, 'Complete').click()
      await decide('quality', millCertificationId, 'reject', 'The paint has no adhesion.')
      // Until the approval is withdrawn, the start would be refused by the verdict.
      await until(async () => (await statusOf(barIds[0]!)) === 'Draft')
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

const overlayCovers = `(() => {
  const { width, height } = document.querySelector('.overlay').getBoundingClientRect()
  return width >= innerWidth && height >= innerHeight
})()`
