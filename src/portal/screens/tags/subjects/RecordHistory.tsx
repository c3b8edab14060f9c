import { useEffect } from 'react'
import { Link } from 'wouter'
import { useList } from '../../../api/queries.ts'
import { useShownPosition } from '../../../app/asOf.tsx'
import { pathIn, useCompanyId } from '../../../app/company.tsx'
import { useMay } from '../../../app/session.tsx'
import { Happened } from '../../../kit/Happened.tsx'
import { History } from '../../../kit/History.tsx'
import { useTexts } from '../../../texts/texts.ts'

const histories = {
  certificate: 'getCertificateHistory',
  order: 'getOrderHistory',
  bar: 'getProductionPlanBarHistory',
} as const

interface RecordHistoryProps {
  readonly of: keyof typeof histories
  readonly id: string
}

/** The history of a certificate, an order or a bar. */
export function RecordHistory({ of, id }: RecordHistoryProps) {
  const { t } = useTexts()
  const companyId = useCompanyId()
  const may = useMay(companyId)
  const params = { companyId, millCertificationId: id, orderId: id, barId: id }
  const list = useList(histories[of], { params, query: { limit: 50 } })
  const { hasMore, isReadingMore, error, readMore } = list
  const until = useShownPosition()
  const rowsUntil = until === undefined ? undefined : list.rows?.filter(({ position }) => position <= until)
  // The newest entries come first, and all of them may be later than the time that is shown.
  const isTooNew = rowsUntil?.length === 0 && hasMore
  useEffect(() => {
    if (isTooNew && !isReadingMore && !error) readMore()
  })
  return (
    <div className="history">
      {may('listAuditTrail') && (
        <p>
          <Link href={pathIn(companyId, `/audit?subjectType=${of}&subjectId=${id}`)}>
            {t('inAuditTrail')}
          </Link>
        </p>
      )}
      <History
        list={{ ...list, rows: isTooNew ? undefined : rowsUntil }}
        entry={({ eventId, actor, message, sentence, changes, occurredAt, performedAt }) => ({
          key: eventId,
          who: actor.name,
          did: <Happened {...{ message, sentence }} />,
          changes,
          isFolded: true,
          at: occurredAt,
          doneAt: performedAt,
        })}
      />
    </div>
  )
}
