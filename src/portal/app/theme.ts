import { useSyncExternalStore } from 'react'

/** Light or dark: the system's choice, unless the person made another one in this browser. */

export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

const storedAs = 'heatmark-theme'
const listeners = new Set<() => void>()
let theme = themes.find((one) => one === localStorage.getItem(storedAs)) ?? 'system'
applyTheme()

export function setTheme(chosen: Theme): void {
  theme = chosen
  localStorage.setItem(storedAs, chosen)
  applyTheme()
  for (const listener of listeners) listener()
}

export function useTheme(): Theme {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => theme,
  )
}

function applyTheme(): void {
  document.documentElement.dataset.theme = theme
}
