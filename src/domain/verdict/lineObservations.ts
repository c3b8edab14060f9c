import type { Observation } from './observation.ts'
import { optionDifferences } from './optionDifferences.ts'
import { nameOfLine, unstatedSteel } from './orderObservations.ts'
import { pairObservations } from './pairObservations.ts'
import { lengthDifferences, numberDifferences } from './piecesOfLine.ts'
import { type ProductText, productDifferences } from './productDifferences.ts'
import { sectionsDifferences } from './sectionsOnBar.ts'
import { sentence } from './sentence.ts'
import { type GradeText, gradeDifferences, type SteelDifference } from './steelDifferences.ts'
import type { JudgedCertificate, JudgedCut, JudgedLine, JudgedOrder, VerdictFacts } from './verdictFacts.ts'

/** How the cuts and the steel of a bar differ from what the lines of orders demand. */

export function lineObservations(facts: VerdictFacts): Observation[] {
  const lines = new Map(
    facts.orders.flatMap((order) =>
      order.lineItems.map((line) => [line.lineItemId, { order, line }] as const),
    ),
  )
  const cuts = facts.acceptedCuts.flatMap((cut) => {
    const { line, order } = lines.get(cut.lineItemId) ?? {}
    return line ? cutObservations(cut, order!, line) : []
  })
  const cutLines = new Set(facts.acceptedCuts.map(({ lineItemId }) => lineItemId))
  const steels = [...cutLines].flatMap((lineItemId) => {
    const { line, order } = lines.get(lineItemId) ?? {}
    if (!line) return []
    const subject = { orderId: order!.orderId, lineItemId }
    const number = numberDifferences(line, nameOfLine(order!, line)).map((one) => ({ ...one, ...subject }))
    return [...number, ...steelObservations(facts, order!, line)]
  })
  const profiles = [...cutLines].flatMap((lineItemId) => lines.get(lineItemId)?.line.profile ?? [])
  return [...cuts, ...steels, ...sectionsDifferences(profiles)]
}

function cutObservations(cut: JudgedCut, order: JudgedOrder, line: JudgedLine): Observation[] {
  const { cutId, orderId, lineItemId } = cut
  const subject = { orderId, lineItemId, cutId }
  const where = nameOfLine(order, line)
  if (line.cancelled)
    return [{ code: 'line-cancelled', ...subject, sentence: sentence('line-cancelled', { line: where }) }]
  return lengthDifferences(cut, line, where).map((one) => ({ ...one, ...subject }))
}

/** Observe how the steel differs from what a line demands. */
function steelObservations(
  { bar, certificate, pairRules }: VerdictFacts,
  order: JudgedOrder,
  line: JudgedLine,
): Observation[] {
  const subject = {
    orderId: order.orderId,
    lineItemId: line.lineItemId,
    ...(certificate && { millCertificationId: certificate.millCertificationId }),
  }
  const where = nameOfLine(order, line)
  const demanded = line.grade === null ? { grade: bar.grade, standard: null } : line
  const steel = { grade: demanded.grade!, standard: demanded.standard }
  const product = { ...steel, profile: line.profile }
  const stated = line.profile !== null && bar.profile !== null
  const allowed = [...(line.allowedSubstitutes ?? []), ...(order.allowedSubstitutes ?? [])]
  const differences = [
    ...gradeDifferences(steel, findOfferedSteel(bar, certificate)).map((one) =>
      one.code === 'grade-substitute' ? asAllowed(one, allowed, findOfferedSteel(bar, certificate)) : one,
    ),
    ...productDifferences(product, findOfferedSteel(bar, certificate)),
    ...(certificate && stated ? productDifferences(product, findOfferedSteel(bar, null)) : []),
    ...(certificate ? optionDifferences(steel, [line.options, order.options], certificate) : []),
  ]
  return [
    ...unstatedSteel(order, line),
    ...(certificate
      ? pairObservations(pairRules, { certificate, line, order }, where).map((one) => ({
          ...one,
          ...subject,
        }))
      : []),
    ...differences.map((one) => ({
      ...one,
      ...subject,
      sentence: sentence('within', { place: where, finding: one.sentence }),
    })),
  ]
}

/** A substitute that the order allows is only kept for the record, with the reference of the permission. */
function asAllowed(
  difference: SteelDifference,
  allowed: readonly { readonly grade: string; readonly reference: string }[],
  offer: GradeText,
): SteelDifference & Pick<Observation, 'severity'> {
  const permission = allowed.find(
    ({ grade }) => gradeDifferences({ grade, standard: null }, offer).length === 0,
  )
  if (!permission) return difference
  const { expected, actual } = difference
  const words = sentence('grade-substitute-allowed', { expected, actual, reference: permission.reference })
  return { ...difference, severity: 'Audit', sentence: words }
}

/** Without a certificate the bar's own grade stands for the certificate's. */
function findOfferedSteel(
  bar: VerdictFacts['bar'],
  certificate: JudgedCertificate | null,
): GradeText & ProductText {
  return certificate ?? { ...bar, standard: null, isPlanned: true }
}
