import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { expectAccessible } from '../support/accessible.ts'
import { rested, tapAtOnce } from './finger.ts'
import { atTheSaw, decide, glance, planHeat, scan, statusOf } from './tablet.ts'
import { button, inCompany } from './visits.ts'
import { planBars, registerHeat } from './yard.ts'

/** Journeys at the saw: a tablet, a scanner that is a keyboard, and gloves. */

export function workAtTheSaw(): void {
  atTheSaw(
    'finds a bar by its heat, starts and completes it by single taps, takes it back, and goes on to the next',
    () => planHeat('Found twice', ['Approved', 'Approved', 'Approved']),
    async (page, { heatNumber, barIds }) => {
      await scan(page, heatNumber.toLowerCase())
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
      const next = page.getByRole('button', { name: `Next: Found twice · 3 Heat ${heatNumber}` })
      await rested(next).waitFor()
      await glance(page).getByText('Nothing to cut').waitFor()
      await button(page, 'Take back').click()
      await rested(button(page, 'Complete')).click()
      await page.setViewportSize({ width: 390, height: 664 })
      await rested(next).click()
      await page.getByRole('heading', { level: 2, name: 'Found twice · 3' }).waitFor()
      expect(await page.evaluate('scrollY')).toBe(0)
      await tapAtOnce(page, buttonIn('Start'))
      await rested(button(page, 'Start')).waitFor()
      await page.getByText('Not sent yet').waitFor({ state: 'detached' })
      expect(await Promise.all(barIds.map(statusOf))).toEqual(['Approved', 'Completed', 'Approved'])
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
    'compares what is scanned with the open bar, and never presses a button with the Enter of a scanner',
    () => Promise.all([planHeat('Scanned twice', ['Approved']), planHeat('Beside', ['Started'])]),
    async (page, [{ heatNumber, barIds }, beside]) => {
      await scan(page, beside.heatNumber)
      await page.getByRole('heading', { level: 2, name: 'Beside · 1' }).waitFor()
      await scan(page, heatNumber)
      await page.getByRole('heading', { level: 2, name: 'Scanned twice · 1' }).waitFor()
      await button(page, 'Start').focus()
      await page.keyboard.type(heatNumber)
      await page.keyboard.press('Enter')
      await page.getByText(`Heat ${heatNumber} is the heat of this bar.`).waitFor()
      expect(await button(page, 'Start').count()).toBe(1)
      await scan(page, 'Z9999')
      await page.getByText(`This bar has heat ${heatNumber}, not Z9999.`).waitFor()
      await glance(page).getByText('Wrong heat').waitFor()
      expect(await button(page, 'Start').count()).toBe(0)
      await scan(page, heatNumber)
      await glance(page).getByText('May be cut').waitFor()

      // The buttons stay where they are while a tap is sent.
      const { promise: sent, resolve: send } = Promise.withResolvers<void>()
      await page.route('**/start', async (route) => {
        await sent
        await route.continue()
      })
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
    'shows Stop as soon as a started bar may not be cut any more',
    () => planHeat('Called back', ['Started']),
    async (page, { heatNumber, millCertificationId }) => {
      await scan(page, heatNumber)
      await glance(page).getByText('May be cut').waitFor()
      await decide('quality', millCertificationId, 'reject', 'The mill has called it back.')
      await page.getByRole('alert').getByText('Stop', { exact: true }).waitFor()
      await page.getByRole('alert').getByText('The certificate is rejected').waitFor()
      expect(await button(page, 'Complete').count()).toBe(0)
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        await expectAccessible(page, `Stop, ${colorScheme}`)
      }
      await decide('quality', millCertificationId, 'reopen', 'It was another heat.')
      await button(page, 'Complete').waitFor()
    },
  )
}

const buttonIn = (text: string) =>
  `[...document.querySelectorAll('button')].find(({ innerText }) => innerText === '${text}')`

const primary = `document.querySelector('.sawActions .primary')`

async function expectLargeTargets(page: Page): Promise<void> {
  for (const target of await page.locator('button:visible, .brand a:visible, main input:visible').all()) {
    const box = await target.boundingBox()
    expect(Math.min(box!.width, box!.height), await target.innerText()).toBeGreaterThanOrEqual(64)
  }
}
