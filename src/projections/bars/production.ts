import { statusAfter, takenBackTo } from '../../domain/bars/bar.ts'
import type { CutStatus } from '../../domain/bars/barContent.ts'
import type {
  AskedOverride,
  BarApproved,
  BarCertificateSet,
  BarReverted,
  CutScrapped,
  CutStatusChanged,
  HeatRead,
  ProductionPlanBarEvent,
} from '../../domain/bars/barEvents.ts'
import { stopAfter } from '../../domain/bars/barStop.ts'
import type { ProductionPlanEvent } from '../../domain/bars/plan.ts'
import type { Recorded, Stored } from '../../domain/kernel/event.ts'
import { normalise } from '../../domain/kernel/spellings.ts'
import { latest } from '../../domain/kernel/times.ts'
import type { OrderDispatched } from '../../domain/orders/orderDispatches.ts'
import { defineProjection, type Key, type RowOf, type Rows } from '../engine/projection.ts'
import { type ShownJudgement, tables } from './productionTables.ts'

/** Production plans, their bars and cuts, and the dispatches that cuts have left with. */

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
          rows.bar.update([companyId, barId], ({ updatedAt }) => ({
            planCreatedAt: plan?.createdAt ?? metadata.occurredAt,
            ordinal: before + index + 1,
            updatedAt: latest(updatedAt, metadata.occurredAt),
          }))
      },
    },
    BarOpened: {
      touches: ({ data }) => ({
        bar: [barKey(data)],
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
          heatKey: heatKeyOf(heatRead),
          judgement: null,
          stop: null,
          isStopped: false,
          overrides: [],
          revision,
        })
        for (const [ordinal, cut] of data.cuts.entries()) {
          const { cutId, orderId, lineItemId, lengthMm, pieceMark, status } = cut
          const content = { orderId, lineItemId, lengthMm, pieceMark, status }
          rows.cut.put({ companyId, barId, cutId, ordinal, ...content, dispatchId: null, revision })
        }
      },
    },
    BarApproved: {
      touches: touchesBar,
      apply: (rows, event) => {
        const { override = null } = event.data
        const { occurredAt: at, actor } = event.metadata
        changeBar(rows, event, {
          approvedAt: at,
          withdrawal: null,
          approval: { by: actor.id, at, override },
          judgement: judgementIn(event),
        })
        if (override) addOverride(rows, event, override)
      },
    },
    BarApprovalWithdrawn: {
      touches: touchesBar,
      apply: (rows, event) =>
        changeBar(rows, event, {
          ...takenBackTo('Draft'),
          judgement: null,
          withdrawal: { at: event.metadata.occurredAt, findings: event.data.findings },
        }),
    },
    FindingsOverridden: {
      touches: touchesBar,
      apply: (rows, event) => {
        const { findings, reason, reference } = event.data
        changeBar(rows, event, {})
        addOverride(rows, event, { findings, reason, reference })
      },
    },
    BarCertificateSet: {
      touches: touchesBar,
      apply: (rows, event) => {
        const { millCertificationId } = event.data
        const judgement = judgementIn(event)
        changeBar(rows, event, { millCertificationId, overrides: [], ...(judgement && { judgement }) })
        rows.bar.update(barKey(event.data), ({ approval }) => ({
          approval: approval && { ...approval, override: null },
        }))
      },
    },
    BarHeatRead: {
      touches: touchesBar,
      apply: (rows, event) => {
        const { heatNumber } = event.data
        const { occurredAt: at, actor } = event.metadata
        const read = heatNumber === null ? null : { heatNumber, by: actor.id, at }
        changeBar(rows, event, { heatRead: read, heatKey: heatKeyOf(read) })
      },
    },
    BarStarted: {
      touches: touchesBar,
      apply: (rows, event) => changeBar(rows, event, { startedAt: event.metadata.occurredAt }),
    },
    BarCompleted: {
      touches: touchesBar,
      apply: (rows, event) => changeBar(rows, event, { completedAt: event.metadata.occurredAt }),
    },
    BarReverted: {
      touches: touchesBar,
      apply: (rows, event) =>
        changeBar(rows, event, {
          ...takenBackTo(event.data.to),
          ...(event.data.to !== 'Started' && { judgement: judgementIn(event) }),
        }),
    },
    BarCancelled: {
      touches: touchesBar,
      apply: (rows, event) => changeBar(rows, event, { ...takenBackTo('Draft'), judgement: null }),
    },
    RemnantTaken: {
      touches: touchesBar,
      apply: (rows, event) => changeBar(rows, event, {}),
    },
    CutScrapped: {
      touches: touchesCut,
      apply: (rows, event) => {
        changeBar(rows, event, {})
        changeCut(rows, event, 'Scrapped')
      },
    },
    CutStatusChanged: {
      touches: touchesCut,
      apply: (rows, event) => {
        const { to, remnantMm } = event.data
        const judgement = judgementIn(event)
        changeBar(rows, event, { remnantMm, ...(judgement && { judgement }) })
        changeCut(rows, event, to)
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

function judgementIn({ data: { findings, judgedBy }, metadata }: Judged): ShownJudgement | null {
  return findings && judgedBy ? { at: metadata.occurredAt, judgedBy, findings } : null
}

type Judged = Stored<BarApproved | BarCertificateSet | BarReverted | CutStatusChanged>

function heatKeyOf(read: HeatRead | null): string | null {
  return read && normalise(read.heatNumber)
}

function barKey({ companyId, barId }: { companyId: string; barId: string }): Key {
  return [companyId, barId]
}

function touchesBar({ data }: { data: { companyId: string; barId: string } }) {
  return { bar: [barKey(data)] }
}

function touchesCut({ data }: { data: { companyId: string; barId: string; cutId: string } }) {
  return { bar: [barKey(data)], cut: [[data.companyId, data.barId, data.cutId]] }
}

function changeCut(
  rows: Rows<typeof tables>,
  { data, revision }: Recorded<CutScrapped | CutStatusChanged>,
  status: CutStatus,
): void {
  rows.cut.update([data.companyId, data.barId, data.cutId], { status, revision })
}

function addOverride(
  rows: Rows<typeof tables>,
  { data, metadata: { actor, occurredAt: at } }: Recorded<ProductionPlanBarEvent>,
  override: AskedOverride,
): void {
  rows.bar.update(barKey(data), ({ overrides }) => ({
    overrides: [...overrides, { ...override, by: actor.id, at }],
  }))
}

function changeBar(
  rows: Rows<typeof tables>,
  event: Recorded<ProductionPlanBarEvent>,
  change: Partial<RowOf<(typeof tables)['bar']['columns']>>,
): void {
  const { data, metadata, revision } = event
  rows.bar.update(barKey(data), ({ status, updatedAt, stop: before }) => {
    const stop = stopAfter(before, event)
    return {
      ...change,
      status: statusAfter(status, event),
      stop,
      isStopped: stop !== null,
      updatedAt: latest(updatedAt, metadata.occurredAt),
      revision,
    }
  })
}
