import { useState } from 'react'
import type { ListedProductionPlanBar } from '../../api/generated.ts'
import { useCompanyId } from '../../app/company.tsx'
import { useMay, useRoles } from '../../app/session.tsx'
import { Actions } from '../../kit/Actions.tsx'
import { Dialog } from '../../kit/Dialog.tsx'
import { useTexts } from '../../texts/texts.ts'
import { RecordHistory } from '../subjects/RecordHistory.tsx'
import { revertTargets } from './barSteps.ts'
import { CancelDialog, RevertDialog, ScrapDialog } from './corrections.tsx'
import { SetHeat } from './SetHeat.tsx'

/** The actions on a bar beside its next step: set its heat, correct it, and read its history. */
export function BarActions({ bar }: { readonly bar: ListedProductionPlanBar }) {
  const { t } = useTexts()
  const companyId = useCompanyId()
  const may = useMay(companyId)
  const roles = useRoles(companyId)
  const [open, setOpen] = useState<'heat' | 'revert' | 'scrap' | 'cancel' | 'timeline'>()
  const { barId, status, cuts } = bar
  const targets = may('revertProductionPlanBar') ? revertTargets(bar, roles, new Date()) : []
  const isOpen = status !== 'Completed' && status !== 'Cancelled'
  const isCut = status === 'Started' || status === 'Completed'
  const possible = {
    heat: isOpen && may('setBarCertificate'),
    revert: targets.length > 0,
    scrap: isCut && may('scrapCut') && cuts.some((cut) => cut.status === 'Accepted'),
    cancel: isOpen && !isCut && may('cancelProductionPlanBar'),
    timeline: true,
  }
  const texts = {
    heat: 'setHeat',
    revert: 'revert',
    scrap: 'scrap',
    cancel: 'cancelBar',
    timeline: 'timeline',
  } as const
  const names = (Object.keys(texts) as (keyof typeof texts)[]).filter((name) => possible[name])
  const props = { bar, onClose: () => setOpen(undefined) }
  return (
    <>
      <Actions
        actions={names.map((name) => ({
          text: t(texts[name]),
          act: () => setOpen(name),
          isDangerous: name === 'scrap' || name === 'cancel',
        }))}
      />
      {open === 'heat' && <SetHeat barId={barId} onClose={props.onClose} />}
      {open === 'revert' && <RevertDialog targets={targets} {...props} />}
      {open === 'scrap' && <ScrapDialog {...props} />}
      {open === 'cancel' && <CancelDialog {...props} />}
      {open === 'timeline' && (
        <Dialog title={t('timeline')} onClose={props.onClose} shape="panel">
          <RecordHistory of="bar" id={barId} />
        </Dialog>
      )}
    </>
  )
}
