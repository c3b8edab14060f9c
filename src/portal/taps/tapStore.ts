import type { TapStore } from './sending.ts'
import { inOrder, type Tap } from './taps.ts'

/**
 * Keeps taps in this browser, each as an item of its own: two tabs that write at the same time lose nothing. Screens
 * are told of each change, of other tabs, too.
 */

const prefix = 'heatmark-tap-'
const listeners = new Set<() => void>()
let taps: readonly Tap[] | undefined

export const tapStore: TapStore & { subscribe(listener: () => void): () => void } = {
  read() {
    taps ??= inOrder(Object.keys(localStorage).flatMap(readTap))
    return taps
  },
  write(tap) {
    localStorage.setItem(prefix + tap.key, JSON.stringify(tap))
    notifyChange()
  },
  remove(key) {
    localStorage.removeItem(prefix + key)
    notifyChange()
  },
  subscribe(listener) {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}

addEventListener('storage', ({ key }) => {
  if (key === null || key.startsWith(prefix)) notifyChange()
})

function notifyChange(): void {
  taps = undefined
  for (const listener of listeners) listener()
}

function readTap(name: string): readonly Tap[] {
  if (!name.startsWith(prefix)) return []
  return [JSON.parse(localStorage.getItem(name)!) as Tap]
}
