import type { InspectionDocument } from '../certificates/certificateContent.ts'
import { tagMessage, withdrawnObservations } from './certificateObservations.ts'
import type { Observation } from './observation.ts'
import { unstatedOf } from './unstatedDemand.ts'
import type {
  JudgedCertificate,
  JudgedLine,
  JudgedOrder,
  OrderByItself,
  VerdictFacts,
} from './verdictFacts.ts'

/** Orders and their lines have these findings, whatever steel they get. */

/** Observe what stands against the orders, whatever steel they get, and the demands that the certificate does not meet. */
export function orderObservations({
  certificate,
  orders,
  policy,
}: Pick<VerdictFacts, 'certificate' | 'policy'> & {
  readonly orders: readonly OrderByItself[]
}): Observation[] {
  return orders.flatMap((order) => {
    const required = order.requiredInspectionDocument ?? policy.defaultInspectionDocument
    return [
      ...orderTagObservations(order),
      ...(required === null ? [unstatedDemand(order, 'the required inspection document')] : []),
      ...(order.executionClass === null ? [unstatedDemand(order, 'the execution class')] : []),
      ...(certificate && required !== null ? insufficientDocument(order, certificate, required) : []),
    ]
  })
}

function orderTagObservations({ orderId, orderNumber, tags }: OrderByItself): Observation[] {
  return tags.flatMap(({ tagId, name, severity }): Observation[] => {
    if (severity === null) return []
    const message = tagMessage(`Order ${orderNumber}`, name, 'order')
    return [{ code: 'order-tag', severity, message, orderId, tagId, actual: severity }]
  })
}

function unstatedDemand({ orderId, orderNumber }: OrderByItself, demand: string): Observation {
  const message = `Order ${orderNumber} does not state ${demand}. Correct the order.`
  return { code: 'demand-unstated', orderId, expected: demand, message }
}

function insufficientDocument(
  { orderId, orderNumber }: OrderByItself,
  { millCertificationId, inspectionDocument: actual }: JudgedCertificate,
  required: InspectionDocument,
): Observation[] {
  if (actual >= required) return []
  const message = `Order ${orderNumber} requires an inspection document ${required}; the certificate is a ${actual}. Ask the mill for the higher document.`
  return [
    { code: 'document-insufficient', orderId, millCertificationId, expected: required, actual, message },
  ]
}

export function unstatedSteel(order: OrderByItself, line: OrderByItself['lineItems'][number]): Observation[] {
  const where = nameOfLine(order, line)
  const subject = { orderId: order.orderId, lineItemId: line.lineItemId }
  const unstated = [...unstatedOf(line), ...unstatedTemperature(order, line)].map((what): Observation => {
    const message = `${where} does not state ${what}. Correct the order.`
    return { code: 'demand-unstated', ...subject, expected: what, message }
  })
  const { grade, standard } = line
  const withdrawn = grade === null ? [] : withdrawnObservations({ grade, standard }, where)
  return [...unstated, ...withdrawn.map((one) => ({ ...one, ...subject }))]
}

/** An impact energy says nothing without the temperature of its test. The line and its order may each state one of them. */
function unstatedTemperature(
  { options: ofOrder }: Pick<OrderByItself, 'options'>,
  { options: ofLine }: Pick<JudgedLine, 'options'>,
): readonly string[] {
  const joule = ofLine?.impactJoule ?? ofOrder?.impactJoule ?? null
  const temperatureC = ofLine?.impactTemperatureC ?? ofOrder?.impactTemperatureC ?? null
  return joule !== null && temperatureC === null ? ['the temperature of the impact test'] : []
}

export function nameOfLine(
  { orderNumber }: Pick<JudgedOrder, 'orderNumber'>,
  { lineNumber }: Pick<JudgedLine, 'lineNumber'>,
): string {
  return `Line ${lineNumber} of order ${orderNumber}`
}
