import { expect, it } from 'vitest'
import { pdfOf } from '../imports/pdfFile.ts'
import { expectAccessible } from '../support/accessible.ts'
import { enterAt, untilFocused } from './keyboard.ts'
import { button, expectRefusal, inCompany, open, row } from './visits.ts'
import { send } from './yard.ts'

/** Journeys of a person who imports a file. */

const table = `certificateNumber;heatNumber;grade;inspectionDocument;ReH/Rp0,2
IMP-1;I 1001;S355J2+N;3.1;412
IMP-2;I 1002;;3.1;
`

/** Without a heat, and with a thickness and a result for manganese that are no numbers. */
const digital = {
  RefSchemaUrl: 'https://example.test/en10168-schemas/v0.5.0/schema.json',
  Certificate: {
    CommercialTransaction: { A02: '3.1', A03: 'IMP-9' },
    ProductDescription: {
      B02: { SteelDesignation: ['S355J2+N'] },
      B09: { Thickness: 'about 1', Unit: 'mm' },
    },
    Inspection: {
      ChemicalComposition: { C71: { Symbol: 'Mn', Actual: { Value: 'below 1.60' }, Unit: '%' } },
    },
  },
}

export function importFiles(): void {
  it('shows the proposal with its faults and open values, and records what is confirmed', async () => {
    const page = await open('planner', inCompany('/certificates?search=IMP-'))
    await page.getByText('Nothing matches').waitFor()
    await button(page, 'Import').click()
    const panel = page.getByRole('dialog', { name: 'Import certificates' })
    const file = {
      name: 'certificates.csv',
      mimeType: 'application/vnd.ms-excel',
      buffer: Buffer.from(table),
    }
    await panel.locator('input[type=file]').setInputFiles(file)
    await panel.getByText('“certificates.csv”: 1 of 2 records will be recorded.').waitFor()
    const refused = panel
      .getByRole('listitem')
      .filter({ has: page.getByRole('heading', { name: 'Record 2' }) })
    await refused.getByText('Refused').waitFor()
    await refused.getByText('Grade: Enter a value.').waitFor()
    const first = panel.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'Record 1' }) })
    const open1 = first.getByRole('combobox')
    expect(await open1.count()).toBeGreaterThan(0)
    await open1.first().selectOption({ index: 1 })
    await expectAccessible(page, 'the proposal of an import')
    await panel.getByRole('button', { name: 'Import', exact: true }).click()
    await panel.getByText('New: 1, changed: 0, as recorded before: 0.').waitFor()
    await panel.getByText('Not recorded: 1').waitFor()
    await panel.getByRole('button', { name: 'Done' }).click()
    await row(page, 'IMP-1').waitFor()
    expect(await row(page, 'IMP-2').count()).toBe(0)
  })

  it('keeps what is typed for an open value, decimals and spaces too', async () => {
    const page = await open('planner', inCompany('/certificates?search=IMP-'))
    await button(page, 'Import').click()
    const panel = page.getByRole('dialog', { name: 'Import certificates' })
    await panel.locator('input[type=file]').setInputFiles({
      name: 'digital.json',
      mimeType: 'application/json',
      buffer: Buffer.from(JSON.stringify(digital)),
    })
    const heat = panel.getByLabel('Heat', { exact: true })
    await heat.pressSequentially('H 90 01')
    const manganese = panel.getByLabel('Mn', { exact: true })
    await manganese.pressSequentially('1,52')
    expect([await heat.inputValue(), await manganese.inputValue()]).toEqual(['H 90 01', '1,52'])
    await panel.getByLabel('Thickness', { exact: true }).pressSequentially('1,234')
    const meant = panel.getByLabel('“1,234” can be read in two ways. Which number is it?')
    await meant.selectOption('1.234')
    await expectAccessible(page, 'a number that can be read in two ways')
    await panel.getByRole('button', { name: 'Import', exact: true }).click()
    await panel.getByText('New: 1, changed: 0, as recorded before: 0.').waitFor()
    await panel.getByRole('link', { name: 'Show the record' }).click()
    await page.getByRole('heading', { level: 1, name: 'IMP-9 · H 90 01' }).waitFor()
    await page.getByText('1.52', { exact: true }).first().waitFor()
    await page.getByText('1.234 mm').first().waitFor()
  })

  it('of a PDF frames what was read, and attaches the original after a failure', async () => {
    const page = await open('planner', inCompany('/certificates?search=PDF-1'))
    await page.getByText('Nothing matches').waitFor()
    await button(page, 'Import').click()
    const panel = page.getByRole('dialog', { name: 'Import certificates' })
    const buffer = pdfOf([
      [
        ...['Zeugnis-Nr.', 'Schmelze', 'Werkstoff'].map((text, line) => ({
          text,
          x: 40,
          y: 800 - 16 * line,
        })),
        ...['PDF-1', 'H 175508', 'S355J2, S355J2H'].map((text, line) => ({
          text,
          x: 200,
          y: 800 - 16 * line,
        })),
        // A comma is missing in the carbon.
        ...['C', 'Si', 'Mn', '15', '0,20', '1,20'].map((text, place) => ({
          text,
          x: 40 + 40 * (place % 3),
          y: place < 3 ? 700 : 688,
        })),
      ],
    ])
    await panel
      .locator('input[type=file]')
      .setInputFiles({ name: 'mill.pdf', mimeType: 'application/pdf', buffer })
    await panel.getByText(/0 of 1 record will be recorded\. Open values: 3/).waitFor()
    await panel.getByText('Record 1: Grade, Document, C').waitFor()
    await panel.getByText(/^Not found: .*Manufacturer.*, Standard/).waitFor()
    await panel.getByRole('img', { name: 'Picture of C' }).waitFor()
    await panel.locator('canvas.clip[data-drawn]').first().waitFor()
    await panel.getByRole('region', { name: 'mill.pdf' }).scrollIntoViewIfNeeded()
    await panel.getByRole('region', { name: 'mill.pdf' }).locator('canvas[data-drawn]').waitFor()
    const mark = panel.locator('.pageMark').first()
    await mark.hover()
    await mark.getByText('Certificate: PDF-1').waitFor()
    await panel.getByRole('img', { name: 'Picture of C' }).hover()
    await panel.locator('.pageMark.pointed').getByText('C: 15').waitFor()
    await panel.getByLabel('Grade', { exact: true }).selectOption('S355J2H')
    await panel.getByLabel('Document').fill('3.1')
    await panel.getByRole('button', { name: 'Correct C', exact: true }).click()
    await panel.getByLabel('C', { exact: true }).fill('0.15')
    await panel.getByText(/1 of 1 record will be recorded/).waitFor()
    await panel.getByText('Values', { exact: true }).click()
    const heat = panel.getByRole('listitem').filter({ hasText: /^Heat/ })
    await enterAt(heat.getByRole('button', { name: 'Correct Heat' }))
    await heat.getByLabel('Heat', { exact: true }).fill('H 175503')
    await heat.getByText('Read: “H 175508” (page 1). An empty field is left out.').waitFor()
    await panel.getByText('Corrected by you: 1').waitFor()
    const number = panel.getByRole('listitem').filter({ hasText: /^Certificate/ })
    await number.getByRole('button', { name: 'Correct Certificate' }).click()
    await number.getByLabel('Certificate', { exact: true }).fill('PDF-2')
    await panel.getByText('Corrected by you: 2').waitFor()
    await number.getByRole('button', { name: 'Undo correction: Certificate' }).press('Enter')
    await number.getByText('PDF-1').waitFor()
    await untilFocused(number.getByRole('button', { name: 'Correct Certificate' }))
    await expectAccessible(page, 'the proposal of a PDF')

    // The first answer tells of a failure that the service did not have.
    const failure = { status: 503, code: 'documents-unavailable', detail: 'The store of documents is away.' }
    await page.route(
      /\/confirm$/,
      async (route) => {
        // The service takes the session's cookie from its own pages alone.
        const headers = { ...(await route.request().allHeaders()), 'sec-fetch-site': 'same-origin' }
        const response = await route.fetch({ headers })
        const { rows, ...rest } = await response.json()
        const [{ original, ...row }] = rows
        await route.fulfill({
          response,
          json: { ...rest, rows: [{ ...row, original: { ...original, ...failure } }] },
        })
      },
      { times: 1 },
    )
    await panel.getByRole('button', { name: 'Import', exact: true }).click()
    const alert = panel.getByRole('alert')
    await alert.getByText('The store of documents is away.').waitFor()
    await expectAccessible(page, 'an import without its original')
    await panel.getByRole('button', { name: 'Attach the PDF again' }).click()
    await panel.getByText('The PDF is attached as the original.').waitFor()
    await panel.getByRole('button', { name: 'Done' }).click()
    await row(page, 'PDF-1').getByText('S355J2H').last().waitFor()
    await row(page, 'PDF-1').getByText('H 175503').waitFor()
  })

  it('that somebody else has overtaken is read again, and keeps what was decided', async () => {
    const page = await open('planner', inCompany('/certificates'))
    await button(page, 'Import').click()
    const panel = page.getByRole('dialog', { name: 'Import certificates' })
    const lines = 'certificateNumber;heatNumber;grade;inspectionDocument\nIMP-7;I 1007;S355J2;3.1\n'
    await panel.locator('input[type=file]').setInputFiles({
      name: 'overtaken.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(lines),
    })
    await panel.getByText('New', { exact: true }).waitFor()
    const [values, grade] = [
      panel.getByText('Values', { exact: true }),
      panel.getByLabel('Grade', { exact: true }),
    ]
    await values.click()
    await panel.getByRole('button', { name: 'Correct Grade' }).click()
    await grade.fill('S355J2+N')
    await send('POST', '/millcert/certificates', {
      certificateNumber: 'IMP-7',
      heatNumber: 'I 1007',
      grade: 'S235JR',
      inspectionDocument: '3.1',
    })
    await panel.getByRole('button', { name: 'Import', exact: true }).click()
    await panel.getByRole('alert').waitFor()
    expectRefusal(409)
    await panel.getByRole('button', { name: 'Read the file again' }).click()
    await panel.getByText('Changed', { exact: true }).waitFor()
    await values.click()
    expect(await grade.inputValue()).toBe('S355J2+N')
    await panel.getByRole('button', { name: 'Import', exact: true }).click()
    await panel.getByText('New: 0, changed: 1, as recorded before: 0.').waitFor()
    await panel.getByRole('button', { name: 'Done' }).click()
    await row(page, 'IMP-7').getByText('S355J2+N').last().waitFor()
  })

  it('is not offered to those who may not record', async () => {
    const page = await open('viewer', inCompany('/certificates'))
    await page.getByRole('table').waitFor()
    expect(await button(page, 'Import').count()).toBe(0)
  })
}
