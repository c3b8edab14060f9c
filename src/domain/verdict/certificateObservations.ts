import type { CertificateStatus } from '../certificates/certificateStatus.ts'
import { differingElements, sharesInWords } from '../certificates/ladleAnalysis.ts'
import { byCodePoint } from '../kernel/identifiers.ts'
import { nearKey } from '../kernel/spellings.ts'
import { notJudgedName, notJudgedSeverity } from '../rulePacks/notJudged.ts'
import { readGrade } from '../steel/steelGrade.ts'
import type { Observation } from './observation.ts'
import { contradictionOf } from './productDifferences.ts'
import { inEnglish, type Sentence, sentence } from './sentence.ts'
import { excessOf } from './stock.ts'
import type { JudgedCertificate, SameHeat, VerdictFacts } from './verdictFacts.ts'

/** A mill certificate has findings by itself, and against the heat that was read off the steel. */

/** Observe what stands against a certificate by itself, without a bar or an order. */
export function certificateObservations({
  certificate,
  sameHeat,
}: Pick<VerdictFacts, 'certificate' | 'sameHeat'>): Observation[] {
  if (!certificate) return [{ code: 'no-certificate', sentence: sentence('no-certificate') }]
  return [
    ...statusObservations(certificate),
    ...certificateTagObservations(certificate),
    ...heatObservations(certificate.millCertificationId, sameHeat.blocked),
    ...analysisObservations(certificate, sameHeat),
    ...notJudgedObservations(certificate),
    ...documentObservations(certificate),
    ...stockObservations(certificate),
    ...contradictionObservations(certificate),
    ...withdrawnObservations(certificate, sentence('the-certificate')).map((one) => ({
      ...one,
      millCertificationId: certificate.millCertificationId,
    })),
  ]
}

/** Observe whether somebody has read the heat of the certificate off the steel. */
export function heatReadObservations({
  heatRead,
  certificate,
}: Pick<VerdictFacts, 'heatRead' | 'certificate'>): Observation[] {
  if (!heatRead) return [{ code: 'heat-unread', sentence: sentence('heat-unread') }]
  const { heatNumber: actual, marked } = heatRead
  if (!marked)
    return [{ code: 'heat-unread', actual, sentence: sentence('heat-unread-on-remnant', { heat: actual }) }]
  const expected = certificate?.heatNumber ?? actual
  if (expected === actual || nearKey(expected) === nearKey(actual)) return []
  return [{ code: 'heat-unread', expected, actual, sentence: sentence('heat-differs', { expected, actual }) }]
}

function statusObservations({ status, millCertificationId }: JudgedCertificate): Observation[] {
  if (status === 'Released') return []
  return [{ ...observedOfStatus[status], millCertificationId }]
}

const observedOfStatus: Readonly<Record<Exclude<CertificateStatus, 'Released'>, Observation>> = {
  Voided: { code: 'certificate-voided', severity: 'Block', sentence: sentence('certificate-voided') },
  Rejected: { code: 'certificate-rejected', severity: 'Block', sentence: sentence('certificate-rejected') },
  Received: { code: 'certificate-not-released', sentence: sentence('certificate-not-released') },
}

function contradictionObservations(certificate: JudgedCertificate): Observation[] {
  const contradiction = contradictionOf(certificate)
  if (!contradiction) return []
  const { millCertificationId } = certificate
  const code = 'certificate-contradicts-itself'
  const actual = inEnglish(contradiction)
  return [{ code, millCertificationId, actual, sentence: sentence(code, { contradiction }) }]
}

/** The limits of a withdrawn standard may be other ones than those of the steel that took its place. */
export function withdrawnObservations(
  { grade, standard }: Pick<JudgedCertificate, 'grade' | 'standard'>,
  subject: Sentence,
): Observation[] {
  return readGrade(grade, { standard }).withdrawn.map(({ name, successor }) => ({
    code: 'grade-withdrawn',
    expected: successor,
    actual: name,
    sentence: sentence('grade-withdrawn', { subject, expected: successor, actual: name }),
  }))
}

function certificateTagObservations(certificate: JudgedCertificate): Observation[] {
  const lacksValues = packsLackingValues(certificate) !== ''
  return certificate.tags.flatMap(({ tagId, name, severity }): Observation[] => {
    // The observation not-judged says more. A company may have a tag of its own with this name.
    const isNotJudged = name === notJudgedName && severity === notJudgedSeverity
    if (severity === null || (lacksValues && isNotJudged)) return []
    const { millCertificationId } = certificate
    const words = sentence('certificate-tag', { tag: name })
    return [
      { code: 'certificate-tag', severity, sentence: words, millCertificationId, tagId, actual: severity },
    ]
  })
}

function notJudgedObservations(certificate: JudgedCertificate): Observation[] {
  const rulePacks = packsLackingValues(certificate)
  if (rulePacks === '' || certificate.status === 'Voided') return []
  const { millCertificationId } = certificate
  const missing = [...new Set(certificate.notJudged.flatMap((one) => one.missing))].map((field) =>
    field.replace('certificate.', ''),
  )
  const words =
    missing.length === 0
      ? sentence('not-judged', { packs: rulePacks })
      : sentence('not-judged-without', { packs: rulePacks, missing: missing.join(', ') })
  return [{ code: 'not-judged', millCertificationId, actual: rulePacks, sentence: words }]
}

/** Return the rule packs that could not judge the certificate, as a message names them; '' for none. */
function packsLackingValues({ notJudged }: JudgedCertificate): string {
  return notJudged
    .map(({ rulePackId }) => rulePackId)
    .toSorted(byCodePoint)
    .join(', ')
}

function documentObservations({ documents, millCertificationId }: JudgedCertificate): Observation[] {
  if (documents.length > 0) return []
  return [{ code: 'original-missing', millCertificationId, sentence: sentence('original-missing') }]
}

function stockObservations({ stock, millCertificationId }: JudgedCertificate): Observation[] {
  const excess = stock && excessOf(stock)
  if (!excess) return []
  const [expected, actual] = [inEnglish(excess.delivered), inEnglish(excess.used)]
  const code = 'stock-exceeded'
  return [{ code, millCertificationId, expected, actual, sentence: sentence(code, excess) }]
}

function heatObservations(millCertificationId: string, { count, first }: SameHeat['blocked']): Observation[] {
  const code = 'same-heat-blocked'
  const named = first.map(
    (other) => ({ code, millCertificationId: other, sentence: sentence(code) }) as const,
  )
  const others = count - first.length
  if (others <= 0) return named
  const words = sentence('more-of-same-heat-blocked', { count, named: first.length })
  return [...named, { code, millCertificationId, actual: `${others} more`, sentence: words }]
}

function analysisObservations(
  { chemistry, analysis }: JudgedCertificate,
  { analyses }: SameHeat,
): Observation[] {
  if (chemistry === null || analysis === 'product') return []
  return analyses.flatMap((other): Observation[] => {
    const elements = differingElements(chemistry, other.chemistry)
    if (elements.length === 0) return []
    const { millCertificationId, certificateNumber } = other
    const [expected, actual] = [other.chemistry, chemistry].map((one) => sharesInWords(one, elements))
    const figures = { expected: { figures: expected! }, actual: { figures: actual! } }
    const values = { certificate: certificateNumber, ...figures }
    const code = 'heat-analyses-differ'
    return [
      { code, millCertificationId, expected: expected!, actual: actual!, sentence: sentence(code, values) },
    ]
  })
}
