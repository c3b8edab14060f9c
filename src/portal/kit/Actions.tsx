import { Button as AriaButton, Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components'
import { useTexts } from '../texts/texts.ts'

export interface Action {
  readonly text: string
  readonly act: () => void
  readonly isDangerous?: boolean
}

/** The actions of a row, behind one button. A row without actions has no button. */
export function Actions({ actions }: { readonly actions: readonly Action[] }) {
  const { t } = useTexts()
  if (actions.length === 0) return null
  return (
    <MenuTrigger>
      <AriaButton className="button quiet" aria-label={t('moreActions')}>
        <svg viewBox="0 0 16 16" className="icon filled" aria-hidden="true">
          <circle cx="3" cy="8" r="1.4" />
          <circle cx="8" cy="8" r="1.4" />
          <circle cx="13" cy="8" r="1.4" />
        </svg>
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
