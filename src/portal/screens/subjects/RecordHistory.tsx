import { useEffect } from 'react'
import { useList } from '../../api/queries.ts'
import { useCompanyId } from '../../app/company.tsx'
import { useShownPosition } from '../../app/moment.tsx'
import { History } from '../../kit/History.tsx'

const histories = {
  certificate: 'getCertificateHistory',
  order: 'getOrderHistory',
  bar: 'getProductionPlanBarHistory',
} as const

interface RecordHistoryProps {
  readonly of: keyof typeof histories
  readonly id: string
}

/** The history of a certificate, an order or a bar. Its sentences are the service's own, in English. */
export function RecordHistory({ of, id }: RecordHistoryProps) {
  const params = { companyId: useCompanyId(), millCertificationId: id, orderId: id, barId: id }
  const list = useList(histories[of], { params, query: { limit: 20 } })
  const { hasMore, isReadingMore, error, readMore } = list
  const until = useShownPosition()
  const known = until === undefined ? undefined : list.rows?.filter(({ position }) => position <= until)
  // The newest entries come first, and all of them may be later than the moment that is shown.
  const isTooNew = known?.length === 0 && hasMore
  useEffect(() => {
    if (isTooNew && !isReadingMore && !error) readMore()
  })
  return (
    <History
      list={{ ...list, rows: isTooNew ? undefined : known }}
      entry={({ eventId, actor, sentence, changes, occurredAt }) => ({
        key: eventId,
        who: actor.name,
        did: <span lang="en">{sentence}</span>,
        changes,
        isFolded: true,
        at: occurredAt,
      })}
    />
  )
}
