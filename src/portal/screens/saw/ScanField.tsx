import { type SubmitEvent, useEffect, useId, useRef, useState } from 'react'
import { useTexts } from '../../texts/texts.ts'

interface ScanFieldProps {
  readonly label: string
  readonly onScan: (text: string) => void
}

/**
 * The field for the scanner, which is a keyboard that ends with Enter. The field takes the focus back after each touch,
 * so that a scan never presses the button that was touched last. By keyboard one can leave it for the buttons; a
 * character that is typed there goes to the field.
 */
export function ScanField({ label, onScan }: ScanFieldProps) {
  const { t } = useTexts()
  const id = useId()
  const field = useRef<HTMLInputElement>(null)
  const [text, setText] = useState('')
  // The keyboard of a tablet covers half of the screen. It comes when the field itself is touched.
  const [isTyped, setIsTyped] = useState(false)
  useEffect(() => keepFocus(() => field.current?.focus({ preventScroll: true })), [])
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    setText('')
    setIsTyped(false)
    if (text.trim() !== '') onScan(text.trim())
  }
  return (
    <form className="sawScan" onSubmit={submit}>
      <label htmlFor={id}>{label}</label>
      <input
        ref={field}
        id={id}
        className="input"
        value={text}
        onChange={({ target }) => setText(target.value)}
        onPointerDown={() => setIsTyped(true)}
        inputMode={isTyped ? 'text' : 'none'}
        placeholder={t('scanHint')}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
      />
    </form>
  )
}

const otherFields = 'input, select, textarea, [role=menu]'

function keepFocus(focus: () => void): () => void {
  const isElsewhere = () =>
    document.querySelector('[role=alertdialog], [role=dialog]') !== null ||
    document.activeElement?.closest(otherFields) != null
  const focusAgain = () =>
    requestAnimationFrame(() => {
      if (!isElsewhere()) focus()
    })
  const focusToType = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent) => {
    const isCharacter = key.length === 1 && key !== ' ' && !ctrlKey && !metaKey && !altKey
    if (isCharacter && !isElsewhere()) focus()
  }
  focusAgain()
  addEventListener('pointerup', focusAgain)
  addEventListener('focus', focusAgain)
  addEventListener('keydown', focusToType)
  return () => {
    removeEventListener('pointerup', focusAgain)
    removeEventListener('focus', focusAgain)
    removeEventListener('keydown', focusToType)
  }
}
