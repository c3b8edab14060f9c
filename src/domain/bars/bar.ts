import type { AuditedAggregate } from '../audit/audited.ts'
import type { Stored } from '../kernel/event.ts'
import { conflict } from '../kernel/refusal.ts'
import { latest } from '../kernel/times.ts'
import type { Override } from '../verdict/verdictFacts.ts'
import { type BarContent, type Cut, contentOf } from './barContent.ts'
import {
  type BarOpened,
  type BarRef,
  type BarStatus,
  type BarStep,
  barEvents,
  barStatuses,
  barSteps,
  type HeatRead,
  type ProductionPlanBarEvent,
  refOf,
} from './barEvents.ts'
import { type Stop, stopAfter } from './barStop.ts'
import type { KeptFinding, OverrideRequest } from './keptJudgement.ts'

/**
 * One bar of stock and the cuts from it. Its stream opens before its plan names it. Until then the id is reserved for
 * this content, and the bar is invisible.
 *
 * The table lists the statuses from which each event may happen, and the status that it leads to. Without `to` the bar
 * keeps its status. The decisions that record these events are in:
 * - `barWork.ts`: open, start, complete and cancel
 * - `barApproval.ts`: approve, withdraw an approval, override findings
 * - `barCertificate.ts`: set the certificate, read the heat
 * - `barCuts.ts`: change the status of a cut
 * - `barCorrections.ts`: take a step back, scrap a piece
 * - `remnants.ts`: take the remnant
 *
 * `barContent.ts` is what is planned, `barEvents.ts` what each event keeps, and `barStop.ts` what holds the pieces.
 */
export const barTransitions = {
  BarOpened: { from: [], to: 'Draft' },
  BarApproved: { from: ['Draft'], to: 'Approved' },
  BarApprovalWithdrawn: { from: ['Approved'], to: 'Draft' },
  BarStarted: { from: ['Approved'], to: 'Started' },
  BarCompleted: { from: ['Started'], to: 'Completed' },
  BarCancelled: { from: ['Draft', 'Approved'], to: 'Cancelled' },
  /** The event names the earlier step that it leads to. */
  BarReverted: { from: ['Approved', 'Started', 'Completed'] },
  BarCertificateSet: { from: barSteps },
  BarHeatRead: { from: barSteps },
  FindingsOverridden: { from: barStatuses },
  CutStatusChanged: { from: ['Draft', 'Approved', 'Started'] },
  CutScrapped: { from: ['Started', 'Completed'] },
  RemnantTaken: { from: ['Completed'] },
} as const satisfies Readonly<Record<ProductionPlanBarEvent['type'], Transition>>

interface Transition {
  readonly from: readonly BarStatus[]
  readonly to?: BarStatus
}

/** Whether this event may happen to the bar as it stands. */
export function allows<Type extends keyof typeof barTransitions>(
  bar: OpenedBar,
  type: Type,
): bar is OpenedBar & { readonly status: (typeof barTransitions)[Type]['from'][number] } {
  const { from }: Transition = barTransitions[type]
  return from.includes(bar.status)
}

/** Return the status of a bar after an event. */
function statusAfter(status: BarStatus, event: ProductionPlanBarEvent): BarStatus {
  if (event.type === 'BarReverted') return event.data.to
  const { to }: Transition = barTransitions[event.type]
  return to ?? status
}

export function productionPlanBarStream(id: string): string {
  return `productionPlanBar-${id}`
}
/** The aggregate's id. */
export function productionPlanBarKey(companyId: string, barId: string): string {
  return `${companyId}_${barId}`
}

export interface Approval {
  readonly by: string
  readonly at: string
  readonly override: OverrideRequest | null
}

export interface Withdrawal {
  readonly at: string
  readonly findings: readonly KeptFinding[]
}

interface TakenRemnant extends Pick<BarRef, 'planId' | 'barId'> {
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
  /** The time of its last change, or of the last change of its cuts. */
  readonly updatedAt: string
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
  /** Whether its pieces and its remnant have the mark of the heat. */
  readonly markTransferred: boolean
  /** null when it was never completed in spite of a Block, or this has ended. It holds the Accepted cuts. */
  readonly stop: Stop | null
  /** They end with a withdrawal, with a revert to Draft, and with another certificate. */
  readonly overrides: readonly Override[]
  /** Revision of the bar's last event. */
  readonly revision: number
}

export type ProductionPlanBar = OpenedBar | undefined

function newBar({ data, metadata, revision }: Stored<BarOpened>): OpenedBar {
  const opened = contentOf(data, () => '')
  return {
    ...refOf(data),
    ...opened,
    cuts: opened.cuts.map((cut) => ({ ...cut, revision })),
    opened,
    status: barTransitions.BarOpened.to,
    remnantMm: data.remnantMm,
    remnantTaken: null,
    createdAt: metadata.occurredAt,
    updatedAt: metadata.occurredAt,
    approvedAt: null,
    startedAt: null,
    startedBy: null,
    completedAt: null,
    completedBy: null,
    plannedBy: metadata.actor.id,
    approval: null,
    withdrawal: null,
    heatRead: data.heatRead ?? null,
    markTransferred: false,
    stop: null,
    overrides: [],
    revision,
  }
}

function evolve(state: ProductionPlanBar, event: Stored<ProductionPlanBarEvent>): ProductionPlanBar {
  if (event.type === 'BarOpened') return newBar(event)
  if (!state || !Object.hasOwn(barTransitions, event.type)) return state
  return { ...state, ...barChangesBy(event, state), cuts: cutsAfter(state.cuts, event) }
}

/** The values of a bar that its changes depend on. The state of the stream has them, and the row of the read model. */
type BarBefore = Pick<OpenedBar, 'status' | 'stop' | 'approval' | 'overrides' | 'updatedAt'>
type BarChanges = Partial<Omit<OpenedBar, 'cuts'>> & Pick<OpenedBar, 'status' | 'stop'>

/** Return the values of the bar itself that an event changes. */
export function barChangesBy(event: Stored<ProductionPlanBarEvent>, before: BarBefore): BarChanges {
  return {
    ...ownChangesBy(event, before),
    status: statusAfter(before.status, event),
    stop: stopAfter(before.stop, event),
    updatedAt: latest(before.updatedAt, event.metadata.occurredAt),
    revision: event.revision,
  }
}

/** Return the cut that an event changes, with its status after that. */
export function cutAfter(event: Stored<ProductionPlanBarEvent>): Pick<Cut, 'cutId' | 'status'> | undefined {
  if (event.type === 'CutStatusChanged') return { cutId: event.data.cutId, status: event.data.to }
  if (event.type === 'CutScrapped') return { cutId: event.data.cutId, status: 'Scrapped' }
  return undefined
}

function cutsAfter(cuts: OpenedBar['cuts'], event: Stored<ProductionPlanBarEvent>): OpenedBar['cuts'] {
  const changed = cutAfter(event)
  if (!changed) return cuts
  const { revision } = event
  return cuts.map((cut) => (cut.cutId === changed.cutId ? { ...cut, ...changed, revision } : cut))
}

function ownChangesBy(event: Stored<ProductionPlanBarEvent>, before: BarBefore): Partial<OpenedBar> {
  const { occurredAt: at, actor } = event.metadata
  const by = actor.id
  switch (event.type) {
    case 'BarApproved': {
      const { override = null } = event.data
      const overrides = override ? [...before.overrides, { ...override, by, at }] : before.overrides
      return { approvedAt: at, approval: { by, at, override }, withdrawal: null, overrides }
    }
    case 'BarApprovalWithdrawn':
      return { ...takeBack('Draft'), withdrawal: { at, findings: event.data.findings } }
    case 'FindingsOverridden': {
      const { findings, reason, reference } = event.data
      return { overrides: [...before.overrides, { findings, reason, reference, by, at }] }
    }
    case 'BarCertificateSet':
      return { millCertificationId: event.data.millCertificationId, ...withoutOverrides(before) }
    case 'BarHeatRead': {
      const { heatNumber } = event.data
      return { heatRead: heatNumber === null ? null : { heatNumber, marked: true, by, at } }
    }
    case 'BarStarted':
      return { startedAt: at, startedBy: by }
    case 'BarCompleted':
      return { completedAt: at, completedBy: by, markTransferred: event.data.markTransferred ?? false }
    case 'BarReverted':
      return takeBack(event.data.to)
    case 'BarCancelled':
      return takeBack('Draft')
    case 'RemnantTaken':
      return { remnantTaken: { ...event.data.takenBy, at } }
    case 'CutStatusChanged':
      return { remnantMm: event.data.remnantMm }
    default:
      return {}
  }
}

/** Return the values, besides the status, that change when a bar goes back to this step. */
function takeBack(step: BarStep): Partial<OpenedBar> {
  const undone = barSteps.slice(barSteps.indexOf(step) + 1)
  return {
    ...(undone.includes('Approved') && { approvedAt: null, approval: null, overrides: [] }),
    ...(undone.includes('Started') && { startedAt: null }),
    ...(undone.includes('Completed') && { completedAt: null, markTransferred: false }),
  }
}

/** Another certificate ends the overrides, also the one that the approval came with. */
function withoutOverrides({ approval }: BarBefore): Pick<OpenedBar, 'overrides' | 'approval'> {
  return { overrides: [], approval: approval && { ...approval, override: null } }
}

export const productionPlanBar: AuditedAggregate<ProductionPlanBar, ProductionPlanBarEvent> = {
  name: 'productionPlanBar',
  streamName: productionPlanBarStream,
  initial: undefined,
  evolve,
  events: barEvents,
}

const otherStatus = {
  Draft: 'bar-not-draft',
  Approved: 'bar-not-approved',
  Started: 'bar-not-started',
} as const

/** @throws Refusal unless the bar has the status that this event follows on */
export function refuseOutOfTurn(bar: OpenedBar, type: 'BarApproved' | 'BarStarted' | 'BarCompleted'): void {
  refuseUnless(bar, barTransitions[type].from[0])
}

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
