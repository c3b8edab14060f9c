import { expect, it } from 'vitest'
import { enterAt, tabTo, untilFocused } from './keyboard.ts'
import { inCompany, load } from './visits.ts'

/** One path through several screens by keyboard alone. */

export function walkByKeyboard(): void {
  it('imports a certificate and corrects it, and exports the company', async () => {
    const page = await load('admin', inCompany('/certificates'))
    const { keyboard } = page
    const main = page.getByRole('main')
    await enterAt(page.getByRole('link', { name: 'Skip to content' }))
    await untilFocused(main)

    await enterAt(main.getByRole('button', { name: 'Import' }))
    const panel = page.getByRole('dialog', { name: 'Import certificates' })
    const asked = page.waitForEvent('filechooser')
    await enterAt(panel.getByRole('button', { name: 'Choose file' }))
    const table = 'certificateNumber;heatNumber;grade;inspectionDocument\nKEYS-1;K 1;S235JO;2.1\n'
    await (await asked).setFiles({ name: 'keys.csv', mimeType: 'text/csv', buffer: Buffer.from(table) })
    await enterAt(panel.getByText('Values', { exact: true }))
    await enterAt(panel.getByRole('button', { name: 'Correct Grade' }))
    await untilFocused(panel.getByLabel('Grade', { exact: true }))
    await keyboard.press('Control+A')
    await keyboard.type('S235JR')
    await enterAt(panel.getByRole('button', { name: 'Import', exact: true }))
    await enterAt(panel.getByRole('link', { name: 'Show the record' }))
    await page.getByRole('heading', { level: 1, name: 'KEYS-1 · K 1' }).waitFor()
    await main.getByText('S235JR', { exact: true }).first().waitFor()

    await tabTo(page.getByRole('navigation').getByRole('link', { name: 'Settings' }), 'Shift+Tab')
    await keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor()
    const begin = main.getByRole('button', { name: 'Export everything' })
    await begin.press('Enter')
    const question = page.getByRole('alertdialog')
    await enterAt(question.getByRole('button', { name: 'Export everything' }))
    await question.waitFor({ state: 'detached' })
    const save = main.getByRole('button', { name: 'Download the export' })
    await save.waitFor()
    const download = page.waitForEvent('download')
    await save.press('Enter')
    expect((await download).suggestedFilename()).toMatch(/^heatmark-.*\.zip$/)
    await page.close()
  })
}
