import { useState } from 'react'
import { Link } from 'wouter'
import type { ListedProductionPlanBar } from '../../api/generated.ts'
import { pollEvery } from '../../api/queries.ts'
import { pathIn, useCompanyId } from '../../app/company.tsx'
import { useMay } from '../../app/session.tsx'
import { barTexts } from '../../kit/BarMark.tsx'
import { Button } from '../../kit/Button.tsx'
import { LabelsButton } from '../../kit/Labels.tsx'
import { Empty } from '../../kit/Notice.tsx'
import { Facts, Page } from '../../kit/Page.tsx'
import { useTexts } from '../../texts/texts.ts'
import { ApprovePlan } from './ApprovePlan.tsx'
import { BarDialogs } from './BarDialogs.tsx'
import { BarsTable } from './BarsTable.tsx'
import { barSteps } from './barSteps.ts'
import { useManyBars } from './openBars.ts'
import { MoreBarsForm } from './PlanForm.tsx'

/** A production plan: how far it is, how well it uses its stock, and each bar to scale. */
export function PlanScreen({ planId }: { readonly planId: string }) {
  const { t } = useTexts()
  const companyId = useCompanyId()
  const may = useMay(companyId)
  const list = useManyBars({ planId }, { every: pollEvery.bars, atFirst: Number.POSITIVE_INFINITY })
  const [isApproving, setIsApproving] = useState(false)
  const [isAdding, setIsAdding] = useState(false)
  const planned = list.rows?.filter(({ status }) => status !== 'Cancelled') ?? []
  const drafts = planned.filter(({ status }) => status === 'Draft')
  return (
    <Page
      title={planned[0]?.planName ?? t('plan')}
      back={{ href: pathIn(companyId, '/bars'), text: t('bars') }}
      actions={
        <>
          <LabelsButton of={{ planId }} />
          {may('addBarsToProductionPlan') && (
            <Button onPress={() => setIsAdding(true)}>{t('addBars')}</Button>
          )}
          {may('startProductionPlanBar') && (
            <Link href={pathIn(companyId, `/saw?plan=${planId}`)} className="button plain">
              {t('saw')}
            </Link>
          )}
          {drafts.length > 0 && may('approveProductionPlan') && (
            <Button kind="primary" isDisabled={!list.isComplete} onPress={() => setIsApproving(true)}>
              {t('approvePlan')}
            </Button>
          )}
        </>
      }
    >
      {planned.length > 0 && <Progress bars={planned} />}
      <BarDialogs lists={[list]}>
        <BarsTable
          list={{ ...list, rows: list.rows && planned }}
          empty={<Empty title={t('notFound')}>{t('notFoundText')}</Empty>}
          isOnePlan
        />
        {isAdding && <MoreBarsForm planId={planId} onClose={() => setIsAdding(false)} />}
        {isApproving && <ApprovePlan planId={planId} drafts={drafts} onClose={() => setIsApproving(false)} />}
      </BarDialogs>
    </Page>
  )
}

function Progress({ bars }: { readonly bars: readonly ListedProductionPlanBar[] }) {
  const { t, number } = useTexts()
  const sum = (lengths: readonly number[]) => lengths.reduce((total, length) => total + length, 0)
  const stockMm = sum(bars.map(({ stockLengthMm }) => stockLengthMm))
  const remnantMm = sum(bars.map((bar) => bar.remnantMm))
  const inMetres = (mm: number) => `${number(Math.round(mm / 100) / 10)} m`
  return (
    <Facts
      facts={[
        ...barSteps.map((step) => ({
          name: t(barTexts[step]),
          value: `${number(bars.filter(({ status }) => status === step).length)} / ${number(bars.length)}`,
        })),
        {
          name: t('utilisation'),
          value: `${number(Math.round((1000 * (stockMm - remnantMm)) / stockMm) / 10)} %`,
        },
        {
          name: `${t('planStock')} / ${t('remnants')}`,
          value: `${inMetres(stockMm)} / ${inMetres(remnantMm)}`,
        },
      ]}
    />
  )
}
