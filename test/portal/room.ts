import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** From this width on, in pixels, no word is cut. A phone has no room for a long word in a table. */
const wholeWordsFrom = 768

/** The longest text without a space, in characters, that has to fit in a line. Ids and hashes are longer. */
const longest = 30

/**
 * JavaScript that lists everything without room on the page: the page or a table that is wider than its place, and words
 * that the end of a line cuts in two. A browser may break a line after a hyphen or a slash. It opens folded parts, because
 * a browser gives their text no lines while nobody sees it.
 */
const withoutRoom = `(() => {
  for (const folded of document.querySelectorAll('details:not([open])')) folded.open = true
  const frames = [document.documentElement, ...document.querySelectorAll('.tableFrame')]
  const found = frames
    .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
    .map(({ className, scrollWidth, clientWidth }) => className + ' by ' + (scrollWidth - clientWidth) + ' px')
  const range = document.createRange()
  const isInTwo = (text, start, end) => {
    range.setStart(text, start)
    range.setEnd(text, end)
    return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1
  }
  if (innerWidth < ${wholeWordsFrom}) return found
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (texts.nextNode()) {
    const text = texts.currentNode
    if (!isInTwo(text, 0, text.length)) continue
    for (const { 0: token, index: start } of text.data.matchAll(/\\S+/g))
      for (const { 0: word, index } of token.matchAll(/[\\p{L}\\p{N}]+/gu))
        if (token.length <= ${longest} && isInTwo(text, start + index, start + index + word.length))
          found.push(token)
  }
  return found
})()`

/** Expect that nothing on the page is wider than its place and, except on a phone, that no word is cut in two. */
export async function expectRoom(page: Page, what: string): Promise<void> {
  // A page may still be drawing what a change of its width or language asks for.
  await expect.poll(() => page.evaluate(withoutRoom), { message: what }).toEqual([])
}
