import type { ReactNode } from 'react'
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components'
import { useTexts } from '../texts/texts.ts'
import { Button } from './Button.tsx'
import { FormError } from './Form.tsx'

/**
 * Dialogs over a screen: a side panel to edit a record, a window to tell something, and a question before an act.
 * A dialog in the shape of a screen covers everything else.
 */

interface DialogProps {
  readonly title: string
  /** The record that the dialog is about, if the title does not name it. */
  readonly about?: string
  readonly onClose: () => void
  readonly children: ReactNode
  readonly shape?: 'panel' | 'window' | 'screen'
  readonly role?: 'dialog' | 'alertdialog'
  /** The person must choose one of the buttons. */
  readonly isPressing?: boolean
  /** Nobody may read what is behind the dialog. */
  readonly hidesPage?: boolean
}

export function Dialog({
  title,
  about,
  onClose,
  children,
  shape = 'window',
  role = 'dialog',
  isPressing = false,
  hidesPage = false,
}: DialogProps) {
  const { t } = useTexts()
  return (
    <ModalOverlay
      isOpen
      isDismissable={!isPressing && role === 'dialog' && shape === 'window'}
      isKeyboardDismissDisabled={isPressing}
      onOpenChange={(isOpen) => !isOpen && onClose()}
      className={`overlay ${shape} ${hidesPage ? 'opaque' : ''}`}
    >
      <Modal className={`modal ${shape}`}>
        <AriaDialog role={role} className="dialog">
          <div className="dialogHeader">
            <div>
              <Heading slot="title" level={2}>
                {title}
              </Heading>
              {about !== undefined && <p className="muted">{about}</p>}
            </div>
            {!isPressing && (
              <Button kind="quiet" onPress={onClose} label={t('close')}>
                <svg viewBox="0 0 16 16" className="icon" aria-hidden="true">
                  <path d="m4 4 8 8m0-8-8 8" />
                </svg>
              </Button>
            )}
          </div>
          {children}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  )
}

interface ConfirmProps {
  readonly title: string
  readonly children: ReactNode
  /** The name of the act. The button that opened the dialog has the same name. */
  readonly action: string
  readonly onConfirm: () => void
  readonly onClose: () => void
  readonly isPending?: boolean
  readonly error?: Error | null
  readonly kind?: 'danger' | 'primary'
}

/** Ask before an act that is hard to undo. */
export function Confirm({
  title,
  children,
  action,
  onConfirm,
  onClose,
  isPending = false,
  error = null,
  kind = 'danger',
}: ConfirmProps) {
  const { t } = useTexts()
  return (
    <Dialog title={title} onClose={onClose} role="alertdialog">
      <div className="dialogBody">{children}</div>
      <FormError error={error} />
      <div className="dialogActions">
        <Button onPress={onClose} autoFocus>
          {t('cancel')}
        </Button>
        <Button kind={kind} onPress={onConfirm} isPending={isPending}>
          {action}
        </Button>
      </div>
    </Dialog>
  )
}
