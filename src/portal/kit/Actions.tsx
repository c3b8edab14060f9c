import { useEffect, useState } from 'react'
import { Button as AriaButton, Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components'
import { useTexts } from '../texts/texts.ts'

export interface Action {
  readonly text: string
  readonly act: () => void
  readonly isDangerous?: boolean
}

/** The actions of a row, behind one button. A row without actions has no button. */
export function Actions({ actions }: { readonly actions: readonly Action[] }) {
  const [isAsked, setIsAsked] = useState(false)
  if (actions.length === 0) return null
  return isAsked ? <ActionMenu actions={actions} /> : <Opener onOpen={() => setIsAsked(true)} />
}

/** Long lists draw many rows while they scroll, so the menu is made for the row that needs it. */
function Opener({ onOpen }: { readonly onOpen: () => void }) {
  const { t } = useTexts()
  return (
    <button
      type="button"
      className="button quiet"
      aria-label={t('moreActions')}
      aria-haspopup="menu"
      aria-expanded={false}
      onClick={onOpen}
    >
      <Dots />
    </button>
  )
}

function ActionMenu({ actions }: { readonly actions: readonly Action[] }) {
  const { t } = useTexts()
  const [isOpen, setIsOpen] = useState(false)
  // The button has taken the focus by now, so the menu gives it back when it closes.
  useEffect(() => setIsOpen(true), [])
  return (
    <MenuTrigger isOpen={isOpen} onOpenChange={setIsOpen}>
      <AriaButton className="button quiet" aria-label={t('moreActions')} autoFocus>
        <Dots />
      </AriaButton>
      <Popover className="popover" placement="bottom end">
        <Menu className="menu" aria-label={t('moreActions')}>
          {actions.map(({ text, act, isDangerous }) => (
            <MenuItem key={text} onAction={act} className={isDangerous ? 'menuItem dangerous' : 'menuItem'}>
              {text}
            </MenuItem>
          ))}
        </Menu>
      </Popover>
    </MenuTrigger>
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
