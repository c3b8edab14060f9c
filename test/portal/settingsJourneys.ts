import { expect, it } from 'vitest'
import { expectAccessible } from '../support/accessible.ts'
import { until } from '../support/until.ts'
import { button, chooseInRow, expectRefusal, inCompany, open, row } from './visits.ts'
import { send } from './yard.ts'

/** Journeys through the settings of the company. */

export function setTheReleasePolicy(): void {
  it('says which bars might not be cut any more, and sets the policy when asked', async () => {
    const page = await open('admin', inCompany('/settings'))
    await page.getByLabel('Certificate not released, All orders').selectOption('Block')
    await button(page, 'Preview').last().click()
    const panel = page.getByRole('dialog', { name: 'What would change' })
    await panel.getByText(/Approved bars that might not be cut any more/).waitFor()
    await expectAccessible(page, 'the preview of a policy')
    await panel.getByRole('button', { name: 'Cancel' }).click()
    await button(page, 'Discard changes').click()
    expect(await page.getByLabel('Certificate not released, All orders').inputValue()).toBe('Off')

    await page.getByLabel('Original missing, EXC2').selectOption('Flag')
    await button(page, 'Preview').last().click()
    await panel.getByText('Every open bar that may be cut now').waitFor()
    await panel.getByRole('button', { name: 'Save' }).click()
    await page.getByText('The release policy is set').waitFor()
    await page.reload()
    await page.getByLabel('Original missing, EXC2').waitFor()
    expect(await page.getByLabel('Original missing, EXC2').inputValue()).toBe('Flag')
  })

  it('shows both versions when somebody else has set it meanwhile', async () => {
    const page = await open('admin', inCompany('/settings'))
    await page.getByLabel('Line cancelled, All orders').selectOption('Flag')
    await send('PUT', '/release-policy', { defaultInspectionDocument: '2.1' })
    await button(page, 'Preview').last().click()
    await page.getByText('Every open bar that may be cut now').waitFor()
    await button(page, 'Save').click()
    const conflict = page.getByRole('alertdialog', { name: 'Changed by someone else' })
    await conflict.getByRole('row', { name: 'Line cancelled Flag Block' }).waitFor()
    await conflict.getByRole('row', { name: /^Document that an order requires .* None 2\.1$/ }).waitFor()
    await conflict.getByRole('button', { name: 'Take theirs' }).click()
    await conflict.waitFor({ state: 'detached' })
    expect(await page.getByLabel('Line cancelled, All orders').inputValue()).toBe('Block')
    await send('PUT', '/release-policy', { defaultInspectionDocument: null })
    expectRefusal(412)
  })

  it('says how long people at the saw stay logged in', async () => {
    const page = await open('admin', inCompany('/settings'))
    expect(await page.getByLabel('Log out after').inputValue()).toBe('30')
    await page.getByLabel('Log out after').selectOption('8 h')
    await button(page, 'Save').click()
    await page.getByText('The settings are saved').waitFor()
    await page.reload()
    await page.getByLabel('Log out after').waitFor()
    expect(await page.getByLabel('Log out after').inputValue()).toBe('480')
    await send('PUT', '/settings', { cutterIdleMinutes: 30 })
  })

  it('bounds the life of new API keys', async () => {
    const page = await open('admin', inCompany('/settings'))
    // The page first shows the settings that the browser keeps, and reads them again.
    await until(async () => (await page.getByLabel('Log out after').inputValue()) === '30')
    const life = page.getByLabel('A new key lives at most')
    await life.selectOption('90 days')
    await button(page, 'Save').click()
    await page.getByText('The settings are saved').waitFor()
    expect(await send('GET', '/settings')).toMatchObject({ longestKeyDays: 90 })
    await life.selectOption('No limit')
    await button(page, 'Save').click()
    await until(async () => (await send('GET', '/settings')).longestKeyDays === null)
  })

  it('adds a webhook, shows how sending goes, and deletes it', async () => {
    const page = await open('admin', inCompany('/settings'))
    await button(page, 'Add webhook').click()
    const panel = page.getByRole('dialog', { name: 'Add webhook' })
    await panel.getByLabel('Address').fill('https://localhost/hook')
    await panel.getByLabel('Types of changes').fill('heatmark.bar, heatmark.certificate')
    await panel.getByRole('button', { name: 'Add webhook' }).click()
    const secret = page.getByRole('dialog', { name: 'The secret of the webhook' })
    await secret.getByText(/^whsec_/).waitFor()
    await secret.getByRole('button', { name: 'Done' }).click()
    const added = row(page, 'https://localhost/hook')
    await added.getByText('localhost has no address that may be reached').waitFor()
    await chooseInRow(page, 'https://localhost/hook', 'Last requests')
    await page.getByRole('dialog', { name: 'Last requests' }).getByText('Ping').first().waitFor()
    await expectAccessible(page, 'the requests to a webhook')
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
    await chooseInRow(page, 'https://localhost/hook', 'Pause')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Pause' }).click()
    await added.getByText('Paused').waitFor()
    await chooseInRow(page, 'https://localhost/hook', 'Delete')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await added.waitFor({ state: 'detached' })
  })

  it('is shown to those who may not set it', async () => {
    const page = await open('viewer', inCompany('/settings'))
    expect(await page.getByLabel('Grade does not meet the demand, All orders').isDisabled()).toBe(true)
    expect(await page.getByLabel('Log out after').isDisabled()).toBe(true)
    expect(await button(page, 'Preview').count()).toBe(0)
  })
}
