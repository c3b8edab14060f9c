import type { Locator, Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { expectAccessible } from '../support/accessible.ts'
import { rested, tapAtOnce } from './finger.ts'
import { inCompany, open } from './visits.ts'
import { planBars, registerHeat, send } from './yard.ts'

/** Journeys on the board of a person with gloves. */

export function tapTwiceOnTheBoard(): void {
  it('takes no second tap on the card that has moved under the finger, until it has rested', async () => {
    const { millCertificationId } = await registerHeat()
    const { barIds } = await planBars('Tapped twice', ['Draft', 'Draft', 'Draft'], millCertificationId)
    const page = await open('planner', inCompany('/bars?view=cards&search=tapped'))
    const [first, second] = barIds.map((barId) => approveOf(page, barId))
    const sent: string[] = []
    page.on('request', (request) => {
      if (request.method() === 'POST') sent.push(request.url())
    })

    await rested(first!).waitFor()
    const { x, y, width, height } = (await first!.boundingBox())!
    const [atX, atY] = [x + width / 2, y + height / 2]
    await page.mouse.click(atX, atY)
    const under = `document.elementFromPoint(${atX}, ${atY})?.closest('button')`
    await tapAtOnce(page, `${under}?.closest('li:has(h3 a[href$="/bars/${barIds[1]}"])') && ${under}`)
    await rested(second!).waitFor()
    expect(sent).toEqual([expect.stringContaining(`/${barIds[0]}/approve`)])

    // The next tap in the same place means this card.
    await page.mouse.click(atX, atY)
    await second!.waitFor({ state: 'detached' })
    expect(sent.slice(1)).toEqual([expect.stringContaining(`/${barIds[1]}/approve`)])
    page.removeAllListeners('request')
  })
}

export function findWhatMayBeCut(): void {
  it('shows first what is being cut on a small screen, and bars of one verdict by their filter', async () => {
    const { millCertificationId } = await registerHeat()
    const blocked = await planBars('Rejected steel', ['Draft'], millCertificationId)
    await send('POST', `/millcert/certificates/${millCertificationId}/reject`, { reason: 'Pitted.' })
    const ready = await planBars('Good steel', ['Draft'], (await registerHeat()).millCertificationId)
    const page = await open('planner', inCompany('/bars?view=cards'))
    const columns = async () =>
      (await page.locator('.boardColumn h2').allInnerTexts()).map((text) => /^\w+/.exec(text)?.[0])
    await expect.poll(columns).toEqual(['Draft', 'Approved', 'Started', 'Completed'])
    await page.setViewportSize({ width: 390, height: 844 })
    await expect.poll(columns).toEqual(['Started', 'Approved', 'Draft', 'Completed'])
    const own = [...ready.barIds, ...blocked.barIds]
    const cards = async () => {
      const hrefs = await page
        .locator('.boardCard h3 a')
        .evaluateAll((links) => links.map((link) => link.getAttribute('href')!.slice(-36)))
      return hrefs.filter((barId) => own.includes(barId))
    }
    await expect.poll(cards).toEqual(own)

    await page.getByLabel('Verdict').selectOption('May be cut')
    await expect.poll(cards).toEqual(ready.barIds)
    await expect.poll(columns).toEqual(['Started', 'Approved', 'Draft'])
    await expectAccessible(page, 'the board of bars that may be cut')
    await page.getByLabel('Verdict').selectOption('May not be cut')
    await expect.poll(cards).toEqual(blocked.barIds)
    expect(new URL(page.url()).search).toBe('?view=cards&verdict=mayNotBeCut')
    // A link to a bar shows it beside the others.
    await open('planner', inCompany(`/bars/${ready.barIds[0]}?verdict=mayNotBeCut`))
    await expect.poll(cards).toEqual(own)
    await page.setViewportSize({ width: 1440, height: 900 })
  })
}

export function findOneAmongMany(): void {
  it('counts exactly, and shows a bar that has to stop behind more bars than a page has', async () => {
    const drafts = Array.from({ length: 300 }, () => 'Draft' as const)
    for (const name of ['Many', 'And many']) await planBars(name, drafts)
    const { millCertificationId, heatNumber } = await registerHeat()
    const { barIds } = await planBars('To stop', ['Started'], millCertificationId)
    await send('POST', `/millcert/certificates/${millCertificationId}/reject`, { reason: 'Pitted.' })
    const page = await open('planner', inCompany(''))
    const tile = (title: string) =>
      page.locator('section.need').filter({ has: page.getByRole('heading', { name: title }) })
    const link = (part: Page | Locator) => part.locator(`a[href$="/bars/${barIds[0]}"]`)
    await link(tile('Started bars that may not be cut')).waitFor()
    const toApprove = await tile('Bars to approve').locator('.count').innerText()
    expect(Number(toApprove.replaceAll(/\D/g, ''))).toBeGreaterThanOrEqual(2 * drafts.length)
    expect(toApprove).not.toContain('+')

    await tile('Bars to approve').getByRole('link', { name: 'Show all' }).click()
    await page.getByRole('table', { name: 'Bars' }).getByRole('rowheader', { name: 'Many' }).waitFor()
    await expectAccessible(page, 'the table of bars')
    await page.getByRole('button', { name: 'Cards' }).click()
    await expect.poll(() => page.locator('.boardColumn .count').allInnerTexts()).toEqual([toApprove])
    await page.getByLabel('Show', { exact: true }).selectOption('Started bars that may not be cut')
    await link(page).waitFor()
    await page.getByText(`Heat ${heatNumber}`).waitFor()
    expect(new URL(page.url()).search).toBe('?show=toStop&view=cards')
    await expectAccessible(page, 'the board of bars that have to stop')
  })
}

export function approveAPlan(): void {
  it('approves all bars of a plan that may be cut in one action, and lists the others with the reason', async () => {
    const good = await registerHeat()
    const { barIds } = await planBars('At once', ['Draft', 'Draft', 'Draft'], good.millCertificationId)
    await send('PUT', `/production-plan-bars/${barIds[2]}/certificate`, { millCertificationId: null })
    const page = await open('planner', inCompany(`/bars?search=${encodeURIComponent(good.heatNumber)}`))
    await page.getByRole('rowheader', { name: 'At once' }).getByRole('link').click()
    await page.getByRole('heading', { level: 1, name: 'At once' }).waitFor()
    await page.getByRole('img', { name: '1,000 mm, Remnant 5,000 mm' }).first().waitFor()
    await page.getByRole('button', { name: 'Approve all that may be cut' }).click()
    const panel = page.getByRole('dialog')
    await panel
      .getByRole('listitem')
      .filter({ hasText: /Bar 3.*Not known/ })
      .waitFor()
    expect(await panel.getByRole('checkbox', { checked: true }).count()).toBe(0)
    await expectAccessible(page, 'the approval of a plan')
    await panel.getByRole('button', { name: 'Approve 2' }).click()
    await panel.waitFor({ state: 'detached' })
    const states = () =>
      page
        .getByRole('row')
        .getByText(/^(Draft|Approved)$/)
        .allInnerTexts()
    await expect.poll(states).toEqual(['Approved', 'Approved', 'Draft'])
  })
}

export function walkTheTable(): void {
  it('is walked by the arrow keys, control by control, and sorted by a column', async () => {
    await planBars('Walked', ['Draft', 'Started', 'Draft'], (await registerHeat()).millCertificationId)
    const page = await open('planner', inCompany('/bars?search=walked'))
    const bar = (ordinal: number) => page.getByRole('link', { name: `Walked · ${ordinal}` })
    const isAt = (locator: Locator) => locator.and(page.locator(':focus')).waitFor()
    await bar(1).focus()
    for (const ordinal of [2, 3]) {
      await page.keyboard.press('ArrowDown')
      await isAt(bar(ordinal))
    }
    const approve = page.getByRole('button', { name: 'Approve' })
    await approve.last().focus()
    // The row between has the question about the mark of the heat in this place.
    for (const control of [page.getByRole('checkbox', { name: 'Heat mark transferred' }), approve.first()]) {
      await page.keyboard.press('ArrowUp')
      await isAt(control)
    }
    await page.keyboard.press('ArrowUp')
    await isAt(approve.first())

    const names = () =>
      page
        .getByRole('row')
        .getByRole('link')
        .filter({ hasText: /Walked|^\d/ })
        .allInnerTexts()
    for (const order of [
      [1, 2, 3],
      [3, 2, 1],
    ]) {
      await page.getByRole('button', { name: 'Bar', exact: true }).click()
      await expect.poll(names).toEqual(order.map((ordinal) => `Walked · ${ordinal}`))
    }
    expect(new URL(page.url()).search).toBe('?search=walked&sort=-bar')
    await page.getByRole('cell', { name: '3 in all' }).waitFor()
  })
}

export function approveWithoutKnowing(): void {
  it('asks before it approves a bar without a heat', async () => {
    const { barIds } = await planBars('Not known', ['Draft'])
    const page = await open('planner', inCompany(`/bars/${barIds[0]}`))
    await approveOf(page, barIds[0]!).click()
    const question = page.getByRole('alertdialog', { name: 'Approve without knowing?' })
    await question.getByText('Not known · 1').waitFor()
    await question.getByRole('button', { name: 'Approve' }).click()
    await question.waitFor({ state: 'detached' })
    await approveOf(page, barIds[0]!).waitFor({ state: 'detached' })
  })
}

const approveOf = (page: Page, barId: string) =>
  page
    .getByRole('listitem')
    .filter({ has: page.locator(`h3 a[href$="/bars/${barId}"]`) })
    .getByRole('button', { name: 'Approve' })
