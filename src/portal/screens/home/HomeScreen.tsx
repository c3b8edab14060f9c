import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { useAsOf } from '../../api/asOf.ts'
import type { Certificate, ListedProductionPlanBar, Order, RulePack } from '../../api/generated.ts'
import { type ListState, pollEvery, useList } from '../../api/queries.ts'
import { pathIn, useCompanyId } from '../../app/company.tsx'
import { usePerson } from '../../app/session.tsx'
import { useBarName } from '../../kit/barName.ts'
import { Mark, TagChips } from '../../kit/Chip.tsx'
import { Failure, Loading } from '../../kit/Notice.tsx'
import { Page } from '../../kit/Page.tsx'
import { BarVerdict } from '../../kit/Verdict.tsx'
import { useTexts } from '../../texts/texts.ts'
import { profileOf } from '../bars/barLines.ts'
import { type BarNeed, type BarNeedName, barNeeds, boardOf } from '../bars/barNeeds.ts'
import { usePieces } from '../bars/barPieces.ts'
import { useManyBars } from '../bars/openBars.ts'
import { Reason } from '../bars/Reason.tsx'
import { RefusedAtSaw, UnsentAtSaw } from './TapsAtSaw.tsx'

/** The first screen: everything in the company that needs somebody. */
export function HomeScreen() {
  const { t } = useTexts()
  const companyId = useCompanyId()
  const { memberships } = usePerson()
  const company = memberships.find((one) => one.companyId === companyId)?.companyName ?? ''
  const params = { companyId }
  const certificates = useList('listCertificates', { params, query: { blocked: true, ...counted } })
  const orders = useList('listOrders', { params, query: { blocked: true, ...counted } })
  const bars = {
    toStop: useBarsInNeed(barNeeds.toStop),
    held: useBarsInNeed(barNeeds.held),
    withdrawn: useBarsInNeed(barNeeds.withdrawn),
    toApprove: useBarsInNeed(barNeeds.toApprove),
    toSaw: useBarsInNeed(barNeeds.toSaw),
  }
  // Only another release of the service, or a person in the settings, changes this list.
  const isPresent = useAsOf() === undefined
  const packs = useList('listRulePacks', { params }, { every: 30_000, enabled: isPresent })
  // Show all parts together: a part that came later would push down those below it.
  const isRead = [certificates, orders, ...Object.values(bars)].every(({ rows, error }) => rows || error)
  return (
    <Page title={t('overview')} lead={t('overviewText', { company })}>
      <div className="needs">
        {isPresent && <RefusedAtSaw />}
        {isPresent && <UnsentAtSaw />}
        {!isRead && <Loading />}
        {isRead && (
          <>
            {(['toStop', 'held', 'withdrawn'] as const).map((need) => (
              <BarsInNeed key={need} need={need} list={bars[need]} />
            ))}
            <BlockedCertificates list={certificates} />
            <BlockedOrders list={orders} />
            {(['toApprove', 'toSaw'] as const).map((need) => (
              <BarsInNeed key={need} need={need} list={bars[need]} />
            ))}
            {isPresent && <PacksBehind list={packs} />}
          </>
        )}
      </div>
    </Page>
  )
}

interface BarsInNeedProps {
  readonly need: BarNeedName
  readonly list: ListState<ListedProductionPlanBar>
}

function BarsInNeed({ need, list }: BarsInNeedProps) {
  const { t } = useTexts()
  const companyId = useCompanyId()
  const piecesOf = usePieces()
  const sizeOf = (bar: ListedProductionPlanBar) =>
    [profileOf(bar), bar.grade, piecesOf(bar) || t('noCuts')].filter(Boolean).join(' · ')
  return (
    <Need
      title={t(barNeeds[need].title)}
      href={pathIn(companyId, boardOf(need))}
      list={list}
      row={(bar) => (
        <BarLine key={bar.barId} bar={bar}>
          {reasons[need]?.(bar) ?? sizeOf(bar)}
        </BarLine>
      )}
    />
  )
}

/** Why a bar needs somebody, where the need does not say it. */
const reasons: Partial<Record<BarNeedName, (bar: ListedProductionPlanBar) => ReactNode>> = {
  toStop: ({ verdict }) => verdict && <Reason findings={verdict.findings} />,
  held: ({ stop }) => stop && (stop.reason ?? <Reason findings={stop.findings} />),
  withdrawn: ({ withdrawal }) => withdrawal && <Reason findings={withdrawal.findings} />,
}

function BlockedCertificates({ list }: { readonly list: ListState<Certificate> }) {
  const { t } = useTexts()
  const companyId = useCompanyId()
  return (
    <Need
      title={t('blockedCertificates')}
      href={pathIn(companyId, '/certificates?blocked=true')}
      list={list}
      row={({ millCertificationId, certificateNumber, heatNumber, tags }) => (
        <li key={millCertificationId}>
          <Link href={pathIn(companyId, `/certificates/${millCertificationId}`)} className="rowLink">
            {certificateNumber} · {heatNumber}
          </Link>
          <TagChips tags={tags.filter(({ severity }) => severity === 'Block')} />
        </li>
      )}
    />
  )
}

function BlockedOrders({ list }: { readonly list: ListState<Order> }) {
  const { t } = useTexts()
  const companyId = useCompanyId()
  return (
    <Need
      title={t('blockedOrders')}
      href={pathIn(companyId, '/orders?blocked=true')}
      list={list}
      row={({ orderId, orderNumber, tags }) => (
        <li key={orderId}>
          <Link href={pathIn(companyId, `/orders/${orderId}`)} className="rowLink">
            {orderNumber}
          </Link>
          <WhyBlocked tags={tags} />
        </li>
      )}
    />
  )
}

function PacksBehind({ list }: { readonly list: ListState<RulePack> }) {
  const { t } = useTexts()
  const behind = list.rows?.filter(
    ({ subscribedVersion, version }) => subscribedVersion !== null && subscribedVersion < version,
  )
  return (
    <Need
      title={t('packsBehind')}
      href={pathIn(useCompanyId(), '/settings')}
      list={{ ...list, rows: behind }}
      row={({ rulePackId, name, subscribedVersion, version }) => (
        <li key={rulePackId}>
          <span className="rowLink">{name}</span>
          <span className="muted">
            {t('packVersions', { have: subscribedVersion ?? 0, newest: version })}
          </span>
        </li>
      )}
    />
  )
}

/** Records of a list that are shown. More are counted. */
const shownAtFirst = 5
const counted = { limit: shownAtFirst, count: true } as const

/** Read the first bars in need and the number of all, or every bar of which the verdict has to tell. */
function useBarsInNeed({ query, isOne }: BarNeed) {
  const atFirst = isOne ? Number.POSITIVE_INFINITY : 0
  const list = useManyBars(isOne ? query : { ...query, ...counted }, { every: pollEvery.list, atFirst })
  if (!isOne) return list
  return { ...list, rows: list.isComplete && !list.error ? list.rows?.filter(isOne) : undefined }
}

/** Show the blocking tags of a blocked order. If there are none, its pieces are held. */
function WhyBlocked({ tags }: Pick<Order, 'tags'>) {
  const { t } = useTexts()
  const blocking = tags.filter(({ severity }) => severity === 'Block')
  return blocking.length > 0 ? <TagChips tags={blocking} /> : <Mark tone="bad">{t('piecesHeld')}</Mark>
}

interface BarLineProps {
  readonly bar: ListedProductionPlanBar
  /** The steel and the cuts, or the reason why the bar needs somebody. */
  readonly children: ReactNode
}

function BarLine({ bar, children }: BarLineProps) {
  const nameOf = useBarName()
  return (
    <li>
      <BarVerdict {...bar} />
      <Link href={pathIn(useCompanyId(), `/bars/${bar.barId}`)} className="rowLink">
        {nameOf(bar)}
      </Link>
      <span className="muted">{children}</span>
    </li>
  )
}

interface NeedProps<Row> {
  readonly title: string
  readonly href: string
  readonly list: ListState<Row>
  readonly row: (row: Row) => ReactNode
}

function Need<Row>({ title, href, list: { rows, total = rows?.length, error }, row }: NeedProps<Row>) {
  const { t, number } = useTexts()
  return (
    <section className="need">
      <h2>
        {title}
        {total !== undefined && <span className="count">{number(total)}</span>}
      </h2>
      {!rows && (error ? <Failure error={error} /> : <Loading lines={3} />)}
      {rows?.length === 0 && <p className="muted">{t('nothingHere')}</p>}
      {rows && rows.length > 0 && <ul className="lines">{rows.slice(0, shownAtFirst).map(row)}</ul>}
      {total !== undefined && total > shownAtFirst && (
        <p>
          <Link href={href}>
            {t('showAll')}
            <span className="visuallyHidden">: {title}</span>
          </Link>
        </p>
      )}
    </section>
  )
}
