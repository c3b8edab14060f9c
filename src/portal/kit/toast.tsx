import { useSyncExternalStore } from 'react'
import { useTexts } from '../texts/texts.ts'
import { Button } from './Button.tsx'

/** Tells for some seconds that an act has succeeded, and offers to undo it where that is possible. */

interface Told {
  readonly text: string
  readonly undo?: (() => void) | undefined
}

const shownForMs = 5_000
const undoForMs = 10_000
let current: Told | undefined
let timer: ReturnType<typeof setTimeout> | undefined
const listeners = new Set<() => void>()

export function tell(text: string, undo?: () => void): void {
  clearTimeout(timer)
  show({ text, undo })
  timer = setTimeout(() => show(undefined), undo ? undoForMs : shownForMs)
}

/**
 * Return the options of a command in a dialog: when it has succeeded, say so and close the dialog.
 * @param undo takes the act back, with the ETag of the record as the act has left it
 */
export function tellAndClose(text: string, onClose: () => void, undo?: (etag: string | undefined) => void) {
  return {
    onSuccess: ({ etag }: { readonly etag: string | undefined }) => {
      tell(text, undo && (() => undo(etag)))
      onClose()
    },
  }
}

export function Toast() {
  const { t } = useTexts()
  const message = useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => current,
  )
  const undo = message?.undo
  return (
    <div role="status" className="toastArea">
      {message && (
        <p className="toast">
          {message.text}
          {undo && (
            <Button
              kind="quiet"
              onPress={() => {
                show(undefined)
                undo()
              }}
            >
              {t('undo')}
            </Button>
          )}
        </p>
      )}
    </div>
  )
}

function show(next: Told | undefined): void {
  current = next
  for (const listener of listeners) listener()
}
