import axe, { type AxeResults, type RunOptions } from 'axe-core'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

const axeOptions: RunOptions = {
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'],
  resultTypes: ['violations'],
  // The pages have no frames and no style sheets of other hosts, and a violation is shown by its HTML.
  iframes: false,
  preload: false,
  selectors: false,
}

/** Expect that axe finds no violation of WCAG 2.2 AA on the page. */
export async function expectAccessible(page: Page, where: string): Promise<void> {
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axe.source)
  const { violations } = await page.evaluate<AxeResults>(`axe.run(document, ${JSON.stringify(axeOptions)})`)
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
  expect(found, where).toEqual([])
}
