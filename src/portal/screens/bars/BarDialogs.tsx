import { type ReactNode, useCallback, useState } from 'react'
import { heatOfSteel } from '../../../domain/bars/heatOfSteel.ts'
import type { ListedProductionPlanBar } from '../../api/generated.ts'
import type { ListState } from '../../api/queries.ts'
import { useRoles } from '../../app/session.tsx'
import { barTexts } from '../../kit/BarMark.tsx'
import { useBarName } from '../../kit/barName.ts'
import { LabelsDialog } from '../../kit/Labels.tsx'
import type { Difference } from '../../kit/Versions.tsx'
import { useTexts } from '../../texts/texts.ts'
import { ApproveUnknown } from './ApproveUnknown.tsx'
import { AskContext, type BarRequest } from './ask.ts'
import { revertTargets } from './barSteps.ts'
import { CancelDialog, CompleteStoppedDialog, RevertDialog, ScrapDialog } from './corrections.tsx'
import { OverrideDialog } from './OverrideDialog.tsx'
import { useOneBar } from './oneBar.ts'
import { ReplanForm } from './PlanForm.tsx'
import { RefusalDialog } from './RefusalDialog.tsx'
import { SetHeat } from './SetHeat.tsx'
import { WholeBar } from './WholeBar.tsx'

/**
 * The dialogs on bars, one after the other. They belong to the board and not to the card of the bar. When somebody else
 * changes the bar, its card may leave the column, and what was typed in a dialog of the card would be lost. A refusal
 * stays until the person has read it.
 */

interface BarDialogsProps {
  /** The lists of the board. */
  readonly lists: readonly ListState<ListedProductionPlanBar>[]
  readonly children: ReactNode
}

export function BarDialogs({ lists, children }: BarDialogsProps) {
  const [queue, setQueue] = useState<readonly BarRequest[]>([])
  const ask = useCallback((request: BarRequest) => setQueue((others) => [...others, request]), [])
  const [first] = queue
  return (
    <AskContext value={ask}>
      {children}
      {first && <Open request={first} lists={lists} onClose={() => setQueue(([, ...others]) => others)} />}
    </AskContext>
  )
}

interface OpenProps extends Pick<BarDialogsProps, 'lists'> {
  readonly request: BarRequest
  readonly onClose: () => void
}

function Open({ request, lists, onClose }: OpenProps) {
  const roles = useRoles(request.bar.companyId)
  const bar = useOneBar(request.bar.barId, lists) ?? request.bar
  const changes = useChanges(request.bar, bar)
  const name = useBarName()(bar)
  const props = { bar, changes, onClose }
  switch (request.about) {
    case 'approveUnknown':
      return <ApproveUnknown barName={name} {...props} />
    case 'heat':
      return <SetHeat barName={name} {...props} />
    case 'completeStopped':
      return <CompleteStoppedDialog {...props} />
    case 'revert':
      return <RevertDialog targets={revertTargets(bar, roles, new Date())} {...props} />
    case 'scrap':
      return <ScrapDialog {...props} />
    case 'cancel':
      return <CancelDialog {...props} />
    case 'replan':
      return <ReplanForm {...props} barName={name} />
    case 'labels':
      return <LabelsDialog of={{ barId: bar.barId }} onClose={onClose} />
    case 'override':
      return <OverrideDialog {...request} {...props} barName={name} />
    case 'refusal':
      return <RefusalDialog {...request} {...props} barName={name} />
    case 'whole':
      return <WholeBar {...{ bar, onClose }} />
  }
}

/** Compare the bar that the person saw with the bar now. */
function useChanges(seen: ListedProductionPlanBar, now: ListedProductionPlanBar): readonly Difference[] {
  const { t, number } = useTexts()
  const heatOf = (bar: ListedProductionPlanBar) => heatOfSteel(bar) ?? t('noHeat')
  const pieces = ({ cuts }: ListedProductionPlanBar) =>
    number(cuts.filter(({ status }) => status === 'Accepted').length)
  return [
    { name: t('status'), mine: t(barTexts[seen.status]), theirs: t(barTexts[now.status]) },
    { name: t('heat'), mine: heatOf(seen), theirs: heatOf(now) },
    { name: t('cuts'), mine: pieces(seen), theirs: pieces(now) },
  ]
}
