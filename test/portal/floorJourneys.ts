import type { Locator, Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { button, expectRefusal, inCompany, open } from './visits.ts'
import { planBars, registerHeat } from './yard.ts'

/** Journeys that correct what happened on the floor, and let pieces leave. */

export function correctTheFloor(): void {
  it('takes the heat that was read off the steel, with its certificate or before it has arrived', async () => {
    const { heatNumber } = await registerHeat()
    const { barIds } = await planBars('Heat was read', ['Draft'])
    const page = await open('planner', inCompany(`/bars/${barIds[0]}`))
    const card = cardOf(page, 'Heat was read · 1')
    const typeHeat = async (heat: string) => {
      await chooseOn(card, 'Set heat')
      const panel = page.getByRole('dialog', { name: 'Set heat' })
      await panel.getByRole('radio', { name: `Heat ${heatNumber}` }).waitFor()
      expect(await panel.getByRole('radio', { checked: true }).count()).toBe(0)
      // A scanner that has read nothing sends Enter alone.
      await panel.getByLabel('Heat read off the steel').press('Enter')
      await panel.getByLabel('Heat read off the steel').fill(heat)
      await panel.getByRole('button', { name: 'Set heat' }).click()
      await panel.waitFor({ state: 'detached' })
    }
    await typeHeat('T 0815')
    await card.getByText('Heat T 0815, no certificate yet').waitFor()
    await typeHeat(heatNumber.toLowerCase())
    await card.getByRole('link', { name: `Heat ${heatNumber}` }).waitFor()
  })

  it('lets pieces leave that are not cleared only by a decision with a reason', async () => {
    const { orderId } = await planBars('Leaves without papers', ['Completed'])
    const orderPath = inCompany(`/orders/${orderId}`)
    const planner = await open('planner', orderPath)
    await planner.getByText('No dispatches yet').waitFor()
    const refused = await fillDispatch(planner)
    await refused.getByText('The pieces are not cleared', { exact: true }).waitFor()
    await refused.getByText('What is missing').waitFor()
    expect(await refused.getByLabel('Reason').count()).toBe(0)
    expectRefusal(409)
    await refused.getByRole('button', { name: 'Cancel' }).click()

    const quality = await open('quality', orderPath)
    const panel = await fillDispatch(quality)
    await panel.getByLabel('Reason').fill('The rest follows on Friday.')
    await panel.getByRole('button', { name: 'Dispatch', exact: true }).click()
    await panel.waitFor({ state: 'detached' })
    await quality.getByText('Overridden: The rest follows on Friday.').waitFor()
    await quality.getByText('DN 4711', { exact: true }).waitFor()
    expectRefusal(409)
  })
}

const cardOf = (page: Page, name: string) =>
  page.getByRole('listitem').filter({ hasText: new RegExp(`${name}(?!\\d)`) })

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
