import { useRecord } from '../api/queries.ts'
import { useCompanyId } from '../app/company.tsx'
import { useTexts } from '../texts/texts.ts'

/** The names of records whose ids stand in a history. An id whose record cannot be read stays. */

interface Identified {
  readonly id: string
}

const once = { every: false } as const

export function CertificateName({ id }: Identified) {
  const params = { companyId: useCompanyId(), millCertificationId: id }
  const { data, error } = useRecord('getCertificate', { params }, once)
  if (data) return <>{`${data.data.certificateNumber} · ${data.data.heatNumber}`}</>
  return <>{error ? id : '…'}</>
}

export function OrderName({ id }: Identified) {
  const { data, error } = useOrder(id)
  if (data) return <>{data.data.orderNumber}</>
  return <>{error ? id : '…'}</>
}

export function LineName({ orderId, lineItemId }: { readonly orderId: string; readonly lineItemId: string }) {
  const { number } = useTexts()
  const { data, error } = useOrder(orderId)
  const line = data?.data.lineItems.find((one) => one.lineItemId === lineItemId)
  if (line) return <>{[number(line.lineNumber), line.pieceMark].filter(Boolean).join(' · ')}</>
  return <>{data || error ? lineItemId : '…'}</>
}

const useOrder = (orderId: string) =>
  useRecord('getOrder', { params: { companyId: useCompanyId(), orderId } }, once)
