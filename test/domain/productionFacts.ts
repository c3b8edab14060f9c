import type { ProductionPlanEvent } from '../../src/domain/productionPlan.ts'
import type {
  AcceptedCuts,
  BarContent,
  BarRef,
  BarStatus,
  Cut,
  CutStatus,
  ProductionPlanBarEvent,
} from '../../src/domain/productionPlanBar.ts'
import { companyId, id } from '../support/given.ts'
import { lineItemIds, orderIdentity } from './facts.ts'

/** Facts about production plans and bars that specs begin with: one bar of one plan, unless told. */

export const planId = id(500)
export const barId = id(600)
export const plan = { companyId, planId }
export const bar: BarRef = { companyId, planId, barId }
const { orderId } = orderIdentity

export const cut = (cutId: string, content: Partial<Cut> = {}): Cut => ({
  ...{ cutId, orderId, lineItemId: lineItemIds[10]!, lengthMm: 2_000, status: 'Accepted' },
  ...content,
})

export const barContent = (content: Partial<BarContent> = {}): BarContent => ({
  stockLengthMm: 6_000,
  grade: 'S355J2+N',
  millCertificationId: null,
  cuts: [],
  ...content,
})

/** How many Accepted cuts of that line of the order. */
export const accepted = (lineNumber: number, count: number): AcceptedCuts => ({
  orderId,
  lineItemId: lineItemIds[lineNumber]!,
  accepted: count,
})

export const planCreated = (name: string, ...barIds: string[]): ProductionPlanEvent => ({
  type: 'ProductionPlanCreated',
  data: { ...plan, name, barIds },
})
export const barsPlanned = (barIds: string[], ...lineItems: AcceptedCuts[]): ProductionPlanEvent => ({
  type: 'BarsPlanned',
  data: { ...plan, barIds, lineItems },
})

export const barOpened = (
  remnantMm: number,
  content: Partial<BarContent> = {},
  ref: Partial<BarRef> = {},
): ProductionPlanBarEvent => ({
  type: 'BarOpened',
  data: { ...bar, ...ref, ...barContent(content), remnantMm },
})
export const barApproved: ProductionPlanBarEvent = { type: 'BarApproved', data: bar }
export const barStarted = (...lineItems: AcceptedCuts[]): ProductionPlanBarEvent => ({
  type: 'BarStarted',
  data: { ...bar, lineItems },
})
export const barCompleted = (...lineItems: AcceptedCuts[]): ProductionPlanBarEvent => ({
  type: 'BarCompleted',
  data: { ...bar, lineItems },
})
export const cutStatusChanged = (
  { cutId, orderId, lineItemId, status: from }: Cut,
  to: CutStatus,
  barStatus: BarStatus,
  remnantMm: number,
): ProductionPlanBarEvent => ({
  type: 'CutStatusChanged',
  data: { ...bar, barStatus, cutId, orderId, lineItemId, from, to, remnantMm },
})
