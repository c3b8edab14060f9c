import { productionPlan, productionPlanKey } from '../domain/productionPlan.ts'
import type {
  BarContent,
  BarRef,
  BarRequest,
  BarStatus,
  Cut,
  CutStatus,
  OpenedBar,
  ProductionPlanBar,
  ProductionPlanBarEvent,
} from '../domain/productionPlanBar.ts'
import * as bars from '../domain/productionPlanBar.ts'
import { notFound } from '../domain/refusal.ts'
import type { ProblemCode } from '../problems/catalogue.ts'
import { type Command, type Load, onRecord, onStream } from './command.ts'

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

/** The bar that a request addresses. */
export interface BarAddress {
  readonly companyId: string
  readonly barId: string
}

/** Reserve the bar's id for this content, so that its plan can name it. The same again records nothing. */
export function openBar(ref: BarRef, asked: BarRequest): Command<OpenedBar> {
  return onStream({
    aggregate: bars.productionPlanBar,
    id: bars.productionPlanBarKey(ref.companyId, ref.barId),
    opensStream: true,
    decide: (state, context) => bars.openBar(state, ref, asked, context),
    answer: (bar) => ({ body: bar, etag: bar.revision }),
  })
}

export function approveBar(address: BarAddress): Command<OpenedBar> {
  return changeBar(address, bars.approveBar)
}
approveBar.refuses = ['bar-not-found', 'bar-not-draft'] as const satisfies readonly ProblemCode[]

export function startBar(address: BarAddress): Command<OpenedBar> {
  return changeBar(address, bars.startBar)
}
startBar.refuses = ['bar-not-found', 'bar-not-approved'] as const satisfies readonly ProblemCode[]

export function completeBar(address: BarAddress): Command<OpenedBar> {
  return changeBar(address, bars.completeBar)
}
completeBar.refuses = ['bar-not-found', 'bar-not-started'] as const satisfies readonly ProblemCode[]

/** Change the status of one cut. The record, and its ETag, are the cut's own. */
export function changeCutStatus(address: BarAddress, cutId: string, status: CutStatus): Command<Cut> {
  return onRecord<ProductionPlanBar, ProductionPlanBarEvent, FoundCut, boolean, Cut>({
    ...barStream(address),
    record: {
      missing: 'cut-not-found',
      id: cutId,
      where: onBar(address),
      find: (bar) => {
        const cut = bars.findCut(bar, cutId)
        return bar && cut && { bar, cut, revision: cut.revision }
      },
    },
    dependencies: (load, { bar }) => isPlanned(load, bar),
    decide: ({ bar, cut }, _context, planned) => {
      if (!planned) throw notFound('cut-not-found', cutId, onBar(address))
      return bars.changeCutStatus(bar, cut, status)
    },
    answer: ({ cut }) => ({ body: bars.cutContent(cut), etag: cut.revision }),
  })
}
changeCutStatus.refuses = [
  'cut-not-found',
  'bar-completed',
  'bar-overfull',
] as const satisfies readonly ProblemCode[]

interface FoundCut {
  readonly bar: OpenedBar
  readonly cut: OpenedBar['cuts'][number]
  readonly revision: number
}

export function barRecord(bar: OpenedBar, ordinal: number): BarRecord {
  return {
    companyId: bar.companyId,
    barId: bar.barId,
    planId: bar.planId,
    ordinal,
    status: bar.status,
    stockLengthMm: bar.stockLengthMm,
    grade: bar.grade,
    millCertificationId: bar.millCertificationId,
    remnantMm: bar.remnantMm,
    createdAt: bar.createdAt,
    approvedAt: bar.approvedAt,
    startedAt: bar.startedAt,
    completedAt: bar.completedAt,
    cuts: bar.cuts.map(bars.cutContent),
  }
}

function changeBar(
  address: BarAddress,
  decide: (bar: OpenedBar) => readonly ProductionPlanBarEvent[],
): Command<OpenedBar> {
  return onRecord<ProductionPlanBar, ProductionPlanBarEvent, OpenedBar, boolean, OpenedBar>({
    ...barStream(address),
    record: { missing: 'bar-not-found', id: address.barId, find: (bar) => bar },
    dependencies: isPlanned,
    decide: (bar, _context, planned) => {
      if (!planned) throw notFound('bar-not-found', address.barId)
      return decide(bar)
    },
    answer: (bar) => ({ body: bar, etag: bar.revision }),
  })
}

function onBar({ barId }: BarAddress): string {
  return `on a production plan bar ${barId} in this company`
}

function barStream({ companyId, barId }: BarAddress) {
  return { aggregate: bars.productionPlanBar, id: bars.productionPlanBarKey(companyId, barId) }
}

/** A bar beyond Draft was planned before it got there, so its plan need not be read. */
async function isPlanned(load: Load, bar: OpenedBar): Promise<boolean> {
  if (bar.status !== 'Draft') return true
  const { state } = await load(productionPlan, productionPlanKey(bar.companyId, bar.planId))
  return state?.barIds.has(bar.barId) ?? false
}
