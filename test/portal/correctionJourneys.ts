import { expect, it } from 'vitest'
import { button, inCompany, open } from './visits.ts'
import { registerHeat } from './yard.ts'

/** People correct what a certificate or an order states, and take it back. */

export function correctRecords(): void {
  it('corrects a value of a certificate, and takes it back within ten seconds', async () => {
    const { millCertificationId } = await registerHeat()
    const page = await open('quality', inCompany(`/certificates/${millCertificationId}`))
    const correct = async (thickness: string) => {
      await button(page, 'Correct').click()
      await page.getByLabel('Thickness (mm)').fill(thickness)
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByText(`${thickness} mm`).first().waitFor()
    }
    await correct('12.5')
    await correct('15')
    await button(page, 'Undo').click()
    await page.getByText('12.5 mm').first().waitFor()
  })

  it('enters an order by hand, and says which field is missing', async () => {
    const page = await open('planner', inCompany('/orders'))
    await button(page, 'New order').click()
    const form = page.getByRole('dialog', { name: 'New order' })
    await form.getByLabel('Order', { exact: true }).fill('By hand 1')
    await form.getByLabel('Line', { exact: true }).fill('10')
    await form.getByLabel('Length (mm)').fill('6,5')
    expect(await form.getByLabel('Quantity').getAttribute('required')).not.toBeNull()
    await form.getByLabel('Quantity').fill('2')
    await form.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { level: 1, name: 'By hand 1' }).waitFor()
    await page.getByText('6.5 mm').first().waitFor()
  })
}
