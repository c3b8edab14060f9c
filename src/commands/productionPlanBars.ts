import { productionPlan, productionPlanKey } from '../domain/productionPlan.ts'
import {
  type BarContent,
  type BarRef,
  type BarRequest,
  type BarStatus,
  type Cut,
  type CutStatus,
  approveBar as decideApprove,
  changeCutStatus as decideChangeCut,
  completeBar as decideComplete,
  openBar as decideOpen,
  startBar as decideStart,
  findCut,
  type OpenedBar,
  type ProductionPlanBar,
  type ProductionPlanBarEvent,
  productionPlanBar,
  productionPlanBarKey,
} from '../domain/productionPlanBar.ts'
import { notFound } from '../domain/refusal.ts'
import type { Command, Load } from './command.ts'

/** A bar as it is answered. */
export interface BarRecord extends BarRef, BarContent {
  readonly status: BarStatus
  readonly remnantMm: number
  /** Its place in the plan, from 1. */
  readonly ordinal: number
  readonly createdAt: string
  readonly approvedAt: string | null
  readonly startedAt: string | null
  readonly completedAt: string | null
}

/** Which bar a request addresses. */
export interface BarAddress {
  readonly companyId: string
  readonly barId: string
}

type BarCommand<Answer, Consulted = undefined> = Command<
  ProductionPlanBar,
  ProductionPlanBarEvent,
  Answer,
  Consulted
>

const cutRecord = ({ cutId, orderId, lineItemId, lengthMm, status }: Cut): Cut => ({
  cutId,
  orderId,
  lineItemId,
  lengthMm,
  status,
})

export const barRecord = (bar: OpenedBar, ordinal: number): BarRecord => ({
  barId: bar.barId,
  planId: bar.planId,
  companyId: bar.companyId,
  status: bar.status,
  stockLengthMm: bar.stockLengthMm,
  grade: bar.grade,
  millCertificationId: bar.millCertificationId,
  cuts: bar.cuts.map(cutRecord),
  remnantMm: bar.remnantMm,
  ordinal,
  createdAt: bar.createdAt,
  approvedAt: bar.approvedAt,
  startedAt: bar.startedAt,
  completedAt: bar.completedAt,
})

/** Reserves the bar's id for this content, for its plan to name. The same again records nothing. */
export const openBar = (ref: BarRef, asked: BarRequest): BarCommand<OpenedBar> => ({
  aggregate: productionPlanBar,
  id: productionPlanBarKey(ref.companyId, ref.barId),
  opensStream: true,
  decide: (state, context) => decideOpen(state, ref, asked, context),
  answer: (state) => ({ body: state!, etag: state!.revision }),
})

/** A bar that is further than Draft was planned before it got there, so its plan need not be asked. */
const isPlanned = async (load: Load, bar: ProductionPlanBar): Promise<boolean> => {
  if (bar?.status !== 'Draft') return bar !== undefined
  const { state } = await load(productionPlan, productionPlanKey(bar.companyId, bar.planId))
  return state?.barIds.has(bar.barId) ?? false
}

const changeBar = (
  { companyId, barId }: BarAddress,
  decide: (bar: OpenedBar) => readonly ProductionPlanBarEvent[],
): BarCommand<OpenedBar, boolean> => ({
  aggregate: productionPlanBar,
  id: productionPlanBarKey(companyId, barId),
  target: (bar) => bar,
  addressed: { what: 'production plan bar', id: barId },
  consult: isPlanned,
  decide: (bar, _context, planned) => {
    if (!planned) throw notFound('production plan bar', barId)
    return decide(bar!)
  },
  answer: (bar) => ({ body: bar!, etag: bar!.revision }),
})

export const approveBar = (bar: BarAddress) => changeBar(bar, decideApprove)
export const startBar = (bar: BarAddress) => changeBar(bar, decideStart)
export const completeBar = (bar: BarAddress) => changeBar(bar, decideComplete)

/** The record, and its ETag, are the cut's own. */
export const changeCutStatus = (
  bar: BarAddress,
  cutId: string,
  status: CutStatus,
): BarCommand<Cut, boolean> => ({
  ...changeBar(bar, (known) => decideChangeCut(known, findCut(known, cutId)!, status)),
  target: (known) => findCut(known, cutId),
  addressed: { what: 'cut', id: cutId },
  answer: (known) => {
    const cut = findCut(known, cutId)!
    return { body: cutRecord(cut), etag: cut.revision }
  },
})
