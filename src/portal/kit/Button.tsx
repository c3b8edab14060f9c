import type { ReactNode } from 'react'
import { Button as AriaButton } from 'react-aria-components'

interface ButtonProps {
  readonly children: ReactNode
  readonly onPress?: () => void
  readonly kind?: 'primary' | 'plain' | 'danger' | 'quiet'
  readonly type?: 'button' | 'submit'
  readonly isDisabled?: boolean
  /** The button's work is under way. */
  readonly isPending?: boolean
  /** A name for screen readers, where the children alone do not say enough. */
  readonly label?: string
  readonly slot?: string
  readonly autoFocus?: boolean
}

export function Button({ children, onPress, kind = 'plain', type = 'button', label, ...rest }: ButtonProps) {
  return (
    <AriaButton
      {...rest}
      className={`button ${kind}`}
      type={type}
      {...(onPress && { onPress })}
      {...(label !== undefined && { 'aria-label': label })}
    >
      {children}
    </AriaButton>
  )
}
