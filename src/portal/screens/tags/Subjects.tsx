import { useList } from '../../api/queries.ts'
import { useCompanyId } from '../../app/company.tsx'
import { Empty } from '../../kit/Notice.tsx'
import { useTexts } from '../../texts/texts.ts'
import { CertificateTable } from '../certificates/CertificatesScreen.tsx'
import { OrderTable } from '../orders/OrdersScreen.tsx'
import type { Family } from './family.ts'

/** The certificates or orders that have a tag. */
export function Subjects({ family, tagId }: { readonly family: Family; readonly tagId: string }) {
  const { t } = useTexts()
  const input = { params: { companyId: useCompanyId() }, query: { tagId, include: ['findings' as const] } }
  const isOrder = family === 'order'
  const certificates = useList('listCertificates', input, { enabled: !isOrder })
  const orders = useList('listOrders', input, { enabled: isOrder })
  const empty = <Empty title={t('noSubjects')} />
  return isOrder ? (
    <OrderTable list={orders} empty={empty} />
  ) : (
    <CertificateTable list={certificates} empty={empty} />
  )
}
