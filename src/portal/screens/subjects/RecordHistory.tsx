import { useList } from '../../api/queries.ts'
import { useCompanyId } from '../../app/company.tsx'
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
  return (
    <History
      list={list}
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
