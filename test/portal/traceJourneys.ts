import type { Locator, Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { call } from '../support/call.ts'
import { tokenOf } from '../support/serviceProcess.ts'
import { button, inCompany, open, service } from './visits.ts'
import { moveBar, planBars, registerHeat, send } from './yard.ts'

/** Journeys from an order to its certificates, through the diagram and through the list. */

export function walkTheTrace(): void {
  it('is walked by mouse: lines close and open, and a certificate opens its record', async () => {
    const { heatNumber, millCertificationId } = await registerHeat()
    const { orderId } = await planBars('Traced', ['Completed', 'Draft'], millCertificationId)
    const page = await open('viewer', inCompany(`/orders/${orderId}`))
    const bar = itemIn(page, 'Bars', 'Bar 1 · Traced')
    await bar.getByText('Completed').waitFor()
    await itemIn(page, 'Bars', 'Draft').waitFor()
    expect(await items(page, 'Heats').count()).toBe(1)
    const line = itemIn(page, 'Lines', 'Line 10')
    await line.getByText('In progress · 2 cuts').waitFor()
    await line.click()
    await bar.waitFor({ state: 'detached' })
    expect(await line.getAttribute('aria-expanded')).toBe('false')
    await line.click()
    await itemIn(page, 'Certificates', heatNumber).click()
    await page.getByRole('heading', { level: 1, name: heatNumber }).waitFor()
  })

  it('is walked by keyboard alone, along its edges and back the same way', async () => {
    const { heatNumber, millCertificationId } = await registerHeat()
    const { orderId } = await planBars('Walked', ['Draft', 'Approved'], millCertificationId)
    const page = await open('viewer', inCompany(`/orders/${orderId}`))
    await items(page, 'Certificates').first().waitFor()
    const tree = page.getByRole('tree')
    expect(await tree.locator('[tabindex="0"]').count()).toBe(1)
    await page.getByRole('heading', { level: 1 }).focus()
    for (let press = 0; press < 30 && !(await hasFocusIn(tree)); press++) await page.keyboard.press('Tab')
    const at = async () => (await page.locator(':focus').innerText()).split('\n')[0]
    const walk = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key)
      return at()
    }
    const [first, second] = ['Bar 1 · Walked', 'Bar 2 · Walked']
    expect(await at()).toMatch(/^Walked /)
    expect(await walk('ArrowRight')).toBe('Line 10')
    expect(await walk('ArrowRight', 'ArrowDown', 'ArrowRight')).toBe(second)
    expect(await walk('ArrowRight')).toBe(heatNumber)
    // The heat has two bars, and the way back is the one that one came.
    expect(await walk('ArrowLeft')).toBe(second)
    expect(await walk('Home')).toBe(first)
    expect(await walk('End')).toBe(second)
    expect(await walk('ArrowLeft', 'ArrowLeft', 'Enter')).toBe('Line 10')
    await items(page, 'Bars').first().waitFor({ state: 'detached' })
    // The first step opens the line again.
    expect(await walk('ArrowRight')).toBe('Line 10')
    await items(page, 'Bars').first().waitFor()
    expect(await walk('ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowRight')).toBe(`Of ${heatNumber}`)
    expect(await tree.locator('[tabindex="0"]').count()).toBe(1)
    expect(await page.locator(':focus').getAttribute('aria-level')).toBe('7')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: heatNumber }).waitFor()
  })

  it('says at each step whether the steel may be cut, and what is missing', async () => {
    const bare = await planBars('Without a heat', ['Draft'])
    const page = await open('viewer', inCompany(`/orders/${bare.orderId}`))
    await itemIn(page, 'Heats', 'No heat').waitFor()
    await itemIn(page, 'Order', 'Not cleared').waitFor()
    expect(await items(page, 'Certificates').count()).toBe(0)
    const { millCertificationId } = await registerHeat()
    const { orderId } = await planBars('Rejected steel', ['Draft'], millCertificationId)
    await send('POST', `/millcert/certificates/${millCertificationId}/reject`, { reason: 'Called back.' })
    await open('viewer', inCompany(`/orders/${orderId}`))
    for (const column of ['Lines', 'Cuts']) await itemIn(page, column, 'May not be cut').waitFor()
  })

  it('is shown as a list on request, which the address keeps', async () => {
    const { heatNumber, millCertificationId } = await registerHeat()
    const { orderId } = await planBars('Listed', ['Started'], millCertificationId)
    const page = await open('viewer', inCompany(`/orders/${orderId}`))
    await button(page, 'List').click()
    expect(page.url()).toContain('trace=list')
    await page.reload()
    await page.getByRole('link', { name: `${heatNumber} · Of ${heatNumber}` }).waitFor()
    expect(await page.getByRole('tree').count()).toBe(0)
    await button(page, 'Diagram').click()
    await items(page, 'Certificates').first().waitFor()
    await page.setViewportSize({ width: 390, height: 900 })
    await page.getByRole('link', { name: `${heatNumber} · Of ${heatNumber}` }).waitFor()
    await page.setViewportSize({ width: 1440, height: 900 })
  })

  it('stays usable with 500 lines and 5,000 cuts', async () => {
    const { millCertificationId } = await registerHeat()
    const { orderId } = await planBars('Large', ['Draft'], millCertificationId)
    const page = await open('viewer', '/account/keys')
    await answerWithManyLines(page, orderId)
    await open('viewer', inCompany(`/orders/${orderId}`))
    const tree = page.getByRole('tree')
    await itemIn(page, 'Lines', 'Line 1').waitFor()
    expect(await tree.getByRole('treeitem').count()).toBeLessThan(150)
    await itemIn(page, 'Lines', '475 more').press('Enter')
    // The focus goes on to the first line that was not shown before.
    await page.locator(':focus', { hasText: 'Line 26' }).waitFor()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    await page.locator(':focus', { hasText: '1 × 1,000 mm' }).waitFor()
    await page.getByLabel('Line or piece mark').fill('M 499.3')
    await itemIn(page, 'Lines', 'Line 499').waitFor()
    expect(await items(page, 'Lines').count()).toBe(1)
    expect(await items(page, 'Bars').count()).toBe(10)
    await page.unrouteAll({ behavior: 'wait' })
  })
}

export function countThePieces(): void {
  it('counts the pieces of each line by their states, as numbers and in words', async () => {
    const { millCertificationId } = await registerHeat()
    const states = ['Completed', 'Completed', 'Completed', 'Draft'] as const
    const { orderId, barIds } = await planBars('Rolled up', states, millCertificationId)
    const cutOn = async (barId: string) => (await send('GET', `/production-plan-bars/${barId}`)).cuts[0].cutId
    const [first, second] = barIds as [string, string]
    await moveBar(first, `cuts/${await cutOn(first)}/scrap`, { reason: 'Cut 20 mm short.' })
    await send('POST', `/orders/${orderId}/dispatches`, {
      date: '2026-11-23',
      reference: 'DN 1',
      cutIds: [await cutOn(second)],
    })
    const page = await open('viewer', inCompany(`/orders/${orderId}`))
    const table = page.getByRole('table', { name: 'Pieces' })
    await table.getByRole('row').nth(1).waitFor()
    const texts = await table.getByRole('row').nth(1).getByRole('cell').allInnerTexts()
    const names = await table.getByRole('columnheader').allInnerTexts()
    const numbers = Object.fromEntries(names.map((name, n) => [name, texts[n]]).slice(2))
    expect(numbers).toEqual({
      Required: '4',
      Dispatched: '1',
      Cut: '1',
      Planned: '1',
      'Not planned': '1',
      Scrapped: '1',
      'Too short': '0',
    })
    await page.setViewportSize({ width: 390, height: 900 })
    const words = 'Required 4 · Dispatched 1 · Cut 1 · Planned 1 · Not planned 1 · Scrapped 1'
    await table.getByText(words).waitFor()
    await page.setViewportSize({ width: 1440, height: 900 })
  })
}

/** The nodes of a column of the diagram. */
const items = (page: Page, column: string) =>
  page.getByRole('tree').getByRole('group', { name: column, exact: true }).getByRole('treeitem')
const itemIn = (page: Page, column: string, text: string) =>
  items(page, column).filter({ hasText: text }).first()

const hasFocusIn = async (element: Locator) => (await element.locator(':focus').count()) === 1

/** Answer with a trace of 500 lines with 10 cuts each, made from the order's only one. Planning them takes much longer. */
async function answerWithManyLines(page: Page, orderId: string): Promise<void> {
  const path = `${service.url}/api/company/${service.dev.companyId}/orders/${orderId}/traceability`
  const { body } = await call('GET', path, { token: await tokenOf(service.dev, 'viewer') })
  const [line] = body.lineItems
  const id = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`
  const lineItems = Array.from({ length: 500 }, (_, n) => ({
    ...line,
    lineItemId: id(n + 1),
    lineNumber: n + 1,
    cuts: Array.from({ length: 10 }, (_, m) => ({
      ...line.cuts[0],
      cutId: id(10 * n + m),
      barId: id(10 * n + m),
      pieceMark: `M ${n + 1}.${m}`,
    })),
  }))
  await page.route(path, (route) =>
    route.fulfill({ json: { ...body, lineItems }, headers: { etag: '"many"' } }),
  )
}
