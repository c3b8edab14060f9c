import type { Page } from 'playwright-core'
import { it } from 'vitest'
import { expectAccessible } from '../support/accessible.ts'
import { isFullRun } from '../support/size.ts'
import { cardOf, chooseOn, planBlockedBar, refusalOn } from './boardCards.ts'
import { escapeFrom } from './keyboard.ts'
import { allViews } from './views.ts'
import { button, chooseInRow, expectRefusal, inCompany, open, row } from './visits.ts'
import { moveBar, planBars, registerHeat, send } from './yard.ts'

/** A look at each dialog with axe. */

/** A full run looks at each dialog in every view, which takes longer than other journeys. */
const lookMs = 600_000

export function lookAtDialogs(): void {
  it('with the dialogs of a tag', { timeout: lookMs }, async () => {
    await send('POST', '/millcert-tags', { name: 'Looked at', color: '#123456' })
    const page = await open('editor', inCompany('/tags/millcert'))
    await lookAt(page, 'the panel of a tag', () => button(page, 'New tag').click())
    await lookAt(page, 'the question', () => chooseInRow(page, 'Looked at', 'Delete'))
  })

  it('with the corrections of a bar', { timeout: lookMs }, async () => {
    const { barIds } = await planBars('Looked at', ['Started', 'Draft'])
    const [started, draft] = barIds as [string, string]
    const page = await open('quality', inCompany(`/bars/${started}`))
    for (const action of ['Set heat', 'Take back', 'Scrap a piece', 'Whole bar'])
      await lookAt(page, action, () => chooseOn(cardOf(page, started), action))
    const planner = await open('planner', inCompany(`/bars/${draft}`))
    const cancel = () => chooseOn(cardOf(planner, draft), 'Cancel bar')
    await lookAt(planner, 'Cancel bar', cancel)
    await lookAt(planner, 'a bar that somebody else has changed', async () => {
      await cancel()
      await moveBar(draft, 'approve')
      await planner.getByRole('row', { name: 'Status Draft Approved' }).waitFor()
      await moveBar(draft, 'revert', { to: 'Draft', reason: 'For the next look.' })
      await planner.getByRole('row', { name: 'Status Draft Approved' }).waitFor({ state: 'detached' })
      await moveBar(draft, 'approve')
      await planner.getByRole('row', { name: 'Status Draft Approved' }).waitFor()
    })
  })

  it('with the override of findings', { timeout: lookMs }, async () => {
    const { barIds } = await planBlockedBar('Overridden')
    const page = await open('quality', inCompany(`/bars/${barIds[0]}`))
    const card = cardOf(page, barIds[0]!)
    const approve = () => card.getByRole('button', { name: 'Approve' }).click()
    await lookAt(page, 'a refused step', approve)
    const override = async () => {
      await approve()
      await refusalOn(page, 'Approve').getByRole('button', { name: 'Override' }).click()
      await refusalOn(page, 'Approve').waitFor({ state: 'detached' })
    }
    await lookAt(page, 'Override', override)
    await override()
    const panel = page.getByRole('dialog')
    await panel.getByRole('textbox', { name: 'Reason' }).fill(' ')
    await lookAt(page, 'a refused override', async () => {
      await panel.getByRole('button', { name: 'Override' }).click()
      await panel.getByRole('alert').waitFor()
    })
    for (const status of [409, 400]) expectRefusal(status)
  })

  it('with the decisions on certificates, dispatches, members, packs and keys', {
    timeout: lookMs,
  }, async () => {
    const { certificateNumber } = await registerHeat()
    const quality = await open('quality', inCompany('/certificates'))
    for (const action of ['Reject', 'Void'])
      await lookAt(quality, action, () => chooseInRow(quality, certificateNumber, action))
    const { orderId } = await planBars('Looked at', ['Completed'])
    await open('quality', inCompany(`/orders/${orderId}`))
    await lookAt(quality, 'Dispatch pieces', () => button(quality, 'Dispatch pieces').click())
    await lookAt(quality, 'Set tags', () => button(quality, 'Set tags').click())
    const admin = await open('admin', inCompany('/settings'))
    await lookAt(admin, 'Add member', () => button(admin, 'Add member').click())
    await lookAt(admin, 'the edition', () =>
      row(admin, 'EN 1090-2: inspection documents').getByRole('button', { name: 'Preview' }).click(),
    )
    await open('admin', '/account/keys')
    await lookAt(admin, 'Create key', () => button(admin, 'Create key').click())
  })

  it('after a slow command, which leaves nothing without a name behind', async () => {
    const page = await open('editor', inCompany('/tags/order'))
    const underWay = Promise.withResolvers<void>()
    await page.route('**/order-tags', async (route) => {
      if (route.request().method() === 'POST') await underWay.promise
      await route.continue()
    })
    await button(page, 'New tag').click()
    await page.getByLabel('Name').fill('Saved slowly')
    await button(page, 'Save').press('Enter')
    await page.locator('[aria-disabled=true]', { hasText: 'Save' }).waitFor()
    underWay.resolve()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.unrouteAll({ behavior: 'wait' })
    await expectAccessible(page, 'the page after a slow command')
  })
}

/** Look at a dialog with axe, and leave it by the keyboard. */
async function lookAt(page: Page, name: string, ask: () => Promise<void>): Promise<void> {
  await ask()
  const dialog = page.locator('[role=dialog], [role=alertdialog]')
  await dialog.waitFor()
  await dialog.locator('.loading').first().waitFor({ state: 'detached' })
  for (const { width, colorScheme } of isFullRun
    ? allViews
    : [{ width: 390, colorScheme: 'dark' } as const]) {
    await page.setViewportSize({ width, height: 900 })
    await page.emulateMedia({ colorScheme })
    await expectAccessible(page, `${name} at ${width} px, ${colorScheme}`)
  }
  await page.setViewportSize({ width: 1440, height: 900 })
  await escapeFrom(dialog)
}
