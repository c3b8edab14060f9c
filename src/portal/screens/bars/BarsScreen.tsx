import { useEffect, useRef, useState } from 'react'
import { Link } from 'wouter'
import { ApiProblem } from '../../api/client.ts'
import type { Finding, ProductionPlanBar } from '../../api/generated.ts'
import { pollEvery, useCommand, useList, useRecord } from '../../api/queries.ts'
import { pathIn, useCompanyId } from '../../app/company.tsx'
import { useMay } from '../../app/session.tsx'
import { barTexts } from '../../kit/BarMark.tsx'
import { Button } from '../../kit/Button.tsx'
import { Mark, TagChips } from '../../kit/Chip.tsx'
import { FormError } from '../../kit/Form.tsx'
import { Failure, Loading } from '../../kit/Notice.tsx'
import { Page } from '../../kit/Page.tsx'
import { tell } from '../../kit/toast.tsx'
import { useTexts } from '../../texts/texts.ts'
import { blocking, Findings } from './Findings.tsx'
import { changesBar, OverrideDialog } from './OverrideDialog.tsx'

const states = ['Draft', 'Approved', 'Started', 'Completed'] as const
type State = (typeof states)[number]

/** Bars by state, with the next step of each. An address with a bar's id opens the board on that bar. */
export function BarsScreen({ barId }: { readonly barId?: string }) {
  const { t } = useTexts()
  const companyId = useCompanyId()
  const plans = useList('listProductionPlans', { params: { companyId } })
  const planNames = new Map(plans.rows?.map(({ planId, name }) => [planId, name]))
  return (
    <Page title={t('bars')} lead={t('barsText')}>
      <div className="board">
        {states.map((state) => (
          <Column key={state} state={state} planNames={planNames} barId={barId} />
        ))}
      </div>
    </Page>
  )
}

interface ColumnProps {
  readonly state: State
  readonly planNames: ReadonlyMap<string, string>
  readonly barId: string | undefined
}

/** The cards of a column that are drawn at first. Each reads its certificate and orders. */
const drawnAtFirst = 20

function Column({ state, planNames, barId }: ColumnProps) {
  const { t, number } = useTexts()
  const companyId = useCompanyId()
  const { rows, error, hasMore, readMore, readAgain } = useList(
    'listProductionPlanBars',
    { params: { companyId }, query: { status: [state] } },
    { every: pollEvery.bars },
  )
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
          <Card
            key={bar.barId}
            bar={bar}
            planName={planNames.get(bar.planId) ?? ''}
            isWanted={bar.barId === barId}
          />
        ))}
      </ul>
      {rows && (rows.length > (shown?.length ?? 0) || hasMore) && (
        <Button onPress={showMore}>{t('more')}</Button>
      )}
    </section>
  )
}

interface CardProps {
  readonly bar: ProductionPlanBar
  readonly planName: string
  readonly isWanted: boolean
}

function Card({ bar, planName, isWanted }: CardProps) {
  const { t, number } = useTexts()
  const companyId = useCompanyId()
  const { barId, ordinal, grade, stockLengthMm, remnantMm, millCertificationId, cuts } = bar
  const card = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (isWanted) card.current?.scrollIntoView({ block: 'center' })
  }, [isWanted])
  const orderIds = [
    ...new Set(cuts.filter(({ status }) => status !== 'Rejected').map(({ orderId }) => orderId)),
  ]
  return (
    <li
      ref={card}
      className={isWanted ? 'boardCard wanted' : 'boardCard'}
      aria-current={isWanted || undefined}
    >
      <h3>
        <Link href={pathIn(companyId, `/bars/${barId}`)} className="rowLink">
          {planName} · {number(ordinal)}
        </Link>
      </h3>
      <p className="muted small">
        {grade} · {number(stockLengthMm)} mm ·{' '}
        {cuts.length === 1 ? t('oneCut') : t('cutCount', { n: number(cuts.length) })} · {t('remnant')}{' '}
        {number(remnantMm)} mm
      </p>
      {millCertificationId === null ? (
        <Mark tone="warn">{t('noHeat')}</Mark>
      ) : (
        <Heat millCertificationId={millCertificationId} />
      )}
      <p className="chips">
        {orderIds.map((orderId) => (
          <OrderLink key={orderId} orderId={orderId} />
        ))}
      </p>
      {bar.status !== 'Completed' && <Verdict barId={barId} />}
      <NextStep bar={bar} />
    </li>
  )
}

function Heat({ millCertificationId }: { readonly millCertificationId: string }) {
  const { t } = useTexts()
  const companyId = useCompanyId()
  const { data } = useRecord(
    'getCertificate',
    { params: { companyId, millCertificationId } },
    { every: 30_000 },
  )
  if (!data) return <span className="muted">…</span>
  const { heatNumber, tags, blocked } = data.data
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

function OrderLink({ orderId }: { readonly orderId: string }) {
  const companyId = useCompanyId()
  const { data } = useRecord('getOrder', { params: { companyId, orderId } }, { every: 30_000 })
  // A link needs a name and a size that a finger meets.
  if (!data) return <span className="muted">…</span>
  return <Link href={pathIn(companyId, `/orders/${orderId}`)}>{data.data.orderNumber}</Link>
}

/** Say whether the bar may be cut, and what speaks against it. */
function Verdict({ barId }: { readonly barId: string }) {
  const { t } = useTexts()
  const companyId = useCompanyId()
  const { data } = useRecord('getVerdict', { params: { companyId, barId } }, { every: 10_000 })
  if (!data) return null
  const { mayBeCut, findings } = data.data
  return (
    <>
      <Mark tone={mayBeCut ? 'good' : 'bad'}>{t(mayBeCut ? 'mayBeCut' : 'mayNotBeCut')}</Mark>
      {findings.length > 0 && (
        <details>
          <summary>{t('findings', { n: findings.length })}</summary>
          <Findings findings={findings} />
          <Override barId={barId} findings={blocking(findings)} />
        </details>
      )}
    </>
  )
}

interface OverrideProps {
  readonly barId: string
  readonly findings: readonly Finding[]
  readonly onOverridden?: () => void
}

/** Offer to override findings, if the person may do so. */
function Override({ barId, findings, onOverridden }: OverrideProps) {
  const { t } = useTexts()
  const may = useMay(useCompanyId())
  const [isOpen, setIsOpen] = useState(false)
  if (findings.length === 0 || !may('overrideFindings')) return null
  return (
    <>
      <Button onPress={() => setIsOpen(true)}>{t('override')}</Button>
      {isOpen && <OverrideDialog {...{ barId, findings, onOverridden }} onClose={() => setIsOpen(false)} />}
    </>
  )
}

const nextSteps = {
  Draft: { id: 'approveProductionPlanBar', text: 'approve', becomes: 'Approved' },
  Approved: { id: 'startProductionPlanBar', text: 'start', becomes: 'Started' },
  Started: { id: 'completeProductionPlanBar', text: 'complete', becomes: 'Completed' },
} as const

function NextStep({ bar: { barId, status } }: Pick<CardProps, 'bar'>) {
  const companyId = useCompanyId()
  const may = useMay(companyId)
  if (status === 'Completed' || status === 'Cancelled' || !may(nextSteps[status].id)) return null
  return <Step key={status} barId={barId} {...nextSteps[status]} />
}

function Step({
  barId,
  id,
  text,
  becomes,
}: { readonly barId: string } & (typeof nextSteps)[keyof typeof nextSteps]) {
  const { t } = useTexts()
  const companyId = useCompanyId()
  // A step reads only the lists and this bar again: the board shows too many certificates and orders to read them all.
  const { mutate, isPending, error, reset } = useCommand(id, { changes: changesBar(barId) })
  const act = () =>
    mutate(
      { params: { companyId, barId } },
      { onSuccess: () => tell(t('barDone', { state: t(barTexts[becomes]) })) },
    )
  return (
    <div className="boardAction">
      <Button onPress={act} isPending={isPending}>
        {t(text)}
      </Button>
      {error && <Refusal barId={barId} error={error} onOverridden={reset} />}
    </div>
  )
}

interface RefusalProps {
  readonly barId: string
  readonly error: Error
  readonly onOverridden: () => void
}

/** Say why a step was refused, finding by finding. */
function Refusal({ barId, error, onOverridden }: RefusalProps) {
  const findings = (error instanceof ApiProblem ? error.problem.findings : undefined) as Finding[] | undefined
  if (!findings) return <Failure error={error} />
  return (
    <>
      <FormError error={error} />
      <Findings findings={findings} />
      <Override barId={barId} findings={blocking(findings)} onOverridden={onOverridden} />
    </>
  )
}
