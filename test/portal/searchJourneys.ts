import { it } from 'vitest'
import { inCompany, open } from './visits.ts'
import { planBars, registerHeat } from './yard.ts'

/** The way from what is printed on steel to its record, from any screen. */

export function searchEverywhere(): void {
  it('finds a heat by Ctrl+K, and where its steel is', async () => {
    const { heatNumber, certificateNumber, millCertificationId } = await registerHeat()
    await planBars('Found', ['Completed'], millCertificationId)
    const page = await open('viewer', inCompany('/orders'))
    const search = async () => {
      await page.keyboard.press('Control+k')
      await page.getByRole('searchbox', { name: 'What is printed' }).fill(heatNumber.toLowerCase())
    }
    await search()
    // As a scanner does, before the service has answered.
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: `${certificateNumber} · ${heatNumber}` }).waitFor()
    await search()
    await page.getByRole('link', { name: `Recall of ${heatNumber}` }).click()
    await page.getByText('Found · 1').first().waitFor()
  })
}
