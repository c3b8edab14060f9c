import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { useAsOf } from '../../api/asOf.ts'
import type { ListedProductionPlanBar, Order } from '../../api/generated.ts'
import { type ListState, pollEvery, useList } from '../../api/queries.ts'
import { pathIn, useCompanyId } from '../../app/company.tsx'
import { usePerson } from '../../app/session.tsx'
import { Button } from '../../kit/Button.tsx'
import { useBarName } from '../../kit/barName.ts'
import { Mark, TagChips } from '../../kit/Chip.tsx'
import { Failure, Loading } from '../../kit/Notice.tsx'
import { Page } from '../../kit/Page.tsx'
import { useNow } from '../../kit/useNow.ts'
import { BarVerdict, blocking } from '../../kit/Verdict.tsx'
import { RefusedTap, TapInWords, useRefusedTaps } from '../../taps/RefusedTaps.tsx'
import { tapStore } from '../../taps/tapStore.ts'
import { isTooLate, isWaiting, type Tap } from '../../taps/taps.ts'
import { useTaps } from '../../taps/useTaps.ts'
import { useTexts } from '../../texts/texts.ts'
import { type BarNeed, barNeeds, boardOf } from '../bars/barNeeds.ts'
import { useManyBars } from '../bars/openBars.ts'

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
  const behind = packs.rows?.filter(
    ({ subscribedVersion, version }) => subscribedVersion !== null && subscribedVersion < version,
  )
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
            <Need
              title={t(barNeeds.toStop.title)}
              href={pathIn(companyId, boardOf('toStop'))}
              list={bars.toStop}
              row={(bar) => (
                <BarLine key={bar.barId} bar={bar}>
                  {blocking(bar.verdict?.findings ?? [])[0]?.message}
                </BarLine>
              )}
            />
            <Need
              title={t(barNeeds.held.title)}
              href={pathIn(companyId, boardOf('held'))}
              list={bars.held}
              row={(bar) => (
                <BarLine key={bar.barId} bar={bar}>
                  {bar.stop?.reason ?? bar.stop?.findings[0]?.message}
                </BarLine>
              )}
            />
            <Need
              title={t(barNeeds.withdrawn.title)}
              href={pathIn(companyId, boardOf('withdrawn'))}
              list={bars.withdrawn}
              row={(bar) => (
                <BarLine key={bar.barId} bar={bar}>
                  {bar.withdrawal?.findings[0]?.message}
                </BarLine>
              )}
            />
            <Need
              title={t('blockedCertificates')}
              href={pathIn(companyId, '/certificates?blocked=true')}
              list={certificates}
              row={({ millCertificationId, certificateNumber, heatNumber, tags }) => (
                <li key={millCertificationId}>
                  <Link href={pathIn(companyId, `/certificates/${millCertificationId}`)} className="rowLink">
                    {certificateNumber} · {heatNumber}
                  </Link>
                  <TagChips tags={tags.filter(({ severity }) => severity === 'Block')} />
                </li>
              )}
            />
            <Need
              title={t('blockedOrders')}
              href={pathIn(companyId, '/orders?blocked=true')}
              list={orders}
              row={({ orderId, orderNumber, tags }) => (
                <li key={orderId}>
                  <Link href={pathIn(companyId, `/orders/${orderId}`)} className="rowLink">
                    {orderNumber}
                  </Link>
                  <WhyBlocked tags={tags} />
                </li>
              )}
            />
            {(['toApprove', 'toSaw'] as const).map((name) => (
              <Need
                key={name}
                title={t(barNeeds[name].title)}
                href={pathIn(companyId, boardOf(name))}
                list={bars[name]}
                row={(bar) => (
                  <BarLine key={bar.barId} bar={bar}>
                    {bar.grade} ·{' '}
                    {bar.cuts.length === 1 ? t('oneCut') : t('cutCount', { n: bar.cuts.length })}
                  </BarLine>
                )}
              />
            ))}
            {isPresent && (
              <Need
                title={t('packsBehind')}
                href={pathIn(companyId, '/settings')}
                list={{ ...packs, rows: behind }}
                row={({ rulePackId, name, subscribedVersion, version }) => (
                  <li key={rulePackId}>
                    <span className="rowLink">{name}</span>
                    <span className="muted">
                      {t('packVersions', { have: subscribedVersion ?? 0, newest: version })}
                    </span>
                  </li>
                )}
              />
            )}
          </>
        )}
      </div>
    </Page>
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

/** Taps that the service has refused, until the person who made them takes them off the list. */
function RefusedAtSaw() {
  const { t } = useTexts()
  const companyId = useCompanyId()
  const refused = useRefusedTaps().filter((tap) => tap.companyId === companyId)
  return (
    <TapsAtSaw title={t('tapsRefused')} taps={refused} isDone={() => true}>
      {(tap) => (
        <>
          <RefusedTap tap={tap} />
          <Link href={pathIn(companyId, `/saw?bar=${tap.barId}`)}>{t('saw')}</Link>
        </>
      )}
    </TapsAtSaw>
  )
}

/**
 * Taps of other people at this device that were not sent, for everyone in the company: somebody has to see that a bar
 * was cut although nothing says so. Taps that nobody can send any more stay until a person takes them off the list.
 */
function UnsentAtSaw() {
  const { t } = useTexts()
  const { userId } = usePerson()
  const companyId = useCompanyId()
  const unsent = useTaps().filter(
    (tap) => isWaiting(tap) && tap.companyId === companyId && tap.userId !== userId,
  )
  const now = useNow()
  return (
    <TapsAtSaw title={t('tapsUnsent')} taps={unsent} isDone={(tap) => isTooLate(tap, now)}>
      {(tap) => (
        <>
          <TapInWords tap={tap} />
          <p className="muted">{t(isTooLate(tap, now) ? 'tapTooLate' : 'tapOfAnother')}</p>
          <Link href={pathIn(companyId, `/bars/${tap.barId}`)}>{t('bar')}</Link>
        </>
      )}
    </TapsAtSaw>
  )
}

interface TapsAtSawProps {
  readonly title: string
  readonly taps: readonly Tap[]
  /** Whether a person may take the tap off the list. */
  readonly isDone: (tap: Tap) => boolean
  readonly children: (tap: Tap) => ReactNode
}

function TapsAtSaw({ title, taps, isDone, children }: TapsAtSawProps) {
  const { t } = useTexts()
  if (taps.length === 0) return null
  return (
    <section className="need">
      <h2>{title}</h2>
      <ul className="lines">
        {taps.map((tap) => (
          <li key={tap.key}>
            <div>{children(tap)}</div>
            {isDone(tap) && (
              <span className="end">
                <Button onPress={() => tapStore.remove(tap.key)}>{t('done')}</Button>
              </span>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
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
