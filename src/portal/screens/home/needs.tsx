import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type {
  AuditTrailEntry,
  Certificate,
  Delivery,
  ListedProductionPlanBar,
  Order,
  RulePack,
} from '../../api/generated.ts'
import type { ListState } from '../../api/queries.ts'
import { pathIn, useCompanyId } from '../../app/company.tsx'
import { useBarName } from '../../kit/barName.ts'
import { Mark, TagChips } from '../../kit/Chip.tsx'
import { Happened } from '../../kit/Happened.tsx'
import { Failure } from '../../kit/Notice.tsx'
import { BarVerdict } from '../../kit/Verdict.tsx'
import { authorName } from '../../texts/authors.ts'
import { useTexts } from '../../texts/texts.ts'
import { AuditSubject } from '../audit/AuditSubject.tsx'
import { profileOf } from '../bars/barLines.ts'
import { type BarNeedName, barNeeds, boardOf } from '../bars/barNeeds.ts'
import { usePieces } from '../bars/barPieces.ts'
import { Reason } from '../bars/Reason.tsx'

/** The parts of the overview: the first records that need somebody, and the way to all of them. */

/** Records of a list that are shown. More are counted. */
export const shownAtFirst = 5

interface BarsInNeedProps {
  readonly need: BarNeedName
  readonly list: ListState<ListedProductionPlanBar>
}

export function BarsInNeed({ need, list }: BarsInNeedProps) {
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

interface CertificatesProps {
  readonly title: string
  /** The filter of the list of certificates that shows all of them. */
  readonly filter: string
  readonly list: ListState<Certificate>
}

export function Certificates({ title, filter, list }: CertificatesProps) {
  const companyId = useCompanyId()
  return (
    <Need
      title={title}
      href={pathIn(companyId, `/certificates?${filter}`)}
      list={list}
      row={({ millCertificationId, certificateNumber, heatNumber, tags, grade, manufacturer }) => (
        <li key={millCertificationId}>
          <Link href={pathIn(companyId, `/certificates/${millCertificationId}`)} className="rowLink">
            {certificateNumber} · {heatNumber}
          </Link>
          <Blocking tags={tags}>
            <span className="muted">{[grade, manufacturer].filter(Boolean).join(' · ')}</span>
          </Blocking>
        </li>
      )}
    />
  )
}

export function LastChanges({ list }: { readonly list: ListState<AuditTrailEntry> }) {
  const { t, dateTime, language } = useTexts()
  return (
    <Need
      title={t('lastChanges')}
      href={pathIn(useCompanyId(), '/audit')}
      list={{ ...list, total: undefined }}
      hasMore={list.hasMore}
      row={({ eventId, message, sentence, subject, actor, occurredAt }) => (
        <li key={eventId}>
          <span>
            <AuditSubject {...subject} /> <Happened {...{ message, sentence }} />
          </span>
          <span className="muted small">
            {authorName(actor.name, language)} · {dateTime(occurredAt)}
          </span>
        </li>
      )}
    />
  )
}

/** Steel that came, and whose certificate was not found. */
export function WithoutCertificate({ list }: { readonly list: ListState<Delivery> }) {
  const { t, date } = useTexts()
  const href = pathIn(useCompanyId(), '/deliveries?certificate=none')
  return (
    <Need
      title={t('withoutCertificate')}
      href={href}
      list={list}
      row={(delivery) => (
        <li key={delivery.deliveryId}>
          <Link href={href} className="rowLink">
            {delivery.deliveryNote}
          </Link>
          <span className="muted">
            {[delivery.supplier, date(delivery.date), ...heatsIn(delivery)].filter(Boolean).join(' · ')}
          </span>
        </li>
      )}
    />
  )
}

/** The heats of a delivery that name no certificate. */
function heatsIn({ items }: Delivery): readonly (string | null)[] {
  const heats = items.flatMap(({ millCertificationId, heatNumber }) =>
    millCertificationId === null ? [heatNumber] : [],
  )
  return [...new Set(heats)]
}

export function BlockedOrders({ list }: { readonly list: ListState<Order> }) {
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
          <Blocking tags={tags}>
            <Mark tone="bad">{t('piecesHeld')}</Mark>
          </Blocking>
        </li>
      )}
    />
  )
}

export function isBehind({ subscribedVersion, version }: RulePack): boolean {
  return subscribedVersion !== null && subscribedVersion < version
}

export function PacksBehind({ list }: { readonly list: ListState<RulePack> }) {
  const { t } = useTexts()
  return (
    <Need
      title={t('packsBehind')}
      href={pathIn(useCompanyId(), '/settings')}
      list={list}
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

interface BlockingProps extends Pick<Order, 'tags'> {
  /** Shown if no tag blocks. */
  readonly children: ReactNode
}

function Blocking({ tags, children }: BlockingProps) {
  const blocking = tags.filter(({ severity }) => severity === 'Block')
  return blocking.length > 0 ? <TagChips tags={blocking} /> : children
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
  /** There are more records, which are not counted. */
  readonly hasMore?: boolean
}

function Need<Row>({ title, href, list, row, hasMore = false }: NeedProps<Row>) {
  const { rows, total = hasMore ? undefined : rows?.length, error } = list
  const { t, number } = useTexts()
  return (
    <section className="need">
      <h2>
        {title}
        {total !== undefined && <span className="count">{number(total)}</span>}
      </h2>
      {!rows && error && <Failure error={error} />}
      {rows && rows.length > 0 && <ul className="lines">{rows.slice(0, shownAtFirst).map(row)}</ul>}
      {(hasMore || (total !== undefined && total > shownAtFirst)) && (
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
