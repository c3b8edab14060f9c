import { Link } from 'wouter'
import { wordsFromWorst } from '../../../domain/verdict/verdictWord.ts'
import type { ListedProductionPlanBar } from '../../api/generated.ts'
import { pathIn, useCompanyId } from '../../app/company.tsx'
import { BarMark } from '../../kit/BarMark.tsx'
import { useBarName } from '../../kit/barName.ts'
import { wordOfBar } from '../../kit/barWord.ts'
import { Mark } from '../../kit/Chip.tsx'
import type { Column } from '../../kit/column.ts'
import { useIsFresh } from '../../kit/useRest.ts'
import { BarVerdict } from '../../kit/Verdict.tsx'
import { useTexts } from '../../texts/texts.ts'
import { BarActions } from './BarActions.tsx'
import { profileOf } from './barLines.ts'
import { usePieces } from './barPieces.ts'
import { CutDiagram } from './CutDiagram.tsx'
import { NextStep } from './NextStep.tsx'
import { Reason } from './Reason.tsx'

type Bar = ListedProductionPlanBar
type Columns = readonly Column<Bar>[]

interface Look {
  /** All bars are of one plan, and each is drawn to scale. */
  readonly isOnePlan: boolean
  /** The plan of a bar is named above it. */
  readonly isInPlans: boolean
}

/** Return the columns of a table of bars. */
export function useBarColumns(bars: readonly Bar[], { isOnePlan, isInPlans }: Look): Columns {
  const { t } = useTexts()
  return [
    ...useVerdictColumns(isInPlans),
    { title: t('heat'), name: 'heat', sortBy: heatOf, cell: (bar) => <Heat {...bar} /> },
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
    ...useCutColumns(bars, isOnePlan),
    { title: t('nextStep'), cell: (bar) => <Step bar={bar} />, isUntitled: true, from: 'tablet' },
  ]
}

function useVerdictColumns(isInPlans: boolean): Columns {
  const { t, number } = useTexts()
  const companyId = useCompanyId()
  const nameOf = useBarName()
  return [
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
  ]
}

/** The cuts of a bar with their orders, and what is left of it. */
function useCutColumns(bars: readonly Bar[], isOnePlan: boolean): Columns {
  const { t, number, date } = useTexts()
  const piecesOf = usePieces()
  const longestMm = Math.max(...bars.map(({ stockLengthMm }) => stockLengthMm))
  return [
    {
      title: t('cuts'),
      name: 'cuts',
      sortBy: piecesOn,
      total: (rows) => t('pieceCount', { n: number(rows.reduce((sum, bar) => sum + piecesOn(bar), 0)) }),
      cell: (bar) => (isOnePlan ? <CutDiagram {...{ bar, longestMm }} /> : piecesOf(bar)),
      isText: true,
      from: 'tablet',
    },
    {
      title: t('orders'),
      name: 'orders',
      sortBy: ({ orders = [] }) => orders[0]?.orderNumber ?? null,
      cell: ({ orders = [] }) =>
        orders.map(({ orderId, orderNumber, dueDate }) => (
          <div key={orderId} className="noWrap">
            {orderNumber}
            {dueDate !== null && <div className="muted small">{t('dueOn', { day: date(dueDate) })}</div>}
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
  ]
}

const heatOf = ({ certificate, heatRead }: Bar) => certificate?.heatNumber ?? heatRead?.heatNumber ?? null

const piecesOn = ({ cuts }: Bar) => cuts.filter(({ status }) => status === 'Accepted').length

function Heat({ certificate, heatRead }: Pick<Bar, 'certificate' | 'heatRead'>) {
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

function Step({ bar }: { readonly bar: Bar }) {
  const isResting = useIsFresh(bar.status, restMs)
  return (
    <div className="rowSteps">
      <NextStep {...{ bar, isResting }} />
      <BarActions bar={bar} />
    </div>
  )
}
