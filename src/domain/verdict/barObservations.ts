import { profileKeyOf } from '../steel/steelProfile.ts'
import type { Observation } from './observation.ts'
import { productDifferences } from './productDifferences.ts'
import { sentence } from './sentence.ts'
import { gradeDifferences, gradeWords } from './steelDifferences.ts'
import type { JudgedCertificate, VerdictFacts } from './verdictFacts.ts'

/** How the certificate differs from what the bar was planned as. */

export function barObservations(facts: VerdictFacts, ofLines: readonly Observation[]): Observation[] {
  const { bar, certificate } = facts
  if (!certificate) return []
  return [
    ...barGradeObservations(bar, certificate, ofLines),
    ...barProfileObservations(bar, certificate, facts),
  ]
}

/** The certificate suits every line that is cut, but not what the bar was planned as. */
function barGradeObservations(
  bar: VerdictFacts['bar'],
  certificate: JudgedCertificate,
  ofLines: readonly Observation[],
): Observation[] {
  const differences = gradeDifferences({ grade: bar.grade, standard: null }, certificate)
  const differs = differences.some(({ code }) => code !== 'delivery-condition-unstated')
  // A line with a withdrawn name is compared as the steel that took its place.
  const suitsLines = !ofLines.some(({ code }) => code.startsWith('grade-') && code !== 'grade-withdrawn')
  if (!differs || !suitsLines) return []
  const { millCertificationId } = certificate
  const actual = gradeWords(certificate)
  const code = 'bar-grade-differs'
  const words = sentence(code, { expected: bar.grade, actual })
  return [{ code, millCertificationId, expected: bar.grade, actual, sentence: words }]
}

/** A line of the same profile has been compared with the certificate already. */
function barProfileObservations(
  { grade, profile }: VerdictFacts['bar'],
  certificate: JudgedCertificate,
  { acceptedCuts, orders }: Pick<VerdictFacts, 'acceptedCuts' | 'orders'>,
): Observation[] {
  if (profile === null) return []
  const cut = new Set(acceptedCuts.map(({ lineItemId }) => lineItemId))
  const lines = orders.flatMap(({ lineItems }) => lineItems).filter(({ lineItemId }) => cut.has(lineItemId))
  if (lines.some((line) => line.profile !== null && profileKeyOf(line.profile) === profileKeyOf(profile)))
    return []
  const { millCertificationId } = certificate
  return productDifferences({ standard: null, grade, profile }, certificate).map((one) => ({
    ...one,
    millCertificationId,
    sentence: sentence('within', { place: sentence('the-bar'), finding: one.sentence }),
  }))
}
