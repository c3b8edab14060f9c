import { type RefObject, useEffect, useLayoutEffect, useState } from 'react'

/**
 * The rest of a button that has just come to its place, or has just become another one: a finger that was under way
 * meant what was there before. A second tap of the same finger must not act on another bar, or take a further step.
 */

/** Return whether the value has come, or has changed, within the last milliseconds. */
export function useIsFresh(value: string, withinMs: number): boolean {
  const [settled, setSettled] = useState<string>()
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), withinMs)
    return () => clearTimeout(timer)
  }, [value, withinMs])
  return settled !== value
}

/** Return the place of an element on the page. It is told apart from other places when the element is drawn again. */
export function usePlace(element: RefObject<HTMLElement | null>): string {
  const [place, setPlace] = useState('')
  // Before the browser paints, so that nobody sees the button in its new place without its rest.
  useLayoutEffect(() => {
    const { offsetLeft, offsetTop } = element.current!
    setPlace(`${offsetLeft} ${offsetTop}`)
  })
  return place
}
