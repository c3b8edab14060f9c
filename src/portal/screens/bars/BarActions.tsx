import type { ListedProductionPlanBar } from '../../api/generated.ts'
import { useCompanyId } from '../../app/company.tsx'
import { useMay, useRoles } from '../../app/session.tsx'
import { Actions } from '../../kit/Actions.tsx'
import { useTexts } from '../../texts/texts.ts'
import { useAsk } from './ask.ts'
import { hasToStop, revertTargets } from './barSteps.ts'

/** The actions on a bar beside its next step: set its heat, correct it, and show everything about it. */
export function BarActions({ bar }: { readonly bar: ListedProductionPlanBar }) {
  const { t } = useTexts()
  const companyId = useCompanyId()
  const may = useMay(companyId)
  const roles = useRoles(companyId)
  const ask = useAsk()
  const { status, cuts } = bar
  const isOpen = status !== 'Completed' && status !== 'Cancelled'
  const isCut = status === 'Started' || status === 'Completed'
  const possible = {
    heat: isOpen && may('setBarCertificate'),
    completeStopped: hasToStop(bar) && may('completeProductionPlanBar'),
    revert: may('revertProductionPlanBar') && revertTargets(bar, roles, new Date()).length > 0,
    scrap: isCut && may('scrapCut') && cuts.some((cut) => cut.status === 'Accepted'),
    cancel: isOpen && !isCut && may('cancelProductionPlanBar'),
    // The remnant of another bar is the stock of one bar alone.
    replan:
      status === 'Draft' &&
      bar.fromBarId === null &&
      may('addBarsToProductionPlan') &&
      may('cancelProductionPlanBar'),
    labels: status !== 'Cancelled',
    whole: true,
  }
  const texts = {
    heat: 'setHeat',
    completeStopped: 'completeStopped',
    revert: 'revert',
    scrap: 'scrap',
    cancel: 'cancelBar',
    replan: 'replan',
    labels: 'labels',
    whole: 'wholeBar',
  } as const
  const names = (Object.keys(texts) as (keyof typeof texts)[]).filter((name) => possible[name])
  return (
    <Actions
      actions={names.map((name) => ({
        text: t(texts[name]),
        act: () => ask({ bar, about: name }),
        isDangerous: name === 'scrap' || name === 'cancel' || name === 'completeStopped',
      }))}
    />
  )
}
