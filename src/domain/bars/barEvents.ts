import { eventsAbout } from '../audit/audited.ts'
import { certificateNumber, changeOf, partIf, sayWords, setFrom } from '../audit/words.ts'
import type { DomainEvent } from '../kernel/event.ts'
import { sentence } from '../verdict/sentence.ts'
import type { ReadHeat } from '../verdict/verdictFacts.ts'
import type { AcceptedCuts, BarContent, Cut, CutStatus } from './barContent.ts'
import {
  inSequence,
  judgementPart,
  type KeptFinding,
  type KeptJudgement,
  listFindings,
  type OverrideRequest,
  overridesOf,
} from './keptJudgement.ts'

/**
 * The events of a bar: the facts that each of them keeps, and what the history says of it. `bar.ts` says which may follow
 * on which status.
 */

/** The way of a bar through the workshop, step by step. */
export const barSteps = ['Draft', 'Approved', 'Started', 'Completed'] as const
export type BarStep = (typeof barSteps)[number]
export const barStatuses = [...barSteps, 'Cancelled'] as const
export type BarStatus = (typeof barStatuses)[number]

export interface BarRef {
  readonly companyId: string
  readonly planId: string
  readonly barId: string
}

export function refOf({ companyId, planId, barId }: BarRef): BarRef {
  return { companyId, planId, barId }
}

/** The heat number as somebody has read it off the steel. */
export interface HeatRead extends ReadHeat {
  readonly by: string
  readonly at: string
}

export type BarOpened = DomainEvent<
  'BarOpened',
  BarRef &
    BarContent & {
      readonly remnantMm: number
      /** The heat that was read off the steel before this remnant was cut from it. Absent when nobody had read it. */
      readonly heatRead?: HeatRead
    }
>
export type BarApproved = DomainEvent<
  'BarApproved',
  BarRef & KeptJudgement & { readonly override?: OverrideRequest }
>
/** The bar is a draft again, because of Block findings that nobody has overridden. */
export type BarApprovalWithdrawn = DomainEvent<'BarApprovalWithdrawn', BarRef & KeptJudgement>
export type FindingsOverridden = DomainEvent<
  'FindingsOverridden',
  BarRef &
    OverrideRequest & {
      /** The findings that the keys name, because the facts behind them may change. */
      readonly overridden: readonly KeptFinding[]
    }
>
/** The bar has another certificate, or none. This ends its overrides. */
export type BarCertificateSet = DomainEvent<
  'BarCertificateSet',
  BarRef &
    // The judgement with the new certificate. A Draft is not judged, nor a Completed bar without a stop.
    Partial<KeptJudgement> & {
      readonly barStatus: BarStatus
      readonly millCertificationId: string | null
      readonly formerMillCertificationId: string | null
      readonly reason?: string
    }
>
/** Somebody has read the heat number off the steel. The certificate that the bar has by it is set by an event of its own. */
export type BarHeatRead = DomainEvent<
  'BarHeatRead',
  BarRef & {
    /** As it was read; null takes an earlier reading back. */
    readonly heatNumber: string | null
    readonly formerHeatNumber: string | null
    readonly reason?: string
  }
>
export type BarStarted = DomainEvent<'BarStarted', BarRef & { readonly lineItems: readonly AcceptedCuts[] }>
export type BarCompleted = DomainEvent<
  'BarCompleted',
  BarRef & {
    readonly lineItems: readonly AcceptedCuts[]
    /** The Block findings that nobody had overridden. Absent when there were none. */
    readonly uncovered?: readonly KeptFinding[]
    /** The pieces and the remnant have got the mark of the heat. Absent when nobody has said so. */
    readonly markTransferred?: true
    readonly reason?: string
  }
>
/** The bar is back at an earlier step. */
export type BarReverted = DomainEvent<
  'BarReverted',
  BarRef &
    // Only a bar that is Approved again has been judged.
    Partial<KeptJudgement> & {
      readonly from: BarStep
      readonly to: BarStep
      readonly reason: string
      readonly lineItems: readonly AcceptedCuts[]
    }
>
export type BarCancelled = DomainEvent<
  'BarCancelled',
  BarRef & { readonly from: BarStep; readonly reason: string; readonly lineItems: readonly AcceptedCuts[] }
>
export type CutScrapped = DomainEvent<
  'CutScrapped',
  BarRef &
    Pick<Cut, 'cutId' | 'orderId' | 'lineItemId'> & {
      readonly barStatus: BarStatus
      readonly reason: string
    }
>
/** Another bar is to be cut from the remnant of this one. */
export type RemnantTaken = DomainEvent<
  'RemnantTaken',
  BarRef & { readonly takenBy: Pick<BarRef, 'planId' | 'barId'>; readonly stockLengthMm: number }
>
export type CutStatusChanged = DomainEvent<
  'CutStatusChanged',
  BarRef &
    // Only a bar that is Approved or Started when the cut is accepted has been judged.
    Partial<KeptJudgement> & {
      readonly barStatus: BarStatus
      readonly cutId: string
      readonly orderId: string
      readonly lineItemId: string
      readonly from: CutStatus
      readonly to: CutStatus
      /** The bar's remnant after the change. */
      readonly remnantMm: number
    }
>
export type ProductionPlanBarEvent =
  | BarOpened
  | BarApproved
  | BarApprovalWithdrawn
  | FindingsOverridden
  | BarCertificateSet
  | BarHeatRead
  | BarStarted
  | BarCompleted
  | BarReverted
  | BarCancelled
  | CutScrapped
  | RemnantTaken
  | CutStatusChanged

export const barEvents = eventsAbout<ProductionPlanBarEvent>('bar', 'barId', {
  BarOpened: {
    bound: 'day',
    tell: ({ stockLengthMm, grade, profile, cuts }) =>
      sentence('BarOpened', {
        length: stockLengthMm,
        steel: profile ? `${profile}, ${grade}` : grade,
        cuts: cuts.length,
      }),
    listChanges: ({ stockLengthMm, grade, profile, millCertificationId, fromBarId, heatRead, cuts }) =>
      setFrom({
        stockLengthMm,
        grade,
        profile,
        millCertificationId,
        fromBarId,
        heatRead: heatRead?.heatNumber,
        cuts,
      }),
  },
  BarApproved: {
    bound: 'day',
    tell: ({ override, ...judgement }) => {
      const judged = judgementPart(judgement)
      if (!override) return sentence('BarApproved', { judged })
      return sentence('BarApprovedInSpite', { judged, overrides: overridesOf(override, judgement.findings) })
    },
    listChanges: ({ override, findings }) => [
      ...changeOf('status', 'Draft', 'Approved'),
      ...setFrom({ override }),
      ...listFindings(findings),
    ],
  },
  BarApprovalWithdrawn: {
    bound: 'none',
    tell: (judgement) =>
      sentence('BarApprovalWithdrawn', {
        judged: judgementPart(judgement),
        findings: inSequence(judgement.findings),
      }),
    listChanges: ({ findings }) => [...changeOf('status', 'Approved', 'Draft'), ...listFindings(findings)],
  },
  FindingsOverridden: {
    bound: 'day',
    tell: ({ overridden, ...override }) =>
      sentence('FindingsOverridden', { overrides: overridesOf(override, overridden) }),
    listChanges: ({ findings, reason, reference }) => setFrom({ override: { findings, reason, reference } }),
  },
  BarCertificateSet: {
    bound: 'reserve',
    tell: ({ millCertificationId, formerMillCertificationId, reason = null, ...judgement }, before) =>
      sentence(certificateMove(formerMillCertificationId, millCertificationId), {
        ...(millCertificationId !== null && { present: certificateNumber(millCertificationId, before) }),
        ...(formerMillCertificationId !== null && {
          former: certificateNumber(formerMillCertificationId, before),
        }),
        judged: judgementPart(judgement),
        reason: sayWords('reason', reason),
      }),
    listChanges: ({ formerMillCertificationId, millCertificationId, reason, findings }) => [
      ...changeOf('millCertificationId', formerMillCertificationId, millCertificationId),
      ...setFrom({ reason }),
      ...listFindings(findings),
    ],
  },
  BarHeatRead: {
    bound: 'reserve',
    tell: ({ heatNumber, reason = null }) =>
      heatNumber === null
        ? sentence('BarHeatTakenBack')
        : sentence('BarHeatRead', { heat: heatNumber, reason: sayWords('reason', reason) }),
    listChanges: ({ formerHeatNumber, heatNumber, reason }) => [
      ...changeOf('heatRead', formerHeatNumber, heatNumber),
      ...setFrom({ reason }),
    ],
  },
  BarStarted: {
    bound: 'reserve',
    tell: () => sentence('BarStarted'),
    listChanges: () => changeOf('status', 'Approved', 'Started'),
  },
  BarCompleted: {
    bound: 'reserve',
    tell: ({ uncovered: { length: count } = [], markTransferred = false, reason = null }) =>
      sentence('BarCompleted', {
        mark: partIf(markTransferred, 'mark-transferred'),
        spite: partIf(count > 0, 'in-spite-of-blocks', { count }),
        reason: sayWords('reason', reason),
      }),
    listChanges: ({ uncovered, markTransferred, reason }) => [
      ...changeOf('status', 'Started', 'Completed'),
      ...setFrom({ markTransferred, reason }),
      ...listFindings(uncovered),
    ],
  },
  BarReverted: {
    bound: ({ to }) => (to === 'Draft' ? 'none' : 'reserve'),
    tell: ({ from, to, reason, ...judgement }) =>
      sentence('BarReverted', {
        from: sentence(from),
        to: sentence(to),
        judged: judgementPart(judgement),
        reason: sayWords('reason', reason),
      }),
    listChanges: ({ from, to, reason, findings }) => [
      ...changeOf('status', from, to),
      ...setFrom({ reason }),
      ...listFindings(findings),
    ],
  },
  BarCancelled: {
    bound: 'none',
    tell: ({ reason }) => sentence('BarCancelled', { reason: sayWords('reason', reason) }),
    listChanges: ({ from, reason }) => [...changeOf('status', from, 'Cancelled'), ...setFrom({ reason })],
  },
  CutScrapped: {
    bound: 'none',
    tell: ({ cutId, reason }) => sentence('CutScrapped', { cut: cutId, reason: sayWords('reason', reason) }),
    listChanges: ({ cutId, reason }) => [
      ...changeOf(`cuts/${cutId}/status`, 'Accepted', 'Scrapped'),
      ...setFrom({ reason }),
    ],
  },
  RemnantTaken: {
    bound: 'day',
    tell: ({ takenBy, stockLengthMm }) =>
      sentence('RemnantTaken', { bar: takenBy.barId, length: stockLengthMm }),
  },
  CutStatusChanged: {
    bound: ({ from, to }) => (to === 'Rejected' || from === 'Accepted' ? 'none' : 'day'),
    tell: ({ cutId, from, to, ...judgement }) =>
      sentence('CutStatusChanged', {
        cut: cutId,
        from: sentence(from),
        to: sentence(to),
        judged: judgementPart(judgement),
      }),
    listChanges: ({ cutId, from, to, findings }) => [
      ...changeOf(`cuts/${cutId}/status`, from, to),
      ...listFindings(findings),
    ],
  },
})

function certificateMove(from: string | null, to: string | null) {
  if (to === null) return 'BarCertificateTakenOff'
  return from === null ? 'BarCertificateSet' : 'BarCertificateReplaced'
}
