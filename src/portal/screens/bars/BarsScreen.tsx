import { useEffect, useState } from 'react'
import { useSearchParams } from 'wouter'
import { type VerdictWord, wordsFromWorst } from '../../../domain/verdict/verdictWord.ts'
import type { ListedProductionPlanBar } from '../../api/generated.ts'
import { type ListState, pollEvery } from '../../api/queries.ts'
import { pathIn, useCompanyId } from '../../app/company.tsx'
import { barTexts } from '../../kit/BarMark.tsx'
import { Button } from '../../kit/Button.tsx'
import { ChoiceFilter, DayFilter, type Filters, TextFilter, useFilters } from '../../kit/filters.tsx'
import { keepFilters } from '../../kit/keptFilters.ts'
import { Empty, Failure, Loading } from '../../kit/Notice.tsx'
import { Page } from '../../kit/Page.tsx'
import { useMedia } from '../../kit/useMedia.ts'
import { useTexts } from '../../texts/texts.ts'
import { ImportButton } from '../imports/ImportButton.tsx'
import { BarCard } from './BarCard.tsx'
import { BarDialogs } from './BarDialogs.tsx'
import { BarsTable } from './BarsTable.tsx'
import { type BarQuery, barNeeds, needOf } from './barNeeds.ts'
import { type BarStep, barSteps } from './barSteps.ts'
import { useBarById, useBarCount, useBars, useManyBars } from './openBars.ts'
import { NewPlanButton } from './PlanForm.tsx'
import { byWork } from './workOrder.ts'

const openBars: BarQuery = { status: ['Draft', 'Approved', 'Started'] }

/** The columns of a small screen, in the order that suits the saw. A wide screen shows the states in their usual order. */
const atTheSaw = ['Started', 'Approved', 'Draft', 'Completed'] as const

/** Bars by plan as a table, or by state as cards. An address with a bar's id shows that bar above the cards of the others. */
export function BarsScreen({ barId }: { readonly barId?: string }) {
  const { t } = useTexts()
  const filters = useFilters()
  const path = pathIn(useCompanyId(), '/bars')
  const [inAddress] = useSearchParams()
  useEffect(() => {
    if (barId === undefined) keepFilters(path, inAddress)
  }, [barId, path, inAddress])
  const areCards = filters.value('view') === 'cards' || barId !== undefined
  const { need, query, isWhole } = askedBy(filters)
  const open = useManyBars(query, {
    every: pollEvery.bars,
    ...(need?.isOne && { atFirst: Number.POSITIVE_INFINITY }),
  })
  const completed = useBars({ status: ['Completed'] }, { every: pollEvery.list })
  const isWide = useMedia('(min-width: 75rem)')
  const neededList = { ...open, rows: need?.isOne ? open.rows?.filter(need.isOne) : open.rows }
  const sortedList = { ...neededList, rows: areCards ? neededList.rows?.toSorted(byWork) : undefined }
  // A filter hides Completed bars, because nothing is left to cut on them.
  const hasCompleted = isWhole
  const allStates = (isWide ? barSteps : atTheSaw).filter((state) => hasCompleted || state !== 'Completed')
  const states = need ? [need.state] : allStates
  return (
    <Page
      title={t('bars')}
      lead={t(areCards || need?.state === 'Completed' ? 'barsOfPlans' : 'barsText')}
      actions={
        <>
          <NewPlanButton />
          <ImportButton kind="plans" />
        </>
      }
    >
      <div className="toolbar">
        <TextFilter filters={filters} name="search" label={t('search')} placeholder={t('searchBars')} />
        <ChoiceFilter
          filters={filters}
          name="show"
          label={t('show')}
          options={Object.entries(barNeeds).map(([value, { title }]) => ({ value, text: t(title) }))}
        />
        <ChoiceFilter
          filters={filters}
          name="verdict"
          label={t('verdict')}
          options={wordsFromWorst.map((value) => ({ value, text: t(value) }))}
        />
        <DayFilter filters={filters} name="dueBy" label={t('dueBy')} />
        {barId === undefined && (
          <Button onPress={() => filters.set('view', areCards ? '' : 'cards')}>
            {t(areCards ? 'asTable' : 'asCards')}
          </Button>
        )}
      </div>
      <BarDialogs lists={[open, completed]}>
        {barId !== undefined && <Wanted key={barId} barId={barId} />}
        {!areCards && (
          <BarsTable list={neededList} empty={<Empty title={t('noBarsHere')}>{t('barsText')}</Empty>} />
        )}
        {areCards && (open.rows || open.error) && (
          <div className="board">
            {states.map((state) => (
              <Column
                key={state}
                state={state}
                list={state === 'Completed' && !need ? completed : sortedList}
                {...{ query, barId }}
              />
            ))}
          </div>
        )}
        {
          // On a phone, the columns stand below each other, and would push each other down.
          areCards && !open.rows && !open.error && <Loading />
        }
      </BarDialogs>
    </Page>
  )
}

/** Return the bars that the filters ask for. */
function askedBy({ value }: Filters) {
  const need = needOf(value('show'))
  const [search, verdict, dueBy] = [value('search'), value('verdict') as VerdictWord | '', value('dueBy')]
  const narrowed: BarQuery = {
    ...(search !== '' && { q: search }),
    ...(verdict !== '' && { verdict }),
    ...(dueBy !== '' && { dueBy }),
  }
  const query: BarQuery = { ...(need?.query ?? openBars), ...narrowed }
  return { need, query, isWhole: need === undefined && Object.keys(narrowed).length === 0 }
}

/** The wanted bar. It does not wait for the board, and stays above the columns whatever its state becomes. */
function Wanted({ barId }: { readonly barId: string }) {
  const { t } = useTexts()
  const { rows, error } = useBarById(barId)
  const [bar] = rows ?? []
  if (bar)
    return (
      <ul className="boardCards">
        <BarCard bar={bar} isWanted />
      </ul>
    )
  if (error) return <Failure error={error} />
  return rows ? <Empty title={t('notFound')}>{t('notFoundText')}</Empty> : <Loading lines={2} />
}

interface ColumnProps {
  readonly state: BarStep
  readonly list: ListState<ListedProductionPlanBar>
  /** The filters of the board. */
  readonly query: BarQuery
  /** The wanted bar, whose card stands above the columns. */
  readonly barId: string | undefined
}

/** The cards of a column that are drawn at first. */
const drawnAtFirst = 20

function Column({ state, list, query, barId }: ColumnProps) {
  const { t, number } = useTexts()
  const { error, hasMore, readMore, readAgain } = list
  const rows = list.rows?.filter(({ status }) => status === state)
  const inState = useBarCount({ ...query, status: [state] }, { every: pollEvery.list, enabled: hasMore })
  // A page that has every bar knows first when one leaves the column.
  const count = hasMore ? inState : rows?.length
  const [drawn, setDrawn] = useState(drawnAtFirst)
  const shownBars = rows?.slice(0, drawn)
  const showMore = () => {
    setDrawn(drawn + drawnAtFirst)
    if (rows && rows.length < drawn + drawnAtFirst && hasMore) readMore()
  }
  return (
    <section className="boardColumn">
      <h2>
        {t(barTexts[state])}
        {rows && count !== undefined && <span className="count">{number(count)}</span>}
      </h2>
      {!rows && (error ? <Failure error={error} onRetry={readAgain} /> : <Loading lines={3} />)}
      {rows?.length === 0 && <p className="muted">{t('noBarsHere')}</p>}
      <ul className="boardCards">
        {shownBars?.map((bar) => bar.barId !== barId && <BarCard key={bar.barId} bar={bar} />)}
      </ul>
      {rows && (rows.length > (shownBars?.length ?? 0) || hasMore) && (
        <Button onPress={showMore}>{t('more')}</Button>
      )}
    </section>
  )
}
