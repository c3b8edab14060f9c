import { lazy, Suspense, useState } from 'react'
import { useCompanyId } from '../../app/company.tsx'
import { useMay } from '../../app/session.tsx'
import { Button } from '../../kit/Button.tsx'
import { useTexts } from '../../texts/texts.ts'
import type { ImportKind } from './ImportDialog.tsx'

const ImportDialog = lazy(async () => ({ default: (await import('./ImportDialog.tsx')).ImportDialog }))

/** Offer the import of a file to those who may record what it holds. */
export function ImportButton({ kind }: { readonly kind: ImportKind }) {
  const { t } = useTexts()
  const may = useMay(useCompanyId())
  const [isOpen, setIsOpen] = useState(false)
  // Orders and plans are imported by those who plan.
  if (!may('proposeImport') || (kind !== 'certificates' && !may('createProductionPlan'))) return null
  return (
    <>
      <Button onPress={() => setIsOpen(true)}>{t('import')}</Button>
      {isOpen && (
        <Suspense fallback={null}>
          <ImportDialog kind={kind} onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
