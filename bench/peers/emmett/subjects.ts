import { SQL } from '@event-driven-io/dumbo'
import type {
  MillCertificateCorrected,
  MillCertificateRegistered,
} from '../../../src/domain/certificates/certificate.ts'
import { normalise } from '../../../src/domain/kernel/spellings.ts'
import type { OrderCorrected, OrderRegistered } from '../../../src/domain/orders/order.ts'
import { type PeerEvent, part, revisionOf } from './event.ts'

/** Certificates, and orders with their line items. */

export function certificates(event: PeerEvent<MillCertificateRegistered | MillCertificateCorrected>): SQL {
  const { type, data, metadata } = event
  if (type === 'MillCertificateRegistered')
    return SQL`INSERT INTO peer.certificate VALUES (${data.companyId}, ${data.millCertificationId},
      ${data.certificateNumber}, ${data.heatNumber}, ${normalise(data.certificateNumber)},
      ${normalise(data.heatNumber)}, ${data.standard}, ${data.grade}, ${data.inspectionDocument},
      ${data.manufacturer}, ${data.productForm}, ${data.thicknessMm}, ${json(data.chemistry)},
      ${json(data.mechanical)}, ${data.issuedOn}, ${metadata.occurredAt}, ${revisionOf(event)})`
  return SQL`UPDATE peer.certificate SET standard = ${data.standard}, grade = ${data.grade},
    inspection_document = ${data.inspectionDocument}, manufacturer = ${data.manufacturer},
    product_form = ${data.productForm}, thickness_mm = ${data.thicknessMm}, chemistry = ${json(data.chemistry)},
    mechanical = ${json(data.mechanical)}, issued_on = ${data.issuedOn}, revision = ${revisionOf(event)}
    WHERE company_id = ${data.companyId} AND mill_certification_id = ${data.millCertificationId}`
}

export function orders(event: PeerEvent<OrderRegistered | OrderCorrected>): SQL[] {
  const { companyId, orderId, orderNumber, customer, requiredInspectionDocument, executionClass, lineItems } =
    event.data
  const order =
    event.type === 'OrderRegistered'
      ? SQL`INSERT INTO peer."order" VALUES (${companyId}, ${orderId}, ${orderNumber}, ${normalise(orderNumber)},
          ${customer}, ${requiredInspectionDocument}, ${executionClass}, ${event.metadata.occurredAt},
          ${revisionOf(event)})`
      : SQL`UPDATE peer."order" SET customer = ${customer},
          required_inspection_document = ${requiredInspectionDocument}, execution_class = ${executionClass},
          revision = ${revisionOf(event)} WHERE company_id = ${companyId} AND order_id = ${orderId}`
  const items = lineItems.map(
    (item) =>
      SQL`(${companyId}, ${orderId}, ${item.lineItemId}, ${item.lineNumber}, ${item.description}, ${item.grade},
           ${item.lengthMm}, ${item.quantity})`,
  )
  return [
    order,
    SQL`INSERT INTO peer.line_item VALUES ${part(...items)}
        ON CONFLICT (company_id, order_id, line_item_id) DO UPDATE SET line_number = EXCLUDED.line_number,
          description = EXCLUDED.description, grade = EXCLUDED.grade, length_mm = EXCLUDED.length_mm,
          quantity = EXCLUDED.quantity`,
  ]
}

function json(value: object | null): string | null {
  return value && JSON.stringify(value)
}
