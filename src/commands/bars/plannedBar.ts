import {
  type Approval,
  type OpenedBar,
  type ProductionPlanBar,
  productionPlanBar,
  productionPlanBarKey,
  type Withdrawal,
} from '../../domain/bars/bar.ts'
import { type BarContent, type Cut, cutContent } from '../../domain/bars/barContent.ts'
import { findCut } from '../../domain/bars/barCuts.ts'
import type { BarRef, BarStatus, HeatRead, ProductionPlanBarEvent } from '../../domain/bars/barEvents.ts'
import { holdingStop, isHeld, type Stop } from '../../domain/bars/barStop.ts'
import { productionPlan, productionPlanKey } from '../../domain/bars/plan.ts'
import type { DecisionContext } from '../../domain/kernel/aggregate.ts'
import { notFound } from '../../domain/kernel/refusal.ts'
import { latest } from '../../domain/kernel/times.ts'
import { type AddressedRecord, type Command, type Load, onRecord } from '../executor/command.ts'

/** Find the bar or the cut that a request addresses. A bar exists for callers once its plan names it. */

/** A bar as it is answered. */
export interface BarRecord extends BarRef, BarContent {
  readonly status: BarStatus
  readonly remnantMm: number
  /** Its place in the plan, from 1. */
  readonly ordinal: number
  readonly createdAt: string
  readonly updatedAt: string
  readonly approvedAt: string | null
  readonly startedAt: string | null
  readonly completedAt: string | null
  readonly approval: Approval | null
  readonly withdrawal: Withdrawal | null
  readonly heatRead: HeatRead | null
  readonly markTransferred: boolean
  readonly stop: Stop | null
  readonly revision: number
  readonly cuts: readonly CutRecord[]
}

/** A cut as it is answered. */
export type CutRecord = Cut & { readonly revision: number; readonly held: boolean }

/** The bar that a request addresses. */
export interface BarAddress {
  readonly companyId: string
  readonly barId: string
}

/** Build a command on a bar that its plan names. The bar is the answer. */
export function onPlannedBar<Facts = undefined>(
  address: BarAddress,
  {
    load: loadFacts,
    decide,
  }: {
    readonly load?: (load: Load, bar: OpenedBar) => Promise<Facts>
    readonly decide: (
      bar: OpenedBar,
      context: DecisionContext,
      facts: Facts,
    ) => readonly ProductionPlanBarEvent[]
  },
): Command<BarRecord> {
  return onRecord({
    ...barStream(address),
    record: { missing: 'bar-not-found', id: address.barId, find: (bar) => bar },
    dependencies: async (load, bar) => {
      const place = await placeOf(load, bar)
      if (!place) throw notFound('bar-not-found', address.barId)
      return { place, facts: (await loadFacts?.(load, bar)) as Facts }
    },
    decide: (bar, context, { facts }) => decide(bar, context, facts),
    answer: (bar, _recorded, { place }) => ({ body: barRecord(bar, place), etag: bar.revision }),
  })
}

/** The place of a bar in its plan. */
export interface Place {
  /** From 1. */
  readonly ordinal: number
  readonly plannedAt: string
}

export function barRecord(bar: OpenedBar, { ordinal, plannedAt }: Place): BarRecord {
  return {
    companyId: bar.companyId,
    barId: bar.barId,
    planId: bar.planId,
    ordinal,
    status: bar.status,
    stockLengthMm: bar.stockLengthMm,
    grade: bar.grade,
    profile: bar.profile,
    millCertificationId: bar.millCertificationId,
    fromBarId: bar.fromBarId,
    remnantMm: bar.remnantMm,
    createdAt: bar.createdAt,
    updatedAt: latest(bar.updatedAt, plannedAt),
    approvedAt: bar.approvedAt,
    startedAt: bar.startedAt,
    completedAt: bar.completedAt,
    approval: bar.approval,
    withdrawal: bar.withdrawal,
    heatRead: bar.heatRead,
    markTransferred: bar.markTransferred,
    stop: holdingStop(bar),
    revision: bar.revision,
    cuts: bar.cuts.map((cut) => cutRecord(bar, cut)),
  }
}

export function cutRecord(bar: OpenedBar, cut: OpenedBar['cuts'][number]): CutRecord {
  return { ...cutContent(cut), revision: cut.revision, held: isHeld(bar, cut) }
}

/** A cut with its bar. Its revision is its own. */
interface FoundCut {
  readonly bar: OpenedBar
  readonly cut: OpenedBar['cuts'][number]
  readonly revision: number
}

/** The cut that a request addresses. */
export function cutOn(address: BarAddress, cutId: string): AddressedRecord<ProductionPlanBar, FoundCut> {
  return {
    missing: 'cut-not-found',
    id: cutId,
    where: onBar(address),
    find: (bar) => {
      const cut = findCut(bar, cutId)
      return bar && cut && { bar, cut, revision: cut.revision }
    },
  }
}

export function onBar({ barId }: BarAddress): string {
  return `on a production plan bar ${barId} in this company`
}

export function barStream({ companyId, barId }: BarAddress) {
  return { aggregate: productionPlanBar, id: productionPlanBarKey(companyId, barId) }
}

/** A bar beyond Draft was planned before it got there, so its plan need not be read. */
export async function isPlanned(load: Load, bar: OpenedBar): Promise<boolean> {
  if (bar.status !== 'Draft') return true
  return (await placeOf(load, bar)) !== undefined
}

/** Undefined while the plan does not name the bar. */
async function placeOf(load: Load, { companyId, planId, barId }: OpenedBar): Promise<Place | undefined> {
  const { state } = await load(productionPlan, productionPlanKey(companyId, planId))
  const plannedAt = state?.plannedAt.get(barId)
  if (!state || plannedAt === undefined) return undefined
  return { ordinal: state.plannedAt.keySeq().indexOf(barId) + 1, plannedAt }
}
