import type { Locator } from 'playwright-core'
import { expect } from 'vitest'
import { until } from '../support/until.ts'

/**
 * The keyboard of a person who looks at the screen: a key is pressed when the element that it is meant for has the
 * focus. Dialogs and menus take the focus a moment after they appear, and give it back a moment after they close.
 */

/** Press Tab, or Shift and Tab, until the element has the focus. */
export async function tabTo(element: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  const page = element.page()
  await element.waitFor()
  const dialogs = page.locator('[role=dialog], [role=alertdialog]')
  const focusedDialogs = dialogs.and(page.locator(':focus-within'))
  await until(async () => (await dialogs.count()) === 0 || (await focusedDialogs.count()) > 0)
  for (let press = 0; press < 40 && !(await hasFocus(element)); press++) await page.keyboard.press(key)
  expect(await hasFocus(element), 'reached by Tab').toBe(true)
}

/** Go to an element by Tab, and press Enter on it. */
export async function enterAt(element: Locator): Promise<void> {
  await tabTo(element)
  await element.page().keyboard.press('Enter')
}

/** Open the menu with this button, and choose an action with keys alone. */
export async function chooseByKeys(opener: Locator, action: string): Promise<void> {
  const page = opener.page()
  await opener.press('Enter')
  const item = page.getByRole('menuitem', { name: action })
  await item.waitFor()
  await page.locator('[role=menu]:focus, [role=menuitem]:focus').waitFor()
  for (let press = 0; press < 8 && !(await hasFocus(item)); press++) await page.keyboard.press('ArrowDown')
  expect(await hasFocus(item), 'reached by the arrow keys').toBe(true)
  await page.keyboard.press('Enter')
}

/** Leave a dialog or a menu by Escape, and wait until it has gone. */
export async function escapeFrom(overlay: Locator): Promise<void> {
  const page = overlay.page()
  await overlay.and(page.locator(':focus-within')).waitFor()
  await page.keyboard.press('Escape')
  await overlay.waitFor({ state: 'detached' })
}

/** Wait until the element has the focus. */
export const untilFocused = (element: Locator) => focused(element).waitFor()

const hasFocus = async (element: Locator) => (await focused(element).count()) === 1

const focused = (element: Locator) => element.and(element.page().locator(':focus'))
