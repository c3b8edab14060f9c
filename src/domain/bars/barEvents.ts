import type { DomainEvent } from '../kernel/event.ts'
import type { JudgedBy } from '../verdict/judgedBy.ts'
import type { Finding } from '../verdict/verdict.ts'
import type { Override, ReadHeat } from '../verdict/verdictFacts.ts'
import type { AcceptedCuts, BarContent, Cut, CutStatus } from './barContent.ts'

/** The events of a bar, with the facts that each of them keeps. `bar.ts` says which may follow on which status. */

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
/** A decision to go on in spite of Block findings, which it names by their keys. */
export type AskedOverride = Pick<Override, 'findings' | 'reason' | 'reference'>
/** A finding as it was when something was decided on it. */
export type KeptFinding = Omit<Finding, 'override'>

/** A judgement as an event keeps it. */
export interface KeptJudgement {
  readonly findings: readonly KeptFinding[]
  readonly judgedBy: JudgedBy
}

export type BarApproved = DomainEvent<
  'BarApproved',
  BarRef & KeptJudgement & { readonly override?: AskedOverride }
>
/** The bar is a draft again, because of Block findings that nobody has overridden. */
export type BarApprovalWithdrawn = DomainEvent<'BarApprovalWithdrawn', BarRef & KeptJudgement>
export type FindingsOverridden = DomainEvent<
  'FindingsOverridden',
  BarRef &
    AskedOverride & {
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
