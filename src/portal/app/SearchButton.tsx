import { lazy, Suspense, useEffect, useState } from 'react'
import { useTexts } from '../texts/texts.ts'
import { useShownCompany } from './company.tsx'

const SearchDialog = lazy(async () => ({
  default: (await import('../screens/search/SearchDialog.tsx')).SearchDialog,
}))

/** The way to the search from each screen, also by Ctrl+K. */
export function SearchButton() {
  const { t } = useTexts()
  const companyId = useShownCompany()
  const [isOpen, setIsOpen] = useState(false)
  useEffect(() => {
    const open = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      // A dialog keeps what was typed in it.
      if (document.querySelector('[role=dialog], [role=alertdialog]') === null) setIsOpen(true)
    }
    addEventListener('keydown', open)
    return () => removeEventListener('keydown', open)
  }, [])
  if (companyId === undefined) return null
  return (
    <>
      <button
        type="button"
        className="button searchButton"
        aria-keyshortcuts="Control+K"
        onClick={() => setIsOpen(true)}
      >
        {t('search')}
        <span aria-hidden="true">{t('searchKeys')}</span>
      </button>
      {isOpen && (
        <Suspense fallback={null}>
          <SearchDialog companyId={companyId} onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
