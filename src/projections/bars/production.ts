import { type Approval, statusAfter, takenBackTo, type Withdrawal } from '../../domain/bars/bar.ts'
import type { CutStatus } from '../../domain/bars/barContent.ts'
import {
  type AskedOverride,
  type BarApproved,
  type BarCertificateSet,
  type BarReverted,
  barStatuses,
  type CutScrapped,
  type CutStatusChanged,
  type HeatRead,
  type KeptJudgement,
  type ProductionPlanBarEvent,
} from '../../domain/bars/barEvents.ts'
import { type Stop, stopAfter } from '../../domain/bars/barStop.ts'
import type { ProductionPlanEvent } from '../../domain/bars/plan.ts'
import type { Recorded, Stored } from '../../domain/kernel/event.ts'
import { normalise } from '../../domain/kernel/spellings.ts'
import { latest } from '../../domain/kernel/times.ts'
import type { DispatchedCut, OrderDispatched } from '../../domain/orders/orderDispatches.ts'
import type { Override } from '../../domain/verdict/verdictFacts.ts'
import {
  bigint,
  boolean,
  date,
  defineProjection,
  double,
  integer,
  json,
  type Key,
  nullable,
  type RowOf,
  type Rows,
  table,
  text,
  timestamptz,
  uuid,
} from '../engine/projection.ts'
import { columnIndexes, onColumn, onColumnRepeatedly } from '../engine/reading/filters.ts'

/** Production plans, their bars and cuts, and the dispatches that cuts have left with. */

/** Bars in the order of their plans, and within a plan as they were planned. */
export const barOrder = ['planCreatedAt', 'planId', 'ordinal'] as const

export const barColumnFilters = {
  status: onColumnRepeatedly('status', { kind: 'oneOf', values: barStatuses }, 'The status.'),
  planId: onColumn('planId', { kind: 'id' }, 'The plan.'),
  millCertificationId: onColumn('millCertificationId', { kind: 'id' }, 'The mill certificate.'),
}

const tables = {
  plan: table({
    columns: {
      companyId: uuid,
      planId: uuid,
      name: text,
      barCount: integer,
      createdAt: timestamptz,
      createdBy: text,
      revision: bigint,
    },
    key: ['companyId', 'planId'],
    indexes: [['companyId', 'createdAt', 'planId']],
    versioned: true,
  }),
  bar: table({
    columns: {
      companyId: uuid,
      barId: uuid,
      planId: uuid,
      /** When the plan was created; null while the plan does not name the bar. */
      planCreatedAt: nullable(timestamptz),
      /** The bar's place in the plan, from 1; null while the plan does not name it: nobody is to see it then. */
      ordinal: nullable(integer),
      status: text,
      stockLengthMm: double,
      grade: text,
      millCertificationId: nullable(uuid),
      /** The bar whose remnant it is. */
      fromBarId: nullable(uuid),
      remnantMm: double,
      createdAt: timestamptz,
      /** The bar changes with its cuts, and appears when its plan names it. */
      updatedAt: timestamptz,
      approvedAt: nullable(timestamptz),
      startedAt: nullable(timestamptz),
      completedAt: nullable(timestamptz),
      approval: nullable(json<Approval>()),
      withdrawal: nullable(json<Withdrawal>()),
      heatRead: nullable(json<HeatRead>()),
      /** The heat number that was read, in the form in which heat numbers are compared. */
      heatKey: nullable(text),
      /** The last judgement that an event has kept since the approval; null for a Draft or Cancelled bar. */
      judgement: nullable(json<ShownJudgement>()),
      stop: nullable(json<Stop>()),
      isStopped: boolean,
      /** They count in the verdict. */
      overrides: json<readonly Override[]>(),
      revision: bigint,
    },
    key: ['companyId', 'barId'],
    indexes: [
      ...columnIndexes(barOrder, barColumnFilters),
      ['companyId', 'heatKey'],
      ['companyId', 'isStopped'],
      ['companyId', 'fromBarId'],
    ],
    versioned: true,
  }),
  cut: table({
    columns: {
      companyId: uuid,
      barId: uuid,
      cutId: uuid,
      /** Within its bar. */
      ordinal: integer,
      orderId: uuid,
      lineItemId: uuid,
      lengthMm: double,
      pieceMark: nullable(text),
      status: text,
      /** The dispatch with which the piece has left. */
      dispatchId: nullable(uuid),
      /** The revision of the cut's own last event. */
      revision: bigint,
    },
    key: ['companyId', 'barId', 'cutId'],
    indexes: [['companyId', 'orderId', 'lineItemId']],
    versioned: true,
  }),
  dispatch: table({
    columns: {
      companyId: uuid,
      orderId: uuid,
      dispatchId: uuid,
      date,
      reference: text,
      cuts: json<readonly DispatchedCut[]>(),
      override: nullable(json<AskedOverride>()),
      createdAt: timestamptz,
      createdBy: text,
      revision: bigint,
    },
    key: ['companyId', 'orderId', 'dispatchId'],
    indexes: [['companyId', 'orderId', 'createdAt', 'dispatchId']],
  }),
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

/** A judgement that an event has kept, as it is answered. */
export interface ShownJudgement extends KeptJudgement {
  readonly at: string
}

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
