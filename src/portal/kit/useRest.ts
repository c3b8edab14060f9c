import { type RefObject, useEffect, useLayoutEffect, useState } from 'react'

/**
 * A button that has just moved or has just changed its meaning rests: it takes no taps. A finger that was already on
 * its way meant the earlier button, and must not act on another bar or take a further step.
 */

/** Return whether the value is new, or has changed, within the last `withinMs` milliseconds. */
export function useIsFresh(value: string, withinMs: number): boolean {
  const [restedText, setRestedText] = useState<string>()
  useEffect(() => {
    const timer = setTimeout(() => setRestedText(value), withinMs)
    return () => clearTimeout(timer)
  }, [value, withinMs])
  return restedText !== value
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
