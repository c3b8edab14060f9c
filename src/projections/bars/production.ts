import { barChangesBy, barTransitions, cutAfter, type OpenedBar } from '../../domain/bars/bar.ts'
import type { BarStatus, HeatRead, ProductionPlanBarEvent } from '../../domain/bars/barEvents.ts'
import type { KeptJudgement } from '../../domain/bars/keptJudgement.ts'
import type { ProductionPlanEvent } from '../../domain/bars/plan.ts'
import type { Stored } from '../../domain/kernel/event.ts'
import { nearKey, normalise } from '../../domain/kernel/spellings.ts'
import { latest } from '../../domain/kernel/times.ts'
import type { OrderDispatched } from '../../domain/orders/orderDispatches.ts'
import { defineProjection, type Handler, handleAll, type RowOf } from '../engine/projection.ts'
import { storedWords } from '../engine/wordFilter.ts'
import { type ShownJudgement, type Tables, tables } from './productionTables.ts'

/** Production plans, their bars and cuts, and the dispatches that cuts have left with. */

/** The row of a bar changes as the state of its stream does. */
const barChanged: Handler<Tables, ProductionPlanBarEvent> = {
  touches: (event) => {
    const { companyId, barId } = event.data
    const cut = cutAfter(event)
    return { bar: [[companyId, barId]], ...(cut && { cut: [[companyId, barId, cut.cutId]] }) }
  },
  apply: (rows, event) => {
    const { companyId, barId } = event.data
    rows.bar.update([companyId, barId], (before) => {
      const changes = barChangesBy(event, before)
      const { heatRead } = { ...before, ...changes }
      return {
        ...inColumns(changes),
        ...heatKeysOf(heatRead),
        isStopped: changes.stop !== null,
        judgement: judgementAfter(before.judgement, event, changes.status),
      }
    })
    const cut = cutAfter(event)
    if (cut) rows.cut.update([companyId, barId, cut.cutId], { status: cut.status, revision: event.revision })
  },
}

export const production = defineProjection<ProductionPlanEvent | ProductionPlanBarEvent | OrderDispatched>()({
  name: 'production',
  version: 1,
  tables,
  handlers: {
    ProductionPlanCreated: {
      touches: ({ data }) => ({ plan: [[data.companyId, data.planId]] }),
      apply: (rows, { data: { companyId, planId, name }, metadata, revision }) =>
        rows.plan.put({
          companyId,
          planId,
          name,
          barCount: 0,
          createdAt: metadata.occurredAt,
          createdBy: metadata.actor.id,
          revision,
        }),
    },
    BarsPlanned: {
      touches: ({ data: { companyId, planId, barIds } }) => ({
        plan: [[companyId, planId]],
        bar: barIds.map((barId) => [companyId, barId]),
      }),
      apply: (rows, { data: { companyId, planId, barIds }, metadata, revision }) => {
        const plan = rows.plan.get([companyId, planId])
        const before = plan?.barCount ?? 0
        rows.plan.update([companyId, planId], { barCount: before + barIds.length, revision })
        for (const [index, barId] of barIds.entries())
          rows.bar.update([companyId, barId], ({ updatedAt, words }) => ({
            words: [storedWords(companyId, plan?.name ?? null), words].filter(Boolean).join(' '),
            planCreatedAt: plan?.createdAt ?? metadata.occurredAt,
            ordinal: before + index + 1,
            updatedAt: latest(updatedAt, metadata.occurredAt),
          }))
      },
    },
    ...handleAll(barTransitions, barChanged),
    BarOpened: {
      touches: ({ data }) => ({
        bar: [[data.companyId, data.barId]],
        cut: data.cuts.map(({ cutId }) => [data.companyId, data.barId, cutId]),
      }),
      apply: (rows, { data, metadata, revision }) => {
        const { companyId, barId, heatRead = null } = data
        rows.bar.put({
          companyId,
          barId,
          planId: data.planId,
          planCreatedAt: null,
          ordinal: null,
          status: 'Draft',
          stockLengthMm: data.stockLengthMm,
          grade: data.grade,
          profile: data.profile,
          millCertificationId: data.millCertificationId,
          fromBarId: data.fromBarId,
          remnantMm: data.remnantMm,
          createdAt: metadata.occurredAt,
          updatedAt: metadata.occurredAt,
          approvedAt: null,
          startedAt: null,
          completedAt: null,
          approval: null,
          withdrawal: null,
          heatRead,
          markTransferred: false,
          ...heatKeysOf(heatRead),
          judgement: null,
          stop: null,
          isStopped: false,
          overrides: [],
          words: storedWords(companyId, data.profile, ...data.cuts.map(({ pieceMark }) => pieceMark)),
          revision,
        })
        for (const [ordinal, cut] of data.cuts.entries()) {
          const { cutId, orderId, lineItemId, lengthMm, pieceMark, status } = cut
          const pieceMarkKey = pieceMark === null ? null : normalise(pieceMark)
          const content = { orderId, lineItemId, lengthMm, pieceMark, pieceMarkKey, status }
          rows.cut.put({ companyId, barId, cutId, ordinal, ...content, dispatchId: null, revision })
        }
      },
    },
    OrderDispatched: {
      touches: ({ data: { companyId, orderId, dispatchId, cuts } }) => ({
        dispatch: [[companyId, orderId, dispatchId]],
        cut: cuts.map(({ barId, cutId }) => [companyId, barId, cutId]),
      }),
      apply: (rows, { data, metadata, revision }) => {
        const { companyId, orderId, dispatchId, date, reference, cuts, override = null } = data
        rows.dispatch.put({
          companyId,
          orderId,
          dispatchId,
          date,
          reference,
          cuts,
          override,
          createdAt: metadata.occurredAt,
          createdBy: metadata.actor.id,
          revision,
        })
        for (const { barId, cutId } of cuts) rows.cut.update([companyId, barId, cutId], { dispatchId })
      },
    },
  },
})

function heatKeysOf(read: HeatRead | null) {
  return { heatKey: read && normalise(read.heatNumber), heatNearKey: read && nearKey(read.heatNumber) }
}

/** Return the values that the row of a bar shows. */
function inColumns(changes: Partial<OpenedBar>): Partial<RowOf<Tables['bar']['columns']>> {
  return Object.fromEntries(
    Object.entries(changes).filter(([name]) => Object.hasOwn(tables.bar.columns, name)),
  )
}

/** A bar keeps its last judgement until it is a Draft again, or Cancelled. */
function judgementAfter(
  before: ShownJudgement | null,
  { data, metadata }: Stored<ProductionPlanBarEvent>,
  status: BarStatus,
): ShownJudgement | null {
  if (status === 'Draft' || status === 'Cancelled') return null
  const { findings, judgedBy }: Partial<KeptJudgement> = 'judgedBy' in data ? data : {}
  return findings && judgedBy ? { at: metadata.occurredAt, judgedBy, findings } : before
}
