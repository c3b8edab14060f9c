import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { verifyCompanyExport } from '../../examples/verify/verifyCompanyExport.ts'
import { openExport, trustedIn } from '../../examples/verify/verifyExport.ts'
import { expectAccessible } from '../support/accessible.ts'
import { saved } from './auditJourneys.ts'
import { button, expectRefusal, inCompany, open } from './visits.ts'
import { send } from './yard.ts'

/** Journeys of an admin who takes everything that the company has. */

export function exportTheCompany(): void {
  it('are begun, shown with their progress, downloaded and checked, and replaced by the next', async () => {
    const page = await open('admin', inCompany('/settings'))
    await page.getByText('No exports yet').waitFor()
    // The run takes as long as this journey looks at its progress.
    let isLooked = false
    await page.route(/\/runs\?/, async (route) => {
      if (isLooked) return route.continue()
      const runs: object[] = await send('GET', '/runs?kind=companyExport')
      const underWay = { status: 'running', progress: 0.4, result: null, availableUntil: null }
      return route.fulfill({ json: runs.map((run) => ({ ...run, ...underWay })) })
    })
    const beginOne = async () => {
      await button(page, 'Export everything').click()
      const question = page.getByRole('alertdialog', { name: 'Export everything that the company has?' })
      await question.getByRole('button', { name: 'Export everything' }).click()
      await question.waitFor({ state: 'detached' })
    }
    await beginOne()
    await page.getByRole('status').getByText('40 % done').waitFor()
    expect(await button(page, 'Export everything').count()).toBe(0)
    isLooked = true
    await page.getByText(/^Available until /).waitFor()
    await page.unrouteAll({ behavior: 'wait' })

    const zip = await saved(page, 'Download the export')
    await page.getByText('What it proves, and how to check it').click()
    const keys = await saved(page, 'Save the keys')
    await page.getByText(/^node verifyCompanyExport\.ts heatmark-.*\.zip --keys keys\.json$/).waitFor()
    await expectAccessible(page, 'an export of the company')
    const [{ result }] = await send('GET', '/runs?kind=companyExport')
    await page.getByText(result.sha256).waitFor()
    const verdict = await verifyCompanyExport(openExport(zip), trustedIn({ keys: [keys] }))
    expect(verdict).toMatchObject({ events: result.events, isKeyTrusted: true })
    expect(readFileSync(zip)).toHaveLength(result.bytes)

    await beginOne()
    const earlier = page.getByText('Earlier exports: 1')
    await earlier.click()
    await page.getByText('Replaced by a newer export').waitFor()
    expect(await page.getByText(/^Available until /).count()).toBe(1)
  })

  it('say why one has failed, which one was deleted, and why one cannot be downloaded', async () => {
    const [run] = await send('GET', '/runs?kind=companyExport')
    const page = await open('admin', inCompany('/settings'))
    const error = { code: 'documents-unavailable', detail: 'The document 4711 is lost.' }
    await page.route(/\/runs\?/, (route) =>
      route.fulfill({
        json: [
          { ...run, availableUntil: '2026-01-01T00:00:00.000Z' },
          {
            ...run,
            runId: crypto.randomUUID(),
            availableUntil: '2999-01-01T00:00:00.000Z',
            result: { ...run.result, exportId: crypto.randomUUID() },
          },
          { ...run, runId: crypto.randomUUID(), status: 'failed', result: null, availableUntil: null, error },
        ],
      }),
    )
    await page.getByRole('alert').getByText('The document 4711 is lost.').waitFor()
    await page.getByText('Earlier exports: 1').click()
    await page.getByText(/^Deleted on 1 Jan/).waitFor()
    // The other two have no file.
    await button(page, 'Download the export').click()
    await page.getByRole('alert').getByText('Not found', { exact: true }).waitFor()
    expectRefusal(404)
    expect(await button(page, 'Export everything').count()).toBe(1)
    await page.unrouteAll({ behavior: 'wait' })
  })

  it('are not offered to others', async () => {
    const page = await open('quality', inCompany('/settings'))
    await page.getByRole('heading', { name: 'Sessions at the saw' }).waitFor()
    expect(await page.getByRole('heading', { name: 'Company exports' }).count()).toBe(0)
  })
}
