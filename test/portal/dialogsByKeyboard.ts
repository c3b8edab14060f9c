import type { Locator, Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { cardOf, chooseOn, columnOf, planBlockedBar, refusalOn } from './boardCards.ts'
import { rested } from './finger.ts'
import { enterAt, escapeFrom, tabTo } from './keyboard.ts'
import { button, expectRefusal, goTo, inCompany, open, row } from './visits.ts'
import { planBars, send } from './yard.ts'

/** Journeys through the dialogs by keyboard alone. */

export function useDialogsByKeyboard(): void {
  it('take back, scrap and cancel by keyboard alone, as the timeline says', async () => {
    const { barIds } = await planBars('By keyboard', ['Started', 'Completed', 'Draft'])
    const [started, completed, draft] = barIds as [string, string, string]
    const page = await open('quality', inCompany(`/bars/${started}`))
    await chooseOn(cardOf(page, started), 'Take back')
    // The first choice is the step before; the second one is Draft.
    await tabTo(page.getByRole('radio', { name: 'Approved' }))
    await page.keyboard.press('ArrowDown')
    await typeReasonAndSend(page, 'Take back')
    await cardOf(page, started).getByText('Draft', { exact: true }).waitFor()
    await readTimeline(cardOf(page, started), /The bar was taken back .* Typed without a mouse\.$/)

    await open('quality', inCompany(`/bars/${completed}`))
    await chooseOn(cardOf(page, completed), 'Scrap a piece')
    await typeReasonAndSend(page, 'Scrap a piece')
    await page.getByText('The piece is scrapped').waitFor()
    await readTimeline(cardOf(page, completed), /was scrapped\. Reason: Typed without a mouse\.$/)

    const planner = await open('planner', inCompany(`/bars/${draft}`))
    await chooseOn(cardOf(planner, draft), 'Cancel bar')
    await typeReasonAndSend(planner, 'Cancel bar')
    // Its own address still shows it. The board does not.
    await cardOf(planner, draft).getByText('Cancelled').waitFor()
    await cardOf(planner, draft).getByRole('button', { name: 'More actions' }).press('Enter')
    await planner.getByRole('menuitem').first().waitFor()
    expect(await planner.getByRole('menuitem').allInnerTexts()).toEqual(['Whole bar and timeline'])
    await escapeFrom(planner.getByRole('menu'))
    await goTo(planner, inCompany('/bars?view=cards'))
    await columnOf(planner, 'Draft').getByText('By keyboard · 1').waitFor()
    await cardOf(planner, draft).waitFor({ state: 'detached' })
  })

  it('override what keeps a bar from being cut by keyboard alone', async () => {
    const { barIds } = await planBlockedBar('Overridden by keys')
    const page = await open('quality', inCompany(`/bars/${barIds[0]}`))
    const card = cardOf(page, barIds[0]!)
    await rested(card.getByRole('button', { name: 'Approve' })).press('Enter')
    await enterAt(refusalOn(page, 'Approve').getByRole('button', { name: 'Override' }))
    const panel = page.getByRole('dialog')
    await panel.getByRole('checkbox').first().waitFor()
    for (const choice of await panel.getByRole('checkbox').all()) {
      await tabTo(choice)
      await page.keyboard.press('Space')
    }
    await tabTo(panel.getByRole('textbox', { name: 'Reason' }))
    await page.keyboard.type('Spectrometer, report 4712.')
    await tabTo(panel.getByRole('textbox', { name: 'Reference' }))
    await page.keyboard.type('4712')
    await enterAt(panel.getByRole('button', { name: 'Override' }))
    await panel.waitFor({ state: 'detached' })
    // Flags may still ask for a person.
    await card.getByText('May not be cut').waitFor({ state: 'detached' })
    await rested(card.getByRole('button', { name: 'Approve' })).press('Enter')
    await card.getByText('Approved', { exact: true }).waitFor()
    expectRefusal(409)
  })

  it('dispatch a piece in spite of what is missing by keyboard alone', async () => {
    const { orderId } = await planBars('Leaves by keyboard', ['Completed', 'Draft'])
    const { tagId } = await send('POST', '/order-tags', {
      name: 'Held by keyboard',
      color: '#123456',
      severity: 'Block',
    })
    await send('PUT', `/order-tag-assignments/${orderId}/manual/${tagId}`)
    const page = await open('quality', inCompany(`/orders/${orderId}`))
    await button(page, 'Dispatch pieces').press('Enter')
    const panel = page.getByRole('dialog')
    await tabTo(panel.getByLabel('Reference'))
    await page.keyboard.type('DN 4712')
    await tabTo(panel.getByRole('checkbox').first())
    await page.keyboard.press('Space')
    const dispatch = panel.getByRole('button', { name: 'Dispatch', exact: true })
    await enterAt(dispatch)
    await panel.getByText('The pieces are not cleared', { exact: true }).waitFor()
    expectRefusal(409)
    const findings = await panel.getByRole('group', { name: 'Findings' }).getByRole('checkbox').all()
    expect(findings.length).toBeGreaterThan(0)
    for (const choice of findings) {
      await tabTo(choice)
      await page.keyboard.press('Space')
    }
    await tabTo(panel.getByLabel('Reason'))
    await page.keyboard.type('The rest follows on Monday.')
    await enterAt(dispatch)
    await panel.waitFor({ state: 'detached' })
    await page.getByText('DN 4712', { exact: true }).waitFor()
  })

  it('choose the edition of a rule pack by keyboard alone', async () => {
    const page = await open('admin', inCompany('/settings'))
    const pack = row(page, 'EN 1090-2: inspection documents')
    const before = (await pack.getByText(/^Edition: /).innerText()).replace('Edition: ', '')
    const other = before === '2018' ? '2008' : '2018'
    await pack.getByRole('button', { name: 'Preview' }).press('Enter')
    const panel = page.getByRole('dialog')
    await tabTo(panel.getByLabel('Edition'))
    await page.keyboard.type(other)
    await enterAt(rested(panel.getByRole('button', { name: 'Save' })))
    await pack.getByText(`Edition: ${other}`).waitFor()
  })
}

async function typeReasonAndSend(page: Page, action: string): Promise<void> {
  const dialog = page.getByRole('alertdialog')
  await tabTo(dialog.getByLabel('Reason'))
  await page.keyboard.type('Typed without a mouse.')
  await enterAt(dialog.getByRole('button', { name: action }))
  await dialog.waitFor({ state: 'detached' })
}

/** Open the timeline of a bar with keys alone, find the entry, and leave. */
async function readTimeline(card: Locator, entry: RegExp): Promise<void> {
  await chooseOn(card, 'Whole bar')
  const panel = card.page().getByRole('dialog')
  await panel.getByText(entry).waitFor()
  await escapeFrom(panel)
}
