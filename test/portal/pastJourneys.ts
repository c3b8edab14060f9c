import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { expectAccessible } from '../support/accessible.ts'
import { until } from '../support/until.ts'
import { enterAt, escapeFrom, tabTo, untilFocused } from './keyboard.ts'
import {
  allowRefusals,
  button,
  chooseInRow,
  expectRefusal,
  goTo,
  inCompany,
  load,
  open,
  row,
} from './visits.ts'
import { moveBar, planBars, registerHeat, send } from './yard.ts'

/** Journeys through an earlier time of the company. */

/** Return the position of the newest event of the company. */
async function positionNow(): Promise<number> {
  const [newest] = await send('GET', '/audit?limit=1')
  return newest.position
}

/** Let a rule of the company block a certificate, and correct it. Return the position before the correction. */
async function judgeThenCorrect() {
  const rulePackId = 'of-the-past'
  await send('POST', '/rule-packs', {
    id: rulePackId,
    name: 'Limits of the past',
    tags: [
      {
        key: 'thick',
        family: 'millCert',
        name: 'Too thick then',
        color: '#aa3300',
        severity: 'Block',
        description: 'Our saw takes 80 mm.',
      },
    ],
    rules: [
      {
        // It concerns no certificate of another journey.
        when: 'certificate.grade == "S999" && certificate.thicknessMm > 80.0',
        ruleId: 'thick',
        family: 'millCert',
        tag: 'thick',
        clause: 'House rule 7',
        explanation: 'It is too thick.',
      },
    ],
  })
  await send('POST', `/rule-packs/${rulePackId}/subscribe`)
  const { millCertificationId } = await send('POST', '/millcert/certificates', {
    certificateNumber: 'Thick once',
    heatNumber: 'T 1',
    grade: 'S999',
    inspectionDocument: '3.1',
    thicknessMm: 100,
  })
  const isTagged = async () =>
    (await send('GET', `/millcert-tag-assignments/${millCertificationId}`)).length > 0
  await until(isTagged)
  const then = await positionNow()
  await send('PUT', `/millcert/certificates/${millCertificationId}`, { thicknessMm: 10 })
  await until(async () => !(await isTagged()))
  return { millCertificationId, then }
}

const banner = (page: Page) => page.getByRole('region', { name: 'An earlier state is shown' })

export function lookAtThePast(): void {
  it('is chosen from the audit trail, stays on every way, and ends with one button', async () => {
    const { tagId } = await send('POST', '/order-tags', { name: 'Was called so', color: '#123456' })
    await send('PUT', `/order-tags/${tagId}`, { name: 'Is called so', color: '#123456' })
    const page = await load('admin', inCompany('/audit?subjectType=tag'))
    await chooseInRow(page, 'Tag "Was called so" was created', 'Show everything as of this event')
    await banner(page)
      .getByText(/^As of position [\d,]+\.$/)
      .waitFor()
    await banner(page)
      .getByText(/^Last event: .*20\d\d.* position [\d,]+\.$/)
      .waitFor()
    expect(page.url()).toMatch(/\?subjectType=tag&asOf=\d+$/)
    await page.getByText('The audit trail shows every event').waitFor()
    await page.getByRole('link', { name: 'Order tags' }).click()
    await row(page, 'Was called so').waitFor()
    expect(page.url()).toMatch(/tags\/order\?asOf=\d+$/)
    expect(await button(page, 'New tag').count()).toBe(0)
    expect(await page.getByRole('button', { name: 'More actions' }).count()).toBe(0)
    await page.reload()
    await page.getByRole('link', { name: 'Was called so' }).click()
    await page.getByRole('heading', { level: 1, name: 'Was called so' }).waitFor()
    await page.getByText('This part shows only the present.').waitFor()
    expect(await button(page, 'Edit').count()).toBe(0)
    await button(page, 'Back to now').click()
    await page.getByRole('heading', { level: 1, name: 'Is called so' }).waitFor()
    await button(page, 'Edit').waitFor()
    await banner(page).waitFor({ state: 'detached' })
    expect(page.url()).not.toContain('asOf')
    await page.goBack()
    await page.getByRole('heading', { level: 1, name: 'Was called so' }).waitFor()
    await page.close()
  })

  it('shows certificates and bars as they were, with no action, and follows the present again', async () => {
    const { millCertificationId, heatNumber } = await registerHeat()
    const { orderId, barIds } = await planBars('In the past', ['Draft'], millCertificationId)
    const then = await positionNow()
    await send('POST', `/millcert/certificates/${millCertificationId}/release`, {})
    await moveBar(barIds[0]!, 'approve')

    const page = await open('quality', inCompany(`/certificates/${millCertificationId}?asOf=${then}`))
    await page.getByRole('heading', { level: 1, name: heatNumber }).waitFor()
    await page.locator('header').getByText('Received', { exact: true }).waitFor()
    await page.getByText('was registered').waitFor()
    expect(await page.getByText('was released').count()).toBe(0)
    await page.getByRole('link', { name: 'In the past · 1' }).waitFor()
    for (const name of ['Release', 'Reject', 'Void', 'Set tags', 'Choose file'])
      expect(await button(page, name).count(), name).toBe(0)

    await goTo(page, inCompany(`/orders/${orderId}?asOf=${then}`))
    await page.locator('header').getByText('Not cleared').waitFor()
    await page.getByRole('treeitem').filter({ hasText: 'Bar 1 · In the past' }).getByText('Draft').waitFor()
    for (const name of ['Issue pack', 'Dispatch pieces', 'Set tags'])
      expect(await button(page, name).count(), name).toBe(0)

    const planner = await open('planner', inCompany(`/bars/${barIds[0]}?asOf=${then}`))
    const card = planner.getByRole('listitem').filter({ hasText: 'In the past · 1' })
    await card.getByText('Draft', { exact: true }).waitFor()
    await card.getByText(/^May( not)? be cut$/).waitFor()
    expect(await button(planner, 'Approve').count()).toBe(0)
    expect(await button(planner, 'Import').count()).toBe(0)
    const asked: string[] = []
    planner.on('request', (request) => asked.push(request.url()))
    await button(planner, 'Back to now').click()
    await planner
      .getByRole('listitem')
      .filter({ hasText: 'In the past · 1' })
      .getByText('May be cut')
      .waitFor()
    await expect.poll(() => asked.length).toBeGreaterThan(0)
    planner.removeAllListeners('request')
  })

  it('shows what rules found then: the clause, and the value beside its limit', async () => {
    const { millCertificationId, then } = await judgeThenCorrect()
    const page = await open('viewer', inCompany(`/certificates/${millCertificationId}?asOf=${then}`))
    await page.locator('header').getByText('Blocks', { exact: true }).waitFor()
    await page.getByText(/^Findings: /).click()
    const findings = page.locator('details').filter({ hasText: /^Findings: / })
    const rules = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Rules' }) })
    for (const place of [findings, rules.last()]) {
      await place.getByText('Thickness 100, at most 80').waitFor()
      await place.getByText('House rule 7', { exact: true }).waitFor()
    }
    await expectAccessible(page, 'what rules found at an earlier time')
    await button(page, 'Back to now').click()
    await page.locator('header').getByText('No Block', { exact: true }).waitFor()
    await page.getByText('No findings yet').waitFor()
  })

  it('keeps the filters and clears them alone', async () => {
    const { certificateNumber } = await registerHeat()
    const then = await positionNow()
    const page = await open('viewer', inCompany(`/certificates?grade=S9&asOf=${then}`))
    await page.getByText('Nothing matches').waitFor()
    await button(page, 'Clear filters').click()
    await row(page, certificateNumber).waitFor()
    expect(new URL(page.url()).search).toBe(`?asOf=${then}`)
    expect(await button(page, 'Clear filters').count()).toBe(0)
  })

  it('is not for screens that show only the present, and they say so', async () => {
    const page = await open('admin', inCompany('/settings'))
    for (const path of [inCompany('/settings'), inCompany('/saw'), '/account/keys', '/operations']) {
      await goTo(page, `${path}?asOf=1`)
      await page.getByText('This screen shows only the present', { exact: true }).waitFor()
    }
    await goTo(page, `${inCompany('/settings')}?asOf=1`)
    await banner(page).getByText('There was no event yet.').waitFor()
    await page.getByRole('main').getByRole('button', { name: 'Back to now' }).last().click()
    await button(page, 'Add member').waitFor()
  })

  it('is chosen by keyboard alone, as a time or as a position', async () => {
    const then = await positionNow()
    await send('POST', '/millcert-tags', { name: 'Not yet there', color: '#123456' })
    const page = await load('viewer', inCompany('/tags/millcert'))
    await row(page, 'Not yet there').waitFor()
    await enterAt(button(page, 'Show an earlier state'))
    const dialog = page.getByRole('dialog', { name: 'Show an earlier state' })
    await tabTo(dialog.getByLabel('Position (optional)'))
    await page.keyboard.type('12x')
    await page.keyboard.press('Enter')
    await dialog.getByText('A position consists of digits only.').waitFor()
    await expectAccessible(page, 'the choice of a moment')
    await tabTo(dialog.getByLabel('Position (optional)'))
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type(String(then))
    await page.keyboard.press('Enter')
    await row(page, 'Not yet there').waitFor({ state: 'detached' })
    // The focus is on the heading, and the banner is before it.
    await tabTo(button(page, 'Other time'), 'Shift+Tab')
    await page.keyboard.press('Enter')
    await dialog.waitFor()
    await escapeFrom(dialog)
    await untilFocused(button(page, 'Other time'))
    await enterAt(button(page, 'Back to now'))
    await row(page, 'Not yet there').waitFor()

    await button(page, 'Show an earlier state').click()
    await dialog.getByLabel('Date and time').fill('2999-12-31T23:59:59')
    await dialog.getByRole('button', { name: 'Show', exact: true }).click()
    await dialog.getByText('This time is in the future.').waitFor()
    await dialog.getByLabel('Date and time').fill('2001-02-03T04:05:06')
    await dialog.getByRole('button', { name: 'Show', exact: true }).click()
    await banner(page).getByText('As of 3 Feb 2001, 04:05:06').waitFor()
    await page.getByText('No tags yet').waitFor()
    await page.close()
  })

  it('says what is wrong with a moment in the address', async () => {
    await planBars('Not of yesterday', ['Draft'])
    const page = await open('viewer', inCompany('/orders?asOf=yesterday'))
    await banner(page).getByText('As of yesterday').waitFor()
    await banner(page).getByRole('alert').waitFor()
    await button(page, 'Back to now').click()
    await row(page, 'Not of yesterday').waitFor()
    expectRefusal(400)
    allowRefusals(400)
  })
}
