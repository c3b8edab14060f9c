import { useEffect, useMemo, useRef, useState } from 'react'
import { Link } from 'wouter'
import { asSeen } from '../../api/client.ts'
import type { ListedProductionPlanBar } from '../../api/generated.ts'
import { type ListState, pollEvery, useCommand } from '../../api/queries.ts'
import { pathIn, useCompanyId } from '../../app/company.tsx'
import { useMay } from '../../app/session.tsx'
import { BarMark, barTexts } from '../../kit/BarMark.tsx'
import { Button } from '../../kit/Button.tsx'
import { useBarName } from '../../kit/barName.ts'
import { Mark, TagChips } from '../../kit/Chip.tsx'
import { ChoiceFilter, useFilters } from '../../kit/filters.tsx'
import { Empty, Failure, Loading } from '../../kit/Notice.tsx'
import { Page } from '../../kit/Page.tsx'
import { tell } from '../../kit/toast.tsx'
import { useMedia } from '../../kit/useMedia.ts'
import { useIsFresh, usePlace } from '../../kit/useRest.ts'
import { BarVerdict, blocking } from '../../kit/Verdict.tsx'
import { useTexts } from '../../texts/texts.ts'
import { ImportButton } from '../imports/ImportButton.tsx'
import { useAsk } from './ask.ts'
import { BarActions } from './BarActions.tsx'
import { BarDialogs } from './BarDialogs.tsx'
import { type BarStep, barSteps, hasToStop } from './barSteps.ts'
import { Findings } from './Findings.tsx'
import { Override } from './Override.tsx'
import { useOneBar } from './oneBar.ts'
import { useBars, useManyBars } from './openBars.ts'
import { byWork } from './workOrder.ts'

/** The columns of a small screen, in the order that suits the saw. A wide screen shows the states in their usual order. */
const atTheSaw = ['Started', 'Approved', 'Draft', 'Completed'] as const

/** Bars by state, with the next step of each. An address with a bar's id opens the board on that bar. */
export function BarsScreen({ barId }: { readonly barId?: string }) {
  const { t } = useTexts()
  const open = useManyBars(['Draft', 'Approved', 'Started'], { every: pollEvery.bars })
  const completed = useBars(['Completed'], { every: pollEvery.list })
  const onDrawn = useScrollOnce(barId)
  const isWide = useMedia('(min-width: 75rem)')
  const filters = useFilters()
  const verdict = filters.value('verdict')
  const isShown = (bar: ListedProductionPlanBar) =>
    verdict === '' || bar.verdict?.mayBeCut === (verdict === 'mayBeCut')
  const shown = { ...open, rows: open.rows?.filter(isShown).toSorted(byWork) }
  // A filter by verdict hides Completed bars, because nothing is left to cut on them.
  const hasCompleted = verdict === ''
  const states = (isWide ? barSteps : atTheSaw).filter((state) => hasCompleted || state !== 'Completed')
  const drawn = hasCompleted ? [shown, completed] : [shown]
  return (
    <Page title={t('bars')} lead={t('barsText')} actions={<ImportButton kind="plans" />}>
      <div className="toolbar">
        <ChoiceFilter
          filters={filters}
          name="verdict"
          label={t('verdict')}
          options={(['mayBeCut', 'mayNotBeCut'] as const).map((value) => ({ value, text: t(value) }))}
        />
      </div>
      <BarDialogs lists={[open, completed]}>
        {barId !== undefined && <Wanted key={barId} {...{ barId, onDrawn }} lists={drawn} />}
        {open.rows || open.error ? (
          <div className="board">
            {states.map((state) => (
              <Column
                key={state}
                state={state}
                list={state === 'Completed' ? completed : shown}
                {...{ barId, onDrawn }}
              />
            ))}
          </div>
        ) : (
          // On a phone, the columns stand below each other, and would push each other down.
          <Loading />
        )}
      </BarDialogs>
    </Page>
  )
}

type OnDrawn = CardProps['onDrawn']

/** Return a function that scrolls to the card of the bar once. When a step moves the card later, the page stays. */
function useScrollOnce(barId: string | undefined): OnDrawn {
  return useMemo(() => {
    let isDone = false
    return (drawn, card) => {
      if (drawn !== barId || isDone) return
      isDone = true
      card.scrollIntoView({ block: 'center' })
    }
  }, [barId])
}

interface WantedProps {
  readonly barId: string
  readonly onDrawn: OnDrawn
  readonly lists: readonly ListState<ListedProductionPlanBar>[]
}

/** The wanted bar, if it is not on the board. */
function Wanted({ barId, lists, onDrawn }: WantedProps) {
  const { t } = useTexts()
  const { bar, isOnBoard, isRead, error } = useOneBar(barId, lists)
  if (isOnBoard) return null
  if (bar)
    return (
      <ul className="boardCards">
        <Card {...{ bar, onDrawn }} isWanted />
      </ul>
    )
  if (error) return <Failure error={error} />
  return isRead ? <Empty title={t('notFound')}>{t('notFoundText')}</Empty> : <Loading lines={2} />
}

interface ColumnProps {
  readonly state: BarStep
  readonly list: ListState<ListedProductionPlanBar>
  readonly barId: string | undefined
  readonly onDrawn: OnDrawn
}

/** The cards of a column that are drawn at first. */
const drawnAtFirst = 20

function Column({ state, list, barId, onDrawn }: ColumnProps) {
  const { t, number } = useTexts()
  const { error, hasMore, readMore, readAgain } = list
  const rows = list.rows?.filter(({ status }) => status === state)
  const [drawn, setDrawn] = useState(drawnAtFirst)
  const wanted = rows?.findIndex((bar) => bar.barId === barId) ?? -1
  const shown = rows?.slice(0, Math.max(drawn, wanted + 1))
  const showMore = () => {
    setDrawn(drawn + drawnAtFirst)
    if (rows && rows.length < drawn + drawnAtFirst && hasMore) readMore()
  }
  return (
    <section className="boardColumn">
      <h2>
        {t(barTexts[state])}
        {rows && (
          <span className="count">
            {number(rows.length)}
            {hasMore && '+'}
          </span>
        )}
      </h2>
      {!rows && (error ? <Failure error={error} onRetry={readAgain} /> : <Loading lines={3} />)}
      {rows?.length === 0 && <p className="muted">{t('noBarsHere')}</p>}
      <ul className="boardCards">
        {shown?.map((bar) => (
          <Card key={bar.barId} {...{ bar, onDrawn }} isWanted={bar.barId === barId} />
        ))}
      </ul>
      {rows && (rows.length > (shown?.length ?? 0) || hasMore) && (
        <Button onPress={showMore}>{t('more')}</Button>
      )}
    </section>
  )
}

interface CardProps {
  readonly bar: ListedProductionPlanBar
  readonly isWanted: boolean
  /** Called when the card appears in a column. */
  readonly onDrawn: (barId: string, card: HTMLElement) => void
}

/** Milliseconds within which systems usually take two taps for a double tap. */
const restMs = 500

function Card({ bar, isWanted, onDrawn }: CardProps) {
  const { t, number } = useTexts()
  const companyId = useCompanyId()
  const nameOf = useBarName()
  const { barId, grade, stockLengthMm, remnantMm, cuts } = bar
  const { certificate, orders, verdict } = bar
  const card = useRef<HTMLLIElement>(null)
  const isResting = useIsFresh(usePlace(card), restMs)
  useEffect(() => onDrawn(barId, card.current!), [barId, onDrawn])
  return (
    <li
      ref={card}
      className={isWanted ? 'boardCard wanted' : 'boardCard'}
      aria-current={isWanted || undefined}
    >
      {verdict && bar.status !== 'Completed' && bar.status !== 'Cancelled' && (
        <Verdict bar={bar} verdict={verdict} />
      )}
      <div className="boardTitle">
        <h3>
          <Link href={pathIn(companyId, `/bars/${barId}`)} className="rowLink">
            {nameOf(bar)}
          </Link>
        </h3>
        <BarActions bar={bar} />
      </div>
      {bar.stop && <Stopped bar={bar} {...bar.stop} />}
      {bar.status === 'Cancelled' && <BarMark status={bar.status} />}
      <p className="muted small">
        {grade} · {number(stockLengthMm)} mm ·{' '}
        {cuts.length === 1 ? t('oneCut') : t('cutCount', { n: number(cuts.length) })} · {t('remnant')}{' '}
        {number(remnantMm)} mm
      </p>
      {certificate ? <Heat {...certificate} /> : <NoCertificate heatRead={bar.heatRead} />}
      <p className="chips">
        {orders?.map(({ orderId, orderNumber }) => (
          <Link key={orderId} href={pathIn(companyId, `/orders/${orderId}`)}>
            {orderNumber}
          </Link>
        ))}
      </p>
      <NextStep bar={bar} isResting={isResting} />
    </li>
  )
}

type StoppedProps = Pick<CardProps, 'bar'> & NonNullable<ListedProductionPlanBar['stop']>

/** Say that the pieces are held, and offer Quality to decide on them. */
function Stopped({ bar, reason, findings }: StoppedProps) {
  const { t } = useTexts()
  return (
    <>
      <div className="chips">
        <Mark tone="bad">{t('piecesHeld')}</Mark>
      </div>
      {reason !== null && <p>{reason}</p>}
      <Findings findings={findings} />
      <div className="actions">
        <Override bar={bar} findings={findings} />
      </div>
    </>
  )
}

function Heat({
  millCertificationId,
  heatNumber,
  tags,
  blocked,
}: NonNullable<ListedProductionPlanBar['certificate']>) {
  const { t } = useTexts()
  const companyId = useCompanyId()
  return (
    <div className="chips">
      <Link href={pathIn(companyId, `/certificates/${millCertificationId}`)}>
        {t('heat')} {heatNumber}
      </Link>
      {blocked && <Mark tone="bad">{t('blocked')}</Mark>}
      {tags.length > 0 && <TagChips tags={tags} />}
    </div>
  )
}

/** Say which heat was read off the steel, if its certificate has not arrived. */
function NoCertificate({ heatRead }: Pick<ListedProductionPlanBar, 'heatRead'>) {
  const { t } = useTexts()
  return (
    <Mark tone="warn">
      {heatRead === null ? t('noHeat') : t('heatWithoutCertificate', { heat: heatRead.heatNumber })}
    </Mark>
  )
}

interface VerdictProps {
  readonly bar: ListedProductionPlanBar
  readonly verdict: NonNullable<ListedProductionPlanBar['verdict']>
}

/** Say whether the bar may be cut, what speaks against it, and what to do. */
function Verdict({ bar, verdict: { findings } }: VerdictProps) {
  const { t } = useTexts()
  const may = useMay(useCompanyId())
  const ask = useAsk()
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <div className="chips">
        <BarVerdict {...bar} />
        {bar.withdrawal && <Mark tone="bad">{t('approvalWithdrawn')}</Mark>}
      </div>
      {findings.length > 0 && (
        <details onToggle={(event) => setIsOpen(event.currentTarget.open)}>
          <summary>{t('findings', { n: findings.length })}</summary>
          <Findings findings={findings} hasEvidence={isOpen} />
          <div className="actions">
            {may('setBarCertificate') && (
              <Button onPress={() => ask({ bar, about: 'heat' })}>{t('setHeat')}</Button>
            )}
            <Override bar={bar} findings={blocking(findings)} />
          </div>
        </details>
      )}
    </>
  )
}

const nextSteps = {
  Draft: { id: 'approveProductionPlanBar', text: 'approve', becomes: 'Approved' },
  Approved: { id: 'startProductionPlanBar', text: 'start', becomes: 'Started' },
  Started: { id: 'completeProductionPlanBar', text: 'complete', becomes: 'Completed' },
} as const

interface NextStepProps extends Pick<CardProps, 'bar'> {
  /** The card has just come to its place. */
  readonly isResting: boolean
}

function NextStep({ bar, isResting }: NextStepProps) {
  const { status } = bar
  const companyId = useCompanyId()
  const may = useMay(companyId)
  if (status === 'Completed' || status === 'Cancelled' || !may(nextSteps[status].id)) return null
  if (hasToStop(bar)) return null
  return <Step key={status} {...{ bar, isResting }} {...nextSteps[status]} />
}

function Step({
  bar,
  isResting,
  id,
  text,
  becomes,
}: NextStepProps & (typeof nextSteps)[keyof typeof nextSteps]) {
  const { t } = useTexts()
  const nameOf = useBarName()
  const { barId } = bar
  const companyId = useCompanyId()
  const ask = useAsk()
  const { mutateAsync, isPending } = useCommand(id)
  const act = async () => {
    try {
      await mutateAsync({ params: { companyId, barId }, ...asSeen(bar) })
      tell(t('barDone', { bar: nameOf(bar), state: t(barTexts[becomes]) }))
    } catch (error) {
      // By now, the card may be in another column.
      ask({ bar, about: 'refusal', step: text, error: error as Error })
    }
  }
  return (
    <div className="boardAction">
      <Button onPress={() => void act()} isPending={isPending || isResting}>
        {t(text)}
      </Button>
    </div>
  )
}
