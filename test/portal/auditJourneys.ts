import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Download, Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { expectAccessible } from '../support/accessible.ts'
import { newDataDir } from '../support/dataDir.ts'
import { escapeFrom } from './keyboard.ts'
import { button, chooseInRow, inCompany, open, row } from './visits.ts'
import { planBars, send } from './yard.ts'

/** Journeys of an auditor. */

export function readTheAuditTrail(): void {
  it('says who did what, and keeps its filters in the address', async () => {
    await send('POST', '/order-tags', { name: 'Seen by the auditor', color: '#123456', severity: 'Flag' })
    const page = await open('auditor', inCompany('/audit'))
    const entry = row(page, 'Tag "Seen by the auditor" was created with the severity Flag.')
    await entry.waitFor()
    await entry.getByText('Values').click()
    await entry.getByText('#123456').waitFor()
    const author = await entry.getByRole('cell').nth(1).innerText()
    await chooseInRow(page, 'Seen by the auditor', 'Only this record')
    expect(page.url()).toMatch(/subjectType=tag&subjectId=[0-9a-f-]{36}$/)
    await row(page, 'certificate').first().waitFor({ state: 'detached' })
    await page.reload()
    await entry.waitFor()
    await button(page, 'Clear filters').click()
    await page.getByLabel('Kind of record').selectOption('Certificate')
    await entry.waitFor({ state: 'detached' })
    await page.getByLabel('Who').selectOption({ label: 'Pablo Planner' })
    await row(page, 'was registered').first().waitFor()
    expect(author).not.toBe('Pablo Planner')
    await page.getByLabel('From').fill('2001-01-01')
    await page.getByLabel('To', { exact: true }).fill('2001-12-31')
    await page.getByText('Nothing matches').waitFor()
  })

  it('is saved as a table and as a signed export, and its checkpoint is told in words', async () => {
    const page = await open('auditor', inCompany('/audit?subjectType=order'))
    await page.getByText(/^The service has sealed the first [\d,]+ events of the company/).waitFor()
    await button(page, 'Copy checkpoint').click()
    await button(page, 'Copied').waitFor()
    const note = await page.evaluate<string>('navigator.clipboard.readText()')
    expect(note).toMatch(/^heatmark\/[^\n]+\n\d+\n[^\n]+\n\n— heatmark\//)
    await button(page, 'Export').click()
    await expectAccessible(page, 'the export')
    const table = readFileSync(await saved(page, 'Save table (CSV)'), 'utf8')
    expect(table.split('\r\n')[0]).toContain('message')
    expect(table).toContain('Order SO-2601 was registered')
    expect(table).not.toContain('MillCertificateRegistered')
    const zip = readFileSync(await saved(page, 'Save signed export (ZIP)'))
    expect(zip.subarray(0, 2).toString()).toBe('PK')
    await escapeFrom(page.getByRole('dialog'))
    await page.getByText(/, in the signed export that was downloaded last\.$/).waitFor()
    await planBars('After the anchor', ['Draft'])
    const { events, anchors } = await send('GET', '/history/log/anchors')
    const [covered, next, all] = [anchors[0].events, anchors[0].events + 1, events].map((one) =>
      one.toLocaleString('en-GB'),
    )
    await page.getByText(`Events 1 to ${covered} have been anchored since`).waitFor()
    await page.getByText(`Events ${next} to ${all} came after that and are not anchored yet.`).waitFor()
  })

  it('is not offered to those who may not read it', async () => {
    const page = await open('planner', inCompany('/audit'))
    await page.getByText('You have no permission').waitFor()
    expect(await page.getByRole('navigation').getByRole('link', { name: 'Audit' }).count()).toBe(0)
  })
}

/** Press a button that saves a file, and return the path of the file. */
export async function saved(page: Page, name: string | RegExp): Promise<string> {
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name }).click()
  const file = await download
  // The browser reads the file from the service, so no page has to hold it.
  expect(file.url()).toMatch(/^http.*\/portal\/download\/api\/company\//)
  return copyOf(file)
}

/** Copy a download to this process's temporary folder: the browser of another process has saved it. */
export async function copyOf(file: Download): Promise<string> {
  const path = join(newDataDir(), file.suggestedFilename())
  await file.saveAs(path)
  return path
}
