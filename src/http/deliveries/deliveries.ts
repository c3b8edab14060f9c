import { z } from 'zod'
import { correctDelivery, recordDelivery, voidDelivery } from '../../commands/deliveries/deliveries.ts'
import {
  type DeliveryContent,
  deliveryFields,
  deliveryItemFields,
  mostDeliveryItems,
} from '../../domain/deliveries/deliveryContent.ts'
import { replaceMembers } from '../../domain/kernel/edit.ts'
import {
  deliveriesReadFrom,
  deliveryFilters,
  findDelivery,
  listDeliveries,
} from '../../projections/deliveries/deliveries.ts'
import { listRoute } from '../kit/lists/listRoute.ts'
import { commandRoute } from '../kit/routing/commandRoute.ts'
import { recordRoute } from '../kit/routing/readRoute.ts'
import { id, pathWith, type Route } from '../kit/routing/route.ts'
import { listOf } from '../kit/schemas/collections.ts'
import { answerOf, bodyOf } from '../kit/schemas/declared.ts'
import { orNull, text, timestamp, uuid } from '../kit/schemas/fields.ts'

/** Deliveries of steel. */

const item = z
  .strictObject({ millCertificationId: orNull(id), ...bodyOf(deliveryItemFields) })
  .superRefine(({ millCertificationId, heatNumber }, context) => {
    if (millCertificationId !== null || heatNumber !== null) return
    const message = 'is required without heatNumber'
    context.addIssue({
      code: 'custom',
      path: ['millCertificationId'],
      params: { fault: 'required' },
      message,
    })
  })
  .meta({ id: 'NewDeliveryItem' })

const newDelivery = z
  .strictObject({ ...bodyOf(deliveryFields), items: listOf(item, { least: 1, most: mostDeliveryItems }) })
  .meta({
    id: 'NewDelivery',
    examples: [
      {
        deliveryNote: 'LS 4711',
        supplier: 'Stahlhandel Nord',
        date: '2026-03-31',
        items: [{ millCertificationId: 'c2c4430f-fc74-52d6-a62c-5188c5ee6233', pieces: 10, lengthMm: 12000 }],
      },
    ],
  })

const delivery = z
  .object({
    deliveryId: uuid,
    companyId: uuid,
    ...answerOf(deliveryFields),
    items: z.array(
      z
        .object({ millCertificationId: uuid.nullable(), ...answerOf(deliveryItemFields) })
        .meta({ id: 'DeliveryItem' }),
    ),
    voided: z.boolean().meta({ description: 'It counts for nothing.' }),
    createdAt: timestamp,
    createdBy: z.string(),
    updatedAt: timestamp,
  })
  .meta({ id: 'Delivery' })

const listedDelivery = delivery
  .extend({
    certificates: z.array(
      z
        .object({ millCertificationId: uuid, certificateNumber: z.string(), heatNumber: z.string() })
        .meta({ id: 'CertificateOfDelivery', description: 'A certificate that an item names.' }),
    ),
  })
  .meta({ id: 'DeliveryWithCertificates' })

const all = '/api/company/{companyId}/deliveries'
const one = `${all}/{deliveryId}` as const
const group = 'Deliveries'
const reading = { tag: group, access: { company: 'view' } } as const
const receiving = { tag: group, access: { company: 'certify' } } as const

export const deliveryRoutes: Route[] = [
  listRoute({
    ...reading,
    path: all,
    operationId: 'listDeliveries',
    summary: 'List the deliveries, newest first',
    reads: deliveriesReadFrom,
    filters: deliveryFilters,
    rows: (snapshot, { params: { companyId }, query }, page) =>
      listDeliveries(snapshot, { companyId, filterValues: query }, page),
    sortKey: z.tuple([z.int()]),
    item: listedDelivery,
  }),
  commandRoute({
    ...receiving,
    method: 'post',
    path: all,
    operationId: 'recordDelivery',
    summary: 'Record what has come, and on which certificate',
    description:
      'A delivery is known by its supplier and the number of its note. A partial delivery is one more delivery on the same certificate.',
    body: newDelivery,
    command: ({ params, body }) => recordDelivery(params.companyId, body),
    record: delivery,
    location: ({ companyId, deliveryId }) => pathWith(one, { companyId, deliveryId }),
    problems: recordDelivery.refuses,
  }),
  recordRoute({
    ...reading,
    path: one,
    operationId: 'getDelivery',
    summary: 'Read one delivery',
    reads: deliveriesReadFrom,
    find: (snapshot, { params }) => findDelivery(snapshot, params),
    missing: { code: 'delivery-not-found', id: 'deliveryId' },
    record: listedDelivery,
  }),
  commandRoute({
    ...receiving,
    method: 'put',
    path: one,
    operationId: 'correctDelivery',
    summary: 'Correct a delivery as a whole',
    body: newDelivery,
    command: ({ params, body }) => correctDelivery(params, replaceMembers<DeliveryContent>(body)),
    record: delivery,
    conditional: true,
    problems: correctDelivery.refuses,
  }),
  commandRoute({
    ...receiving,
    method: 'post',
    path: `${one}/void`,
    operationId: 'voidDelivery',
    summary: 'Void a delivery that never came',
    body: z.strictObject({ reason: text(1, 500) }).meta({ id: 'DeliveryVoiding' }),
    command: ({ params, body }) => voidDelivery(params, body.reason),
    record: delivery,
    conditional: true,
    problems: voidDelivery.refuses,
  }),
]
