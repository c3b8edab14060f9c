import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { wordsFromWorst } from '../../../domain/verdict/verdictWord.ts'
import type { ListedProductionPlanBar } from '../../api/generated.ts'
import type { ListState } from '../../api/queries.ts'
import { pathIn, useCompanyId } from '../../app/company.tsx'
import { BarMark } from '../../kit/BarMark.tsx'
import { useBarName } from '../../kit/barName.ts'
import { wordOfBar } from '../../kit/barWord.ts'
import { Mark } from '../../kit/Chip.tsx'
import type { Column } from '../../kit/column.ts'
import { useFilters } from '../../kit/filters.tsx'
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
  const filters = useFilters()
  // Sorted bars have no headings that name their plans.
  const isInPlans = isOnePlan || filters.value('sort') === ''
  const longestMm = Math.max(...(list.rows ?? []).map(({ stockLengthMm }) => stockLengthMm))
  const columns: readonly Column<ListedProductionPlanBar>[] = [
    {
      title: t('bar'),
      name: 'bar',
      sortBy: nameOf,
      cell: (bar) => (
        <Link
          href={pathIn(companyId, `/bars/${bar.barId}`)}
          className="rowLink noWrap"
          aria-label={nameOf(bar)}
        >
          {isInPlans ? number(bar.ordinal) : nameOf(bar)}
        </Link>
      ),
    },
    {
      title: t('verdict'),
      name: 'verdict',
      sortBy: (bar) => wordsFromWorst.indexOf(wordOfBar(bar)),
      total: (rows) => t('countInAll', { n: number(rows.length) }),
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
    {
      title: t('heat'),
      name: 'heat',
      sortBy: heatOf,
      cell: (bar) => <Heat {...bar} />,
    },
    {
      title: t('profile'),
      name: 'profile',
      sortBy: (bar) => `${profileOf(bar)} ${bar.grade}`,
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
      name: 'cuts',
      sortBy: ({ cuts }) => cuts.length,
      total: (rows) => t('pieceCount', { n: number(piecesOn(rows)) }),
      cell: (bar) => (isOnePlan ? <CutDiagram {...{ bar, longestMm }} /> : piecesOf(bar)),
      isText: true,
      from: 'tablet',
    },
    {
      title: t('orders'),
      name: 'orders',
      sortBy: ({ orders = [] }) => orders[0]?.orderNumber ?? null,
      cell: ({ orders = [] }) =>
        orders.map(({ orderId, orderNumber }) => (
          <div key={orderId} className="noWrap">
            {orderNumber}
          </div>
        )),
      from: 'desktop',
    },
    {
      title: t('remnant'),
      name: 'remnant',
      sortBy: ({ remnantMm }) => remnantMm,
      total: (rows) => number(rows.reduce((sum, { remnantMm }) => sum + remnantMm, 0)),
      cell: ({ remnantMm }) => number(remnantMm),
      isNumber: true,
      from: 'desktop',
    },
    { title: t('nextStep'), cell: (bar) => <Step bar={bar} />, isUntitled: true, from: 'tablet' },
  ]
  return (
    <Table
      label={t('bars')}
      name="bars"
      list={list}
      rowKey={({ barId }) => barId}
      columns={columns}
      empty={empty}
      {...(!isOnePlan && { groupOf: planOf, groupText: (bar: ListedProductionPlanBar) => <Plan {...bar} /> })}
    />
  )
}

const heatOf = ({ certificate, heatRead }: ListedProductionPlanBar) =>
  certificate?.heatNumber ?? heatRead?.heatNumber ?? null

function piecesOn(bars: readonly ListedProductionPlanBar[]): number {
  return bars.reduce((sum, { cuts }) => sum + cuts.filter(({ status }) => status === 'Accepted').length, 0)
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
