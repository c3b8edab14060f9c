import type { Page } from 'playwright-core'
import { beforeAll, it } from 'vitest'
import type { ClientName } from '../../src/embedded/identities.ts'
import { expectAccessible } from '../support/accessible.ts'
import { call } from '../support/call.ts'
import { tokenOf } from '../support/serviceProcess.ts'
import { isFullRun } from '../support/size.ts'
import { expectRoom } from './room.ts'
import { allViews, smallView } from './views.ts'
import { open, service } from './visits.ts'
import { planBars, registerHeat, send } from './yard.ts'

/** A look at every screen of the portal, with axe. */

const screens: readonly (readonly [ClientName, string])[] = [
  ['admin', '/c/{companyId}'],
  ['admin', '/c/{companyId}/certificates?blocked=true'],
  ['admin', '/c/{companyId}/certificates/{certificate}'],
  ['admin', '/c/{companyId}/deliveries'],
  ['admin', '/c/{companyId}/orders'],
  ['admin', '/c/{companyId}/orders/{order}'],
  ['admin', '/c/{companyId}/orders/{order}?trace=list'],
  ['planner', '/c/{companyId}/bars'],
  ['planner', '/c/{companyId}/bars?view=cards'],
  ['planner', '/c/{companyId}/plans/{plan}'],
  ['viewer', '/c/{companyId}/figures'],
  ['viewer', '/c/{companyId}/recall?deliveryNote=none'],
  ['cutter', '/c/{companyId}/saw'],
  ['cutter', '/c/{companyId}/saw?bar={bar}'],
  ['admin', '/c/{companyId}/settings'],
  ['admin', '/c/{companyId}/settings/new-rule-pack'],
  ['auditor', '/c/{companyId}/audit?subjectType=certificate'],
  ['operator', '/operations'],
  ['admin', '/c/{companyId}/tags/millcert'],
  ['admin', '/c/{companyId}/tags/order?view=deleted'],
  ['admin', '/account/keys'],
  ['admin', '/c/{companyId}/certificates/{certificate}?asOf={moment}'],
  ['admin', '/c/{companyId}/settings?asOf={moment}'],
]

/** Each view is written to this folder, to be looked at. */
const pictures = process.env.HEATMARK_SCREENSHOTS
const looksAtAll = isFullRun || pictures !== undefined

/** Return the views of a screen. The usual run looks once: by turns in the large light view, and in the small dark one. */
function viewsOf(index: number) {
  if (looksAtAll) return allViews
  return [index % 2 === 0 ? ({ width: 1440, colorScheme: 'light' } as const) : smallView]
}

export function lookAtScreens(): void {
  let filled: Awaited<ReturnType<typeof filler>>
  beforeAll(async () => {
    const { millCertificationId } = await registerHeat()
    // The overview lists it among the bars that have to stop.
    await planBars(`Saw 1: ${'trusses'.repeat(10)}`, ['Started'], millCertificationId)
    await send('POST', `/millcert/certificates/${millCertificationId}/reject`, { reason: 'Called back.' })
    filled = await filler()
  })

  it.each(screens.map(([who, path], index) => ({ who, path, views: viewsOf(index) })))(
    '$path',
    async ({ who, path, views }) => {
      const page = await open(who, filled(path))
      await page.locator('.loading').first().waitFor({ state: 'detached' })
      for (const { width, colorScheme } of views) {
        await page.setViewportSize({ width, height: 900 })
        await page.emulateMedia({ colorScheme })
        await expectRoom(page, `${path} at ${width} px`)
        await expectAccessible(page, `${path} at ${width} px, ${colorScheme}`)
        if (colorScheme === 'light') await takePicture(page, path, width, 'en')
      }
      await page.setViewportSize({ width: 1440, height: 900 })
      if (looksAtAll) await lookInGerman(page, path)
    },
  )
}

async function lookInGerman(page: Page, path: string): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light' })
  await page.getByLabel('Language').selectOption('de')
  try {
    for (const width of [390, 820, 1280]) {
      await page.setViewportSize({ width, height: 900 })
      await expectRoom(page, `${path} in German at ${width} px`)
      await takePicture(page, path, width, 'de')
    }
  } finally {
    // The other screens are opened by the same people.
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.getByLabel('Sprache').selectOption('en')
  }
}

async function takePicture(page: Page, path: string, width: number, language: string): Promise<void> {
  const name = path
    .replace('/c/{companyId}', '')
    .replaceAll(/[^a-z]+/gi, '-')
    .replaceAll(/^-|-$/g, '')
  const file = `${name || 'overview'}-${width}-${language}.png`
  if (pictures) await page.screenshot({ path: `${pictures}/${file}`, fullPage: true })
}

/** Return the path with the ids of this stack: of a blocked certificate, the first order, and a started bar. */
async function filler(): Promise<(path: string) => string> {
  const company = `${service.url}/api/company/${service.dev.companyId}`
  const token = await tokenOf(service.dev, 'viewer')
  const firstOf = async (list: string) => (await call('GET', `${company}/${list}`, { token })).body[0]
  const { millCertificationId } = await firstOf('millcert/certificates?blocked=true')
  const { orderId } = await firstOf('orders')
  const { barId, planId } = await firstOf('production-plan-bars?status=Started')
  const [{ position }] = await send('GET', '/audit?limit=1')
  return (path) =>
    path
      .replace('{companyId}', service.dev.companyId)
      .replace('{certificate}', millCertificationId)
      .replace('{order}', orderId)
      .replace('{bar}', barId)
      .replace('{plan}', planId)
      .replace('{moment}', position)
}
