import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { button, expectRefusal, inCompany, open } from './visits.ts'
import { moveBar, planBars, registerHeat, send } from './yard.ts'

/** People correct what a certificate or an order states, and take it back. */

export function correctRecords(): void {
  it('corrects a value of a certificate over that of somebody else, and takes it back within ten seconds', async () => {
    const { millCertificationId } = await registerHeat()
    const page = await open('quality', inCompany(`/certificates/${millCertificationId}`))
    await button(page, 'Correct').click()
    await page.getByLabel('Thickness (mm)').fill('15')
    await send('PATCH', `/millcert/certificates/${millCertificationId}`, { thicknessMm: 12.5 })
    await page.getByRole('button', { name: 'Save' }).click()
    await button(page, 'Save mine').click()
    await page.getByText('15 mm').first().waitFor()
    await button(page, 'Undo').click()
    await page.getByText('12.5 mm').first().waitFor()
    expectRefusal(412)
  })

  it('takes the approval of a plan back, except for a bar that somebody has started since', async () => {
    const { millCertificationId } = await registerHeat()
    const { barIds } = await planBars('Undone', ['Draft', 'Draft'], millCertificationId)
    const bar = (barId: string) => send('GET', `/production-plan-bars/${barId}`)
    const page = await open('planner', inCompany(`/plans/${(await bar(barIds[0]!)).planId}`))
    await button(page, 'Approve all that may be cut').click()
    await page
      .getByRole('dialog')
      .getByLabel(/^To be looked at/)
      .check()
    await page.getByRole('dialog').getByRole('button', { name: 'Approve 2' }).click()
    await button(page, 'Undo').waitFor()
    await moveBar(barIds[0]!, 'start')
    await button(page, 'Undo').click()
    await page.getByText('Not undone: 1 of 2.').waitFor()
    expect([(await bar(barIds[0]!)).status, (await bar(barIds[1]!)).status]).toEqual(['Started', 'Draft'])
    expectRefusal(412)
  })

  it('releases many certificates, says why one is left out, and takes the release back', async () => {
    const [changed, released] = [await registerHeat(), await registerHeat()]
    const page = await open('quality', inCompany('/certificates?status=Received'))
    for (const { certificateNumber } of [changed, released])
      await page.getByRole('checkbox', { name: new RegExp(certificateNumber) }).check()
    await button(page, 'Release').click()
    await send('PATCH', `/millcert/certificates/${changed.millCertificationId}`, { thicknessMm: 12.5 })
    const dialog = page.getByRole('alertdialog')
    await dialog.getByRole('button', { name: 'Release' }).click()
    const leftOut = dialog.getByRole('listitem').filter({ hasText: changed.certificateNumber })
    await leftOut.getByText('Look at it as it is now').waitFor()
    await page.keyboard.press('Escape')
    await button(page, 'Undo').click()
    await page.getByText('Received again: 1').waitFor()
  })

  it('takes a change of the options of a line back', async () => {
    const lineItems = [{ lineNumber: 10, lengthMm: 2_000, quantity: 4, options: { zQuality: 'Z15' } }]
    const orderNumber = `With options ${randomUUID().slice(0, 8)}`
    const { orderId } = await send('POST', '/orders', { orderNumber, lineItems })
    const page = await open('planner', inCompany(`/orders/${orderId}`))
    await button(page, 'Change').click()
    await page.getByLabel('Z quality').fill('')
    await page.getByLabel('Surface').fill('B2')
    await button(page, 'Save').click()
    await page.getByText(/B2/).first().waitFor()
    await button(page, 'Undo').click()
    await page.getByText(/Z15/).first().waitFor()
    expect((await send('GET', `/orders/${orderId}`)).lineItems[0].options).toMatchObject({
      zQuality: 'Z15',
      surfaceClass: null,
    })
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

  it('plans bars by hand, and corrects a Draft by a bar in its place', async () => {
    const orderNumber = `For a plan ${randomUUID().slice(0, 8)}`
    const lineItems = [{ lineNumber: 10, grade: 'S235JR', lengthMm: 2_000, quantity: 4 }]
    await send('POST', '/orders', { orderNumber, lineItems })
    const page = await open('planner', inCompany('/bars'))
    await button(page, 'New plan').click()
    const form = page.getByRole('dialog')
    await form.getByLabel('Plan', { exact: true }).fill('By hand')
    await form.getByLabel('Stock length (mm)').fill('12.000')
    await form.getByLabel('Bars like this').fill('2')
    await form.getByLabel('Add pieces of an order').fill(orderNumber)
    await form.getByRole('listitem').getByRole('button').click()
    await form.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { level: 1, name: 'By hand' }).waitFor()
    await page.getByRole('row').nth(2).waitFor()
    await page.getByRole('row').nth(1).getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Correct the bar' }).click()
    await form.getByLabel('Pieces', { exact: true }).fill('2')
    await form.getByRole('button', { name: 'Save' }).click()
    await form.waitFor({ state: 'detached' })
    await expect.poll(() => page.locator('tbody').getByRole('row').count()).toBe(2)
    await page.getByRole('img', { name: '2,000 mm, 2,000 mm, Remnant 8,000 mm' }).waitFor()
  })
}
