import type { CertificateContent, InspectionDocument } from './certificateContent.ts'
import type { AttachedDocument } from './certificateDocuments.ts'
import type { CertificateStatus } from './certificateStatus.ts'
import { byCodePoint, derivedId } from './identifiers.ts'
import { type NotJudged, notJudgedName, notJudgedSeverity } from './notJudged.ts'
import type { ExecutionClass, LineItemContent } from './orderContent.ts'
import {
  defaultReleasePolicy,
  type ReleasePolicy,
  type SettableCode,
  type Severity,
  severities,
  severityOf,
} from './releasePolicy.ts'
import { type GradeText, gradeDifferences, gradeWords, profileDifferences } from './steelDifferences.ts'

/** The question that the product exists for: may this bar be cut? A pure judgement of loaded facts. */

/** Findings whose severity no company sets. */
export const fixedCodes = [
  'certificate-voided',
  'certificate-rejected',
  'certificate-tag',
  'order-tag',
] as const
export type FindingCode = SettableCode | (typeof fixedCodes)[number]

/** A release in spite of Block findings, by their keys. */
export interface Override {
  readonly findings: readonly string[]
  readonly reason: string
  readonly reference: string | null
  readonly by: string
  readonly at: string
}

/** The records that a finding is about. */
export interface FindingSubject {
  readonly millCertificationId?: string
  readonly orderId?: string
  readonly lineItemId?: string
  readonly cutId?: string
  readonly tagId?: string
}

export interface Finding extends FindingSubject {
  /** The same for the same code, records, expected and actual value, so that an override covers exactly what was seen. */
  readonly key: string
  readonly code: FindingCode
  readonly severity: Severity
  readonly message: string
  readonly expected?: string
  readonly actual?: string
  readonly override?: Override
}

export interface Verdict {
  /** Whether `approve` accepts the bar: like `mayBeCut`, but a missing certificate does not count. */
  readonly mayBeApproved: boolean
  /** Whether no Block is left that is not overridden. */
  readonly mayBeCut: boolean
  readonly findings: readonly Finding[]
}

/** An active tag. One without a severity gives no finding. */
export interface JudgedTag {
  readonly tagId: string
  readonly name: string
  readonly severity: Severity | null
}

export interface JudgedCertificate
  extends Pick<
    CertificateContent,
    'standard' | 'grade' | 'deliveryCondition' | 'zQuality' | 'inspectionDocument' | 'profile' | 'productForm'
  > {
  readonly millCertificationId: string
  readonly status: CertificateStatus
  readonly tags: readonly JudgedTag[]
  /** The rules that could not judge it for want of values. */
  readonly notJudged: readonly NotJudged[]
  readonly documents: readonly Pick<AttachedDocument, 'documentId'>[]
}

/** A certificate with the numbers that people know it by, and with the other certificates of its heat. */
export interface NamedCertificate extends JudgedCertificate, Pick<VerdictFacts, 'blockedOfSameHeat'> {
  readonly certificateNumber: string
  readonly heatNumber: string
}

export interface JudgedLine
  extends Pick<LineItemContent, 'lineNumber' | 'standard' | 'grade' | 'profile' | 'cancelled'> {
  readonly lineItemId: string
}

export interface JudgedOrder {
  readonly orderId: string
  readonly orderNumber: string
  readonly requiredInspectionDocument: InspectionDocument | null
  readonly executionClass: ExecutionClass | null
  readonly tags: readonly JudgedTag[]
  readonly lineItems: readonly JudgedLine[]
}

export interface JudgedCut {
  readonly cutId: string
  readonly orderId: string
  readonly lineItemId: string
}

/** The other certificates of the same heat and manufacturer that are Rejected or have a Block. */
export interface BlockedOfHeat {
  readonly count: number
  /** The ids of the first of them. A heat may have any number, and a few say as much as all. */
  readonly first: readonly string[]
}
export const noneBlocked: BlockedOfHeat = { count: 0, first: [] }

export interface VerdictFacts {
  readonly bar: { readonly grade: string; readonly profile: string | null }
  readonly certificate: JudgedCertificate | null
  readonly blockedOfSameHeat: BlockedOfHeat
  readonly acceptedCuts: readonly JudgedCut[]
  /** The orders of the Accepted cuts, with the lines that have one. */
  readonly orders: readonly JudgedOrder[]
  readonly policy: ReleasePolicy
  readonly overrides: readonly Override[]
}

/** Facts as the read models have them: without a profile of the bar, and without a policy if the company has set none. */
export type FoundVerdictFacts = Omit<VerdictFacts, 'bar' | 'policy'> & {
  readonly grade: string
  readonly policy: ReleasePolicy | null
}

export function completeFacts(found: FoundVerdictFacts): VerdictFacts {
  const { grade, certificate, blockedOfSameHeat, acceptedCuts, orders, overrides, policy } = found
  return {
    bar: { grade, profile: null },
    ...{ certificate, blockedOfSameHeat, acceptedCuts, orders, overrides },
    policy: policy ?? defaultReleasePolicy,
  }
}

/** Return the verdict with its findings in the order of severity, code and subject, whatever the order of the facts. */
export function judge(facts: VerdictFacts): Verdict {
  const findings = findingsOf(observed(facts), facts)
  return {
    mayBeApproved: standingBlocks({ findings }).length === 0,
    mayBeCut: !findings.some(stands),
    findings,
  }
}

/** Return the severities of the findings without their keys, which take half of the time of a judgement. */
export function severitiesFound(
  facts: VerdictFacts,
): readonly Pick<Finding, 'severity' | keyof FindingSubject>[] {
  return observed(facts).flatMap((observation) => {
    const severity = severityFound(observation, facts)
    return severity === 'Off' ? [] : [{ ...observation, severity }]
  })
}

function observed(facts: VerdictFacts): Observation[] {
  const ofLines = lineFindings(facts)
  return [...certificateFindings(facts), ...orderFindings(facts), ...ofLines, ...barFindings(facts, ofLines)]
}

/** Return the Block findings that refuse an approval. A missing certificate does not. */
export function standingBlocks({ findings }: Pick<Verdict, 'findings'>): Finding[] {
  return findings.filter((finding) => stands(finding) && finding.code !== 'no-certificate')
}

/** Whether the finding blocks, and nobody has overridden it. */
export function stands({ severity, override }: Pick<Finding, 'severity' | 'override'>): boolean {
  return severity === 'Block' && !override
}

/** Judge a certificate by itself. Without an order, no execution class counts. */
export function judgeCertificate(
  certificate: JudgedCertificate,
  { blockedOfSameHeat, policy }: Pick<VerdictFacts, 'blockedOfSameHeat' | 'policy'>,
): Finding[] {
  const found = certificateFindings({ certificate, blockedOfSameHeat })
  return findingsOf(found, { policy, orders: [], overrides: [] })
}

/** Judge an order by itself: its tags, and the demands that it leaves unstated. */
export function judgeOrder(order: JudgedOrder, policy: ReleasePolicy): Finding[] {
  const lines = order.lineItems.filter(({ cancelled }) => !cancelled)
  const found = [
    ...orderFindings({ certificate: null, orders: [order], policy }),
    ...lines.flatMap((line) => unstatedGrade(order, line)),
  ]
  return findingsOf(found, { policy, orders: [order], overrides: [] })
}

/** Return the findings on a bar that concern one of its cuts. Leave out those on other orders, lines and cuts. */
export function findingsOfCut(findings: readonly Finding[], cut: JudgedCut): Finding[] {
  return findings.filter(
    ({ orderId = cut.orderId, lineItemId = cut.lineItemId, cutId = cut.cutId }) =>
      orderId === cut.orderId && lineItemId === cut.lineItemId && cutId === cut.cutId,
  )
}

/** Give each observation its severity and its key, and put the findings into their order. */
function findingsOf(found: readonly Observation[], facts: JudgedBy): Finding[] {
  return distinct(found.map((observation) => findingOf(observation, facts)))
    .filter((finding) => finding !== undefined)
    .sort(inOrder)
}

/** The facts that say how severe a finding is, and whether somebody has overridden it. */
type JudgedBy = Pick<VerdictFacts, 'policy' | 'orders' | 'overrides'>

/** The findings that a certificate has by itself, without a bar or an order. */
function certificateFindings({
  certificate,
  blockedOfSameHeat,
}: Pick<VerdictFacts, 'certificate' | 'blockedOfSameHeat'>): Observation[] {
  if (!certificate)
    return [{ code: 'no-certificate', message: 'The bar has no mill certificate. Set one before it is cut.' }]
  const { millCertificationId, status, tags, notJudged, documents } = certificate
  const notJudgedBy = notJudged
    .map(({ rulePackId }) => rulePackId)
    .toSorted(byCodePoint)
    .join(', ')
  return [
    ...statusObservations(certificate),
    ...tags.flatMap(({ tagId, name, severity }): Observation[] => {
      // The finding not-judged below says more. A company may have a tag of its own with this name.
      const isNotJudged = name === notJudgedName && severity === notJudgedSeverity
      if (severity === null || (notJudgedBy && isNotJudged)) return []
      const message = `The certificate has the tag "${name}". Take the tag off once it no longer applies.`
      return [{ code: 'certificate-tag', severity, message, millCertificationId, tagId, actual: severity }]
    }),
    ...heatObservations(millCertificationId, blockedOfSameHeat),
    ...(notJudgedBy && status !== 'Voided'
      ? [
          {
            ...{ code: 'not-judged' as const, millCertificationId, actual: notJudgedBy },
            message: `The certificate lacks values that these rule packs need: ${notJudgedBy}. Complete the certificate.`,
          },
        ]
      : []),
    ...(documents.length === 0
      ? [
          {
            ...{ code: 'original-missing' as const, millCertificationId },
            message: 'The certificate has no document. Attach the original that the mill has issued.',
          },
        ]
      : []),
  ]
}

/** A finding before its severity and key are known. A severity of its own beats the policy's. */
interface Observation extends FindingSubject {
  readonly code: FindingCode
  readonly severity?: Severity
  readonly message: string
  readonly expected?: string
  readonly actual?: string
}

function heatObservations(millCertificationId: string, { count, first }: BlockedOfHeat): Observation[] {
  const others = count - first.length
  const todo = 'Find out why: it may be the same melt.'
  return [
    ...first.map((other): Observation => {
      const message = `Another certificate of this heat is rejected or blocked. ${todo}`
      return { code: 'same-heat-blocked', millCertificationId: other, message }
    }),
    ...(others > 0
      ? [
          {
            ...{ code: 'same-heat-blocked' as const, millCertificationId, actual: `${others} more` },
            message: `${count} other certificates of this heat are rejected or blocked, of which ${first.length} are named. ${todo}`,
          },
        ]
      : []),
  ]
}

function statusObservations({ status, millCertificationId }: JudgedCertificate): Observation[] {
  switch (status) {
    case 'Voided':
      return [
        {
          code: 'certificate-voided',
          millCertificationId,
          message: 'The certificate is voided, so it documents no steel. Set the one that replaces it.',
        },
      ]
    case 'Rejected':
      return [
        {
          code: 'certificate-rejected',
          millCertificationId,
          message: 'The certificate is rejected, so its steel may not be used. Use another heat.',
        },
      ]
    case 'Received':
      return [
        {
          ...{ code: 'certificate-not-released', millCertificationId },
          message: 'The certificate is not released yet. Ask a quality engineer to release it.',
        },
      ]
    case 'Released':
      return []
  }
}

function orderFindings({
  certificate,
  orders,
  policy,
}: Pick<VerdictFacts, 'certificate' | 'orders' | 'policy'>): Observation[] {
  return orders.flatMap((order): Observation[] => {
    const { orderId, orderNumber, executionClass, tags } = order
    const required = order.requiredInspectionDocument ?? policy.defaultInspectionDocument
    const unstated = [
      ...(required === null ? ['the required inspection document'] : []),
      ...(executionClass === null ? ['the execution class'] : []),
    ]
    return [
      ...tags.flatMap(({ tagId, name, severity }): Observation[] => {
        if (severity === null) return []
        const message = `Order ${orderNumber} has the tag "${name}". Take the tag off once it no longer applies.`
        return [{ code: 'order-tag', severity, message, orderId, tagId, actual: severity }]
      }),
      ...unstated.map(
        (what): Observation => ({
          ...{ code: 'demand-unstated', orderId, expected: what },
          message: `Order ${orderNumber} does not state ${what}. Correct the order.`,
        }),
      ),
      ...(certificate && required !== null && certificate.inspectionDocument < required
        ? [
            {
              ...{ code: 'document-insufficient' as const, orderId },
              millCertificationId: certificate.millCertificationId,
              ...{ expected: required, actual: certificate.inspectionDocument },
              message: `Order ${orderNumber} requires an inspection document ${required}; the certificate is a ${certificate.inspectionDocument}. Ask the mill for the higher document.`,
            },
          ]
        : []),
    ]
  })
}

function lineFindings(facts: VerdictFacts): Observation[] {
  const { acceptedCuts, orders } = facts
  const lines = new Map(
    orders.flatMap((order) => order.lineItems.map((line) => [line.lineItemId, { order, line }] as const)),
  )
  const cutLines = new Set(acceptedCuts.map(({ lineItemId }) => lineItemId))
  return [
    ...acceptedCuts.flatMap(({ cutId, orderId, lineItemId }): Observation[] => {
      const { line, order } = lines.get(lineItemId) ?? {}
      if (!line?.cancelled) return []
      const message = `Line ${line.lineNumber} of order ${order!.orderNumber} is cancelled. Reject the cut.`
      return [{ code: 'line-cancelled', orderId, lineItemId, cutId, message }]
    }),
    ...[...cutLines].flatMap((lineItemId) => {
      const { line, order } = lines.get(lineItemId) ?? {}
      return line ? lineObservations(facts, order!, line) : []
    }),
  ]
}

function lineObservations(
  { bar, certificate }: VerdictFacts,
  order: JudgedOrder,
  line: JudgedLine,
): Observation[] {
  const subject = {
    ...{ orderId: order.orderId, lineItemId: line.lineItemId },
    ...(certificate && { millCertificationId: certificate.millCertificationId }),
  }
  const where = nameOfLine(order, line)
  const demanded = line.grade === null ? { grade: bar.grade, standard: null } : line
  const differences = [
    ...gradeDifferences(
      { grade: demanded.grade!, standard: demanded.standard },
      offeredSteel(bar, certificate),
    ),
    ...profileDifferences(line.profile ?? bar.profile, certificate ? certificate.profile : bar.profile),
  ]
  return [
    ...unstatedGrade(order, line),
    ...differences.map((one) => ({ ...one, ...subject, message: `${where}: ${one.message}` })),
  ]
}

function unstatedGrade(order: JudgedOrder, line: JudgedLine): Observation[] {
  if (line.grade !== null) return []
  const message = `${nameOfLine(order, line)} does not state the grade. Correct the order.`
  const { orderId } = order
  return [{ code: 'demand-unstated', orderId, lineItemId: line.lineItemId, expected: 'the grade', message }]
}

function nameOfLine({ orderNumber }: JudgedOrder, { lineNumber }: JudgedLine): string {
  return `Line ${lineNumber} of order ${orderNumber}`
}

/** Without a certificate the bar's own grade stands for the certificate's. */
function offeredSteel(bar: VerdictFacts['bar'], certificate: JudgedCertificate | null): GradeText {
  return certificate ?? { grade: bar.grade, standard: null }
}

/** The certificate suits every line that is cut, but not what the bar was planned as. */
function barFindings({ bar, certificate }: VerdictFacts, ofLines: readonly Observation[]): Observation[] {
  if (!certificate) return []
  const differs = gradeDifferences({ grade: bar.grade, standard: null }, certificate).length > 0
  const suitsLines = !ofLines.some(({ code }) => code.startsWith('grade-'))
  if (!differs || !suitsLines) return []
  const { millCertificationId } = certificate
  const actual = gradeWords(certificate)
  return [
    {
      ...{ code: 'bar-grade-differs', millCertificationId, expected: bar.grade, actual },
      message: `The bar was planned as ${bar.grade}, and the certificate says ${actual}. Check that it is the right bar.`,
    },
  ]
}

/** The strictest class of the orders on the bar. */
export function strictestClass(orders: readonly JudgedOrder[]): ExecutionClass | null {
  return orders
    .map(({ executionClass }) => executionClass)
    .reduce((strictest, one) => ((one ?? '') > (strictest ?? '') ? one : strictest), null)
}

function findingOf(observation: Observation, facts: JudgedBy): Finding | undefined {
  const { code, severity: _, message, ...about } = observation
  const severity = severityFound(observation, facts)
  if (severity === 'Off') return undefined
  const { overrides } = facts
  const key = keyOf(observation)
  const override = isNeverOverridden(code)
    ? undefined
    : overrides.find(({ findings }) => findings.includes(key))
  return { key, code, severity, message, ...about, ...(override && severity === 'Block' && { override }) }
}

function severityFound(
  { code, severity }: Observation,
  { policy, orders }: Pick<JudgedBy, 'policy' | 'orders'>,
): Severity | 'Off' {
  return severity ?? fixedSeverity(code) ?? severityOf(policy, code as SettableCode, strictestClass(orders))
}

function fixedSeverity(code: FindingCode): Severity | undefined {
  return isNeverOverridden(code) ? 'Block' : undefined
}

/** A rejected or voided certificate documents no steel, so nobody may release on it. */
export function isNeverOverridden(code: FindingCode): boolean {
  return code === 'certificate-voided' || code === 'certificate-rejected'
}

const keyNamespace = '7c9a3f0e-1d52-4b86-9a0b-5e2f4c6d8b10'

function keyOf({
  code,
  millCertificationId,
  orderId,
  lineItemId,
  cutId,
  tagId,
  expected,
  actual,
}: Observation): string {
  const ids = [millCertificationId, orderId, lineItemId, cutId, tagId]
  return derivedId(keyNamespace, code, ...[...ids, expected, actual].map((part) => part ?? null))
}

function distinct(findings: readonly (Finding | undefined)[]): Finding[] {
  return [
    ...new Map(findings.flatMap((finding) => (finding ? [[finding.key, finding] as const] : []))).values(),
  ]
}

function inOrder(one: Finding, other: Finding): number {
  return (
    severities.indexOf(one.severity) - severities.indexOf(other.severity) ||
    byCodePoint(one.code, other.code) ||
    byCodePoint(subjectOf(one), subjectOf(other)) ||
    byCodePoint(one.key, other.key)
  )
}

function subjectOf({
  orderId = '',
  lineItemId = '',
  cutId = '',
  millCertificationId = '',
  tagId = '',
}: Finding): string {
  return [orderId, lineItemId, cutId, millCertificationId, tagId].join(' ')
}
