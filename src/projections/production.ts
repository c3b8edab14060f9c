import { lineItemStatus } from '../domain/lineItemStatus.ts'
import type { ProductionPlanEvent } from '../domain/productionPlan.ts'
import { type AcceptedCuts, barStatuses, type ProductionPlanBarEvent } from '../domain/productionPlanBar.ts'
import {
  bigint,
  defineProjection,
  double,
  integer,
  type Key,
  nullable,
  type Rows,
  table,
  text,
  timestamptz,
  uuid,
} from './projection.ts'
import { columnIndexes, onColumn, onColumnRepeatedly } from './reading/filters.ts'

/** Production plans, their bars and cuts, and how far the line items are that the cuts are for. */

/** Bars in the order of their plans, and within a plan as they were planned. */
export const barOrder = ['planCreatedAt', 'planId', 'ordinal'] as const

export const barFilters = {
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
      remnantMm: double,
      createdAt: timestamptz,
      approvedAt: nullable(timestamptz),
      startedAt: nullable(timestamptz),
      completedAt: nullable(timestamptz),
      revision: bigint,
    },
    key: ['companyId', 'barId'],
    indexes: columnIndexes(barOrder, barFilters),
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
      /** The revision of the cut's own last event. */
      revision: bigint,
    },
    key: ['companyId', 'barId', 'cutId'],
    indexes: [['companyId', 'orderId', 'lineItemId']],
  }),
  /** A line item that any bar was planned for: its Accepted cuts counted across every plan and bar. */
  lineItemProgress: table({
    columns: {
      companyId: uuid,
      orderId: uuid,
      lineItemId: uuid,
      accepted: integer,
      /** The accepted cuts on Started or Completed bars. */
      begun: integer,
      /** The accepted cuts on Completed bars. */
      completed: integer,
      status: text,
    },
    key: ['companyId', 'orderId', 'lineItemId'],
  }),
}

type Named = { readonly orderId: string; readonly lineItemId: string }

const none = { accepted: 0, begun: 0, completed: 0 }

export const production = defineProjection<ProductionPlanEvent | ProductionPlanBarEvent>()({
  name: 'production',
  version: 3,
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
      touches: ({ data: { companyId, planId, barIds, lineItems } }) => ({
        plan: [[companyId, planId]],
        bar: barIds.map((barId) => [companyId, barId]),
        lineItemProgress: lineItemKeys(companyId, lineItems),
      }),
      apply: (rows, { data: { companyId, planId, barIds, lineItems }, metadata, revision }) => {
        const plan = rows.plan.get([companyId, planId])
        const before = plan?.barCount ?? 0
        rows.plan.update([companyId, planId], { barCount: before + barIds.length, revision })
        for (const [index, barId] of barIds.entries())
          rows.bar.update([companyId, barId], {
            planCreatedAt: plan?.createdAt ?? metadata.occurredAt,
            ordinal: before + index + 1,
          })
        for (const item of lineItems) count(rows, companyId, item, { accepted: item.accepted })
      },
    },
    BarOpened: {
      touches: ({ data }) => ({
        bar: [barKey(data)],
        cut: data.cuts.map(({ cutId }) => [data.companyId, data.barId, cutId]),
      }),
      apply: (rows, { data, metadata, revision }) => {
        const { companyId, barId } = data
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
          remnantMm: data.remnantMm,
          createdAt: metadata.occurredAt,
          approvedAt: null,
          startedAt: null,
          completedAt: null,
          revision,
        })
        for (const [ordinal, cut] of data.cuts.entries()) {
          // A cut of an older event has no piece mark.
          const { cutId, orderId, lineItemId, lengthMm, pieceMark = null, status } = cut
          const content = { orderId, lineItemId, lengthMm, pieceMark, status }
          rows.cut.put({ companyId, barId, cutId, ordinal, ...content, revision })
        }
      },
    },
    BarApproved: {
      touches: touchesBar,
      apply: (rows, { data, metadata, revision }) =>
        rows.bar.update(barKey(data), { status: 'Approved', approvedAt: metadata.occurredAt, revision }),
    },
    BarStarted: {
      touches: touchesBarAndItems,
      apply: (rows, { data, metadata, revision }) => {
        rows.bar.update(barKey(data), { status: 'Started', startedAt: metadata.occurredAt, revision })
        for (const item of data.lineItems) count(rows, data.companyId, item, { begun: item.accepted })
      },
    },
    BarCompleted: {
      touches: touchesBarAndItems,
      apply: (rows, { data, metadata, revision }) => {
        rows.bar.update(barKey(data), { status: 'Completed', completedAt: metadata.occurredAt, revision })
        for (const item of data.lineItems) count(rows, data.companyId, item, { completed: item.accepted })
      },
    },
    CutStatusChanged: {
      touches: ({ data }) => ({
        bar: [barKey(data)],
        cut: [[data.companyId, data.barId, data.cutId]],
        lineItemProgress: lineItemKeys(data.companyId, [data]),
      }),
      apply: (rows, { data, revision }) => {
        const { companyId, barId, cutId, barStatus, from, to, remnantMm } = data
        rows.bar.update([companyId, barId], { remnantMm, revision })
        rows.cut.update([companyId, barId, cutId], { status: to, revision })
        const accepted = Number(to === 'Accepted') - Number(from === 'Accepted')
        if (accepted !== 0)
          count(rows, companyId, data, { accepted, begun: barStatus === 'Started' ? accepted : 0 })
      },
    },
  },
})

function barKey({ companyId, barId }: { companyId: string; barId: string }): Key {
  return [companyId, barId]
}

function lineItemKeys(companyId: string, lineItems: readonly Named[]): Key[] {
  return lineItems.map(({ orderId, lineItemId }) => [companyId, orderId, lineItemId])
}

/** Counters are sums, so events of different bars may come in any order. */
function count(
  rows: Rows<typeof tables>,
  companyId: string,
  { orderId, lineItemId }: Named,
  added: Partial<typeof none>,
): void {
  const before = rows.lineItemProgress.get([companyId, orderId, lineItemId]) ?? none
  const counts = {
    accepted: before.accepted + (added.accepted ?? 0),
    begun: before.begun + (added.begun ?? 0),
    completed: before.completed + (added.completed ?? 0),
  }
  rows.lineItemProgress.put({ companyId, orderId, lineItemId, ...counts, status: lineItemStatus(counts) })
}

function touchesBar({ data }: { data: { companyId: string; barId: string } }) {
  return { bar: [barKey(data)] }
}

function touchesBarAndItems({
  data,
}: {
  data: { companyId: string; barId: string; lineItems: readonly AcceptedCuts[] }
}) {
  return { bar: [barKey(data)], lineItemProgress: lineItemKeys(data.companyId, data.lineItems) }
}
