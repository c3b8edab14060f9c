import type { ReactNode } from 'react'
import { Button as AriaButton } from 'react-aria-components'

interface ButtonProps {
  readonly children: ReactNode
  readonly onPress?: () => void
  readonly kind?: 'primary' | 'plain' | 'danger' | 'quiet'
  readonly type?: 'button' | 'submit'
  readonly isDisabled?: boolean
  /** The button keeps the focus, and a press does nothing: its work is under way or not possible now, or it rests. */
  readonly isPending?: boolean
  /** A name for screen readers, where the children alone do not say enough. */
  readonly label?: string
  readonly slot?: string
  readonly autoFocus?: boolean
}

// The library's own `isPending` leaves a nameless image for screen readers behind when the button goes away.
export function Button({
  children,
  onPress,
  kind = 'plain',
  type = 'button',
  isPending = false,
  label,
  ...rest
}: ButtonProps) {
  return (
    <AriaButton
      {...rest}
      className={`button ${kind}`}
      type={isPending ? 'button' : type}
      {...(isPending && { 'aria-disabled': true })}
      {...(onPress && !isPending && { onPress })}
      {...(label !== undefined && { 'aria-label': label })}
    >
      {children}
    </AriaButton>
  )
}
