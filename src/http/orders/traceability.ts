import { z } from 'zod'
import { traceOrder } from '../../domain/orders/orderTrace.ts'
import { finding, told } from '../../problems/finding.ts'
import { production } from '../../projections/bars/production.ts'
import { judgedFrom } from '../../projections/bars/verdicts.ts'
import { certificates } from '../../projections/certificates/certificates.ts'
import { orders } from '../../projections/orders/orders.ts'
import { findLineItem, findTrace, findUsage } from '../../projections/orders/traceability.ts'
import { barStatus, cutRecord, cutStatus, markTransferred } from '../bars/barSchema.ts'
import { judgedBy } from '../bars/verdictSchema.ts'
import { recordRoute } from '../kit/routing/readRoute.ts'
import type { Route } from '../kit/routing/route.ts'
import { plainText, shownTag, timestamp, uuid } from '../kit/schemas/fields.ts'
import { lineItem } from './lineItem.ts'

/** Traceability: which heat went into which order. */

const cut = {
  cutId: uuid,
  pieceMark: z.string().nullable(),
  barId: uuid,
  planId: uuid,
  barStatus,
  lengthMm: z.number(),
}

const explained = z
  .object({ ...lineItem.shape, cuts: z.array(z.object({ ...cut, cutStatus })) })
  .meta({ id: 'ExplainedLineItem' })

const overriddenOnBar = z.object({
  barId: uuid,
  findings: z.array(z.string()).meta({ description: 'The keys of the findings that the override covers.' }),
  by: z.string().meta({ description: 'The userId of the person who decided.' }),
  at: timestamp,
  reason: z.string(),
  reference: z.string().nullable(),
})

const traceability = z
  .object({
    orderId: uuid,
    orderNumber: z.string(),
    blocked: z.boolean().meta({
      description:
        'Whether a finding of severity Block stands against one of its cuts, overridden or not, one of its own tags has severity Block, or a piece is held.',
    }),
    complete: z
      .boolean()
      .meta({ description: 'Whether the traceability of every line that is not cancelled has no gap.' }),
    cleared: z.boolean().meta({
      description: 'Whether the order is complete, and every Block is overridden.',
    }),
    judgedBy: judgedBy.meta({ description: 'The rules of this release, by which the findings are judged.' }),
    overrides: z
      .array(overriddenOnBar)
      .meta({ description: 'The overrides that are in force on its bars, bar by bar.' }),
    lineItems: z.array(
      z.object({
        lineItemId: uuid,
        lineNumber: z.int(),
        cancelled: z.boolean(),
        status: lineItem.shape.status,
        pieces: z
          .object({
            required: z.int().meta({ description: 'The quantity of the line.' }),
            planned: z.int().meta({ description: 'Accepted, on bars that are not Completed.' }),
            cut: z.int().meta({ description: 'On Completed bars, and not dispatched.' }),
            scrapped: z.int().meta({ description: 'Cut wrong, so the piece does not count.' }),
            dispatched: z.int().meta({ description: 'Left with a dispatch.' }),
            tooShort: z
              .int()
              .meta({ description: 'Shorter than the line demands, so the piece does not count.' }),
          })
          .meta({ description: 'How many pieces are in each state. A piece is in one of them.' }),
        cuts: z.array(
          z.object({
            ...cut,
            planName: z.string(),
            held: cutRecord.shape.held,
            markTransferred,
            barOrdinal: z.int().meta({ description: 'The place of the bar in its plan, from 1.' }),
            cutOrdinal: z.int().meta({
              description: 'The place of the cut among all cuts of its bar, from 1.',
            }),
            millCertificationId: uuid.nullable(),
            certificateNumber: z.string().nullable(),
            heatNumber: z.string().nullable(),
            tags: z.array(shownTag).meta({ description: 'The tags of the mill certificate.' }),
            findings: z.array(finding).meta({
              description:
                'The findings on the bar that concern this cut, as of now. docs/verdict.md explains every code.',
            }),
          }),
        ),
        missing: z.array(told).meta({ description: 'The gaps in the traceability.' }),
      }),
    ),
  })
  .meta({ id: 'Traceability' })

const usage = z
  .object({
    millCertificationId: uuid,
    certificateNumber: z.string(),
    heatNumber: z.string(),
    bars: z.array(
      z.object({
        barId: uuid,
        planId: uuid,
        status: barStatus,
        orders: z.array(z.object({ orderId: uuid, orderNumber: z.string(), lineItemIds: z.array(uuid) })),
      }),
    ),
  })
  .meta({ id: 'CertificateUsage' })

const reading = { tag: 'Traceability', access: { company: 'view' } } as const
const order = '/api/company/{companyId}/orders/{orderId}'

export const traceabilityRoutes: Route[] = [
  recordRoute({
    ...reading,
    path: `${order}/line-items/{lineItemId}`,
    operationId: 'getLineItem',
    summary: 'Read one line item with every cut for it',
    description:
      'Its status is derived from the Accepted cuts. The ETag holds the revision of the order, so If-Match of the order accepts it.',
    hasAsOf: true,
    reads: [orders, production],
    find: (snapshot, { params }) => findLineItem(snapshot, params),
    missing: { code: 'line-item-not-found', id: 'lineItemId' },
    record: explained,
  }),
  recordRoute({
    ...reading,
    path: `${order}/traceability`,
    operationId: 'getTraceability',
    summary: 'List the bars, certificates and heats of an order',
    description:
      'Shows its Accepted cuts with their findings, and the gaps before the order is complete. The ETag is for caches alone.',
    query: z.strictObject({
      pieceMark: plainText(50).optional().meta({
        description:
          'List only the cuts with this piece mark, and the lines that have such a cut. The other members describe the whole order.',
      }),
    }),
    hasAsOf: true,
    reads: judgedFrom,
    find: (snapshot, { params, query }) =>
      findTrace(snapshot, { ...params, pieceMark: query.pieceMark ?? null }),
    missing: { code: 'order-not-found', id: 'orderId' },
    present: traceOrder,
    whileLacking: 'refusal',
    record: traceability,
  }),
  recordRoute({
    ...reading,
    path: '/api/company/{companyId}/millcert/certificates/{millCertificationId}/usage',
    operationId: 'getCertificateUsage',
    summary: 'List the bars and orders that use a mill certificate',
    description:
      'For a recall: every bar with this certificate, and the line items of its cuts that are not Rejected. The ETag is for caches alone.',
    reads: [certificates, production, orders],
    find: (snapshot, { params }) => findUsage(snapshot, params.companyId, params.millCertificationId),
    missing: { code: 'certificate-not-found', id: 'millCertificationId' },
    record: usage,
  }),
]
