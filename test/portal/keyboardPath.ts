import { expect, it } from 'vitest'
import { rested } from './finger.ts'
import { enterAt, tabTo, untilFocused } from './keyboard.ts'
import { expectRefusal, inCompany, load } from './visits.ts'
import { planBars } from './yard.ts'

/** One path through several screens by keyboard alone. */

export function walkByKeyboard(): void {
  it('imports a certificate and corrects it, exports the company, and overrides a finding', async () => {
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
    const millCertificationId = new URL(page.url()).pathname.split('/').at(-1)!

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

    const { barIds } = await planBars('Path by keys', ['Draft'], millCertificationId)
    await page.goto(page.url().replace(/\/settings$/, `/bars/${barIds[0]}`))
    const card = page.getByRole('listitem').filter({ has: page.locator(`h3 a[href$="/bars/${barIds[0]}"]`) })
    await rested(card.getByRole('button', { name: 'Approve' })).press('Enter')
    await enterAt(page.getByRole('alertdialog').getByRole('button', { name: 'Override' }))
    const override = page.getByRole('dialog')
    await override.getByRole('checkbox').first().waitFor()
    for (const choice of await override.getByRole('checkbox').all()) {
      await tabTo(choice)
      await keyboard.press('Space')
    }
    await tabTo(override.getByRole('textbox', { name: 'Reason' }))
    await keyboard.type('Tested again, report 4713.')
    await enterAt(override.getByRole('button', { name: 'Override' }))
    await override.waitFor({ state: 'detached' })
    await card.getByText('May be cut').waitFor()
    expectRefusal(409)
    await page.close()
  })
}
