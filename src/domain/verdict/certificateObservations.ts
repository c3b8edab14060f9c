import type { CertificateStatus } from '../certificates/certificateStatus.ts'
import { differingElements, sharesInWords } from '../certificates/ladleAnalysis.ts'
import { byCodePoint } from '../kernel/identifiers.ts'
import { nearKey } from '../kernel/spellings.ts'
import { notJudgedName, notJudgedSeverity } from '../rulePacks/notJudged.ts'
import { readGrade } from '../steel/steelGrade.ts'
import type { Observation } from './observation.ts'
import { contradictionOf } from './productDifferences.ts'
import { excessOf } from './stock.ts'
import type { JudgedCertificate, SameHeat, VerdictFacts } from './verdictFacts.ts'

/** A mill certificate has findings by itself, and against the heat that was read off the steel. */

/** Observe what stands against a certificate by itself, without a bar or an order. */
export function certificateObservations({
  certificate,
  sameHeat,
}: Pick<VerdictFacts, 'certificate' | 'sameHeat'>): Observation[] {
  if (!certificate)
    return [{ code: 'no-certificate', message: 'The bar has no mill certificate. Set one before it is cut.' }]
  return [
    ...statusObservations(certificate),
    ...certificateTagObservations(certificate),
    ...heatObservations(certificate.millCertificationId, sameHeat.blocked),
    ...analysisObservations(certificate, sameHeat),
    ...notJudgedObservations(certificate),
    ...documentObservations(certificate),
    ...stockObservations(certificate),
    ...contradictionObservations(certificate),
    ...withdrawnObservations(certificate, 'The certificate').map((one) => ({
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
  if (!heatRead) {
    const message =
      'Nobody has read the heat number off the steel of the bar. Read it before the bar is started.'
    return [{ code: 'heat-unread', message }]
  }
  const { heatNumber: actual, marked } = heatRead
  if (!marked) {
    const message = `The bar is a remnant, and nobody has said that its mark of heat ${actual} was transferred. Read the heat number off its steel.`
    return [{ code: 'heat-unread', actual, message }]
  }
  const expected = certificate?.heatNumber ?? actual
  if (expected === actual || nearKey(expected) === nearKey(actual)) return []
  const message = `Heat ${actual} was read off the steel, and the certificate is for heat ${expected}. Read the heat again, or set its certificate.`
  return [{ code: 'heat-unread', expected, actual, message }]
}

function statusObservations({ status, millCertificationId }: JudgedCertificate): Observation[] {
  const found = observedOfStatus[status]
  return found ? [{ ...found, millCertificationId }] : []
}

const observedOfStatus: Readonly<
  Record<CertificateStatus, Pick<Observation, 'code' | 'severity' | 'message'> | undefined>
> = {
  Voided: {
    code: 'certificate-voided',
    severity: 'Block',
    message: 'The certificate is voided, so it documents no steel. Set the one that replaces it.',
  },
  Rejected: {
    code: 'certificate-rejected',
    severity: 'Block',
    message: 'The certificate is rejected, so its steel may not be used. Use another heat.',
  },
  Received: {
    code: 'certificate-not-released',
    message: 'The certificate is not released yet. Ask a quality engineer to release it.',
  },
  Released: undefined,
}

function contradictionObservations(certificate: JudgedCertificate): Observation[] {
  const contradiction = contradictionOf(certificate)
  if (contradiction === '') return []
  const { millCertificationId } = certificate
  const message = `The certificate contradicts itself: ${contradiction}. Read the original, and correct the certificate.`
  return [{ code: 'certificate-contradicts-itself', millCertificationId, actual: contradiction, message }]
}

/** The limits of a withdrawn standard may be other ones than those of the steel that took its place. */
export function withdrawnObservations(
  { grade, standard }: Pick<JudgedCertificate, 'grade' | 'standard'>,
  subject: string,
): Observation[] {
  return readGrade(grade, { standard }).withdrawn.map(({ name, successor }) => ({
    code: 'grade-withdrawn',
    expected: successor,
    actual: name,
    message: `${subject} names the steel ${name}, a name that was withdrawn; it was read as ${successor}, which took its place. Check by the standard of that time whether the steel is good enough.`,
  }))
}

function certificateTagObservations(certificate: JudgedCertificate): Observation[] {
  const lacksValues = packsLackingValues(certificate) !== ''
  return certificate.tags.flatMap(({ tagId, name, severity }): Observation[] => {
    // The observation not-judged says more. A company may have a tag of its own with this name.
    const isNotJudged = name === notJudgedName && severity === notJudgedSeverity
    if (severity === null || (lacksValues && isNotJudged)) return []
    const { millCertificationId } = certificate
    const message = tagMessage('The certificate', name, 'certificate')
    return [{ code: 'certificate-tag', severity, message, millCertificationId, tagId, actual: severity }]
  })
}

/** A person takes off a tag that a person has put on. A rule pack takes its own off when the values have changed. */
export function tagMessage(subject: string, tag: string, record: string): string {
  return `${subject} has the tag "${tag}". Read the explanation or the history of the tag. Correct the ${record} if a value is wrong, or take the tag off if a person has put it on and it no longer applies.`
}

function notJudgedObservations(certificate: JudgedCertificate): Observation[] {
  const rulePacks = packsLackingValues(certificate)
  if (rulePacks === '' || certificate.status === 'Voided') return []
  const { millCertificationId } = certificate
  const missing = [...new Set(certificate.notJudged.flatMap((one) => one.missing))].map((field) =>
    field.replace('certificate.', ''),
  )
  const lacks = missing.length === 0 ? 'values' : `values (${missing.join(', ')})`
  const message = `The certificate lacks ${lacks} that these rule packs need: ${rulePacks}. Complete the certificate.`
  return [{ code: 'not-judged', millCertificationId, actual: rulePacks, message }]
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
  const message = 'The certificate has no document. Attach the original that the mill has issued.'
  return [{ code: 'original-missing', millCertificationId, message }]
}

function stockObservations({ stock, millCertificationId }: JudgedCertificate): Observation[] {
  const excess = stock && excessOf(stock)
  if (!excess) return []
  const message = `Delivered on this certificate: ${excess.expected}; planned and cut from it: ${excess.actual}. Record the missing delivery, or plan other steel.`
  return [{ code: 'stock-exceeded', millCertificationId, ...excess, message }]
}

function heatObservations(millCertificationId: string, { count, first }: SameHeat['blocked']): Observation[] {
  const todo = 'Find out why: it may be the same melt.'
  const named = first.map((other): Observation => {
    const message = `Another certificate of this heat is rejected or blocked. ${todo}`
    return { code: 'same-heat-blocked', millCertificationId: other, message }
  })
  const others = count - first.length
  if (others <= 0) return named
  const message = `${count} other certificates of this heat are rejected or blocked, of which ${first.length} are named. ${todo}`
  return [...named, { code: 'same-heat-blocked', millCertificationId, actual: `${others} more`, message }]
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
    const message = `Certificate ${certificateNumber} of this heat states another ladle analysis (${expected}) than this one (${actual}). Read both originals: a value or a heat number is wrong, or one shows a product analysis.`
    return [
      { code: 'heat-analyses-differ', millCertificationId, expected: expected!, actual: actual!, message },
    ]
  })
}
