import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { ListedProductionPlanBar } from '../../api/generated.ts'
import type { ListState } from '../../api/queries.ts'
import { pathIn, useCompanyId } from '../../app/company.tsx'
import { BarMark } from '../../kit/BarMark.tsx'
import { useBarName } from '../../kit/barName.ts'
import { Mark } from '../../kit/Chip.tsx'
import type { Column } from '../../kit/column.ts'
import { Table } from '../../kit/Table.tsx'
import { useIsFresh } from '../../kit/useRest.ts'
import { BarVerdict } from '../../kit/Verdict.tsx'
import { useTexts } from '../../texts/texts.ts'
import { BarActions } from './BarActions.tsx'
import { profileOf } from './barLines.ts'
import { usePieces } from './barPieces.ts'
import { CutDiagram } from './CutDiagram.tsx'
import { NextStep } from './NextStep.tsx'
import { Reason } from './Reason.tsx'

interface BarsTableProps {
  readonly list: ListState<ListedProductionPlanBar>
  readonly empty: ReactNode
  /** All bars are of one plan, and each is drawn to scale. */
  readonly isOnePlan?: boolean
}

/** Bars as a table, in the order of their plans. */
export function BarsTable({ list, empty, isOnePlan = false }: BarsTableProps) {
  const { t, number } = useTexts()
  const companyId = useCompanyId()
  const nameOf = useBarName()
  const piecesOf = usePieces()
  const longestMm = Math.max(...(list.rows ?? []).map(({ stockLengthMm }) => stockLengthMm))
  const columns: readonly Column<ListedProductionPlanBar>[] = [
    {
      title: t('bar'),
      cell: (bar) => (
        <Link
          href={pathIn(companyId, `/bars/${bar.barId}`)}
          className="rowLink noWrap"
          aria-label={nameOf(bar)}
        >
          {number(bar.ordinal)}
        </Link>
      ),
    },
    {
      title: t('verdict'),
      cell: (bar) => (
        <>
          <span className="chips">
            <BarVerdict {...bar} />
            <BarMark status={bar.status} />
            {bar.stop && <Mark tone="bad">{t('piecesHeld')}</Mark>}
          </span>
          {bar.status !== 'Completed' && (
            <div>
              <Reason findings={bar.verdict?.findings ?? []} />
            </div>
          )}
        </>
      ),
      isText: true,
    },
    { title: t('heat'), cell: (bar) => <Heat {...bar} /> },
    {
      title: t('profile'),
      cell: (bar) => (
        <>
          <div className="noWrap">{profileOf(bar)}</div>
          <span className="noWrap">{bar.grade}</span>
        </>
      ),
      from: isOnePlan ? 'desktop' : 'tablet',
    },
    {
      title: t('cuts'),
      cell: (bar) => (isOnePlan ? <CutDiagram {...{ bar, longestMm }} /> : piecesOf(bar)),
      isText: true,
      from: 'tablet',
    },
    {
      title: t('orders'),
      cell: ({ orders = [] }) =>
        orders.map(({ orderId, orderNumber }) => (
          <div key={orderId} className="noWrap">
            {orderNumber}
          </div>
        )),
      from: 'desktop',
    },
    { title: t('remnant'), cell: ({ remnantMm }) => number(remnantMm), isNumber: true, from: 'desktop' },
    { title: t('nextStep'), cell: (bar) => <Step bar={bar} />, isUntitled: true, from: 'tablet' },
  ]
  return (
    <Table
      label={t('bars')}
      list={list}
      rowKey={({ barId }) => barId}
      columns={columns}
      empty={empty}
      {...(!isOnePlan && { groupOf: planOf, groupText: (bar: ListedProductionPlanBar) => <Plan {...bar} /> })}
    />
  )
}

const planOf = ({ planId }: ListedProductionPlanBar) => planId

function Plan({ planId, planName }: Pick<ListedProductionPlanBar, 'planId' | 'planName'>) {
  return <Link href={pathIn(useCompanyId(), `/plans/${planId}`)}>{planName}</Link>
}

function Heat({ certificate, heatRead }: Pick<ListedProductionPlanBar, 'certificate' | 'heatRead'>) {
  const { t } = useTexts()
  const companyId = useCompanyId()
  if (certificate)
    return (
      <Link href={pathIn(companyId, `/certificates/${certificate.millCertificationId}`)} className="noWrap">
        {certificate.heatNumber}
      </Link>
    )
  return (
    <Mark tone="warn">
      {heatRead === null ? t('noHeat') : t('heatWithoutCertificate', { heat: heatRead.heatNumber })}
    </Mark>
  )
}

/** Milliseconds within which systems usually take two taps for a double tap. */
const restMs = 500

function Step({ bar }: { readonly bar: ListedProductionPlanBar }) {
  const isResting = useIsFresh(bar.status, restMs)
  return (
    <div className="rowSteps">
      <NextStep {...{ bar, isResting }} />
      <BarActions bar={bar} />
    </div>
  )
}
