import type { Aggregate, DecisionContext } from './aggregate.ts'
import { sameValue } from './changes.ts'
import type { DomainEvent, Stored } from './event.ts'
import { conflict } from './refusal.ts'

/**
 * One bar of stock and what is cut from it. Its stream opens before its plan names it; until then the id is
 * reserved for this content, and nobody sees the bar.
 */
export const productionPlanBarStream = (id: string): string => `productionPlanBar-${id}`
/** The aggregate's id. */
export const productionPlanBarKey = (companyId: string, barId: string): string => `${companyId}_${barId}`

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
  readonly status: CutStatus
}

export interface BarContent {
  readonly stockLengthMm: number
  readonly grade: string
  readonly millCertificationId: string | null
  readonly cuts: readonly Cut[]
}

/** A bar as it is asked for: a cut without an id gets one when the bar is opened. */
export interface BarRequest extends Omit<BarContent, 'cuts'> {
  readonly cuts: readonly (Omit<Cut, 'cutId'> & { readonly cutId?: string | undefined })[]
}

export interface BarRef {
  readonly companyId: string
  readonly planId: string
  readonly barId: string
}

/** How many Accepted cuts of a line item an event is about. */
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
    /** Of the bar, after the change. */
    readonly remnantMm: number
  }
>
export type ProductionPlanBarEvent = BarOpened | BarApproved | BarStarted | BarCompleted | CutStatusChanged

export interface OpenedBar extends BarRef, BarContent {
  /** Each with the revision of its own last event. */
  readonly cuts: readonly (Cut & { readonly revision: number })[]
  /** What it was opened with, before any cut changed. */
  readonly opened: BarContent
  readonly status: BarStatus
  readonly remnantMm: number
  readonly createdAt: string
  readonly approvedAt: string | null
  readonly startedAt: string | null
  readonly completedAt: string | null
  /** Of its last event. */
  readonly revision: number
}

export type ProductionPlanBar = OpenedBar | undefined

const refOf = ({ companyId, planId, barId }: BarRef): BarRef => ({ companyId, planId, barId })

/** These fields and no others; `cutIdOf` says what a cut without an id is called. */
const contentOf = (
  { stockLengthMm, grade, millCertificationId, cuts }: BarRequest,
  cutIdOf: (index: number) => string,
): BarContent => ({
  stockLengthMm,
  grade,
  millCertificationId,
  cuts: cuts.map(({ cutId, orderId, lineItemId, lengthMm, status }, index) => ({
    cutId: cutId ?? cutIdOf(index),
    orderId,
    lineItemId,
    lengthMm,
    status,
  })),
})

const evolve = (state: ProductionPlanBar, event: Stored<ProductionPlanBarEvent>): ProductionPlanBar => {
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
 * What is left of the stock once all Accepted and Proposed cuts are off it; below zero when they do not fit.
 * Rounded to the nanometre, so that tenths of a millimetre add up as they do on paper.
 */
export const remnantMm = ({ stockLengthMm, cuts }: Lengths): number => {
  const used = cuts.reduce((sum, { lengthMm, status }) => (status === 'Rejected' ? sum : sum + lengthMm), 0)
  // `+ 0`: a bar that is used up has 0 left, not −0.
  return Math.round((stockLengthMm - used) * 1e6) / 1e6 + 0
}

/** The Accepted cuts among these, counted by line item. */
export const acceptedCuts = (cuts: Iterable<Omit<Cut, 'cutId'>>): AcceptedCuts[] => {
  const counted = new Map<string, AcceptedCuts>()
  for (const { orderId, lineItemId, status } of cuts) {
    if (status !== 'Accepted') continue
    const accepted = (counted.get(lineItemId)?.accepted ?? 0) + 1
    counted.set(lineItemId, { orderId, lineItemId, accepted })
  }
  return [...counted.values()]
}

/** Whether this is what the bar was opened with. A cut that is asked for without an id may have any. */
export const isContentOf = (opened: BarContent, asked: BarRequest): boolean =>
  sameValue(
    opened,
    contentOf(asked, (index) => opened.cuts[index]?.cutId ?? ''),
  )

/** The same bar of the same plan again records nothing, whatever became of it since. */
export const openBar = (
  state: ProductionPlanBar,
  ref: BarRef,
  asked: BarRequest,
  { newId }: DecisionContext,
): readonly ProductionPlanBarEvent[] => {
  if (!state) {
    const content = { ...contentOf(asked, () => newId()), remnantMm: remnantMm(asked) }
    return [{ type: 'BarOpened', data: { ...refOf(ref), ...content } }]
  }
  if (state.planId === ref.planId && isContentOf(state.opened, asked)) return []
  throw barsAlreadyPlanned([ref.barId])
}

export const barsAlreadyPlanned = (barIds: readonly string[]) =>
  conflict(
    'bar-already-planned',
    `These bars exist with another content or in another plan: ${barIds.join(', ')}.`,
    { barIds },
  )

const refuseUnless = (bar: OpenedBar, wanted: BarStatus): void => {
  if (bar.status !== wanted)
    throw conflict(
      `bar-not-${wanted.toLowerCase()}`,
      `Bar ${bar.barId} is ${bar.status}, and must be ${wanted} for this.`,
      { state: bar.status },
    )
}

export const approveBar = (bar: OpenedBar): readonly ProductionPlanBarEvent[] => {
  refuseUnless(bar, 'Draft')
  return [{ type: 'BarApproved', data: refOf(bar) }]
}

export const startBar = (bar: OpenedBar): readonly ProductionPlanBarEvent[] => {
  refuseUnless(bar, 'Approved')
  return [{ type: 'BarStarted', data: { ...refOf(bar), lineItems: acceptedCuts(bar.cuts) } }]
}

export const completeBar = (bar: OpenedBar): readonly ProductionPlanBarEvent[] => {
  refuseUnless(bar, 'Started')
  return [{ type: 'BarCompleted', data: { ...refOf(bar), lineItems: acceptedCuts(bar.cuts) } }]
}

export const findCut = (bar: ProductionPlanBar, cutId: string) => bar?.cuts.find((cut) => cut.cutId === cutId)

export const changeCutStatus = (
  bar: OpenedBar,
  { cutId, orderId, lineItemId, status }: Cut,
  to: CutStatus,
): readonly ProductionPlanBarEvent[] => {
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
