import { type RefObject, useEffect, useLayoutEffect, useState } from 'react'

/**
 * A button rests, so it takes no taps, when it has just come to its place or has just become another one: a finger that
 * was already moving meant the button before. Its second tap must not act on another bar, or take a further step.
 */

/** Return whether the value is new, or has changed, within the last `withinMs` milliseconds. */
export function useIsFresh(value: string, withinMs: number): boolean {
  const [settled, setSettled] = useState<string>()
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), withinMs)
    return () => clearTimeout(timer)
  }, [value, withinMs])
  return settled !== value
}

/** Return the place of an element on the page, as a text. It is read again each time the element is drawn. */
export function usePlace(element: RefObject<HTMLElement | null>): string {
  const [place, setPlace] = useState('')
  // This runs before the browser paints, so nobody sees a button in its new place that does not rest.
  useLayoutEffect(() => {
    const { offsetLeft, offsetTop } = element.current!
    setPlace(`${offsetLeft} ${offsetTop}`)
  })
  return place
}
