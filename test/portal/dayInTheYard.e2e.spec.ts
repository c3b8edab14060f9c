import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { unzipSync } from 'fflate'
import type { Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { readExamples } from '../../src/cli/demo/examples.ts'
import { originalPdf } from '../../src/cli/demo/originalPdf.ts'
import { hasChromium } from '../support/chromium.ts'
import { newDataDir, removeDataDir } from '../support/dataDir.ts'
import { runHeatmark } from '../support/heatmark.ts'
import { until } from '../support/until.ts'
import { saved } from './auditJourneys.ts'
import { scannedCertificate } from './scannedCertificate.ts'
import { scan } from './tablet.ts'
import { button, expectRefusal, goTo, inCompany, newContext, open, row, service } from './visits.ts'

/**
 * A day in the yard, from the import of certificates to the pack of a dispatched order. People do everything in the
 * portal: nothing here calls the API. Each step goes on from the one before.
 */

const folder = newDataDir()
afterAll(() => removeDataDir(folder))

/** The heat of the mill's original. */
const original = readExamples().certificates.find(
  ({ certificateNumber }) => certificateNumber === 'AB-2026-00417',
)!
const heat = original.heatNumber

const certificates = `Zeugnis-Nr.;Schmelze;Güte;Prüfbescheinigung;Norm
TR-1001;T 1001;S235JR;3.1;EN 10025-2
TR-1002;T 1002;S355J2+AR;2.2;EN 10025-2
`
const orders = `Order;Customer;EXC;Inspection document;Line;Grade;Length;Quantity
SO-7001;Kessenbrook Hallenbau;2;3.1;10;S355J2;2400;4
`
/** A certificate on paper, which does not say its heat. */
const onPaper = {
  Manufacturer: 'Ostwerk',
  'Certificate No.': 'TR-1003',
  Standard: 'EN 10025-2',
  Grade: 'S355J2+N',
  Thickness: '20 mm',
}
const plans = `Plan;Bar;Stock length;Grade;Certificate;Heat;Order;Line;Length;Quantity;Status
Week 48;1;6000;S355J2+AR;${original.certificateNumber};${heat};SO-7001;10;2400;2;Accepted
Week 48;2;6000;S355J2+AR;TR-1002;T 1002;SO-7001;10;2400;1;Accepted
Week 48;3;6000;S355J2+AR;TR-1001;T 1001;SO-7001;10;2400;1;Accepted
`

describe.skipIf(!hasChromium)('a day in the yard', () => {
  let pdf: Buffer
  let scanned: Buffer
  /** A moment between the work of the morning and the Block of the afternoon. */
  let noon: Date
  /** The path of the order in the portal. */
  let orderPath: string
  let tablet: Page
  let isOver = false
  beforeEach(({ skip }) => skip(isOver, 'An earlier step has failed.'))
  afterEach(({ task }) => {
    isOver ||= task.result?.state === 'fail'
  })
  beforeAll(async () => {
    if (!hasChromium) return
    pdf = await originalPdf(original)
    scanned = await scannedCertificate(onPaper)
    const context = await newContext('en-GB', 'cutter')
    tablet = await context.newPage()
    await tablet.setViewportSize({ width: 820, height: 1180 })
  })

  it('the planner imports the certificates, and the original shows beside its values', async () => {
    const page = await open('planner', inCompany('/certificates'))
    const panel = await propose(page, { name: '417.pdf', mimeType: 'application/pdf', buffer: pdf })
    await panel.getByText('“417.pdf”: 1 of 1 record will be recorded.').waitFor()
    await panel.getByText('Values', { exact: true }).click()
    await panel
      .getByRole('listitem')
      .filter({ hasText: /^Heat: / })
      .getByText('(page 1)')
      .waitFor()
    await panel.getByRole('button', { name: 'Import', exact: true }).click()
    await panel.getByRole('link', { name: 'Show the record' }).click()
    await page.getByRole('heading', { level: 1, name: `${original.certificateNumber} · ${heat}` }).waitFor()
    await page.locator('header').getByText('No Block', { exact: true }).waitFor()
    await page.getByRole('region', { name: '.pdf' }).locator('canvas[data-drawn]').first().waitFor()
    await goTo(page, inCompany('/certificates'))
    await importTable(page, certificates, 'New: 2')
    for (const name of ['TR-1001', 'TR-1002']) await row(page, name).waitFor()
  })

  it('the planner imports an order and a plan, and the board says which bar may be cut', async () => {
    const page = await open('planner', inCompany('/orders'))
    await importTable(page, orders, 'New: 1')
    await page.getByRole('link', { name: 'SO-7001' }).click()
    await page.getByRole('heading', { level: 1, name: 'SO-7001' }).waitFor()
    orderPath = new URL(page.url()).pathname.replace('/portal', '')
    await goTo(page, inCompany('/bars?view=cards'))
    await importTable(page, plans, 'New: 1')
    await cardOf(page, 'Week 48 · 1').getByText('May be cut', { exact: true }).waitFor()
    const held = cardOf(page, 'Week 48 · 2')
    await held.getByText('May not be cut', { exact: true }).waitFor()
    await held.getByText(/^Findings/).click()
    await held.getByText(/3\.1/).first().waitFor()
    await cardOf(page, 'Week 48 · 3').getByText('May not be cut', { exact: true }).waitFor()
  })

  it('quality corrects a grade that was typed wrong, and the bar may be cut', async () => {
    const page = await open('quality', inCompany('/certificates'))
    await openCertificate(page, 'TR-1001')
    await button(page, 'Correct').click()
    await page.getByLabel('Grade').fill('S355J2+AR')
    await button(page, 'Save').click()
    await page.getByRole('definition').getByText('S355J2+AR').waitFor()
    const planner = await open('planner', inCompany('/bars?view=cards'))
    await cardOf(planner, 'Week 48 · 3').getByText('May be cut', { exact: true }).waitFor()
  })

  it('goods-in reads a scan, types the heat that it does not say, and releases the certificate', async () => {
    const page = await open('quality', inCompany('/certificates'))
    const panel = await propose(page, { name: 'scan.png', mimeType: 'image/png', buffer: scanned })
    await panel.getByText('Record 1: Heat').waitFor()
    await panel.getByLabel('Heat', { exact: true }).fill('T 1003')
    await panel.getByText('“scan.png”: 1 of 1 record will be recorded.').waitFor()
    await panel.getByRole('button', { name: 'Import', exact: true }).click()
    await panel.getByRole('link', { name: 'Show the record' }).click()
    await page.getByRole('heading', { level: 1, name: 'TR-1003 · T 1003' }).waitFor()
    await page.getByRole('img').first().waitFor()
    await button(page, 'Release').click()
    await page
      .getByRole('dialog')
      .or(page.getByRole('alertdialog'))
      .getByRole('button', { name: 'Release' })
      .click()
    await page.locator('header').getByText('Released', { exact: true }).waitFor()
  })

  it('the editor tags a certificate, and quality releases all three', async () => {
    const editor = await open('editor', inCompany('/tags/millcert'))
    await newTag(editor, "Customer's material", 'Flag')
    await openCertificate(editor, 'TR-1001')
    await setTag(editor, "Customer's material")
    const quality = await open('quality', inCompany('/certificates'))
    await quality.getByRole('checkbox', { name: 'Select TR-1001' }).check()
    await button(quality, 'Select all 3').click()
    await button(quality, 'Release').click()
    await quality.getByRole('alertdialog').getByRole('button', { name: 'Release' }).click()
    for (const name of ['TR-1001', 'TR-1002', '00417'])
      await row(quality, name).getByText('Released').waitFor()
  })

  it('the planner is refused an approval, sets another heat, and approves the whole plan', async () => {
    const page = await open('planner', inCompany('/bars?view=cards'))
    const held = cardOf(page, 'Week 48 · 2')
    await held.getByRole('button', { name: 'Approve' }).click()
    const refusal = page.getByRole('alertdialog', { name: '“Approve” was refused' })
    await refusal.getByRole('alert').getByText('The bar may not be cut').waitFor()
    await refusal.getByRole('button', { name: 'Understood' }).click()
    await held.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Set heat' }).click()
    const panel = page.getByRole('dialog')
    expect(await panel.getByRole('radio', { name: 'Heat T 1002' }).count()).toBe(0)
    await panel.getByRole('radio', { name: `Heat ${heat}` }).check()
    await panel.getByRole('button', { name: 'Set heat' }).click()
    await held.getByText('May be cut', { exact: true }).waitFor()
    await goTo(page, inCompany('/bars'))
    await page.getByRole('rowheader', { name: 'Week 48' }).getByRole('link').click()
    await button(page, 'Approve all that may be cut').click()
    await panel.getByRole('checkbox', { name: 'To be looked at: 1' }).check()
    await panel.getByRole('button', { name: 'Approve 3' }).click()
    await panel.waitFor({ state: 'detached' })
    await expect.poll(() => page.getByRole('row').getByText('Approved', { exact: true }).count()).toBe(3)
    expectRefusal(409)
  })

  it('the cutter scans, starts and completes, and takes back a tap made by mistake', async () => {
    await tablet.goto(`${service.url}/portal${inCompany('/saw')}`)
    await tablet.getByRole('button', { name: 'Week 48 · 3' }).waitFor()
    await scan(tablet, heat)
    await tablet.getByRole('button', { name: 'Week 48 · 1' }).click()
    await tablet.locator('.sawBanner').getByText('May be cut').waitFor()
    await button(tablet, 'Start').click()
    await button(tablet, 'Complete').click()
    await button(tablet, 'Take back').click()
    await tablet.locator('.sawBar').getByText('Started').waitFor()
    await button(tablet, 'Complete').click()
    await tablet.locator('.sawBanner').getByText('Nothing to cut').waitFor()
    await tablet.getByText('Not sent yet').waitFor({ state: 'detached' })
    const seconds = Math.ceil(Date.now() / 1_000)
    noon = new Date(seconds * 1_000)
    await until(() => Date.now() > noon.getTime())
  })

  it('quality blocks a heat, its approval falls, and the overview shows it', async () => {
    const page = await open('quality', inCompany('/tags/millcert'))
    await newTag(page, 'Surface to be inspected', 'Block')
    await openCertificate(page, 'TR-1001')
    await setTag(page, 'Surface to be inspected')
    await page.locator('header').getByText('Blocks', { exact: true }).waitFor()
    const planner = await open('planner', inCompany(''))
    const fallen = planner
      .locator('section')
      .filter({ has: planner.getByRole('heading', { name: /^Approvals withdrawn/ }) })
    await fallen.getByText('has the tag "Surface to be inspected"').waitFor()
    await fallen.getByRole('link', { name: 'Week 48 · 3' }).click()
    await cardOf(planner, 'Week 48 · 3').getByText('Approval withdrawn').waitFor()
  })

  it('quality decides with a reason that the bar may be cut all the same', async () => {
    const page = await open('quality', inCompany('/bars?view=cards'))
    const card = cardOf(page, 'Week 48 · 3')
    await card.getByText(/^Findings/).click()
    await card.getByRole('button', { name: 'Override' }).click()
    const panel = page.getByRole('dialog')
    for (const choice of await panel.getByRole('checkbox').all()) await choice.check()
    await panel.getByRole('textbox', { name: 'Reason' }).fill('Inspected, report 4711.')
    await panel.getByRole('button', { name: 'Override' }).click()
    await panel.waitFor({ state: 'detached' })
    await card.getByRole('button', { name: 'Approve' }).click()
    await columnOf(page, 'Approved').getByText('Week 48 · 3').waitFor()
  })

  it('the cutter cuts the other bars, and the planner dispatches the pieces by two trucks', async () => {
    for (const bar of [2, 3]) {
      await tablet.getByRole('button', { name: `Next: Week 48 · ${bar}` }).click()
      await button(tablet, 'Start').click()
      await button(tablet, 'Complete').click()
      await tablet.locator('.sawBanner').getByText('Nothing to cut').waitFor()
    }
    await tablet.getByText('Not sent yet').waitFor({ state: 'detached' })
    const page = await open('planner', orderPath)
    await page.locator('header').getByText('Cleared', { exact: true }).waitFor()
    const panel = page.getByRole('dialog')
    const dispatch = async (reference: string, choose: () => Promise<void>) => {
      await button(page, 'Dispatch pieces').click()
      await panel.getByLabel('Reference').fill(reference)
      await choose()
      await panel.getByRole('button', { name: 'Dispatch', exact: true }).click()
      await panel.waitFor({ state: 'detached' })
      await page.getByText(reference, { exact: true }).waitFor()
    }
    await dispatch('DN 7001', async () => {
      const equal = panel.getByText(/^2,400 mm · Week 48 · 1 · Piece [12] · Heat /)
      expect(new Set(await equal.allInnerTexts()).size).toBe(2)
      await panel.getByLabel('Pieces (of 4)').fill('1')
    })
    await dispatch('DN 7002', () => button(page, 'Select all 3').click())
  })

  it('the planner issues the pack, which verifies packed and unpacked', async () => {
    const page = await open('planner', orderPath)
    await button(page, 'Issue pack').click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Issue pack' }).click()
    const zip = await saved(page, /^Download the pack of/)
    const files = unzipSync(readFileSync(zip))
    for (const [name, bytes] of Object.entries(files).filter(([name]) => !name.endsWith('/'))) {
      const path = join(folder, 'pack', name)
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, bytes)
    }
    const originals = Object.entries(files).filter(([name]) => name.startsWith('certificates/'))
    expect(originals.some(([, bytes]) => Buffer.from(bytes).equals(pdf))).toBe(true)
    for (const place of [zip, join(folder, 'pack')]) {
      const { code, stdout, stderr } = await runHeatmark(['audit', 'verify', place])
      expect(stdout + stderr).toContain('SO-7001')
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    }
  })

  it('the auditor reads the day, and sees the yard as it was at noon', async () => {
    const page = await open('auditor', inCompany('/audit'))
    await row(page, 'Pack').first().waitFor()
    for (const told of [
      'DN 7001',
      'DN 7002',
      'Inspected, report 4711.',
      'Surface to be inspected',
      'Tapped by mistake',
    ])
      await row(page, told).first().waitFor()
    await goTo(page, inCompany('/bars?view=cards'))
    await columnOf(page, 'Completed').getByText('Week 48 · 3').waitFor()
    await button(page, 'Show an earlier state').click()
    await page.getByLabel('Date and time').fill(localTime(noon))
    await button(page, 'Show').click()
    await page.getByText('You see everything as it was then.').waitFor()
    await columnOf(page, 'Approved').getByText('Week 48 · 3').waitFor()
    await columnOf(page, 'Completed').getByText('Week 48 · 1').waitFor()
    expect(await page.getByText('Surface to be inspected').count()).toBe(0)
    await button(page, 'Back to now').click()
    await columnOf(page, 'Completed').getByText('Week 48 · 3').waitFor()
    await tablet.context().close()
  })
})

interface Given {
  readonly name: string
  readonly mimeType: string
  readonly buffer: Buffer
}

/** Choose a file for the import of the list, and return the panel with the proposal. */
async function propose(page: Page, file: Given): Promise<Locator> {
  await button(page, 'Import').click()
  const panel = page.getByRole('dialog')
  await panel.locator('input[type=file]').setInputFiles(file)
  return panel
}

async function confirm(panel: Locator, outcome: string): Promise<void> {
  await panel.getByRole('button', { name: 'Import', exact: true }).click()
  await panel.getByText(outcome).waitFor()
  await panel.getByRole('button', { name: 'Done' }).click()
  await panel.waitFor({ state: 'detached' })
}

async function importTable(page: Page, table: string, outcome: string): Promise<void> {
  const file = { name: 'table.csv', mimeType: 'text/csv', buffer: Buffer.from(table) }
  await confirm(await propose(page, file), outcome)
}

async function newTag(page: Page, name: string, severity: string): Promise<void> {
  await button(page, 'New tag').click()
  await page.getByLabel('Name').fill(name)
  await page.getByLabel('Severity').selectOption(severity)
  await button(page, 'Save').click()
  await row(page, name).waitFor()
}

async function openCertificate(page: Page, number: string): Promise<void> {
  await goTo(page, inCompany('/certificates'))
  await page.getByRole('link', { name: number }).click()
}

async function setTag(page: Page, name: string): Promise<void> {
  await button(page, 'Set tags').click()
  await page.getByRole('checkbox', { name }).check()
  await button(page, 'Save').click()
  await page.getByRole('listitem').filter({ hasText: name }).getByText('by hand', { exact: true }).waitFor()
}

const cardOf = (page: Page, name: string) =>
  page.getByRole('listitem').filter({ has: page.getByRole('heading', { level: 3, name, exact: true }) })

const columnOf = (page: Page, name: string) =>
  page.locator('section').filter({ has: page.getByRole('heading', { level: 2, name }) })

/** Return a time as a field for date and time takes it. */
function localTime(at: Date): string {
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 19)
}
