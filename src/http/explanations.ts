import { z } from 'zod'
import { notFound } from '../domain/refusal.ts'
import { certificateExists, certificates } from '../projections/certificates.ts'
import { explanations, listExplanations } from '../projections/explanations.ts'
import { orderExists, orders } from '../projections/orders.ts'
import { tags } from '../projections/tags.ts'
import { timestamp, uuid } from './fields.ts'
import { list } from './listRoute.ts'
import type { Route } from './route.ts'

/** Why rules assign their tags to a subject, or could not be evaluated on it: for an auditor, and for whoever is blocked. */

const explanation = z
  .object({
    tagId: uuid,
    tagName: z.string(),
    rulePackId: z.string(),
    rulePackVersion: z.int(),
    ruleId: z.string(),
    clause: z.string().meta({ description: 'Of the standard.' }),
    expression: z.string().meta({ description: 'CEL, as the pack has it.' }),
    explanation: z.string(),
    values: z
      .record(z.string(), z.unknown())
      .meta({ description: 'What it saw, by the words of the expression; null for what is missing.' }),
    result: z.enum(['matched', 'not-evaluated']),
    reason: z.string().nullable().meta({ description: 'Why it could not be evaluated.' }),
    evaluatedAt: timestamp,
  })
  .meta({ id: 'Explanation' })

const reading = { access: { company: 'view' } } as const
const shown = { sortKey: z.tuple([z.string(), z.string()]), item: explanation }

export const explanationRoutes: Route[] = [
  list({
    ...reading,
    path: '/api/company/{companyId}/millcert-tags/assignments/{millCertificationId}/explanations',
    operationId: 'explainMillCertTags',
    summary: 'Why rules tag a mill certificate, or could not be evaluated on it',
    tag: 'Mill cert tags',
    reads: [explanations, tags, certificates],
    rows: (moment, { params: { companyId, millCertificationId: subjectId } }, page) =>
      listExplanations(moment, { companyId, family: 'millCert', subjectId }, page),
    within: {
      find: (moment, { params }) => certificateExists(moment, params.companyId, params.millCertificationId),
      missing: ({ params }) => notFound('mill certificate', params.millCertificationId),
    },
    ...shown,
  }),
  list({
    ...reading,
    path: '/api/company/{companyId}/order-tags/assignments/{orderId}/explanations',
    operationId: 'explainOrderTags',
    summary: 'Why rules tag an order, or could not be evaluated on it',
    tag: 'Order tags',
    reads: [explanations, tags, orders],
    rows: (moment, { params: { companyId, orderId: subjectId } }, page) =>
      listExplanations(moment, { companyId, family: 'order', subjectId }, page),
    within: {
      find: (moment, { params }) => orderExists(moment, params.companyId, params.orderId),
      missing: ({ params }) => notFound('order', params.orderId),
    },
    ...shown,
  }),
]
