import { byCodePoint } from '../kernel/identifiers.ts'
import { nearKey } from '../kernel/spellings.ts'
import { notJudgedName, notJudgedSeverity } from '../rulePacks/notJudged.ts'
import { readGrade } from '../steel/steelGrade.ts'
import { profileKeyOf } from '../steel/steelProfile.ts'
import type { Severity } from '../tags/tag.ts'
import { optionDifferences } from '../verdict/optionDifferences.ts'
import { lengthDifferences, numberDifferences } from '../verdict/piecesOfLine.ts'
import { contradictionOf, type ProductText, productDifferences } from '../verdict/productDifferences.ts'
import type { SettableCode } from '../verdict/releasePolicy.ts'
import { sectionsDifferences } from '../verdict/sectionsOnBar.ts'
import {
  type GradeText,
  gradeDifferences,
  gradeWords,
  type SteelDifference,
} from '../verdict/steelDifferences.ts'
import { excessOf } from '../verdict/stock.ts'
import { unstatedOf } from '../verdict/unstatedDemand.ts'
import type {
  JudgedCertificate,
  JudgedCut,
  JudgedLine,
  JudgedOrder,
  OrderByItself,
  SameHeat,
  VerdictFacts,
} from '../verdict/verdictFacts.ts'
import type { InspectionDocument } from './certificateContent.ts'
import type { CertificateStatus } from './certificateStatus.ts'
import { differingElements, sharesInWords } from './ladleAnalysis.ts'

/** The observations that a verdict consists of. A new finding is a new observation here, with a code of its own. */

/** Findings whose severity no company sets. */
export const fixedCodes = [
  'certificate-voided',
  'certificate-rejected',
  'certificate-tag',
  'order-tag',
] as const
export type FindingCode = SettableCode | (typeof fixedCodes)[number]

/** The records that a finding is about. */
export interface FindingSubject {
  readonly millCertificationId?: string
  readonly orderId?: string
  readonly lineItemId?: string
  readonly cutId?: string
  readonly tagId?: string
}

/** A finding before its severity and key are known. A severity of its own beats the policy's. */
export interface Observation extends FindingSubject {
  readonly code: FindingCode
  readonly severity?: Severity
  readonly message: string
  readonly expected?: string
  readonly actual?: string
}

/** Observe everything that speaks against the bar. */
export function observed(facts: VerdictFacts): Observation[] {
  const ofLines = lineObservations(facts)
  return [
    ...certificateObservations(facts),
    ...heatReadObservations(facts),
    ...orderObservations(facts),
    ...ofLines,
    ...barObservations(facts, ofLines),
  ]
}

/** Observe whether somebody has read the heat of the certificate off the steel. */
function heatReadObservations({
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

function contradictionObservations(certificate: JudgedCertificate): Observation[] {
  const contradiction = contradictionOf(certificate)
  if (contradiction === '') return []
  const { millCertificationId } = certificate
  const message = `The certificate contradicts itself: ${contradiction}. Read the original, and correct the certificate.`
  return [{ code: 'certificate-contradicts-itself', millCertificationId, actual: contradiction, message }]
}

/** The limits of a withdrawn standard may be other ones than those of the steel that took its place. */
function withdrawnObservations(
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
function tagMessage(subject: string, tag: string, record: string): string {
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

function statusObservations({ status, millCertificationId }: JudgedCertificate): Observation[] {
  const found = observedOfStatus[status]
  return found ? [{ ...found, millCertificationId }] : []
}

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

function lineObservations(facts: VerdictFacts): Observation[] {
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
    return [{ code: 'line-cancelled', ...subject, message: `${where} is cancelled. Reject the cut.` }]
  return lengthDifferences(cut, line, where).map((one) => ({ ...one, ...subject }))
}

/** Observe how the steel differs from what a line demands. */
function steelObservations(
  { bar, certificate }: VerdictFacts,
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
    ...differences.map((one) => ({ ...one, ...subject, message: `${where}: ${one.message}` })),
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
  const message = `${actual} is a substitute for ${expected}. The order allows it: ${permission.reference}.`
  return { ...difference, severity: 'Audit', message }
}

export function unstatedSteel(order: OrderByItself, line: OrderByItself['lineItems'][number]): Observation[] {
  const where = nameOfLine(order, line)
  const subject = { orderId: order.orderId, lineItemId: line.lineItemId }
  const unstated = unstatedOf(line).map((what): Observation => {
    const message = `${where} does not state ${what}. Correct the order.`
    return { code: 'demand-unstated', ...subject, expected: what, message }
  })
  const { grade, standard } = line
  const withdrawn = grade === null ? [] : withdrawnObservations({ grade, standard }, where)
  return [...unstated, ...withdrawn.map((one) => ({ ...one, ...subject }))]
}

function nameOfLine(
  { orderNumber }: Pick<JudgedOrder, 'orderNumber'>,
  { lineNumber }: Pick<JudgedLine, 'lineNumber'>,
): string {
  return `Line ${lineNumber} of order ${orderNumber}`
}

/** Without a certificate the bar's own grade stands for the certificate's. */
function findOfferedSteel(
  bar: VerdictFacts['bar'],
  certificate: JudgedCertificate | null,
): GradeText & ProductText {
  return certificate ?? { ...bar, standard: null, isPlanned: true }
}

function barObservations(facts: VerdictFacts, ofLines: readonly Observation[]): Observation[] {
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
  const suitsLines = !ofLines.some(({ code }) => code.startsWith('grade-'))
  if (!differs || !suitsLines) return []
  const { millCertificationId } = certificate
  const actual = gradeWords(certificate)
  return [
    {
      code: 'bar-grade-differs',
      millCertificationId,
      expected: bar.grade,
      actual,
      message: `The bar was planned as ${bar.grade}, and the certificate says ${actual}. Check that it is the right bar.`,
    },
  ]
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
    message: `The bar: ${one.message}`,
  }))
}
