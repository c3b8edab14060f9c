import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import type { ClientName } from '../../src/embedded/identities.ts'
import { call } from '../support/call.ts'
import { tokenOf } from '../support/serviceProcess.ts'
import { until } from '../support/until.ts'
import { inCompany, newContext, service } from './visits.ts'
import { type OwnBars, type OwnHeat, planBars, registerHeat } from './yard.ts'

/** A tablet at the saw, with a scanner that is a keyboard. */

/** Plan bars of a heat that no other bar has. */
export async function planHeat(
  name: string,
  states: Parameters<typeof planBars>[1],
): Promise<OwnHeat & OwnBars> {
  const heat = await registerHeat()
  return { ...heat, ...(await planBars(name, states, heat.millCertificationId)) }
}

/**
 * Journey of a cutter in a browser of its own. Another page of the same browser would send its taps.
 *
 * @param prepare records what the page finds when it is opened
 */
export function atTheSaw<Own>(
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

/** A scanner types into whatever has the focus. */
export async function scan(page: Page, text: string): Promise<void> {
  await until(() => page.evaluate("document.activeElement.tagName === 'INPUT'"))
  await page.keyboard.type(text)
  await page.keyboard.press('Enter')
}

export const glance = (page: Page) => page.locator('.sawBanner')

export async function ask(method: string, path: string, body?: object, who: ClientName = 'viewer') {
  const company = `${service.url}/api/company/${service.dev.companyId}`
  return call(method, company + path, { token: await tokenOf(service.dev, who), ...(body && { body }) })
}

export async function statusOf(barId: string): Promise<string> {
  return (await ask('GET', `/production-plan-bars/${barId}`)).body.status
}

export async function decide(
  who: ClientName,
  certificate: string,
  decision: string,
  reason: string,
): Promise<void> {
  const { status } = await ask('POST', `/millcert/certificates/${certificate}/${decision}`, { reason }, who)
  expect(status).toBe(200)
}
