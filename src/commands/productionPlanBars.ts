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

export function startBar(address: BarAddress): Command<OpenedBar> {
  return changeBar(address, bars.startBar)
}

export function completeBar(address: BarAddress): Command<OpenedBar> {
  return changeBar(address, bars.completeBar)
}

/** Change the status of one cut. The record, and its ETag, are the cut's own. */
export function changeCutStatus(address: BarAddress, cutId: string, status: CutStatus): Command<Cut> {
  return onRecord<ProductionPlanBar, ProductionPlanBarEvent, FoundCut, boolean, Cut>({
    ...barStream(address),
    record: {
      noun: 'cut',
      id: cutId,
      find: (bar) => {
        const cut = bars.findCut(bar, cutId)
        return bar && cut && { bar, cut, revision: cut.revision }
      },
    },
    dependencies: (load, { bar }) => isPlanned(load, bar),
    decide: ({ bar, cut }, _context, planned) => {
      if (!planned) throw barNotFound(address)
      return bars.changeCutStatus(bar, cut, status)
    },
    answer: ({ cut }) => ({ body: cutRecord(cut), etag: cut.revision }),
  })
}

interface FoundCut {
  readonly bar: OpenedBar
  readonly cut: OpenedBar['cuts'][number]
  readonly revision: number
}

function changeBar(
  address: BarAddress,
  decide: (bar: OpenedBar) => readonly ProductionPlanBarEvent[],
): Command<OpenedBar> {
  return onRecord<ProductionPlanBar, ProductionPlanBarEvent, OpenedBar, boolean, OpenedBar>({
    ...barStream(address),
    record: { noun, id: address.barId, find: (bar) => bar },
    dependencies: isPlanned,
    decide: (bar, _context, planned) => {
      if (!planned) throw barNotFound(address)
      return decide(bar)
    },
    answer: (bar) => ({ body: bar, etag: bar.revision }),
  })
}

const noun = 'production plan bar'

function barNotFound({ barId }: BarAddress) {
  return notFound(noun, barId)
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

export function barRecord(bar: OpenedBar, ordinal: number): BarRecord {
  return {
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
  }
}

function cutRecord({ cutId, orderId, lineItemId, lengthMm, status }: Cut): Cut {
  return { cutId, orderId, lineItemId, lengthMm, status }
}
