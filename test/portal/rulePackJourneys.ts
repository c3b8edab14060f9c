import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { expectAccessible } from '../support/accessible.ts'
import { rested } from './finger.ts'
import { enterAt, escapeFrom, tabTo, untilFocused } from './keyboard.ts'
import { button, chooseInRow, expectRefusal, goTo, inCompany, open, row } from './visits.ts'
import { send } from './yard.ts'

/** Journeys through the rule packs that a company writes itself. */

/** A pack as somebody types it. Each pack has a tag of its own, because two tags never have one name. */
const packOf = (id: string, limit: string) => ({
  id,
  name: `Limits of ${id}`,
  tags: [
    {
      key: 'thick',
      family: 'millCert',
      name: `Too thick for ${id}`,
      color: '#aa3300',
      severity: 'Flag',
      description: 'Off the saw.',
    },
  ],
  rules: [
    {
      ruleId: 'thick',
      family: 'millCert',
      when: `certificate.thicknessMm > ${limit}`,
      tag: 'thick',
      clause: 'House rule',
      explanation: 'It is too thick.',
    },
  ],
})
const textOf = (id: string, limit: string) => JSON.stringify(packOf(id, limit), null, 2)
const editor = (page: Page) => page.getByLabel('Document (JSON)')
const faults = (page: Page) => page.getByRole('list', { name: /^Faults: / }).getByRole('listitem')

export function writeRulePacks(): void {
  it('begin with a template, show each fault at its place, and are subscribed to after a preview', async () => {
    const page = await open('admin', inCompany('/settings'))
    await button(page, 'New rule pack').click()
    await page.getByRole('heading', { level: 1, name: 'New rule pack' }).waitFor()
    expect(await editor(page).inputValue()).toContain('"when": "certificate.thicknessMm > 80.0"')
    await expectAccessible(page, 'the editor of a rule pack')

    await editor(page).fill('{\n  "id": "yard"\n  "name": "Yard",\n}')
    await faults(page).filter({ hasText: 'line 3, column 3' }).getByText('A comma is missing here.').waitFor()
    await page.getByText('Faults: 2').waitFor()
    await faults(page).getByRole('button', { name: 'line 3, column 3' }).click()
    await untilFocused(editor(page))
    await page.keyboard.type(',')
    await faults(page).filter({ hasText: 'line 3' }).waitFor({ state: 'detached' })

    const faulty = textOf('yard', '5.0').replace('thicknessMm >', 'thicknes >').replace('"Flag"', '"Loud"')
    await editor(page).fill(faulty)
    await button(page, 'Save').click()
    await page.getByText('Faults: 2').waitFor()
    const severity = faulty.split('\n').findIndex((line) => line.includes('Loud')) + 1
    await faults(page)
      .getByRole('button', { name: `line ${severity}, column 19` })
      .waitFor()
    await editor(page).fill(faulty.replace('Loud', 'Flag'))
    await button(page, 'Save').click()
    const line = faulty.split('\n').findIndex((one) => one.includes('thicknes >'))
    const column = faulty.split('\n')[line]!.indexOf('thicknes') + 1
    await faults(page)
      .getByRole('button', { name: `line ${line + 1}, column ${column}` })
      .click()
    await untilFocused(editor(page))
    for (const _ of 'thicknes') await page.keyboard.press('Delete')
    await page.keyboard.type('thicknessMm')
    await expectAccessible(page, 'the faults of a rule pack')
    await button(page, 'Save').click()

    const preview = page.getByRole('dialog', { name: 'Preview of Limits of yard' })
    await preview.getByRole('heading', { name: /^Gains \(\d+\)/ }).waitFor()
    expect(page.url()).toMatch(/\/settings\/rule-packs\/yard\?preview=yes$/)
    await preview.getByRole('button', { name: 'Subscribe' }).click()
    await preview.waitFor({ state: 'detached' })
    await goTo(page, inCompany('/settings'))
    await row(page, 'Limits of yard').getByText('Own').waitFor()
    await row(page, 'Limits of yard').getByText('Subscribed', { exact: true }).waitFor()
    expectRefusal(400)
  })

  it('get a next version, an upgrade with its losses, and are left and deleted', async () => {
    await send('POST', '/rule-packs', packOf('gantry', '5.0'))
    await send('POST', '/rule-packs/gantry/subscribe', {})
    const page = await open('admin', inCompany('/settings'))
    const pack = row(page, 'Limits of gantry')
    await pack.getByText('Subscribed', { exact: true }).waitFor()
    await chooseInRow(page, 'Limits of gantry', 'Edit')
    await editor(page).fill(textOf('gantry', '5000.0'))
    await button(page, 'Save').click()
    await page.getByText('Version 2 is saved').waitFor()
    const preview = page.getByRole('dialog', { name: 'Preview of Limits of gantry' })
    await preview.getByRole('heading', { name: /^Losses \([1-9]/ }).waitFor()
    await preview.getByRole('button', { name: 'Upgrade' }).click()
    await preview.waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'Settings' }).last().click()
    await pack.getByText('Subscribed', { exact: true }).waitFor()
    await pack.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Unsubscribe' }).waitFor()
    expect(await page.getByRole('menuitem', { name: 'Delete' }).count()).toBe(0)
    await escapeFrom(page.getByRole('menu'))
    await chooseInRow(page, 'Limits of gantry', 'Unsubscribe')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Unsubscribe' }).click()
    await pack.getByText('Not subscribed').waitFor()
    await chooseInRow(page, 'Limits of gantry', 'Delete')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await pack.waitFor({ state: 'detached' })
  })

  it('show both versions when somebody else has saved one, or has taken the id', async () => {
    await send('POST', '/rule-packs', packOf('crane', '10.0'))
    const page = await open('admin', inCompany('/settings/rule-packs/crane'))
    await editor(page).fill(textOf('crane', '11.0'))
    await send('PUT', '/rule-packs/crane', packOf('crane', '12.0'))
    await button(page, 'Save').click()
    const conflict = page.getByRole('alertdialog', { name: 'Changed by someone else' })
    const differing = conflict.getByRole('row', { name: /^rules thick/ })
    await differing.getByText('thicknessMm > 11.0').waitFor()
    await differing.getByText('thicknessMm > 12.0').waitFor()
    expect(await conflict.getByRole('row').count()).toBe(2)
    await expectAccessible(page, 'two versions of a rule pack')
    await conflict.getByRole('button', { name: 'Take theirs' }).click()
    await conflict.waitFor({ state: 'detached' })
    await expect.poll(() => editor(page).inputValue()).toContain('> 12.0')
    expectRefusal(412)

    await goTo(page, inCompany('/settings/new-rule-pack'))
    await editor(page).fill(textOf('crane', '13.0'))
    await button(page, 'Save').click()
    await differing.getByText('thicknessMm > 12.0').waitFor()
    await conflict.getByRole('button', { name: 'Save mine' }).click()
    await page.getByText('Version 3 is saved').waitFor()
    await escapeFrom(page.getByRole('dialog', { name: 'Preview of Limits of crane' }))
    expect(await editor(page).inputValue()).toContain('> 13.0')
    expectRefusal(409)

    // A pack of the service is not the company's to replace.
    await goTo(page, inCompany('/settings/new-rule-pack'))
    await editor(page).fill(textOf('completeness', '1.0'))
    await button(page, 'Save').click()
    await page.getByRole('alert').waitFor()
    expect(await conflict.count()).toBe(0)
    expectRefusal(409)
  })

  it('are written by keyboard alone', async () => {
    const page = await open('admin', inCompany('/settings/new-rule-pack'))
    await tabTo(editor(page))
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.insertText(textOf('typed', '70.0').replace('of typed",', 'of typed"'))
    const fault = faults(page).getByRole('button').first()
    await enterAt(fault)
    await untilFocused(editor(page))
    await page.keyboard.type(',')
    await page.getByText('The text is valid JSON.').waitFor()
    await enterAt(button(page, 'Save'))
    const preview = page.getByRole('dialog', { name: 'Preview of Limits of typed' })
    await enterAt(rested(preview.getByRole('button', { name: 'Subscribe' })))
    await preview.waitFor({ state: 'detached' })
    await page.getByText('The rule pack is changed').waitFor()
  })

  it('are read by every member, and written by an Admin alone', async () => {
    await send('POST', '/rule-packs', packOf('read', '10.0'))
    const page = await open('viewer', inCompany('/settings'))
    await page.getByRole('link', { name: 'Limits of read' }).click()
    await page.getByText('It cannot be changed here.').waitFor()
    expect(await editor(page).getAttribute('readonly')).not.toBeNull()
    expect(await button(page, 'Save').count()).toBe(0)
    await goTo(page, inCompany('/settings/new-rule-pack'))
    await page.getByText('You have no permission').waitFor()
    await goTo(page, inCompany('/settings'))
    await row(page, 'Limits of read').waitFor()
    expect(await button(page, 'New rule pack').count()).toBe(0)
  })
}
