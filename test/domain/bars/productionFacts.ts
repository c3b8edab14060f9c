import type { OpenedBar } from '../../../src/domain/bars/bar.ts'
import { approveBar, type Judgement } from '../../../src/domain/bars/barApproval.ts'
import type { AcceptedCuts, BarContent, Cut, CutStatus } from '../../../src/domain/bars/barContent.ts'
import type {
  BarRef,
  BarStatus,
  BarStep,
  HeatRead,
  ProductionPlanBarEvent,
} from '../../../src/domain/bars/barEvents.ts'
import { completeBar, startBar } from '../../../src/domain/bars/barWork.ts'
import type { ProductionPlanEvent } from '../../../src/domain/bars/plan.ts'
import type { DecisionContext } from '../../../src/domain/kernel/aggregate.ts'
import { judgedBy } from '../../../src/domain/verdict/judgedBy.ts'
import { companyId, id } from '../../support/given.ts'
import { lineItemIds, orderIdentity } from '../verdict/facts.ts'

/** Events of production plans and bars that specs begin with. The default is one bar of one plan. */

export const planId = id(500)
export const barId = id(600)
export const plan = { companyId, planId }
export const bar: BarRef = { companyId, planId, barId }
const { orderId } = orderIdentity

export function cut(cutId: string, content: Partial<Cut> = {}): Cut {
  return {
    cutId,
    orderId,
    lineItemId: lineItemIds[10]!,
    lengthMm: 2_000,
    pieceMark: null,
    status: 'Accepted',
    ...content,
  }
}

export function barContent(content: Partial<BarContent> = {}): BarContent {
  return {
    stockLengthMm: 6_000,
    grade: 'S355J2+N',
    profile: null,
    millCertificationId: null,
    fromBarId: null,
    cuts: [],
    ...content,
  }
}

/** A number of Accepted cuts for that line of the order. */
export function accepted(lineNumber: number, count: number): AcceptedCuts {
  return { orderId, lineItemId: lineItemIds[lineNumber]!, accepted: count }
}

export function planCreated(name: string, ...barIds: string[]): ProductionPlanEvent {
  return { type: 'ProductionPlanCreated', data: { ...plan, name, barIds } }
}

export function barsPlanned(barIds: string[], ...lineItems: AcceptedCuts[]): ProductionPlanEvent {
  return { type: 'BarsPlanned', data: { ...plan, barIds, lineItems } }
}

export function barOpened(
  remnantMm: number,
  content: Partial<BarContent> & { readonly heatRead?: HeatRead } = {},
  ref: Partial<BarRef> = {},
): ProductionPlanBarEvent {
  return { type: 'BarOpened', data: { ...bar, ...ref, ...barContent(content), remnantMm } }
}

export const barApproved: ProductionPlanBarEvent = {
  type: 'BarApproved',
  data: { ...bar, findings: [], judgedBy },
}

/** Nothing stands against the bar. */
export const unblocked: Judgement = {
  policy: { fourEyes: false },
  verdictOn: () => ({ mayBeApproved: true, mayBeCut: true, findings: [] }),
}
export function approve(state: OpenedBar, context: DecisionContext) {
  return approveBar(state, unblocked, undefined, context)
}
export function start(state: OpenedBar) {
  return startBar(state, unblocked)
}
export function complete(bar: OpenedBar): readonly ProductionPlanBarEvent[] {
  return completeBar(bar, unblocked)
}

export function barStarted(...lineItems: AcceptedCuts[]): ProductionPlanBarEvent {
  return { type: 'BarStarted', data: { ...bar, lineItems } }
}

export function barCompleted(...lineItems: AcceptedCuts[]): ProductionPlanBarEvent {
  return { type: 'BarCompleted', data: { ...bar, lineItems } }
}

export function barReverted(
  from: BarStep,
  to: BarStep,
  ...lineItems: AcceptedCuts[]
): ProductionPlanBarEvent {
  return { type: 'BarReverted', data: { ...bar, from, to, reason: 'The wrong bar.', lineItems } }
}

export function barCancelled(from: BarStep, ...lineItems: AcceptedCuts[]): ProductionPlanBarEvent {
  return { type: 'BarCancelled', data: { ...bar, from, reason: 'The wrong bar.', lineItems } }
}

export function cutScrapped(
  { cutId, orderId, lineItemId }: Cut,
  barStatus: BarStatus,
): ProductionPlanBarEvent {
  const piece = { cutId, orderId, lineItemId }
  return { type: 'CutScrapped', data: { ...bar, barStatus, ...piece, reason: 'The wrong bar.' } }
}

export function cutStatusChanged(
  { cutId, orderId, lineItemId, status: from }: Cut,
  to: CutStatus,
  barStatus: BarStatus,
  remnantMm: number,
): ProductionPlanBarEvent {
  return {
    type: 'CutStatusChanged',
    data: { ...bar, barStatus, cutId, orderId, lineItemId, from, to, remnantMm },
  }
}
