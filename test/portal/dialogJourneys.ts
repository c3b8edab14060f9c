import type { Locator, Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { expectAccessible } from '../support/accessible.ts'
import { isFullRun } from '../support/size.ts'
import { rested } from './finger.ts'
import { chooseByKeys, enterAt, escapeFrom, tabTo } from './keyboard.ts'
import { allViews } from './views.ts'
import { button, chooseInRow, expectRefusal, goTo, inCompany, open, row } from './visits.ts'
import { moveBar, type OwnBars, planBars, registerHeat, send } from './yard.ts'

/** Journeys through the dialogs: by keyboard alone, while others change the record, and with axe. */

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
    await columnOf(page, 'Draft').getByText('By keyboard · 1').waitFor()
    await readTimeline(cardOf(page, started), /^The bar was taken back .* Typed without a mouse\.$/)

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
    expect(await planner.getByRole('menuitem').allInnerTexts()).toEqual(['Timeline'])
    await escapeFrom(planner.getByRole('menu'))
    await goTo(planner, inCompany('/bars'))
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
    await card.getByText('May be cut').waitFor()
    await rested(card.getByRole('button', { name: 'Approve' })).press('Enter')
    await columnOf(page, 'Approved').getByText('Overridden by keys · 1').waitFor()
    expectRefusal(409)
  })

  it('dispatch a piece in spite of what is missing by keyboard alone', async () => {
    const { orderId } = await planBars('Leaves by keyboard', ['Completed', 'Draft'])
    const { tagId } = await send('POST', '/order-tags', {
      ...{ name: 'Held by keyboard', color: '#123456', severity: 'Block' },
    })
    await send('PUT', `/order-tags/assignments/${orderId}/manual/${tagId}`)
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

export function changeBesideOthers(): void {
  it('find a bar in its column that was planned after the board was read', async () => {
    const page = await open('planner', inCompany('/bars'))
    await columnOf(page, 'Draft').locator('.count').waitFor()
    await goTo(page, inCompany('/orders'))
    const { barIds } = await planBars('Planned since', ['Draft'])
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    await goTo(page, inCompany(`/bars/${barIds[0]}`))
    await columnOf(page, 'Draft').getByText('Planned since · 1').waitFor()
    // A card outside of the columns would move under the hands of a person, who would lose its open menu.
    expect(asked.filter((url) => url.includes('barId='))).toEqual([])
    page.removeAllListeners('request')
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
    const { barIds } = await planBars('Moved by others', ['Draft'])
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
    await columnOf(page, 'Started').getByText('Moved by others · 1').waitFor()
    answer()
    const refusal = refusalOn(page, 'Approve')
    await refusal.getByText('Moved by others · 1').waitFor()
    await refusal
      .getByRole('alert')
      .getByText(/^The record has changed since you read it/)
      .waitFor()
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
}

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
    for (const action of ['Set heat', 'Take back', 'Scrap a piece', 'Timeline'])
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
    await page.route('**/order-tags', async (route) => {
      if (route.request().method() === 'POST') await new Promise((resolve) => setTimeout(resolve, 300))
      await route.continue()
    })
    await button(page, 'New tag').click()
    await page.getByLabel('Name').fill('Saved slowly')
    await button(page, 'Save').press('Enter')
    await page.locator('[aria-disabled=true]', { hasText: 'Save' }).waitFor()
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

/** The card of a bar; two cards never link to one bar. */
function cardOf(page: Page, barId: string): Locator {
  return page.getByRole('listitem').filter({ has: page.locator(`h3 a[href$="/bars/${barId}"]`) })
}

const refusalOn = (page: Page, step: string) =>
  page.getByRole('alertdialog', { name: `“${step}” was refused` })

const columnOf = (page: Page, name: string) =>
  page.locator('section').filter({ has: page.getByRole('heading', { level: 2, name }) })

/** Choose an action on a card with keys alone. */
const chooseOn = (card: Locator, action: string) =>
  chooseByKeys(card.getByRole('button', { name: 'More actions' }), action)

/** Plan a bar whose order demands more than its certificate is. */
async function planBlockedBar(name: string): Promise<OwnBars> {
  const { millCertificationId } = await registerHeat()
  await send('PUT', `/millcert/certificates/${millCertificationId}`, { inspectionDocument: '2.1' })
  return planBars(name, ['Draft'], millCertificationId)
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
  await chooseOn(card, 'Timeline')
  const panel = card.page().getByRole('dialog')
  await panel.getByText(entry).waitFor()
  await escapeFrom(panel)
}
