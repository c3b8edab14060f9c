import { useSyncExternalStore } from 'react'

/** Tells for some seconds that an act has succeeded. */

const shownForMs = 5_000
let text = ''
let timer: ReturnType<typeof setTimeout> | undefined
const listeners = new Set<() => void>()

export function tell(what: string): void {
  clearTimeout(timer)
  show(what)
  timer = setTimeout(() => show(''), shownForMs)
}

/** Return the options of a command in a dialog: when it has succeeded, say so and close the dialog. */
export function tellAndClose(told: string, onClose: () => void): { readonly onSuccess: () => void } {
  return {
    onSuccess: () => {
      tell(told)
      onClose()
    },
  }
}

export function Toast() {
  const shown = useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => text,
  )
  return (
    <div role="status" className="toastArea">
      {shown && <p className="toast">{shown}</p>}
    </div>
  )
}

function show(what: string): void {
  text = what
  for (const listener of listeners) listener()
}
