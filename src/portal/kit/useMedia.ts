import { useMemo, useSyncExternalStore } from 'react'

/** Return whether the window meets a media query, such as `(min-width: 48rem)`. */
export function useMedia(query: string): boolean {
  const media = useMemo(() => matchMedia(query), [query])
  return useSyncExternalStore(
    (listener) => {
      media.addEventListener('change', listener)
      return () => media.removeEventListener('change', listener)
    },
    () => media.matches,
  )
}
