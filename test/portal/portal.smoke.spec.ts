import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { pagesFolder } from '../../src/portalBuild/paths.ts'
import { expectAccessible } from '../support/accessible.ts'
import { hasChromium } from '../support/chromium.ts'
import { rested } from './finger.ts'
import { allowNoNetwork, button, goTo, inCompany, logInAt, newContext, open, service } from './visits.ts'
import { planBars, registerHeat } from './yard.ts'

/** One short way through the portal, on the stack that `npm start` gives. `npm run test:rest` has all other journeys. */

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor()

/** Everything that a browser loads before it shows the first screen, in bytes with gzip. */
const firstLoadBytes = 220_000

/** Return the size of what the service answers to this path of the portal. */
function bytesOf(path: string): number {
  const file = join(
    pagesFolder,
    path.startsWith('/portal/assets/') ? path.slice('/portal'.length) : 'index.html',
  )
  if (existsSync(`${file}.gz`)) return readFileSync(`${file}.gz`).length
  return file.endsWith('.html') ? gzipSync(readFileSync(file)).length : readFileSync(file).length
}

describe.skipIf(!hasChromium)('the portal', () => {
  it('loads few bytes before it shows the first screen', async () => {
    const context = await newContext('en-GB', 'admin')
    const page = await context.newPage()
    const paths: string[] = []
    page.on('request', (request) => {
      const { pathname } = new URL(request.url())
      if (pathname.startsWith('/portal') && !request.serviceWorker()) paths.push(pathname)
    })
    await page.goto(`${service.url}/portal${inCompany('')}`)
    await heading(page, 'Overview')
    await page.waitForLoadState('networkidle')
    expect(paths).toContainEqual(expect.stringMatching(/woff2$/))
    const bytes = paths.map(bytesOf).reduce((sum, one) => sum + one)
    expect(bytes, paths.join('\n')).toBeLessThan(firstLoadBytes)
    await context.close()
  })

  it('lets a planner log in, read what is needed and approve a bar, on accessible screens', async () => {
    const heat = await registerHeat()
    const { orderId, barIds } = await planBars('To be approved', ['Draft'], heat.millCertificationId)
    const context = await newContext('en-GB')
    const page = await context.newPage()
    await page.goto(`${service.url}/portal${inCompany('')}`)
    await button(page, 'Log in').click()
    await logInAt(page, 'planner')
    await heading(page, 'Overview')
    await page.getByRole('heading', { level: 2 }).first().waitFor()
    await expectAccessible(page, 'overview')

    await goTo(page, inCompany(`/certificates?search=${heat.heatNumber}`))
    await heading(page, 'Certificates')
    await expectAccessible(page, 'certificates')
    await page.getByRole('link', { name: heat.certificateNumber }).click()
    await heading(page, `${heat.certificateNumber} · ${heat.heatNumber}`)
    await expectAccessible(page, 'a certificate')

    await goTo(page, inCompany(`/orders/${orderId}`))
    await heading(page, /^To be approved/)
    await expectAccessible(page, 'an order')

    await goTo(page, inCompany(`/bars/${barIds[0]}`))
    await heading(page, 'Bars')
    const card = page.getByRole('listitem').filter({ has: page.locator(`h3 a[href$="/bars/${barIds[0]}"]`) })
    await rested(card.getByRole('button', { name: 'Approve' })).click()
    await card.getByRole('button', { name: 'Start' }).waitFor()
    await expectAccessible(page, 'bars')
    await context.close()
  })

  it('lets a cutter start a bar, and sends what was tapped without a network when it is back', async () => {
    const heat = await registerHeat()
    await planBars('Cut offline', ['Approved'], heat.millCertificationId)
    const page = await open('cutter', inCompany('/saw'))
    await page.getByRole('textbox').first().fill(heat.heatNumber)
    await page.keyboard.press('Enter')
    await rested(button(page, 'Start')).click()
    await page.getByText('Not sent yet').waitFor({ state: 'detached' })
    await expectAccessible(page, 'the saw')
    await page.context().setOffline(true)
    await page.getByText('No connection').waitFor()
    await rested(button(page, 'Complete')).click()
    await page.getByText('Not sent yet: 1').waitFor()
    await page.context().setOffline(false)
    await page.getByText('Not sent yet').waitFor({ state: 'detached' })
    await page.locator('.sawBanner').getByText('Nothing to cut').waitFor()
    allowNoNetwork()
  })

  it('speaks German to a browser that does', async () => {
    const context = await newContext('de-DE', 'viewer')
    const page = await context.newPage()
    await page.goto(`${service.url}/portal${inCompany('/certificates')}`)
    await heading(page, 'Zeugnisse')
    expect(await page.locator('html').getAttribute('lang')).toBe('de')
    expect(await page.title()).toBe('Zeugnisse – Heatmark')
    await page.getByRole('link', { name: 'Aufträge' }).waitFor()
    await context.close()
  })
})
