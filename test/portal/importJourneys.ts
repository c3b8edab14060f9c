import { expect, it } from 'vitest'
import { expectAccessible } from '../support/accessible.ts'
import { button, inCompany, open, row } from './visits.ts'

/** Journeys of a person who imports a file. */

const table = `certificateNumber;heatNumber;grade;inspectionDocument;ReH/Rp0,2
IMP-1;I 1001;S355J2+N;3.1;412
IMP-2;I 1002;;3.1;
`

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
    await refused.getByText(/^grade:/).waitFor()
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

  it('is not offered to those who may not record', async () => {
    const page = await open('viewer', inCompany('/certificates'))
    await page.getByRole('table').waitFor()
    expect(await button(page, 'Import').count()).toBe(0)
  })
}
