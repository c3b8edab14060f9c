import type { Locator, Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { escapeFrom } from './keyboard.ts'
import { button, expectRefusal, inCompany, open } from './visits.ts'
import { planBars, registerHeat } from './yard.ts'

/** Journeys that correct what happened on the floor, and let pieces leave. */

export function correctTheFloor(): void {
  it('takes a bar back a step, with a reason that its timeline shows', async () => {
    const page = await open('quality', inCompany('/bars'))
    const card = cardOf(page, 'fits 6 m stock · 8')
    await chooseOn(card, 'Take back')
    const dialog = page.getByRole('alertdialog')
    await dialog.getByRole('radio', { name: 'Started' }).check()
    await dialog.getByLabel('Reason').fill('Completed by mistake.')
    await dialog.getByRole('button', { name: 'Take back' }).click()
    await dialog.waitFor({ state: 'detached' })
    await columnOf(page, 'Started').getByText('fits 6 m stock · 8').waitFor()
    await chooseOn(card, 'Timeline')
    await page
      .getByRole('dialog')
      .getByText(/^The bar was taken back .* Completed by mistake\.$/)
      .waitFor()
    await escapeFrom(page.getByRole('dialog'))
  })

  it('takes the heat that was read off the steel, with its certificate or before it has arrived', async () => {
    const { heatNumber } = await registerHeat()
    const { barIds } = await planBars('Heat was read', ['Draft'])
    const page = await open('planner', inCompany(`/bars/${barIds[0]}`))
    const card = cardOf(page, 'Heat was read · 1')
    const typeHeat = async (heat: string) => {
      await chooseOn(card, 'Set heat')
      const panel = page.getByRole('dialog', { name: 'Set heat' })
      await panel.getByLabel('Heat read off the steel').fill(heat)
      await panel.getByRole('button', { name: 'Set heat' }).click()
      await panel.waitFor({ state: 'detached' })
    }
    await typeHeat('T 0815')
    await card.getByText('Heat T 0815, no certificate yet').waitFor()
    await typeHeat(heatNumber.toLowerCase())
    await card.getByRole('link', { name: `Heat ${heatNumber}` }).waitFor()
  })

  it('scraps a piece of a completed bar', async () => {
    const page = await open('quality', inCompany('/bars'))
    const card = cardOf(page, 'fits 6 m stock · 6')
    await chooseOn(card, 'Scrap a piece')
    const dialog = page.getByRole('alertdialog')
    await dialog.getByRole('radio').first().check()
    await dialog.getByLabel('Reason').fill('Cut 20 mm short.')
    await dialog.getByRole('button', { name: 'Scrap a piece' }).click()
    await page.getByText('The piece is scrapped').waitFor()
    await chooseOn(card, 'Timeline')
    await page
      .getByRole('dialog')
      .getByText(/was scrapped\. Reason: Cut 20 mm short\.$/)
      .waitFor()
    await escapeFrom(page.getByRole('dialog'))
  })

  it('cancels a bar, which its own address still shows', async () => {
    const page = await open('planner', inCompany('/bars'))
    const card = cardOf(page, 'fits 6 m stock · 11')
    const address = await card.getByRole('heading').getByRole('link').getAttribute('href')
    await chooseOn(card, 'Cancel bar')
    const dialog = page.getByRole('alertdialog')
    await dialog.getByLabel('Reason').fill('The customer has changed the drawing.')
    await dialog.getByRole('button', { name: 'Cancel bar' }).click()
    await card.waitFor({ state: 'detached' })
    await open('planner', address!.replace('/portal', ''))
    await card.getByText('Cancelled').waitFor()
    await card.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem').first().waitFor()
    expect(await page.getByRole('menuitem').allInnerTexts()).toEqual(['Timeline'])
    await escapeFrom(page.getByRole('menu'))
  })

  it('lets pieces of an order leave that is not cleared only by a decision with a reason', async () => {
    const planner = await open('planner', inCompany('/orders?search=SO-2601'))
    await planner.getByRole('link', { name: 'SO-2601' }).click()
    await planner.getByText('No dispatches yet').waitFor()
    const orderPath = new URL(planner.url()).pathname.replace('/portal', '')
    const refused = await fillDispatch(planner)
    await refused.getByText('The order is not cleared', { exact: true }).waitFor()
    await refused.getByText('What is missing').waitFor()
    expect(await refused.getByLabel('Reason').count()).toBe(0)
    expectRefusal(409)
    await refused.getByRole('button', { name: 'Cancel' }).click()

    const quality = await open('quality', orderPath)
    const panel = await fillDispatch(quality)
    await panel.getByLabel('Reason').fill('The rest follows on Friday.')
    for (const choice of await panel.getByRole('group', { name: 'Findings' }).getByRole('checkbox').all())
      await choice.check()
    await panel.getByRole('button', { name: 'Dispatch', exact: true }).click()
    await panel.waitFor({ state: 'detached' })
    await quality.getByText('Overridden: The rest follows on Friday.').waitFor()
    await quality.getByText('DN 4711', { exact: true }).waitFor()
    expectRefusal(409)
  })
}

const cardOf = (page: Page, name: string) =>
  page.getByRole('listitem').filter({ hasText: new RegExp(`${name}(?!\\d)`) })

const columnOf = (page: Page, name: string) =>
  page.locator('section').filter({ has: page.getByRole('heading', { level: 2, name }) })

async function chooseOn(card: Locator, action: string): Promise<void> {
  await card.getByRole('button', { name: 'More actions' }).click()
  await card.page().getByRole('menuitem', { name: action }).click()
}

async function fillDispatch(page: Page): Promise<Locator> {
  await button(page, 'Dispatch pieces').click()
  const panel = page.getByRole('dialog')
  expect(await panel.getByLabel('Date').inputValue()).toMatch(/^\d{4}-\d{2}-\d{2}$/)
  await panel.getByLabel('Reference').fill('DN 4711')
  await panel.getByRole('checkbox').first().check()
  await panel.getByRole('button', { name: 'Dispatch', exact: true }).click()
  return panel
}
