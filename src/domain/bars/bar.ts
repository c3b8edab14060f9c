import type { Aggregate, DecisionContext } from '../kernel/aggregate.ts'
import type { DomainEvent, Stored } from '../kernel/event.ts'
import { conflict } from '../kernel/refusal.ts'
import type { JudgedBy } from '../verdict/judgedBy.ts'
import { type Finding, standingBlocks } from '../verdict/verdict.ts'
import type { Override } from '../verdict/verdictFacts.ts'
import {
  type AcceptedCuts,
  type BarContent,
  type BarRequest,
  type Cut,
  type CutStatus,
  contentOf,
  isContentOf,
  remnantMm,
} from './barContent.ts'

/**
 * One bar of stock and the cuts from it. Its stream opens before its plan names it. Until then the id is reserved for
 * this content, and the bar is invisible.
 */
export function productionPlanBarStream(id: string): string {
  return `productionPlanBar-${id}`
}
/** The aggregate's id. */
export function productionPlanBarKey(companyId: string, barId: string): string {
  return `${companyId}_${barId}`
}

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

/** A bar of a certificate that is to be voided, or of its replacement. */
export interface BarToMove {
  readonly barId: string
  /** Whether it has the replacement already. */
  readonly hasReplacement: boolean
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

export interface Approval {
  readonly by: string
  readonly at: string
  readonly override: AskedOverride | null
}

export interface Withdrawal {
  readonly at: string
  readonly findings: readonly KeptFinding[]
}

/** A bar was completed in spite of Block findings. Its pieces are held until Quality has decided on all of them. */
export interface Stop {
  readonly by: string
  readonly at: string
  readonly reason: string | null
  /** The findings that nobody has overridden since. */
  readonly findings: readonly KeptFinding[]
}

/** The heat number as somebody has read it off the steel. */
export interface HeatRead {
  readonly heatNumber: string
  readonly by: string
  readonly at: string
}

export interface TakenRemnant extends Pick<BarRef, 'planId' | 'barId'> {
  readonly at: string
}

export interface OpenedBar extends BarRef, BarContent {
  /** Each with the revision of its own last event. */
  readonly cuts: readonly (Cut & { readonly revision: number })[]
  /** The content that the bar was opened with, before any cut changed. */
  readonly opened: BarContent
  readonly status: BarStatus
  readonly remnantMm: number
  /** The bar that has taken the remnant last. */
  readonly remnantTaken: TakenRemnant | null
  readonly createdAt: string
  readonly approvedAt: string | null
  readonly startedAt: string | null
  /** The userId of the person who started it last. */
  readonly startedBy: string | null
  readonly completedAt: string | null
  readonly completedBy: string | null
  /** The userId of the person who has planned it. */
  readonly plannedBy: string
  /** null while it is not approved. Its override is null again when it has ended. */
  readonly approval: Approval | null
  /** null when it was never withdrawn, or was approved again. */
  readonly withdrawal: Withdrawal | null
  /** null while nobody has read it. It stays when the bar gets another certificate. */
  readonly heatRead: HeatRead | null
  /** null when no piece is held. */
  readonly stop: Stop | null
  /** They end with a withdrawal, with a revert to Draft, and with another certificate. */
  readonly overrides: readonly Override[]
  /** Revision of the bar's last event. */
  readonly revision: number
}

/** Whether the piece was cut in spite of a Block that nobody has overridden since. */
export function isHeld({ stop }: Pick<OpenedBar, 'stop'>, { status }: Pick<Cut, 'status'>): boolean {
  return stop !== null && status === 'Accepted'
}

export type ProductionPlanBar = OpenedBar | undefined

export function refOf({ companyId, planId, barId }: BarRef): BarRef {
  return { companyId, planId, barId }
}

function newBar({ data, metadata, revision }: Stored<BarOpened>): OpenedBar {
  const opened = contentOf(data, () => '')
  return {
    ...refOf(data),
    ...opened,
    cuts: opened.cuts.map((cut) => ({ ...cut, revision })),
    opened,
    status: 'Draft',
    remnantMm: data.remnantMm,
    remnantTaken: null,
    createdAt: metadata.occurredAt,
    approvedAt: null,
    startedAt: null,
    startedBy: null,
    completedAt: null,
    completedBy: null,
    plannedBy: metadata.actor.id,
    approval: null,
    withdrawal: null,
    heatRead: data.heatRead ?? null,
    stop: null,
    overrides: [],
    revision,
  }
}

/**
 * Return the stop after an event. It ends when every finding is overridden, when the bar goes back, and when the steel is
 * of another certificate that no Block speaks against. The Blocks of another certificate take the place of the former.
 */
export function stopAfter(
  stop: Stop | null,
  { type, data, metadata }: Stored<ProductionPlanBarEvent>,
): Stop | null {
  switch (type) {
    case 'BarCompleted': {
      const { uncovered, reason = null } = data
      return uncovered
        ? { by: metadata.actor.id, at: metadata.occurredAt, reason, findings: uncovered }
        : null
    }
    case 'FindingsOverridden': {
      const findings = stop?.findings.filter(({ key }) => !data.findings.includes(key)) ?? []
      return stop && findings.length > 0 ? { ...stop, findings } : null
    }
    case 'BarCertificateSet': {
      if (!stop || data.millCertificationId === null) return stop
      const findings = standingBlocks({ findings: data.findings ?? [] })
      return findings.length > 0 ? { ...stop, findings } : null
    }
    case 'BarReverted':
      return null
    default:
      return stop
  }
}

function evolve(state: ProductionPlanBar, event: Stored<ProductionPlanBarEvent>): ProductionPlanBar {
  if (event.type === 'BarOpened') return newBar(event)
  if (!state) return state
  const opened = evolveOpened(state, event)
  const stop = stopAfter(state.stop, event)
  return { ...opened, stop: opened.cuts.some(({ status }) => status === 'Accepted') ? stop : null }
}

function evolveOpened(state: OpenedBar, event: Stored<ProductionPlanBarEvent>): OpenedBar {
  const { revision } = event
  const { occurredAt: at, actor } = event.metadata
  const by = actor.id
  switch (event.type) {
    case 'BarApproved':
      return {
        ...state,
        status: 'Approved',
        approvedAt: at,
        approval: { by, at, override: event.data.override ?? null },
        withdrawal: null,
        overrides: event.data.override
          ? [...state.overrides, { ...event.data.override, by, at }]
          : state.overrides,
        revision,
      }
    case 'BarApprovalWithdrawn':
      return {
        ...state,
        status: 'Draft',
        approvedAt: null,
        approval: null,
        overrides: [],
        withdrawal: { at, findings: event.data.findings },
        revision,
      }
    case 'FindingsOverridden': {
      const { findings, reason, reference } = event.data
      return { ...state, overrides: [...state.overrides, { findings, reason, reference, by, at }], revision }
    }
    case 'BarCertificateSet': {
      const { millCertificationId } = event.data
      return { ...state, millCertificationId, ...withoutOverrides(state), revision }
    }
    case 'BarHeatRead': {
      const { heatNumber } = event.data
      return { ...state, heatRead: heatNumber === null ? null : { heatNumber, by, at }, revision }
    }
    case 'BarStarted':
      return { ...state, status: 'Started', startedAt: at, startedBy: by, revision }
    case 'BarCompleted':
      return { ...state, status: 'Completed', completedAt: at, completedBy: by, revision }
    case 'BarReverted':
      return { ...state, ...takenBackTo(event.data.to), revision }
    case 'BarCancelled':
      return { ...state, ...cancelledBar, revision }
    case 'CutScrapped':
      return { ...state, cuts: withCut(state.cuts, event.data.cutId, 'Scrapped', revision), revision }
    case 'RemnantTaken':
      return { ...state, remnantTaken: { ...event.data.takenBy, at }, revision }
    case 'CutStatusChanged': {
      const { cutId, to, remnantMm } = event.data
      return { ...state, cuts: withCut(state.cuts, cutId, to, revision), remnantMm, revision }
    }
    default:
      return state
  }
}

function withCut(
  cuts: OpenedBar['cuts'],
  changed: string,
  status: CutStatus,
  revision: number,
): OpenedBar['cuts'] {
  return cuts.map((cut) => (cut.cutId === changed ? { ...cut, status, revision } : cut))
}

type Progress = Pick<
  OpenedBar,
  'status' | 'approvedAt' | 'startedAt' | 'completedAt' | 'approval' | 'overrides'
>

/** Return the values of a bar that change when it goes back to this step. */
export function takenBackTo(step: BarStep): Partial<Progress> {
  const undone = barSteps.slice(barSteps.indexOf(step) + 1)
  return {
    status: step,
    ...(undone.includes('Approved') && { approvedAt: null, approval: null, overrides: [] }),
    ...(undone.includes('Started') && { startedAt: null }),
    ...(undone.includes('Completed') && { completedAt: null }),
  }
}

/** The values of a bar that change when it is cancelled. */
export const cancelledBar: Partial<Progress> = { ...takenBackTo('Draft'), status: 'Cancelled' }

/** Another certificate ends the overrides, also the one that the approval came with. */
function withoutOverrides({ approval }: OpenedBar): Pick<OpenedBar, 'overrides' | 'approval'> {
  return { overrides: [], approval: approval && { ...approval, override: null } }
}

export const productionPlanBar: Aggregate<ProductionPlanBar, ProductionPlanBarEvent> = {
  name: 'productionPlanBar',
  streamName: productionPlanBarStream,
  initial: undefined,
  evolve,
  eventVersions: {
    BarOpened: 1,
    BarApproved: 1,
    BarApprovalWithdrawn: 1,
    FindingsOverridden: 1,
    BarCertificateSet: 1,
    BarHeatRead: 1,
    BarStarted: 1,
    BarCompleted: 1,
    BarReverted: 1,
    BarCancelled: 1,
    CutScrapped: 1,
    RemnantTaken: 1,
    CutStatusChanged: 1,
  },
}

/**
 * Open a bar. The same content for the same plan records nothing, whatever became of the bar since.
 * @param source the bar whose remnant it is: the new bar is the same steel, so it has its certificate and its heat
 */
export function openBar(
  state: ProductionPlanBar,
  ref: BarRef,
  asked: BarRequest,
  { newId }: DecisionContext,
  source?: Pick<OpenedBar, 'millCertificationId' | 'heatRead'>,
): readonly ProductionPlanBarEvent[] {
  if (!state) {
    const { millCertificationId } = source ?? asked
    const content = {
      ...contentOf({ ...asked, millCertificationId }, () => newId()),
      remnantMm: remnantMm(asked),
    }
    const heatRead = source?.heatRead
    return [{ type: 'BarOpened', data: { ...refOf(ref), ...content, ...(heatRead && { heatRead }) } }]
  }
  if (state.planId === ref.planId && isContentOf(state.opened, asked)) return []
  throw barsAlreadyPlanned([ref.barId])
}

export function barsAlreadyPlanned(barIds: readonly string[]) {
  return conflict(
    'bar-already-planned',
    `These bars exist with another content or in another plan: ${barIds.join(', ')}.`,
    { barIds },
  )
}

const otherStatus = {
  Draft: 'bar-not-draft',
  Approved: 'bar-not-approved',
  Started: 'bar-not-started',
} as const

export function refuseUnless(bar: OpenedBar, wanted: keyof typeof otherStatus): void {
  if (bar.status !== wanted)
    throw conflict(
      otherStatus[wanted],
      `Bar ${bar.barId} is ${bar.status}, and must be ${wanted} for this.`,
      { state: bar.status },
    )
}

/** @throws Refusal `bar-cancelled` */
export function refuseCancelled({ barId, status }: OpenedBar): void {
  if (status === 'Cancelled')
    throw conflict('bar-cancelled', `Bar ${barId} is Cancelled, and stays as it is. Plan a new bar.`)
}
