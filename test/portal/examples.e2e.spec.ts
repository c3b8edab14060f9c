import { beforeAll, describe, expect, it } from 'vitest'
import { hasChromium } from '../support/chromium.ts'
import { isFullRun } from '../support/size.ts'
import { readTheAuditTrail } from './auditJourneys.ts'
import { readOriginals } from './documentJourneys.ts'
import { correctTheFloor } from './floorJourneys.ts'
import { escapeFrom } from './keyboard.ts'
import { writeRulePacks } from './rulePackJourneys.ts'
import { lookAtScreens } from './screens.ts'
import { setTheReleasePolicy } from './settingsJourneys.ts'
import { keepPartsInPlace } from './slowJourneys.ts'
import { button, chooseInRow, goTo, inCompany, loadExamples, open, row } from './visits.ts'

/** Journeys through the data that `npm run demo` gives, and a look at every screen with them. */

// The demo sends some hundred commands, which take minutes on a machine that others use.
beforeAll(loadExamples)

describe.skipIf(!hasChromium)('certificates and orders', () => {
  it('are found by heat, and the address keeps the filters', async () => {
    const page = await open('viewer', inCompany('/certificates'))
    await row(page, 'AB-2026-00504').waitFor()
    await page.getByLabel('Search').fill('418822')
    await row(page, 'AB-2026-00504').waitFor({ state: 'detached' })
    expect(page.url()).toContain('search=418822')
    await page.reload()
    await row(page, 'AB-2026-00418').waitFor()
    expect(await page.getByLabel('Search').inputValue()).toBe('418822')
    await page.getByLabel('Grade').fill('S9')
    await page.getByText('Nothing matches').waitFor()
    await button(page, 'Clear filters').click()
    await row(page, 'AB-2026-00504').waitFor()
    await button(page, 'Blocked').click()
    await row(page, 'AB-2026-00504').waitFor({ state: 'detached' })
    expect(await row(page, 'AB-2026-00611').innerText()).toContain('Blocks')
  })

  it('show their tags with the origin, what rules found, and where a heat went', async () => {
    const page = await open('editor', inCompany('/certificates?search=418822'))
    await page.getByRole('link', { name: 'AB-2026-00417' }).click()
    await page.getByRole('heading', { level: 1, name: 'AB-2026-00417 · 418822' }).waitFor()
    // The text of the original says it, too.
    await page.getByRole('definition').getByText('412 MPa').waitFor()
    await button(page, 'Set tags').click()
    await page.getByRole('checkbox', { name: "Customer's material" }).check()
    await button(page, 'Save').click()
    const tag = page.getByRole('listitem').filter({ hasText: "Customer's material" })
    await tag.getByText('by hand', { exact: true }).waitFor()
    await page.getByRole('link', { name: 'SO-2601' }).first().click()
    await page.getByRole('heading', { level: 1, name: 'SO-2601' }).waitFor()
    const marks = page.locator('header').filter({ has: page.getByRole('heading', { level: 1 }) })
    await marks.getByText('Not cleared').waitFor()
    await marks.getByText('No Block on the order itself').waitFor()
    expect(await marks.getByText('May be cut').count()).toBe(0)
    await page.getByRole('treeitem', { name: /^AB-2026-00417/ }).waitFor()
  })

  it('show by keyboard where all steel of their heat is', async () => {
    const page = await open('viewer', inCompany('/certificates?search=418822'))
    await page.getByRole('link', { name: 'AB-2026-00417' }).click()
    const tree = page.locator('details.tree')
    await tree.getByText('Heat 418822').waitFor()
    const bar = tree
      .getByRole('listitem')
      .filter({ hasText: /^Week 17, saw 1: .* · 1/ })
      .first()
    await bar.getByText('Completed').waitFor()
    await bar.locator('summary').press('Enter')
    await bar.getByText('5,850 mm').first().waitFor()
    await bar.getByText('Cut', { exact: true }).first().waitFor()
    // The bar comes first, then the order of its piece.
    for (const key of ['Tab', 'Tab', 'Enter']) await page.keyboard.press(key)
    await page.getByRole('heading', { level: 1, name: 'SO-2601' }).waitFor()
  })

  it('are released and rejected by a quality engineer, on the record and in the list', async () => {
    const page = await open('quality', inCompany('/certificates?search=418830'))
    await page.getByRole('link', { name: 'AB-2026-00418' }).click()
    await button(page, 'Release').click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Release' }).click()
    await page.locator('header').getByText('Released', { exact: true }).waitFor()
    await page.goBack()
    await chooseInRow(page, 'AB-2026-00418', 'Reject')
    await page.getByLabel('Reason').fill('The surface is pitted.')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Reject' }).click()
    await row(page, 'AB-2026-00418').getByText('Rejected', { exact: true }).waitFor()
  })

  it('are released many at once, and voided for another one, as their timeline says', async () => {
    const page = await open('quality', inCompany('/certificates?search=26-31942'))
    const voided = await page.getByRole('link', { name: 'TR-88250-26' }).getAttribute('href')
    await page.getByRole('checkbox', { name: 'Select TR-88250-26' }).check()
    await button(page, 'Select all 2').click()
    await page.getByText('2 selected').waitFor()
    await button(page, 'Release').click()
    await page.getByLabel('Note').fill('Read beside the delivery.')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Release' }).click()
    for (const name of ['TR-88250-26', 'TR-88251-26']) await row(page, name).getByText('Released').waitFor()
    await chooseInRow(page, 'TR-88250-26', 'Void')
    const dialog = page.getByRole('alertdialog')
    await dialog.getByLabel('Reason').fill('The mill has sent it again.')
    await dialog.getByLabel('Replaced by').fill('31942')
    await dialog.getByRole('radio', { name: 'TR-88251-26' }).check()
    expect(await dialog.getByRole('radio', { name: 'TR-88250-26' }).count()).toBe(0)
    await dialog.getByRole('button', { name: 'Void' }).click()
    await row(page, 'TR-88250-26').waitFor({ state: 'detached' })
    await goTo(page, voided!.replace('/portal', ''))
    await page.getByText('The certificate was voided and replaced by certificate TR-88251-26.').waitFor()
    await page.getByText('The certificate was released. Note: Read beside the delivery.').waitFor()
    await page.getByRole('definition').getByRole('link').click()
    await page.getByRole('heading', { level: 1, name: 'TR-88251-26 · 26-31942' }).waitFor()
  })

  it('that are blocked wait on the overview', async () => {
    const page = await open('quality', inCompany(''))
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    await page.getByRole('heading', { level: 2 }).first().waitFor()
    const headings = await page.getByRole('heading', { level: 2 }).allInnerTexts()
    expect(headings[0]).toMatch(/^Started bars that may not be cut/)
    expect(headings[1]).toMatch(/^Certificates to release/)
    await page.getByRole('link', { name: 'SO-2614' }).click()
    await page.getByRole('heading', { level: 1, name: 'SO-2614' }).waitFor()
    const marks = page.locator('header')
    await marks.getByText('Blocked', { exact: true }).waitFor()
    await marks.getByText('Blocks', { exact: true }).waitFor()
  })

  it('that are blocked say first that their steel may not be cut, and by which clause', async () => {
    const page = await open('viewer', inCompany('/certificates?search=MS-26-0301'))
    await page.getByRole('link', { name: 'MS-26-0301' }).click()
    await page.locator('header').getByText('Blocks', { exact: true }).waitFor()
    await page.getByText(/^Findings/).click()
    const findings = page.locator('details').filter({ hasText: /^Findings/ })
    await findings.getByText('has the tag "Carbon equivalent too high"').waitFor()
    await findings.getByText('EN 10025-2:2019, 7.2 Chemical composition: carbon equivalent').first().waitFor()
  })
})

describe.skipIf(!hasChromium)('bars', () => {
  it('say whether they may be cut, and what speaks against it', async () => {
    const page = await open('viewer', inCompany('/bars?view=cards'))
    const card = page
      .getByRole('listitem')
      .filter({ hasText: 'Heat 305140' })
      .filter({ hasText: 'Quarantine' })
      .first()
    await card.getByText('May not be cut').waitFor()
    await card.getByText(/^Findings/).click()
    await card.getByRole('listitem').filter({ hasText: 'Block' }).first().waitFor()
    await page.locator('.boardCard').getByText('May be cut').first().waitFor()
    expect(await page.getByRole('button', { name: 'Approve' }).count()).toBe(0)
  })

  it('get a heat from the certificates that suit them, and their timeline shows it', async () => {
    const page = await open('planner', inCompany('/bars?view=cards'))
    const card = page.getByRole('listitem').filter({ hasText: 'fits 6 m stock · 7' })
    await card.getByText('No heat').waitFor()
    await card.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Set heat' }).click()
    await page.getByRole('radio', { name: 'Heat C 90786' }).check()
    await page.getByRole('dialog').getByRole('button', { name: 'Set heat' }).click()
    await card.getByRole('link', { name: 'Heat C 90786' }).waitFor()
    await card.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Whole bar' }).click()
    await page.getByRole('dialog').getByText('The bar got certificate W26.04431.').waitFor()
    await escapeFrom(page.getByRole('dialog'))
  })
})

describe.skipIf(!hasChromium)('the floor', correctTheFloor)

describe.skipIf(!hasChromium)('settings and operations', () => {
  it('add a member, and remove the member again', async () => {
    const page = await open('admin', inCompany('/settings'))
    await button(page, 'Add member').first().click()
    await page.getByLabel('User id').fill('a-new-colleague')
    await page.getByRole('checkbox', { name: 'Planner' }).check()
    await page.getByRole('dialog').getByRole('button', { name: 'Add member' }).click()
    await row(page, 'a-new-colleague').getByText('Viewer, Planner').waitFor()
    await chooseInRow(page, 'a-new-colleague', 'Remove')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
    await row(page, 'a-new-colleague').waitFor({ state: 'detached' })
  })

  it('leave a rule pack, preview it and subscribe again', async () => {
    const page = await open('admin', inCompany('/settings'))
    const pack = row(page, 'EN 1090-2: inspection documents')
    await pack.getByRole('button', { name: 'Unsubscribe' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Unsubscribe' }).click()
    await pack.getByText('Not subscribed').waitFor()
    await pack.getByRole('button', { name: 'Preview' }).click()
    await page.getByRole('heading', { name: /^Gains/ }).waitFor()
    await button(page, 'Subscribe').click()
    await pack.getByText('Subscribed', { exact: true }).waitFor()
    await pack.getByText('Edition: 2018').waitFor()
  })

  it('verify a read model, and are not for everybody', async () => {
    const page = await open('operator', '/operations')
    await row(page, 'certificates').getByRole('button', { name: 'Verify' }).click()
    const run = page.getByRole('table', { name: 'Runs' }).getByRole('row').filter({ hasText: 'certificates' })
    await run.getByText('Succeeded').waitFor()
    await run.getByRole('button', { name: 'Show' }).click()
    await page.getByText('No differences.').waitFor()
    const other = await open('viewer', '/operations')
    await other.getByText('You have no permission').waitFor()
  })
})

describe.skipIf(!hasChromium)('the release policy', setTheReleasePolicy)

describe.skipIf(!hasChromium)('originals', readOriginals)

describe.skipIf(!hasChromium)('the audit trail', readTheAuditTrail)

// They judge every certificate, so the newest entries of the audit trail are theirs.
describe.skipIf(!hasChromium)('rule packs of the company', writeRulePacks)

describe.skipIf(!hasChromium || !isFullRun)('a slow network', keepPartsInPlace)

describe.skipIf(!hasChromium)('every screen is accessible', lookAtScreens)
