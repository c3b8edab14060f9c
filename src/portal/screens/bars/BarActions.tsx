import { useState } from 'react'
import type { ProductionPlanBar } from '../../api/generated.ts'
import { useCompanyId } from '../../app/company.tsx'
import { useMay } from '../../app/session.tsx'
import { Actions } from '../../kit/Actions.tsx'
import { Dialog } from '../../kit/Dialog.tsx'
import { useTexts } from '../../texts/texts.ts'
import { RecordHistory } from '../subjects/RecordHistory.tsx'
import { SetHeat } from './SetHeat.tsx'

/** The actions on a bar beside its next step: set its heat, and read its history. */
export function BarActions({ bar: { barId, status } }: { readonly bar: ProductionPlanBar }) {
  const { t } = useTexts()
  const may = useMay(useCompanyId())
  const [open, setOpen] = useState<'heat' | 'timeline'>()
  const close = () => setOpen(undefined)
  const maySetHeat = status !== 'Completed' && may('setBarCertificate')
  return (
    <>
      <Actions
        actions={[
          ...(maySetHeat ? [{ text: t('setHeat'), act: () => setOpen('heat') }] : []),
          { text: t('timeline'), act: () => setOpen('timeline') },
        ]}
      />
      {open === 'heat' && <SetHeat barId={barId} onClose={close} />}
      {open === 'timeline' && (
        <Dialog title={t('timeline')} onClose={close} shape="panel">
          <RecordHistory of="bar" id={barId} />
        </Dialog>
      )}
    </>
  )
}
