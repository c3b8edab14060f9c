import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { expectAccessible } from '../support/accessible.ts'
import { until } from '../support/until.ts'
import { saved } from './auditJourneys.ts'
import { enterAt, tabTo } from './keyboard.ts'
import { button, expectRefusal, goTo, inCompany, open } from './visits.ts'
import { planBars, registerHeat, send } from './yard.ts'

/** Journeys through the packs of an order. */

export function issuePacks(): void {
  it('says what is missing, shows the progress, and keeps the pack for download', async () => {
    const { millCertificationId } = await registerHeat()
    const { orderId } = await planBars('Packed', ['Completed', 'Draft'], millCertificationId)
    const page = await open('planner', inCompany(`/orders/${orderId}`))
    await page.getByText('No packs yet').waitFor()
    await button(page, 'Issue pack').click()
    const question = page.getByRole('alertdialog', { name: 'Issue a pack of this order?' })
    await question.getByText('Not cleared').waitFor()
    await question.getByText('Line 10').waitFor()
    await expectAccessible(page, 'the question about a pack')
    // The run takes as long as this journey looks at its progress.
    let isLooked = false
    await changeRuns(page, () => (isLooked ? {} : { status: 'running', progress: 0.4, result: null }))
    await question.getByRole('button', { name: 'Issue pack' }).click()
    await page.getByRole('status').getByText('40 % done').waitFor()
    await expectAccessible(page, 'the progress of a pack')
    await page.reload()
    await page.getByRole('status').getByText('40 % done').waitFor()
    isLooked = true
    await page.getByText('The pack is issued').waitFor()
    await page.getByText('40 % done').waitFor({ state: 'detached' })
    await page.unrouteAll({ behavior: 'wait' })
    expect(page.url()).not.toContain('run=')
    const pack = page.getByRole('listitem').filter({ hasText: 'SHA-256 of the file' })
    await pack.getByText(/position [\d,]+ · [\d,]+ KB/).waitFor()
    await pack.getByText('Not cleared').waitFor()
    const zip = readFileSync(await saved(page, /^Download the pack of/))
    expect(zip.subarray(0, 2).toString()).toBe('PK')
  })

  it('is issued and downloaded by keyboard alone', async () => {
    const { orderId } = await planBars('Packed by keyboard', ['Draft'])
    const page = await open('quality', inCompany(`/orders/${orderId}`))
    await enterAt(button(page, 'Issue pack'))
    const question = page.getByRole('alertdialog')
    await enterAt(question.getByRole('button', { name: 'Issue pack' }))
    const save = page.getByRole('button', { name: /^Download the pack of/ })
    await tabTo(save)
    const download = page.waitForEvent('download')
    await page.keyboard.press('Enter')
    expect((await download).suggestedFilename()).toMatch(/\.zip$/)
  })

  it('has the pieces of a dispatch, or chosen ones as of an earlier time', async () => {
    const { millCertificationId } = await registerHeat()
    const { orderId } = await planBars('Packed in parts', ['Completed', 'Completed'], millCertificationId)
    const { lineItems } = await send('GET', `/orders/${orderId}/traceability`)
    const [first] = lineItems[0].cuts
    await send('POST', `/orders/${orderId}/dispatches`, {
      date: '2026-11-23',
      reference: 'DN 77',
      cutIds: [first.cutId],
    })
    const dispatchedAt = Date.now()
    const page = await open('planner', inCompany(`/orders/${orderId}`))
    await page.getByText('No packs yet').waitFor()
    const issue = button(page, 'Issue pack')
    const question = page.getByRole('alertdialog')
    const confirm = question.getByRole('button', { name: 'Issue pack' })
    await issue.click()
    await question.getByLabel('Pieces in the pack').selectOption('Pieces of dispatch DN 77 (1)')
    await confirm.click()
    const packs = page.getByRole('listitem').filter({ hasText: 'SHA-256 of the file' })
    await packs.getByText('1 piece', { exact: true }).waitFor()

    await issue.click()
    await question.getByLabel('Pieces in the pack').selectOption('Pieces that I choose')
    await question.getByLabel('As of (optional)').fill('2999-12-31T23:59:59')
    await confirm.click()
    await question.getByText('Choose at least one.').waitFor()
    // The same piece as of the same facts would be the same pack.
    await question.getByRole('checkbox').nth(1).check()
    await confirm.click()
    await question.getByText('must not be in the future').waitFor()
    await expectAccessible(page, 'a pack of chosen pieces')
    const asOf = new Date(Math.ceil(dispatchedAt / 1_000) * 1_000)
    await until(() => Date.now() > asOf.getTime())
    await question.getByLabel('As of (optional)').fill(inField(asOf))
    const sent = page.waitForRequest((request) => request.method() === 'POST')
    await confirm.click()
    expect((await sent).postDataJSON()).toMatchObject({ asOf: asOf.toISOString() })
    await expect.poll(() => packs.count()).toBe(2)
    const issued: { cutIds: string[] }[] = await send('GET', `/orders/${orderId}/packs`)
    expect(issued.map(({ cutIds }) => cutIds.length)).toEqual([1, 1])
    expectRefusal(400)
  })

  it('that somebody else has begun shows its progress, and then the pack', async () => {
    const { orderId } = await planBars('Packed by others', ['Draft'])
    const page = await open('auditor', inCompany(`/orders/${orderId}`))
    await page.getByText('No packs yet').waitFor()
    let isLooked = false
    await page.route(/\/runs\?/, async (route) => {
      if (isLooked) return route.continue()
      const runs: object[] = await send('GET', `/runs?orderId=${orderId}`)
      return route.fulfill({
        json: runs.map((run) => ({ ...run, status: 'running', progress: 0.4, result: null })),
      })
    })
    await send('POST', `/orders/${orderId}/packs`, {})
    await page.getByText(/^Begun /).waitFor()
    await page.getByRole('status').getByText('40 % done').waitFor()
    await expectAccessible(page, 'the run of somebody else')
    isLooked = true
    await page.getByText('40 % done').waitFor({ state: 'detached' })
    await page.getByText('SHA-256 of the file').waitFor()
    await page.unrouteAll({ behavior: 'wait' })
  })

  it('says why a pack could not be made, and that a run is not known', async () => {
    const { orderId } = await planBars('Not packed', ['Draft'])
    const page = await open('planner', inCompany(`/orders/${orderId}`))
    await page.getByText('No packs yet').waitFor()
    const error = { code: 'documents-unavailable', detail: 'The original of W 1 is lost.' }
    await changeRuns(page, () => ({ status: 'failed', result: null, error }))
    await button(page, 'Issue pack').click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Issue pack' }).click()
    await page.getByRole('alert').getByText('The original of W 1 is lost.').waitFor()
    await page.unrouteAll({ behavior: 'wait' })
    await goTo(page, inCompany(`/orders/${orderId}?run=00000000-0000-4000-8000-000000000000`))
    await page.getByRole('alert').getByText('Not found').waitFor()
    expectRefusal(404)
  })

  it('is not offered to those who may only read', async () => {
    const { orderId } = await planBars('Read only', ['Draft'])
    const auditor = await open('auditor', inCompany(`/orders/${orderId}`))
    await auditor.getByRole('heading', { name: 'Packs', exact: true }).waitFor()
    await auditor.getByText('No packs yet').waitFor()
    expect(await button(auditor, 'Issue pack').count()).toBe(0)
    const viewer = await open('viewer', inCompany(`/orders/${orderId}`))
    await viewer.getByRole('heading', { name: 'Dispatches' }).waitFor()
    expect(await viewer.getByRole('heading', { name: 'Packs', exact: true }).count()).toBe(0)
  })
}

/** Return a time as the browser's field for times takes it. */
function inField(at: Date): string {
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 19)
}

/** Let the page see runs with these members in place of their own. */
async function changeRuns(page: Page, members: () => object): Promise<void> {
  await page.route(/\/runs\//, async (route) => {
    const run = await send(
      'GET',
      route
        .request()
        .url()
        .replace(/^.*(?=\/runs\/)/, ''),
    )
    await route.fulfill({ json: { ...run, ...members() } })
  })
}
