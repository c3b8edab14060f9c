import { type RefObject, useRef, useState } from 'react'
import { Menu, MenuItem, Popover } from 'react-aria-components'
import { useTexts } from '../texts/texts.ts'

export interface Action {
  readonly text: string
  readonly act: () => void
  readonly isDangerous?: boolean
}

/** The actions of a row, behind one button. A row without actions has no button. */
export function Actions({ actions }: { readonly actions: readonly Action[] }) {
  const { t } = useTexts()
  const [isOpen, setIsOpen] = useState(false)
  const opener = useRef<HTMLButtonElement>(null)
  if (actions.length === 0) return null
  const open = () => {
    // Safari does not focus a pressed button. The menu gives the focus back to the element that had it.
    opener.current?.focus()
    setIsOpen(true)
  }
  return (
    <>
      <button
        ref={opener}
        type="button"
        className="button quiet"
        aria-label={t('moreActions')}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        onClick={open}
      >
        <Dots />
      </button>
      {/* Long lists draw many rows while they scroll, so a row makes its menu only when it opens. */}
      {isOpen && <ActionMenu {...{ actions, opener }} onClose={() => setIsOpen(false)} />}
    </>
  )
}

interface ActionMenuProps {
  readonly actions: readonly Action[]
  readonly opener: RefObject<HTMLButtonElement | null>
  readonly onClose: () => void
}

function ActionMenu({ actions, opener, onClose }: ActionMenuProps) {
  const { t } = useTexts()
  return (
    <Popover
      isOpen
      onOpenChange={onClose}
      triggerRef={opener}
      className="popover"
      placement="bottom end"
      aria-label={t('moreActions')}
    >
      <Menu className="menu" aria-label={t('moreActions')} autoFocus onClose={onClose}>
        {actions.map(({ text, act, isDangerous }) => (
          <MenuItem key={text} onAction={act} className={isDangerous ? 'menuItem dangerous' : 'menuItem'}>
            {text}
          </MenuItem>
        ))}
      </Menu>
    </Popover>
  )
}

function Dots() {
  return (
    <svg viewBox="0 0 16 16" className="icon filled" aria-hidden="true">
      <circle cx="3" cy="8" r="1.4" />
      <circle cx="8" cy="8" r="1.4" />
      <circle cx="13" cy="8" r="1.4" />
    </svg>
  )
}
