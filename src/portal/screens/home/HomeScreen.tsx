import { Fragment, type ReactNode } from 'react'
import { Link } from 'wouter'
import { useAsOf } from '../../api/asOf.ts'
import type { Input } from '../../api/client.ts'
import { type ListState, pollEvery, useList, useWhole } from '../../api/queries.ts'
import { pathIn, useCompanyId } from '../../app/company.tsx'
import { useMay, usePerson, useRoles } from '../../app/session.tsx'
import { Loading } from '../../kit/Notice.tsx'
import { Page } from '../../kit/Page.tsx'
import { type TextName, useTexts } from '../../texts/texts.ts'
import { type BarNeed, type BarNeedName, barNeeds } from '../bars/barNeeds.ts'
import { useManyBars } from '../bars/openBars.ts'
import { type HomePart, homeOrder, incompleteTag } from './homeOrder.ts'
import {
  BarsInNeed,
  BlockedOrders,
  Certificates,
  isBehind,
  LastChanges,
  PacksBehind,
  shownAtFirst,
  WithoutCertificate,
} from './needs.tsx'
import { RefusedAtSaw, UnsentAtSaw } from './TapsAtSaw.tsx'

/** The first screen: everything in the company that needs somebody, the person's own work first. */
export function HomeScreen() {
  const { t } = useTexts()
  const companyId = useCompanyId()
  const { memberships } = usePerson()
  const roles = useRoles(companyId)
  const may = useMay(companyId)
  const company = memberships.find((one) => one.companyId === companyId)?.companyName ?? ''
  const parts = useParts()
  const isPresent = useAsOf() === undefined
  const shownParts = homeOrder(roles).flatMap((name) => parts[name] ?? [])
  // Show all parts together: a part that came later would push down those below it.
  const isRead = shownParts.every(({ list: { rows, error } }) => rows || error)
  const isDone = ({ list: { rows } }: Part) => rows?.length === 0
  const doneParts = shownParts.filter(isDone)
  return (
    <Page
      title={t('overview')}
      lead={t('overviewText', { company })}
      actions={
        may('startProductionPlanBar') && (
          <Link href={pathIn(companyId, '/saw')} className="button plain">
            {t('saw')}
          </Link>
        )
      }
    >
      <div className="needs">
        {isPresent && <RefusedAtSaw />}
        {isPresent && <UnsentAtSaw />}
        {!isRead && <Loading />}
        {isRead &&
          shownParts
            .filter((part) => !isDone(part))
            .map(({ element, ...part }) => <Fragment key={part.title}>{element}</Fragment>)}
      </div>
      {isRead && doneParts.length > 0 && (
        <p className="muted">
          {t('nothingToDo')} {doneParts.map(({ title }) => title).join(' · ')}
        </p>
      )}
    </Page>
  )
}

interface Part {
  readonly title: string
  readonly list: Pick<ListState<unknown>, 'rows' | 'error'>
  readonly element: ReactNode
}

/** Read the parts that the person may see. */
function useParts(): Readonly<Partial<Record<HomePart, Part>>> {
  const { t } = useTexts()
  const companyId = useCompanyId()
  const may = useMay(companyId)
  const params = { companyId }
  // Only another release of the service, or a person in the settings, changes the rule packs.
  const isPresent = useAsOf() === undefined
  const packs = useList('listRulePacks', { params }, { every: 30_000, enabled: isPresent })
  const behind = { ...packs, rows: packs.rows?.filter(isBehind) }
  const mayAudit = may('listAuditTrail')
  const trail = useList('listAuditTrail', { params, query: { limit: shownAtFirst } }, { enabled: mayAudit })
  const certificates = {
    blockedCertificates: useCertificates({ blocked: true }),
    toRelease: useCertificates({ status: ['Received'] }),
    rejected: useCertificates({ status: ['Rejected'] }),
  }
  const incomplete = useIncomplete()
  const deliveries = useList('listDeliveries', { params, query: { withoutCertificate: true, ...countQuery } })
  const orders = useList('listOrders', { params, query: { blocked: true, ...countQuery } })
  const bars = {
    toStop: useBarsInNeed(barNeeds.toStop),
    held: useBarsInNeed(barNeeds.held),
    withdrawn: useBarsInNeed(barNeeds.withdrawn),
    toApprove: useBarsInNeed(barNeeds.toApprove),
    toSaw: useBarsInNeed(barNeeds.toSaw),
  }
  const ofBars = (need: BarNeedName): Part => ({
    title: t(barNeeds[need].title),
    list: bars[need],
    element: <BarsInNeed need={need} list={bars[need]} />,
  })
  const ofCertificates = (name: keyof typeof certificates, text: TextName, filter: string): Part => ({
    title: t(text),
    list: certificates[name],
    element: <Certificates title={t(text)} filter={filter} list={certificates[name]} />,
  })
  return {
    toStop: ofBars('toStop'),
    held: ofBars('held'),
    withdrawn: ofBars('withdrawn'),
    toApprove: ofBars('toApprove'),
    toSaw: ofBars('toSaw'),
    blockedCertificates: ofCertificates('blockedCertificates', 'blockedCertificates', 'blocked=true'),
    toRelease: ofCertificates('toRelease', 'certificatesToRelease', 'status=Received'),
    rejected: ofCertificates('rejected', 'certificatesRejected', 'status=Rejected'),
    ...(incomplete && { incomplete }),
    withoutCertificate: {
      title: t('withoutCertificate'),
      list: deliveries,
      element: <WithoutCertificate list={deliveries} />,
    },
    blockedOrders: {
      title: t('blockedOrders'),
      list: orders,
      element: <BlockedOrders list={orders} />,
    },
    ...(isPresent && {
      packsBehind: { title: t('packsBehind'), list: behind, element: <PacksBehind list={behind} /> },
    }),
    ...(mayAudit && {
      changed: { title: t('lastChanges'), list: trail, element: <LastChanges list={trail} /> },
    }),
  }
}

function useCertificates(query: NonNullable<Input<'listCertificates'>['query']>, enabled = true) {
  const input = { params: { companyId: useCompanyId() }, query: { ...query, ...countQuery } }
  return useList('listCertificates', input, { enabled })
}

/** Certificates that lack values. Undefined in a company without the rule pack that finds them. */
function useIncomplete(): Part | undefined {
  const { t } = useTexts()
  const tags = useWhole(
    useList('listMillCertTags', { params: { companyId: useCompanyId() } }, { every: false }),
  )
  const tagId = tags.rows?.find(({ name, isSystemTag }) => isSystemTag && name === incompleteTag)?.tagId
  const found = useCertificates({ ...(tagId !== undefined && { tagId }) }, tagId !== undefined)
  if (tagId === undefined && tags.isWhole && !tags.error) return undefined
  const list = tagId === undefined ? { ...found, error: tags.error } : found
  const title = t('certificatesIncomplete')
  return { title, list, element: <Certificates {...{ title, list }} filter={`tagId=${tagId}`} /> }
}

const countQuery = { limit: shownAtFirst, count: true } as const

/** Read the first bars in need and their number. If only the verdict can tell which bars need somebody, read all. */
function useBarsInNeed({ query, isOne }: BarNeed) {
  const atFirst = isOne ? Number.POSITIVE_INFINITY : 0
  const list = useManyBars(isOne ? query : { ...query, ...countQuery }, { every: pollEvery.list, atFirst })
  if (!isOne) return list
  return { ...list, rows: list.isComplete && !list.error ? list.rows?.filter(isOne) : undefined }
}
