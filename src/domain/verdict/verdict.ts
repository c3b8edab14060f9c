import { byCodePoint, derivedId } from '../kernel/identifiers.ts'
import type { ExecutionClass } from '../orders/orderContent.ts'
import { type Severity, severities } from '../tags/tag.ts'
import { certificateObservations } from './certificateObservations.ts'
import type { FindingCode, FindingSubject, Observation } from './observation.ts'
import { observe } from './observations.ts'
import { orderObservations, unstatedSteel } from './orderObservations.ts'
import { repeatedMarks } from './pieceMarks.ts'
import { type ReleasePolicy, type SettableCode, severityOf } from './releasePolicy.ts'
import { inEnglish, type Sentence } from './sentence.ts'
import type {
  JudgedCertificate,
  JudgedCut,
  JudgedOrder,
  OrderByItself,
  Override,
  VerdictFacts,
} from './verdictFacts.ts'

/** The question that the product exists for: may this bar be cut? A pure judgement of loaded facts. */

export interface Finding extends FindingSubject {
  /** The same for the same code, records, expected and actual value, so that an override covers exactly what was seen. */
  readonly key: string
  readonly code: FindingCode
  readonly severity: Severity
  /** The sentence in English. */
  readonly message: string
  readonly sentence: Sentence
  readonly expected?: string
  readonly actual?: string
  readonly override?: Override
}

export interface Verdict {
  /** Whether `approve` accepts the bar: like `mayBeCut`, but nobody needs to know the steel yet. */
  readonly mayBeApproved: boolean
  /** Whether no Block is left that is not overridden. */
  readonly mayBeCut: boolean
  readonly findings: readonly Finding[]
}

/** Return the verdict with its findings in the order of severity, code and subject, whatever the order of the facts. */
export function judge(facts: VerdictFacts): Verdict {
  const findings = findingsOf(observe(facts), facts)
  return {
    mayBeApproved: standingBlocks({ findings }).length === 0,
    mayBeCut: !findings.some(stands),
    findings,
  }
}

/** Return the severities of the findings without their keys, which take half of the time of a judgement. */
export function findSeverities(
  facts: VerdictFacts,
): readonly Pick<Finding, 'severity' | keyof FindingSubject>[] {
  return observe(facts).flatMap((observation) => {
    const severity = findSeverity(observation, facts)
    return severity === 'Off' ? [] : [{ ...observation, severity }]
  })
}

/** A bar may be approved before anybody has chosen and looked at its steel. */
const untilStart: readonly FindingCode[] = ['no-certificate', 'heat-unread']

/** Return the Block findings that refuse an approval. A missing certificate does not, and an unread heat neither. */
export function standingBlocks({ findings }: Pick<Verdict, 'findings'>): Finding[] {
  return findings.filter((finding) => stands(finding) && !untilStart.includes(finding.code))
}

/** Whether the finding blocks, and nobody has overridden it. */
export function stands({ severity, override }: Pick<Finding, 'severity' | 'override'>): boolean {
  return severity === 'Block' && !override
}

/** Judge a certificate by itself. Without an order, no execution class counts. */
export function judgeCertificate(
  certificate: JudgedCertificate,
  { sameHeat, policy }: Pick<VerdictFacts, 'sameHeat' | 'policy'>,
): Finding[] {
  const observations = certificateObservations({ certificate, sameHeat })
  return findingsOf(observations, { policy, orders: [], overrides: [] })
}

/** Judge an order by itself: its tags, the demands that it leaves unstated, and its piece marks. */
export function judgeOrder(order: OrderByItself, policy: ReleasePolicy): Finding[] {
  const lines = order.lineItems.filter(({ cancelled }) => !cancelled)
  const observations = [
    ...orderObservations({ certificate: null, orders: [order], policy }),
    ...lines.flatMap((line) => unstatedSteel(order, line)),
    ...repeatedMarks(order, lines),
  ]
  return findingsOf(observations, { policy, orders: [order], overrides: [] })
}

/** Return the findings on a bar that concern one of its cuts. Leave out those on other orders, lines and cuts. */
export function findingsOfCut(findings: readonly Finding[], cut: JudgedCut): Finding[] {
  return findings.filter(
    ({ orderId = cut.orderId, lineItemId = cut.lineItemId, cutId = cut.cutId }) =>
      orderId === cut.orderId && lineItemId === cut.lineItemId && cutId === cut.cutId,
  )
}

/** Give each observation its severity and its key, and put the findings into their order. */
function findingsOf(observations: readonly Observation[], facts: SeverityFacts): Finding[] {
  return withoutRepeats(observations.map((observation) => findingOf(observation, facts)))
    .filter((finding) => finding !== undefined)
    .sort(inOrder)
}

/** The facts that say how severe a finding is, and whether somebody has overridden it. */
type SeverityFacts = Pick<VerdictFacts, 'policy' | 'overrides'> & {
  readonly orders: readonly Pick<JudgedOrder, 'executionClass'>[]
}

/** The strictest class of the orders on the bar. */
export function strictestClass(
  orders: readonly Pick<JudgedOrder, 'executionClass'>[],
): ExecutionClass | null {
  return orders
    .map(({ executionClass }) => executionClass)
    .reduce((strictest, one) => ((one ?? '') > (strictest ?? '') ? one : strictest), null)
}

function findingOf(observation: Observation, facts: SeverityFacts): Finding | undefined {
  const { code, severity: _, sentence, ...about } = observation
  const severity = findSeverity(observation, facts)
  if (severity === 'Off') return undefined
  const { overrides } = facts
  const key = keyOf(observation)
  const override = isNeverOverridden(code)
    ? undefined
    : overrides.find(({ findings }) => findings.includes(key))
  const message = inEnglish(sentence)
  return {
    key,
    code,
    severity,
    message,
    sentence,
    ...about,
    ...(override && severity === 'Block' && { override }),
  }
}

function findSeverity(
  { code, severity }: Observation,
  { policy, orders }: Pick<SeverityFacts, 'policy' | 'orders'>,
): Severity | 'Off' {
  return severity ?? severityOf(policy, code as SettableCode, strictestClass(orders))
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

function withoutRepeats(findings: readonly (Finding | undefined)[]): Finding[] {
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
