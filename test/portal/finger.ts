import type { Locator, Page } from 'playwright-core'

/** The finger of a person with gloves, which taps a second time on what has just come under it. */

/** Tap a button in the frame in which it appears. @param button an expression for it, or for undefined */
export const tapAtOnce = (page: Page, button: string): Promise<void> =>
  page.evaluate(`new Promise((resolve) => {
    const look = () => {
      const button = ${button}
      if (!button) return requestAnimationFrame(look)
      button.click()
      resolve()
    }
    look()
  })`)

/** The button takes taps: it does not rest, and its work is not under way. */
export const rested = (button: Locator): Locator => button.and(button.page().locator(':not([aria-disabled])'))
