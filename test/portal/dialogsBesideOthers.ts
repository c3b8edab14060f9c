import { expect, it } from 'vitest'
import { cardOf, chooseOn, columnOf, refusalOn } from './boardCards.ts'
import { escapeFrom } from './keyboard.ts'
import { button, chooseInRow, expectRefusal, goTo, inCompany, open, row } from './visits.ts'
import { moveBar, planBars, registerHeat, send } from './yard.ts'

/** Journeys through the dialogs while others change the record. */

export function changeBesideOthers(): void {
  it('show one bar before the board is read, and above it in each state', async () => {
    const { barIds } = await planBars('Read first', ['Draft'])
    const page = await open('planner', inCompany('/orders'))
    let answer = () => {}
    const held = new Promise<void>((resolve) => {
      answer = resolve
    })
    await page.route(/production-plan-bars\?(?!.*barId=)/, async (route) => {
      await held
      await route.continue()
    })
    await goTo(page, inCompany(`/bars/${barIds[0]}`))
    const card = cardOf(page, barIds[0]!)
    await card.getByText('Draft', { exact: true }).waitFor()
    answer()
    await columnOf(page, 'Draft').locator('.count').waitFor()
    await moveBar(barIds[0]!, 'approve')
    await card.getByText('Approved', { exact: true }).waitFor()
    await page.unrouteAll({ behavior: 'wait' })
  })

  it('keep what was typed when somebody else changes the bar, and show both states', async () => {
    const { barIds } = await planBars('Changed by others', ['Draft'])
    const page = await open('planner', inCompany(`/bars/${barIds[0]}`))
    await chooseOn(cardOf(page, barIds[0]!), 'Cancel bar')
    const dialog = page.getByRole('alertdialog', { name: 'Cancel the bar?' })
    await dialog.getByLabel('Reason').fill('The customer has')
    await moveBar(barIds[0]!, 'approve')
    const changed = dialog.getByRole('alert').filter({ hasText: 'Changed by someone else' })
    await changed.getByRole('row', { name: 'Status Draft Approved' }).waitFor()
    expect(await dialog.getByLabel('Reason').inputValue()).toBe('The customer has')
    // An Approved bar may still be cancelled; a Started one may not.
    expect(await dialog.getByRole('button', { name: 'Cancel bar' }).isEnabled()).toBe(true)
    await moveBar(barIds[0]!, 'start')
    await changed.getByRole('row', { name: 'Status Draft Started' }).waitFor()
    expect(await dialog.getByRole('button', { name: 'Cancel bar' }).isEnabled()).toBe(false)
    expect(await dialog.getByLabel('Reason').inputValue()).toBe('The customer has')
    await escapeFrom(dialog)
  })

  it('show both states when the service refuses a correction of an old state', async () => {
    const { barIds } = await planBars('Refused', ['Draft'])
    const page = await open('planner', inCompany(`/bars/${barIds[0]}`))
    await chooseOn(cardOf(page, barIds[0]!), 'Cancel bar')
    const dialog = page.getByRole('alertdialog', { name: 'Cancel the bar?' })
    await dialog.getByLabel('Reason').fill('Planned twice.')
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    // The page does not hear of the change before it sends its own.
    await page.route(/production-plan-bars\?/, async (route) => {
      await held
      await route.continue()
    })
    await moveBar(barIds[0]!, 'approve')
    await moveBar(barIds[0]!, 'start')
    const refused = page.waitForResponse((response) => response.url().endsWith('/cancel'))
    await dialog.getByRole('button', { name: 'Cancel bar' }).click()
    expect((await refused).status()).toBe(412)
    release()
    await page.unrouteAll({ behavior: 'wait' })
    await dialog.getByRole('row', { name: 'Status Draft Started' }).waitFor()
    expect(await dialog.getByLabel('Reason').inputValue()).toBe('Planned twice.')
    expectRefusal(412)
    await escapeFrom(dialog)
  })

  it('keep a refused step until it is read, although its card has moved to another column', async () => {
    const { millCertificationId } = await registerHeat()
    const { barIds } = await planBars('Moved by others', ['Draft'], millCertificationId)
    const page = await open('planner', inCompany(`/bars/${barIds[0]}`))
    let answer = () => {}
    const held = new Promise<void>((resolve) => {
      answer = resolve
    })
    // The card moves before the step is sent.
    await page.route(/\/approve$/, async (route) => {
      await moveBar(barIds[0]!, 'approve')
      await moveBar(barIds[0]!, 'start')
      await held
      await route.continue()
    })
    await cardOf(page, barIds[0]!).getByRole('button', { name: 'Approve' }).click()
    await cardOf(page, barIds[0]!).getByText('Started', { exact: true }).waitFor()
    answer()
    const refusal = refusalOn(page, 'Approve')
    await refusal.getByText('Moved by others · 1').waitFor()
    await refusal.getByRole('alert').getByText('Look at it as it is now, and decide again.').waitFor()
    await refusal.getByText('Started', { exact: true }).first().waitFor()
    await page.unrouteAll({ behavior: 'wait' })
    await refusal.getByRole('row', { name: 'Status Draft Started' }).waitFor()
    await refusal.getByRole('button', { name: 'Understood' }).click()
    await refusal.waitFor({ state: 'detached' })
    expectRefusal(412)
  })

  it('show both versions of the roles of a member', async () => {
    const page = await open('admin', inCompany('/settings'))
    await button(page, 'Add member').first().click()
    await page.getByLabel('User id').fill('contested-member')
    await page.getByRole('dialog').getByRole('button', { name: 'Add member' }).click()
    await chooseInRow(page, 'contested-member', 'Edit')
    const panel = page.getByRole('dialog')
    await panel.getByRole('checkbox', { name: 'Cutter' }).check()
    await send('PUT', '/members/contested-member', { roles: ['Viewer', 'Planner'] })
    await panel.getByRole('button', { name: 'Save' }).click()
    const conflict = page.getByRole('alertdialog', { name: 'Changed by someone else' })
    await conflict.getByRole('cell', { name: 'Viewer, Cutter' }).waitFor()
    await conflict.getByRole('cell', { name: 'Viewer, Planner' }).waitFor()
    await conflict.getByRole('button', { name: 'Take theirs' }).click()
    await row(page, 'contested-member').getByText('Viewer, Planner').waitFor()
    expectRefusal(412)
  })

  it('show both versions of the time that a session at the saw may rest', async () => {
    const page = await open('admin', inCompany('/settings'))
    await page.getByLabel('Log out after').selectOption('1 h')
    // The page hears of the change before it saves, and keeps what the person has chosen. An answer that the page has
    // given up has no text any more.
    const heard = page.waitForResponse(
      async (response) =>
        response.url().endsWith('/settings') && (await response.text().catch(() => '')).includes('120'),
    )
    await send('PUT', '/settings', { cutterIdleMinutes: 120 })
    await heard
    await button(page, 'Save').click()
    const conflict = page.getByRole('alertdialog', { name: 'Changed by someone else' })
    await conflict.getByRole('row', { name: 'Log out after 1 h 2 h' }).waitFor()
    await conflict.getByRole('button', { name: 'Save mine' }).click()
    await page.getByText('The settings are saved').waitFor()
    expect(await send('GET', '/settings')).toMatchObject({ cutterIdleMinutes: 60 })
    expectRefusal(412)
  })

  it('begin a correction with the delivery as it is now, not as the list shows it', async () => {
    const item = { millCertificationId: null, heatNumber: 'H-CORRECTED', lengthMm: 12_000 }
    const note = { deliveryNote: 'LS corrected', supplier: 'Nord', date: '2026-03-31' }
    const { deliveryId } = await send('POST', '/deliveries', { ...note, items: [{ ...item, pieces: 10 }] })
    const page = await open('admin', inCompany('/deliveries'))
    await row(page, 'LS corrected').waitFor()
    await page.route(/\/deliveries\?/, (route) => route.abort())
    await send('PUT', `/deliveries/${deliveryId}`, { ...note, items: [{ ...item, pieces: 7 }] })
    await chooseInRow(page, 'LS corrected', 'Correct')
    expect(await page.getByRole('dialog').getByLabel('Pieces').inputValue()).toBe('7')
    await page.unrouteAll({ behavior: 'wait' })
    await escapeFrom(page.getByRole('dialog'))
  })
}
