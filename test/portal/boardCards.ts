import type { Locator, Page } from 'playwright-core'
import { chooseByKeys } from './keyboard.ts'
import { type OwnBars, planBars, registerHeat, send } from './yard.ts'

/** The cards and columns of the board. */

/** The card of a bar; two cards never link to one bar. */
export function cardOf(page: Page, barId: string): Locator {
  return page.getByRole('listitem').filter({ has: page.locator(`h3 a[href$="/bars/${barId}"]`) })
}

export const refusalOn = (page: Page, step: string) =>
  page.getByRole('alertdialog', { name: `“${step}” was refused` })

export const columnOf = (page: Page, name: string) =>
  page.locator('section').filter({ has: page.getByRole('heading', { level: 2, name }) })

/** Choose an action on a card with keys alone. */
export const chooseOn = (card: Locator, action: string) =>
  chooseByKeys(card.getByRole('button', { name: 'More actions' }), action)

/** Plan a bar whose order demands more than its certificate is. */
export async function planBlockedBar(name: string): Promise<OwnBars> {
  const { millCertificationId } = await registerHeat()
  await send('PUT', `/millcert/certificates/${millCertificationId}`, { inspectionDocument: '2.1' })
  return planBars(name, ['Draft'], millCertificationId)
}
