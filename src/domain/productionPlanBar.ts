import type { Aggregate, DecisionContext } from './aggregate.ts'
import { sameValue } from './changes.ts'
import type { DomainEvent, Stored } from './event.ts'
import { conflict } from './refusal.ts'

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

export const barStatuses = ['Draft', 'Approved', 'Started', 'Completed'] as const
export type BarStatus = (typeof barStatuses)[number]
export const cutStatuses = ['Proposed', 'Accepted', 'Rejected'] as const
export type CutStatus = (typeof cutStatuses)[number]

/** One piece. */
export interface Cut {
  readonly cutId: string
  readonly orderId: string
  readonly lineItemId: string
  readonly lengthMm: number
  /** The piece's name in the drawing. */
  readonly pieceMark: string | null
  readonly status: CutStatus
}

export interface BarContent {
  readonly stockLengthMm: number
  readonly grade: string
  readonly millCertificationId: string | null
  readonly cuts: readonly Cut[]
}

/** A cut as a request gives it. One without an id gets one when the bar is opened. */
export interface CutRequest extends Omit<Cut, 'cutId' | 'pieceMark'> {
  readonly cutId?: string | undefined
  readonly pieceMark?: string | null | undefined
}

/** A bar as a request gives it. */
export interface BarRequest extends Omit<BarContent, 'cuts'> {
  readonly cuts: readonly CutRequest[]
}

export interface BarRef {
  readonly companyId: string
  readonly planId: string
  readonly barId: string
}

/** The number of Accepted cuts of one line item. */
export interface AcceptedCuts {
  readonly orderId: string
  readonly lineItemId: string
  readonly accepted: number
}

export type BarOpened = DomainEvent<'BarOpened', BarRef & BarContent & { readonly remnantMm: number }>
export type BarApproved = DomainEvent<'BarApproved', BarRef>
export type BarStarted = DomainEvent<'BarStarted', BarRef & { readonly lineItems: readonly AcceptedCuts[] }>
export type BarCompleted = DomainEvent<
  'BarCompleted',
  BarRef & { readonly lineItems: readonly AcceptedCuts[] }
>
export type CutStatusChanged = DomainEvent<
  'CutStatusChanged',
  BarRef & {
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
export type ProductionPlanBarEvent = BarOpened | BarApproved | BarStarted | BarCompleted | CutStatusChanged

export interface OpenedBar extends BarRef, BarContent {
  /** Each with the revision of its own last event. */
  readonly cuts: readonly (Cut & { readonly revision: number })[]
  /** The content that the bar was opened with, before any cut changed. */
  readonly opened: BarContent
  readonly status: BarStatus
  readonly remnantMm: number
  readonly createdAt: string
  readonly approvedAt: string | null
  readonly startedAt: string | null
  readonly completedAt: string | null
  /** Revision of the bar's last event. */
  readonly revision: number
}

export type ProductionPlanBar = OpenedBar | undefined

function refOf({ companyId, planId, barId }: BarRef): BarRef {
  return { companyId, planId, barId }
}

/** Take these fields and no others. `cutIdOf` gives the id of a cut that has none. */
function contentOf(
  { stockLengthMm, grade, millCertificationId, cuts }: BarRequest,
  cutIdOf: (index: number) => string,
): BarContent {
  return {
    stockLengthMm,
    grade,
    millCertificationId,
    cuts: cuts.map((cut, index) => cutContent({ ...cut, cutId: cut.cutId ?? cutIdOf(index) })),
  }
}

/** Take the fields of a cut and no others. A cut of an older event has no piece mark. */
export function cutContent({
  cutId,
  orderId,
  lineItemId,
  lengthMm,
  pieceMark = null,
  status,
}: CutRequest & Pick<Cut, 'cutId'>): Cut {
  return { cutId, orderId, lineItemId, lengthMm, pieceMark, status }
}

function evolve(state: ProductionPlanBar, event: Stored<ProductionPlanBarEvent>): ProductionPlanBar {
  const { revision } = event
  const at = event.metadata.occurredAt
  if (event.type === 'BarOpened') {
    const opened = contentOf(event.data, () => '')
    return {
      ...refOf(event.data),
      ...opened,
      cuts: opened.cuts.map((cut) => ({ ...cut, revision })),
      opened,
      status: 'Draft',
      remnantMm: event.data.remnantMm,
      createdAt: at,
      approvedAt: null,
      startedAt: null,
      completedAt: null,
      revision,
    }
  }
  if (!state) return state
  switch (event.type) {
    case 'BarApproved':
      return { ...state, status: 'Approved', approvedAt: at, revision }
    case 'BarStarted':
      return { ...state, status: 'Started', startedAt: at, revision }
    case 'BarCompleted':
      return { ...state, status: 'Completed', completedAt: at, revision }
    case 'CutStatusChanged': {
      const { cutId, to, remnantMm } = event.data
      const cuts = state.cuts.map((cut) => (cut.cutId === cutId ? { ...cut, status: to, revision } : cut))
      return { ...state, cuts, remnantMm, revision }
    }
    default:
      return state
  }
}

export const productionPlanBar: Aggregate<ProductionPlanBar, ProductionPlanBarEvent> = {
  name: 'productionPlanBar',
  streamName: productionPlanBarStream,
  initial: undefined,
  evolve,
  eventVersions: { BarOpened: 1, BarApproved: 1, BarStarted: 1, BarCompleted: 1, CutStatusChanged: 1 },
}

type Lengths = Pick<BarContent, 'stockLengthMm'> & {
  readonly cuts: readonly Pick<Cut, 'lengthMm' | 'status'>[]
}

/**
 * Return the length left after all Accepted and Proposed cuts, in mm; negative when they do not fit. It is rounded to
 * the nanometre, so that tenths of a millimetre add up as they do on paper.
 */
export function remnantMm({ stockLengthMm, cuts }: Lengths): number {
  const used = cuts.reduce((sum, { lengthMm, status }) => (status === 'Rejected' ? sum : sum + lengthMm), 0)
  // `+ 0` turns −0 into 0.
  return Math.round((stockLengthMm - used) * 1e6) / 1e6 + 0
}

/** Count the Accepted cuts by line item. */
export function acceptedCuts(cuts: Iterable<CutRequest>): AcceptedCuts[] {
  const counted = new Map<string, AcceptedCuts>()
  for (const { orderId, lineItemId, status } of cuts) {
    if (status !== 'Accepted') continue
    const accepted = (counted.get(lineItemId)?.accepted ?? 0) + 1
    counted.set(lineItemId, { orderId, lineItemId, accepted })
  }
  return [...counted.values()]
}

/** Whether the bar was opened with this content. A cut without an id matches any id. */
export function isContentOf(opened: BarContent, asked: BarRequest): boolean {
  return sameValue(
    opened,
    contentOf(asked, (index) => opened.cuts[index]?.cutId ?? ''),
  )
}

/** Open a bar. The same content for the same plan records nothing, whatever became of the bar since. */
export function openBar(
  state: ProductionPlanBar,
  ref: BarRef,
  asked: BarRequest,
  { newId }: DecisionContext,
): readonly ProductionPlanBarEvent[] {
  if (!state) {
    const content = { ...contentOf(asked, () => newId()), remnantMm: remnantMm(asked) }
    return [{ type: 'BarOpened', data: { ...refOf(ref), ...content } }]
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

function refuseUnless(bar: OpenedBar, wanted: keyof typeof otherStatus): void {
  if (bar.status !== wanted)
    throw conflict(
      otherStatus[wanted],
      `Bar ${bar.barId} is ${bar.status}, and must be ${wanted} for this.`,
      { state: bar.status },
    )
}

export function approveBar(bar: OpenedBar): readonly ProductionPlanBarEvent[] {
  refuseUnless(bar, 'Draft')
  return [{ type: 'BarApproved', data: refOf(bar) }]
}

export function startBar(bar: OpenedBar): readonly ProductionPlanBarEvent[] {
  refuseUnless(bar, 'Approved')
  return [{ type: 'BarStarted', data: { ...refOf(bar), lineItems: acceptedCuts(bar.cuts) } }]
}

export function completeBar(bar: OpenedBar): readonly ProductionPlanBarEvent[] {
  refuseUnless(bar, 'Started')
  return [{ type: 'BarCompleted', data: { ...refOf(bar), lineItems: acceptedCuts(bar.cuts) } }]
}

export function findCut(bar: ProductionPlanBar, cutId: string) {
  return bar?.cuts.find((cut) => cut.cutId === cutId)
}

export function changeCutStatus(
  bar: OpenedBar,
  { cutId, orderId, lineItemId, status }: Cut,
  to: CutStatus,
): readonly ProductionPlanBarEvent[] {
  if (bar.status === 'Completed')
    throw conflict('bar-completed', `Bar ${bar.barId} is Completed: its cuts stay as they are.`, {
      state: bar.status,
    })
  if (status === to) return []
  const cuts = bar.cuts.map((cut) => (cut.cutId === cutId ? { ...cut, status: to } : cut))
  const left = remnantMm({ ...bar, cuts })
  if (left < 0)
    throw conflict(
      'bar-overfull',
      `The cuts would need ${-left} mm more than the ${bar.stockLengthMm} mm of bar ${bar.barId}.`,
    )
  const cut = { barStatus: bar.status, cutId, orderId, lineItemId, from: status, to }
  return [{ type: 'CutStatusChanged', data: { ...refOf(bar), ...cut, remnantMm: left } }]
}
