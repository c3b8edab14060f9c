import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { pdfOf } from '../imports/pdfFile.ts'
import { expectAccessible } from '../support/accessible.ts'
import { copyOf } from './auditJourneys.ts'
import { button, expectRefusal, inCompany, open } from './visits.ts'
import { send } from './yard.ts'

/** Journeys with the files of certificates. */

export function readOriginals(): void {
  it('shows the pages of the original beside the values, and saves the file as it is', async () => {
    const page = await open('viewer', inCompany('/certificates?search=AB-2026-00417'))
    await page.getByRole('link', { name: 'AB-2026-00417' }).click()
    const frame = page.getByRole('region', { name: 'AB-2026-00417.pdf' })
    const first = frame.getByRole('img', { name: /^Page 1 of \d+$/ })
    await frame.locator('canvas[data-drawn]').first().waitFor()
    // The text of the page is there for screen readers.
    await frame.getByText(/AB-2026-00417/).waitFor({ state: 'attached' })
    await first.waitFor()
    expect(await page.evaluate(isInked)).toBe(true)
    await expectAccessible(page, 'a certificate with its original')
    const download = page.waitForEvent('download')
    await page
      .getByRole('listitem')
      .filter({ hasText: '.pdf' })
      .getByRole('button', { name: 'Download' })
      .click()
    const file = await download
    expect(file.suggestedFilename()).toBe('AB-2026-00417.pdf')
    const bytes = readFileSync(await copyOf(file))
    expect(bytes.subarray(0, 5).toString()).toBe('%PDF-')
    expect(await button(page, 'Detach').count()).toBe(0)
    expect(await button(page, 'Choose file').count()).toBe(0)
  })

  it('attaches a file that is dropped or chosen, refuses another kind, and detaches it', async () => {
    const { millCertificationId } = await send('POST', '/millcert/certificates', {
      certificateNumber: 'DOC-1',
      heatNumber: 'D 1',
      grade: 'S235JR',
      inspectionDocument: '3.1',
    })
    const page = await open('planner', inCompany(`/certificates/${millCertificationId}`))
    await page.getByText('No documents yet').waitFor()
    const chosen = { name: 'page.png', mimeType: 'image/png', buffer: onePixel }
    await page.locator('input[type=file]').setInputFiles(chosen)
    await page.getByRole('img', { name: 'page.png' }).waitFor()
    await page.getByText('The document "page.png"').first().waitFor()
    await page
      .locator('input[type=file]')
      .setInputFiles({ ...chosen, name: 'page.pdf', mimeType: 'application/pdf' })
    await page.locator('.formError').waitFor()
    const folder = mkdtempSync(join(tmpdir(), 'heatmark-drop-'))
    const large = join(folder, 'large.pdf')
    writeFileSync(large, Buffer.alloc(26 * 1_048_576))
    await dropFile(page, large)
    await page.getByText('“large.pdf” was not accepted: it is larger than 25 MiB.').waitFor()
    await button(page, 'Detach').click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Detach' }).click()
    await page.getByText('No documents yet').waitFor()
    const dropped = join(folder, 'dropped.png')
    writeFileSync(dropped, Buffer.concat([onePixel, Buffer.from('another')]))
    await dropFile(page, dropped)
    await page.getByRole('img', { name: 'dropped.png' }).waitFor()
    rmSync(folder, { recursive: true })
    expectRefusal(415)
  })

  it('draws a PDF with very many and very high pages within bounds, and says so', async () => {
    const { millCertificationId } = await send('POST', '/millcert/certificates', {
      certificateNumber: 'DOC-2',
      heatNumber: 'D 2',
      grade: 'S235JR',
      inspectionDocument: '3.1',
    })
    const page = await open('planner', inCompany(`/certificates/${millCertificationId}`))
    await page.getByText('No documents yet').waitFor()
    const chosen = { name: 'vast.pdf', mimeType: 'application/pdf', buffer: vastPdf }
    await page.locator('input[type=file]').setInputFiles(chosen)
    const drawn = page.locator('canvas[data-drawn]').first()
    await drawn.waitFor()
    await page.getByText('The first 500 of 501 pages are shown.').waitFor({ state: 'attached' })
    expect(await page.locator('canvas').count()).toBe(500)
    expect(await page.evaluate(pixels)).toBeLessThanOrEqual(16_000_000)
  })
}

/** A page of one point by five metres, 501 times. */
const vastPdf = Buffer.from(
  pdfOf(Array(501).fill([])).toString('latin1').replaceAll('[0 0 595 842]', '[0 0 1 14400]'),
  'latin1',
)

const pixels = `(() => {
  const { width, height } = document.querySelector('canvas[data-drawn]')
  return width * height
})()`

/** Whether the first page is more than a white sheet. */
const isInked = `(() => {
  const canvas = document.querySelector('canvas')
  const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height)
  return data.some((value) => value < 128)
})()`

const onePixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

/** Drop a file on the place, as a file manager does. The browser reads it from the disk. */
async function dropFile(page: Page, path: string): Promise<void> {
  await page.locator('.fileDrop').scrollIntoViewIfNeeded()
  const place = (await page.locator('.fileDrop').boundingBox())!
  const browser = await page.context().newCDPSession(page)
  const at = { x: place.x + 8, y: place.y + 8, data: { items: [], files: [path], dragOperationsMask: 1 } }
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await browser.send('Input.dispatchDragEvent', { type, ...at })
  await browser.detach()
}
