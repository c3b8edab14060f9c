import { reviewApproval } from '../commands/bars/bars.ts'
import { judgeTogether, type LookUps } from '../commands/bars/judging.ts'
import type { Execute } from '../commands/executor/command.ts'
import type {
  BarCertificateSet,
  BarOpened,
  BarReverted,
  CutStatusChanged,
  ProductionPlanBarEvent,
} from '../domain/bars/barEvents.ts'
import type { MillCertificateCorrected } from '../domain/certificates/certificate.ts'
import type { CertificateDecision } from '../domain/certificates/certificateDecisions.ts'
import type { ReleasePolicySet } from '../domain/company/companyEvents.ts'
import type {
  DeliveryCorrected,
  DeliveryFacts,
  DeliveryRecorded,
  DeliveryVoided,
} from '../domain/deliveries/delivery.ts'
import type { DocumentDetached } from '../domain/documents/certificateDocuments.ts'
import type { DomainEvent, Recorded } from '../domain/kernel/event.ts'
import { Refusal } from '../domain/kernel/refusal.ts'
import type { OrderCorrected } from '../domain/orders/order.ts'
import type { RulePackSubscribed, RulePackUpgraded, TagEvent } from '../domain/tags/catalogueEvents.ts'
import type { AssignmentEvent } from '../domain/tags/subject.ts'
import type { Family } from '../domain/tags/tag.ts'
import {
  type ConcernedBy,
  type FoundBar,
  hasApprovedBars,
  listApprovedBars,
} from '../projections/bars/approvedBars.ts'
import { production } from '../projections/bars/production.ts'
import { certificates } from '../projections/certificates/certificates.ts'
import { deliveries } from '../projections/deliveries/deliveries.ts'
import type { Reading } from '../projections/engine/reading/reader.ts'
import { orders } from '../projections/orders/orders.ts'
import { tags } from '../projections/tags/tags.ts'
import type { Hear, Job, Policy, Portion, Reaction } from './policy.ts'

/**
 * An approval rests on the facts that it was judged from. When a fact changes, this policy judges the Approved bars
 * that the fact concerns once more. A bar with a Block that nobody has overridden becomes a draft again. The policy
 * repeats `reviewApproval`, which records nothing on a bar that is not Approved or may still be cut.
 */

interface ApprovalReviewOptions {
  readonly execute: Execute
  readonly lookUps: LookUps
  readonly newId: () => string
  readonly observe?: ApprovalReviewObserver
}

export interface ApprovalReviewObserver {
  /** A bar was judged once more. `withdrawn` says whether it lost its approval. */
  onReviewed?(withdrawn: boolean): void
  /** The approval of a bar cannot be reviewed. */
  condition?(message: string): void
}

export const approvalReviewName = 'approvalReview'

export function approvalReview(options: ApprovalReviewOptions): Policy {
  return {
    name: approvalReviewName,
    // An older approval is judged when one of its facts changes, when the bar is started, or by a sweep.
    startsAt: 'head',
    reads: [production, certificates, deliveries, orders, tags],
    shows: [production],
    targetsAtOnce: 16,
    rests: true,
    begin: () => begin(options),
  }
}

export const approvalReviewer = { id: approvalReviewName, name: 'Approval review', kind: 'service' } as const

/** All Approved bars of the company. */
export const everyApproval = 'company'
/** A bar is its own target. The other scopes lead to bars. */
const barKind = 'bar'

function begin({ execute, lookUps, newId, observe = {} }: ApprovalReviewOptions): Reaction {
  return {
    hears,
    next,
    portion(companyId) {
      // A fact that is recorded meanwhile brings a job of its own.
      const loadJudgement = judgeTogether(lookUps)
      return async (barId) => {
        try {
          const command = reviewApproval({ companyId, barId }, loadJudgement)
          const { recorded, position } = await execute(command, {
            actor: approvalReviewer,
            correlationId: newId(),
          })
          observe.onReviewed?.(recorded.length > 0)
          return position
        } catch (error) {
          // A repeat would not make the event smaller, and the other bars must not wait. `start` refuses the bar.
          if (!(error instanceof Refusal) || error.code !== 'too-large-to-record') throw error
          observe.condition?.(`bar ${barId} of company ${companyId}: ${error.message}`)
          return 0
        }
      }
    },
  }
}

/**
 * The events that change a fact of a verdict. A subscription to a rule pack is among them for its rules on pairs: the tags
 * and evaluations that it brings are events of their own. Registrations are not, either: no bar was
 * approved on a record that is new. It may be of the heat of an approved bar and state another analysis: in a company that
 * makes this a Block, `start` refuses.
 */
const hears: ReadonlyMap<string, Hear> = new Map([
  // A fact may have changed between the judgement of an approval and its append.
  on<ProductionPlanBarEvent>('BarApproved', barScope),
  // More bars may need more steel than was delivered.
  on<BarOpened>('BarOpened', stockScope),
  on<BarReverted>('BarReverted', (bar) => (bar.to === 'Approved' ? barScope(bar) : [])),
  on<BarCertificateSet>('BarCertificateSet', (bar) => [
    ...(bar.barStatus === 'Approved' ? barScope(bar) : []),
    ...stockScope(bar),
  ]),
  // The execution class of a cut may have made a finding milder. When the cut is taken away, the finding is severe again.
  on<CutStatusChanged>('CutStatusChanged', (bar) => (bar.barStatus === 'Approved' ? barScope(bar) : [])),
  on<MillCertificateCorrected>('MillCertificateCorrected', certificateScope),
  ...(
    [
      'CertificateReleased',
      'CertificateRejected',
      'CertificateReopened',
      'CertificateVoided',
      'CertificateReinstated',
    ] as const
  ).map((type) => on<CertificateDecision>(type, certificateScope)),
  // An attached document never adds a Block.
  on<DocumentDetached>('DocumentDetached', certificateScope),
  on<DeliveryRecorded>('DeliveryRecorded', deliveryScope),
  on<DeliveryCorrected>('DeliveryCorrected', (delivery) => [
    ...deliveryScope(delivery),
    ...steelTakenFrom(delivery),
  ]),
  on<DeliveryVoided>('DeliveryVoided', deliveryScope),
  on<OrderCorrected>('OrderCorrected', ({ orderId }) => [`order/${orderId}`]),
  on<AssignmentEvent>('ManualAssignmentsReplaced', subjectScope),
  on<AssignmentEvent>('RuleAssignmentsReplaced', subjectScope),
  on<Extract<TagEvent, { type: 'TagUpdated' }>>('TagUpdated', (tag) =>
    tag.changes.some(({ field }) => field === 'severity') ? tagScope(tag) : [],
  ),
  on<TagEvent>('TagSoftDeleted', tagScope),
  on<TagEvent>('TagRestored', tagScope),
  on<ReleasePolicySet>('ReleasePolicySet', () => [everyApproval]),
  on<RulePackSubscribed>('RulePackSubscribed', pairRulesScope),
  on<RulePackUpgraded>('RulePackUpgraded', pairRulesScope),
])

function on<Event extends DomainEvent>(
  type: Event['type'],
  scopesOf: (data: Event['data']) => readonly string[],
): readonly [string, Hear] {
  return [type, ({ data }: Recorded) => scopesOf(data)]
}

function barScope({ barId }: { readonly barId: string }) {
  return [`${barKind}/${barId}`]
}

function certificateScope({ millCertificationId }: { readonly millCertificationId: string }) {
  return [`certificate/${millCertificationId}`]
}

function stockScope({ millCertificationId }: { readonly millCertificationId: string | null }) {
  return millCertificationId === null ? [] : [`stock/${millCertificationId}`]
}

function deliveryScope({ deliveryId }: DeliveryFacts) {
  return [`delivery/${deliveryId}`]
}

/** The steel that a correction has taken from the delivery. Bars of a heat alone are not found by a scope. */
function steelTakenFrom({ changes }: DeliveryCorrected['data']): string[] {
  const items = changes.find(({ field }) => field === 'items')?.from as DeliveryFacts['items'] | undefined
  if (items?.some(({ millCertificationId }) => millCertificationId === null)) return [everyApproval]
  return (items ?? []).flatMap(stockScope)
}

const subjectKinds: Readonly<Record<Family, ConcernedBy>> = { millCert: 'certificate', order: 'order' }

function subjectScope({ family, subjectId }: AssignmentEvent['data']) {
  return [`${subjectKinds[family]}/${subjectId}`]
}

function pairRulesScope({ pairRules }: RulePackSubscribed['data']) {
  return pairRules ? [everyApproval] : []
}

function tagScope({ family, tagId }: { readonly family: Family; readonly tagId: string }) {
  return [`${family}Tag/${tagId}`]
}

/** One query finds the bars of all jobs of a kind. */
async function next(
  reading: Reading,
  companyId: string,
  jobs: readonly Job[],
  most: number,
): Promise<readonly Portion[]> {
  const portions: Portion[] = []
  const [approved] = await reading.query<{ hasSome: boolean }>(hasApprovedBars(reading, companyId))
  if (!approved!.hasSome) return jobs.map(({ scope }) => ({ scope, targets: [], after: null }))
  for (const [kind, ofKind] of Map.groupBy(jobs, kindOf)) {
    if (kind === barKind)
      portions.push(...ofKind.map(({ scope }) => ({ scope, targets: [idIn(scope)!], after: null })))
    else portions.push(...(await portionsOf(reading, companyId, kind, ofKind, most)))
  }
  return portions
}

async function portionsOf(
  reading: Reading,
  companyId: string,
  kind: ConcernedBy,
  jobs: readonly Job[],
  most: number,
): Promise<readonly Portion[]> {
  const places = jobs.map(({ scope, after }) => ({ scope, id: idIn(scope) ?? companyId, after }))
  const bars = await reading.query<FoundBar>(listApprovedBars(reading, companyId, kind, places, most))
  const byScope = Map.groupBy(bars, ({ scope }) => scope)
  return jobs.map(({ scope }) => {
    const bars = byScope.get(scope) ?? []
    return {
      scope,
      targets: bars.map(({ barId }) => barId),
      places: bars.map(({ place }) => place),
      after: bars.length < most ? null : bars.at(-1)!.place,
    }
  })
}

function kindOf({ scope }: Job): ConcernedBy | typeof barKind {
  return scope.split('/')[0] as ConcernedBy | typeof barKind
}

function idIn(scope: string): string | undefined {
  return scope.split('/')[1]
}
