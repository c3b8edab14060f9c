import type { InspectionDocument } from '../certificates/certificateContent.ts'
import { withdrawnObservations } from './certificateObservations.ts'
import type { Observation } from './observation.ts'
import { inEnglish, type Sentence, sentence } from './sentence.ts'
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
      ...(required === null ? [unstatedDemand(order, sentence('demand-document'))] : []),
      ...(order.executionClass === null ? [unstatedDemand(order, sentence('demand-class'))] : []),
      ...(certificate && required !== null ? insufficientDocument(order, certificate, required) : []),
    ]
  })
}

function orderTagObservations({ orderId, orderNumber, tags }: OrderByItself): Observation[] {
  return tags.flatMap(({ tagId, name, severity }): Observation[] => {
    if (severity === null) return []
    const words = sentence('order-tag', { order: orderNumber, tag: name })
    return [{ code: 'order-tag', severity, sentence: words, orderId, tagId, actual: severity }]
  })
}

function unstatedDemand({ orderId, orderNumber }: OrderByItself, demand: Sentence): Observation {
  return { orderId, ...unstatedBy(sentence('order', { order: orderNumber }), demand) }
}

function unstatedBy(subject: Sentence, demand: Sentence): Observation {
  const code = 'demand-unstated'
  return { code, expected: inEnglish(demand), sentence: sentence(code, { subject, demand }) }
}

function insufficientDocument(
  { orderId, orderNumber }: OrderByItself,
  { millCertificationId, inspectionDocument: actual }: JudgedCertificate,
  required: InspectionDocument,
): Observation[] {
  if (actual >= required) return []
  const code = 'document-insufficient'
  const words = sentence(code, { order: orderNumber, expected: required, actual })
  return [{ code, orderId, millCertificationId, expected: required, actual, sentence: words }]
}

export function unstatedSteel(order: OrderByItself, line: OrderByItself['lineItems'][number]): Observation[] {
  const where = nameOfLine(order, line)
  const subject = { orderId: order.orderId, lineItemId: line.lineItemId }
  const unstated = [...unstatedOf(line), ...unstatedTemperature(order, line)].map((demand) => ({
    ...unstatedBy(where, demand),
    ...subject,
  }))
  const { grade, standard } = line
  const withdrawn = grade === null ? [] : withdrawnObservations({ grade, standard }, where)
  return [...unstated, ...withdrawn.map((one) => ({ ...one, ...subject }))]
}

/** An impact energy says nothing without the temperature of its test. The line and its order may each state one of them. */
function unstatedTemperature(
  { options: ofOrder }: Pick<OrderByItself, 'options'>,
  { options: ofLine }: Pick<JudgedLine, 'options'>,
): readonly Sentence[] {
  const joule = ofLine?.impactJoule ?? ofOrder?.impactJoule ?? null
  const temperatureC = ofLine?.impactTemperatureC ?? ofOrder?.impactTemperatureC ?? null
  return joule !== null && temperatureC === null ? [sentence('demand-temperature')] : []
}

export function nameOfLine(
  { orderNumber }: Pick<JudgedOrder, 'orderNumber'>,
  { lineNumber }: Pick<JudgedLine, 'lineNumber'>,
): Sentence {
  return sentence('line', { line: `${lineNumber}`, order: orderNumber })
}
