import { z } from 'zod'
import type { MissingRecordCode } from '../problems/records.ts'
import { certificates } from '../projections/certificates.ts'
import {
  type EntrySubject,
  entries,
  entrySubjects,
  findEntrySubject,
  listEntries,
} from '../projections/entries.ts'
import { orders } from '../projections/orders.ts'
import { persons } from '../projections/persons.ts'
import { production } from '../projections/production.ts'
import type { Projection } from '../projections/projection.ts'
import type { Reading } from '../projections/reading/reader.ts'
import { list } from './kit/lists/listRoute.ts'
import type { Route } from './kit/routing/route.ts'
import { timestamp, uuid } from './kit/schemas/fields.ts'

/** The histories of certificates, orders and bars: every event, in plain words. */

const entry = z
  .object({
    position: z.int(),
    eventId: uuid,
    occurredAt: timestamp.meta({ description: 'When it was recorded.' }),
    performedAt: timestamp.nullable().meta({
      description: 'When it was done on the floor, if the request said so; null otherwise.',
    }),
    actor: z.object({
      id: z.string(),
      kind: z.enum(['user', 'application', 'rulePack', 'service']),
      name: z.string().meta({ description: 'The name as it was then, unless the company has erased it.' }),
    }),
    kind: z.string().meta({ description: 'The type of the event. More types may be added.' }),
    subject: z.object({
      type: z.enum(entrySubjects),
      id: uuid,
      label: z.string().meta({ description: 'The present number or name of the record.' }),
    }),
    sentence: z.string().meta({ description: 'What happened, in English.' }),
    changes: z.array(z.object({ field: z.string(), from: z.unknown(), to: z.unknown() })),
    correlationId: z.string().meta({ description: 'The traceId of the request that caused it.' }),
  })
  .meta({ id: 'AuditEntry' })

export const historyRoutes: Route[] = [
  history({
    path: '/api/company/{companyId}/millcert/certificates/{millCertificationId}/history',
    tag: 'Mill certificates',
    operationId: 'getCertificateHistory',
    summary: 'List the history of a mill certificate and its tags, newest first',
    ...{ subject: 'certificate', shows: certificates },
    missing: { code: 'certificate-not-found', id: 'millCertificationId' },
  }),
  history({
    path: '/api/company/{companyId}/orders/{orderId}/history',
    tag: 'Orders',
    operationId: 'getOrderHistory',
    summary: 'List the history of an order and its tags, newest first',
    ...{ subject: 'order', shows: orders },
    missing: { code: 'order-not-found', id: 'orderId' },
  }),
  history({
    path: '/api/company/{companyId}/production-plan-bars/{barId}/history',
    tag: 'Production plan bars',
    operationId: 'getProductionPlanBarHistory',
    summary: 'List the history of a bar and its cuts, newest first',
    ...{ subject: 'bar', shows: production },
    missing: { code: 'bar-not-found', id: 'barId' },
  }),
]

interface HistoryDeclaration {
  readonly path: `/api/company/{companyId}/${string}/history`
  readonly tag: string
  readonly operationId: string
  readonly summary: string
  readonly subject: EntrySubject
  /** The read model that shows the record itself. */
  readonly shows: Projection
  readonly missing: { readonly code: MissingRecordCode; readonly id: string }
}

function history({ subject, shows, missing, ...declared }: HistoryDeclaration): Route {
  const idsIn = (params: Readonly<Record<string, string>>) => ({
    companyId: params.companyId!,
    subjectId: params[missing.id]!,
  })
  return list({
    ...declared,
    access: { company: 'view' },
    reads: [entries, shows, persons],
    rows: (moment, { params }, page) => listEntries(moment, subject, idsIn(params), page),
    sortKey: z.tuple([z.int()]),
    within: {
      find: (moment: Reading, { params }) => findEntrySubject(moment, subject, idsIn(params)),
      missing: missing as never,
    },
    item: entry,
  })
}
