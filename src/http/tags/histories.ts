import { z } from 'zod'
import type { MissingRecordCode } from '../../problems/records.ts'
import { entries } from '../../projections/audit/entries.ts'
import {
  findEntrySubject,
  listEntries,
  type RecordWithHistory,
} from '../../projections/audit/entryQueries.ts'
import { production } from '../../projections/bars/production.ts'
import { certificates } from '../../projections/certificates/certificates.ts'
import { persons } from '../../projections/company/persons.ts'
import type { Projection } from '../../projections/engine/projection.ts'
import type { Reading } from '../../projections/engine/reading/reader.ts'
import { orders } from '../../projections/orders/orders.ts'
import { auditEntry } from '../audit/auditEntry.ts'
import { listRoute } from '../kit/lists/listRoute.ts'
import type { Route } from '../kit/routing/route.ts'
import { uuid } from '../kit/schemas/fields.ts'

/** The histories of certificates, orders and bars: every event, in plain words. */

const entry = auditEntry(
  z.enum(['certificate', 'order', 'bar']).meta({ id: 'HistorySubjectType' }),
  uuid,
).meta({ id: 'AuditEntry' })

export const historyRoutes: Route[] = [
  historyRoute({
    path: '/api/company/{companyId}/millcert/certificates/{millCertificationId}/history',
    tag: 'Mill certificates',
    operationId: 'getCertificateHistory',
    summary: 'List the history of a mill certificate and its tags, newest first',
    subject: 'certificate',
    shows: certificates,
    missing: { code: 'certificate-not-found', id: 'millCertificationId' },
  }),
  historyRoute({
    path: '/api/company/{companyId}/orders/{orderId}/history',
    tag: 'Orders',
    operationId: 'getOrderHistory',
    summary: 'List the history of an order and its tags, newest first',
    subject: 'order',
    shows: orders,
    missing: { code: 'order-not-found', id: 'orderId' },
  }),
  historyRoute({
    path: '/api/company/{companyId}/production-plan-bars/{barId}/history',
    tag: 'Production plan bars',
    operationId: 'getProductionPlanBarHistory',
    summary: 'List the history of a bar and its cuts, newest first',
    subject: 'bar',
    shows: production,
    missing: { code: 'bar-not-found', id: 'barId' },
  }),
]

interface HistoryDeclaration {
  readonly path: `/api/company/{companyId}/${string}/history`
  readonly tag: Route['tag']
  readonly operationId: string
  readonly summary: string
  readonly subject: RecordWithHistory
  /** The read model that shows the record itself. */
  readonly shows: Projection
  readonly missing: { readonly code: MissingRecordCode; readonly id: string }
}

function historyRoute({ subject, shows, missing, ...declared }: HistoryDeclaration): Route {
  const idsIn = (params: Readonly<Record<string, string>>) => ({
    companyId: params.companyId!,
    subjectId: params[missing.id]!,
  })
  return listRoute({
    ...declared,
    access: { company: 'view' },
    reads: [entries, shows, persons],
    rows: (snapshot, { params }, page) => listEntries(snapshot, subject, idsIn(params), page),
    sortKey: z.tuple([z.int()]),
    within: {
      find: (snapshot: Reading, { params }) => findEntrySubject(snapshot, subject, idsIn(params)),
      missing: missing as never,
    },
    item: entry,
  })
}
