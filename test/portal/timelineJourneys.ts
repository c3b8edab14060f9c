import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { expectAccessible } from '../support/accessible.ts'
import { call } from '../support/call.ts'
import { tokenOf } from '../support/serviceProcess.ts'
import { inCompany, open, service } from './visits.ts'
import { planBars, registerHeat, send } from './yard.ts'

/** Journeys through the histories of records. */

export function readTimelines(): void {
  it('are divided by days, and say when something was done that was recorded later', async () => {
    const { barIds } = await planBars('Told by day', ['Approved'])
    const performedAt = new Date(Date.now() - 60_000).toISOString()
    await send('POST', `/production-plan-bars/${barIds[0]}/start`, { performedAt })
    const page = await open('auditor', inCompany(`/bars/${barIds[0]}`))
    await dateFirstEntry(page, barIds[0]!, '2026-03-02T09:30:00.000Z')
    await page.locator('.boardCard.wanted').getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Whole bar' }).click()
    const panel = page.getByRole('dialog')
    const march = panel
      .locator('section')
      .filter({ has: page.getByRole('heading', { name: /2 March 2026$/ }) })
    await march.getByText('09:30').waitFor()
    expect(await march.getByRole('listitem').count()).toBe(1)
    expect(await panel.getByRole('heading', { level: 3 }).count()).toBe(2)
    await panel.getByText(/ · done .*20\d\d/).waitFor()
    await march.getByText('Values').click()
    await march.getByText(/^Length: \d/).waitFor()
    await march.getByText(/^Order: Told by day/).waitFor()
    await expectAccessible(page, 'the timeline of a bar')
    await panel.getByRole('link', { name: 'Show in the audit trail' }).click()
    await page.getByRole('heading', { level: 1, name: 'Audit' }).waitFor()
    expect(page.url()).toContain(`subjectType=bar&subjectId=${barIds[0]}`)
    await page.unrouteAll({ behavior: 'wait' })
  })

  it('are read on as one comes to their end', async () => {
    const { millCertificationId } = await registerHeat()
    const certificate = `/millcert/certificates/${millCertificationId}`
    for (let n = 0; n < 30; n++) {
      await send('POST', `${certificate}/reject`, { reason: `Reason ${n}.` })
      await send('POST', `${certificate}/reopen`, { reason: `Reason ${n}.` })
    }
    const page = await open('viewer', inCompany(`/certificates/${millCertificationId}`))
    const entries = page.locator('.timeline').getByRole('listitem')
    await page.getByText('Reason 29.').first().waitFor()
    await entries.nth(49).scrollIntoViewIfNeeded()
    await entries.getByText(/was registered/).waitFor()
    // Rules have set tags, too.
    expect(await entries.count()).toBeGreaterThanOrEqual(61)
    expect(await page.getByRole('link', { name: 'Show in the audit trail' }).count()).toBe(0)
  })
}

/** Answer with the history of the bar, but let its oldest entry be from this time. */
async function dateFirstEntry(page: Page, barId: string, occurredAt: string): Promise<void> {
  const path = `${service.url}/api/company/${service.dev.companyId}/production-plan-bars/${barId}/history`
  const { body } = await call('GET', path, { token: await tokenOf(service.dev, 'auditor') })
  const json = [...body.slice(0, -1), { ...body.at(-1), occurredAt }]
  await page.route(`${path}?**`, (route) => route.fulfill({ json, headers: { etag: '"dated"' } }))
}
