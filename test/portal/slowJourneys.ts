import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { rested } from './finger.ts'
import { button, inCompany, newContext, open, service } from './visits.ts'
import { planBars, registerHeat, send } from './yard.ts'

/** Journeys of a person whose network is slow. */

export function workOnASlowNetwork(): void {
  it('sends a step on a bar once, says that it is under way, and moves nothing meanwhile', async () => {
    const { millCertificationId } = await registerHeat()
    const { barIds } = await planBars('Stepped slowly', ['Draft'], millCertificationId)
    const page = await open('planner', inCompany(`/bars/${barIds[0]}`))
    const card = page.getByRole('listitem').filter({ has: page.locator(`h3 a[href$="/bars/${barIds[0]}"]`) })
    const approve = card.getByRole('button', { name: 'Approve' })
    await approve.scrollIntoViewIfNeeded()
    await rested(approve).waitFor()
    const place = await approve.boundingBox()
    await onSlowNetwork(page, async (sent) => {
      await approve.dblclick()
      await card.locator('[aria-disabled=true]', { hasText: 'Approve' }).waitFor()
      expect(await approve.boundingBox()).toEqual(place)
      await page
        .getByText(/Stepped slowly · 1/)
        .first()
        .waitFor()
      await approve.waitFor({ state: 'detached' })
      expect(sent).toEqual([expect.stringMatching(/\/approve$/)])
    })
  })

  it('sends a form once, however often Enter is pressed, and keeps its dialog until the answer', async () => {
    const page = await open('editor', inCompany('/tags/order'))
    await button(page, 'New tag').click()
    const panel = page.getByRole('dialog')
    await panel.getByLabel('Name').fill('Sent slowly')
    const save = panel.getByRole('button', { name: 'Save' })
    const place = await save.boundingBox()
    await onSlowNetwork(page, async (sent) => {
      for (let press = 0; press < 3; press++) await page.keyboard.press('Enter')
      await panel.locator('[aria-disabled=true]', { hasText: 'Save' }).waitFor()
      expect(await save.boundingBox()).toEqual(place)
      await panel.waitFor({ state: 'detached' })
      expect(sent).toEqual([expect.stringMatching(/\/order-tags$/)])
    })
  })

  it('reads and imports a file once, and says that it is being read', async () => {
    const page = await open('planner', inCompany('/certificates'))
    await button(page, 'Import').click()
    const panel = page.getByRole('dialog')
    const table = 'certificateNumber;heatNumber;grade;inspectionDocument\nSLOW-1;S 1;S235JR;3.1\n'
    await onSlowNetwork(page, async (sent) => {
      await panel
        .locator('input[type=file]')
        .setInputFiles({ name: 'slow.csv', mimeType: 'text/csv', buffer: Buffer.from(table) })
      await panel.getByText('Reading “slow.csv”…').waitFor()
      const confirm = panel.getByRole('button', { name: 'Import', exact: true })
      await confirm.dblclick()
      await panel.locator('[aria-disabled=true]', { hasText: /^Import$/ }).waitFor()
      await panel.getByText('New: 1, changed: 0, as recorded before: 0.').waitFor()
      expect(sent).toHaveLength(2)
    })
    await panel.getByRole('button', { name: 'Done' }).click()
  })
}

/** A page whose Cumulative Layout Shift is larger jumps under the hands of people (web.dev/cls). */
const mostShift = 0.1

const countShifts = `window.shifted = 0
  new PerformanceObserver((list) => {
    for (const { hadRecentInput, value } of list.getEntries()) if (!hadRecentInput) window.shifted += value
  }).observe({ type: 'layout-shift', buffered: true })`

/** Screens whose parts are read by several requests. */
export function keepPartsInPlace(): void {
  it.each(['', '/certificates', '/orders', '/orders/{order}', '/bars', '/settings'])(
    'keeps the parts of %s where they are while others are read',
    async (path) => {
      const [{ orderId }] = await send('GET', '/orders?limit=1')
      const context = await newContext('en-GB', 'admin')
      await context.addInitScript(countShifts)
      const page = await context.newPage()
      await onSlowNetwork(page, async () => {
        for (const width of [390, 1440]) {
          await page.setViewportSize({ width, height: 900 })
          await page.goto(`${service.url}/portal${inCompany(path.replace('{order}', orderId))}`)
          await page.getByRole('heading', { level: 1 }).waitFor()
          await page.waitForLoadState('networkidle')
          await page.locator('.loading').first().waitFor({ state: 'detached' })
          expect(await page.evaluate('shifted'), `${width} px`).toBeLessThan(mostShift)
        }
      })
      await context.close()
    },
  )
}

/** Each answer takes 400 ms more. `sent` gets the paths of the commands. */
async function onSlowNetwork(page: Page, work: (sent: string[]) => Promise<void>): Promise<void> {
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.method() !== 'GET') sent.push(new URL(request.url()).pathname)
  })
  const browser = await page.context().newCDPSession(page)
  const unbounded = { offline: false, downloadThroughput: -1, uploadThroughput: -1 }
  await browser.send('Network.enable')
  await browser.send('Network.emulateNetworkConditions', { ...unbounded, latency: 400 })
  try {
    await work(sent)
  } finally {
    await browser.send('Network.emulateNetworkConditions', { ...unbounded, latency: 0 })
    await browser.detach()
    page.removeAllListeners('request')
  }
}
