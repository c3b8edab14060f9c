import { z } from 'zod'
import { objectKey } from '../../documents/objects.ts'
import { packType } from '../../domain/documents/document.ts'
import { type Fault, invalid, notFound } from '../../domain/kernel/refusal.ts'
import { findEntrySubject } from '../../projections/audit/entryQueries.ts'
import { production } from '../../projections/bars/production.ts'
import {
  type FoundFile,
  findPack,
  findPackFile,
  listPacks,
} from '../../projections/documents/documentQueries.ts'
import { documents } from '../../projections/documents/documents.ts'
import { findCutsOfOrder } from '../../projections/orders/dispatches.ts'
import { orders } from '../../projections/orders/orders.ts'
import { packReads } from '../../proofs/orderPacks/facts.ts'
import { beginRun, runHeaders, runProblems, runResponses } from '../company/runRoute.ts'
import { refuseWithoutRoom } from '../imports/intake/room.ts'
import { listRoute } from '../kit/lists/listRoute.ts'
import { asOfMember, type Past, resolveAsOf } from '../kit/routing/asOf.ts'
import { contentRoute } from '../kit/routing/contentRoute.ts'
import { recordRoute } from '../kit/routing/readRoute.ts'
import { type Declaration, id, paramsOf, type Route } from '../kit/routing/route.ts'
import { listOf } from '../kit/schemas/collections.ts'
import { sortedAt, timestamp, uuid } from '../kit/schemas/fields.ts'
import type { Services } from '../kit/services.ts'

/** The packs of an order: its papers as one ZIP file, for the hand-over. */

const all = '/api/company/{companyId}/orders/{orderId}/packs'
const one = `${all}/{packId}` as const
const group = 'Orders'
const reading = { tag: group, access: { company: 'readPack' }, reads: [documents] } as const

/** The most cuts that a request names. */
const mostCuts = 1_000

const newPack = z
  .strictObject({
    cutIds: listOf(id, { least: 1, most: mostCuts })
      .optional()
      .meta({ description: 'Limit the pack to these cuts of the order. Without it, the pack has all.' }),
    asOf: asOfMember,
  })
  .meta({ id: 'NewOrderPack' })

const pack = z
  .object({
    companyId: uuid,
    orderId: uuid,
    packId: uuid,
    documentId: uuid.meta({ description: 'The document of the company that the ZIP file is kept as.' }),
    sha256: z.string().meta({ description: 'The SHA-256 of the ZIP file, in lower-case hexadecimal.' }),
    bytes: z.int(),
    fileName: z.string(),
    factsPosition: z.int().meta({ description: 'The pack shows every event up to this position.' }),
    checkpointSize: z
      .int()
      .meta({ description: 'The number of events of the company that its proof covers.' }),
    cleared: z
      .boolean()
      .meta({ description: 'Whether the order was cleared. The cover sheet says it, too.' }),
    cutIds: z.array(uuid).nullable().meta({ description: 'The cuts that it is limited to; null for all.' }),
    issuedAt: timestamp,
    issuedBy: z.string().meta({ description: 'The userId of the caller who has asked for it.' }),
  })
  .meta({ id: 'OrderPack' })

const beginning = {
  path: all,
  tag: group,
  access: { company: 'pack' },
  operationId: 'issueOrderPack',
  summary: 'Issue the pack of an order',
  description:
    'Begins a run, which writes a ZIP file with a cover sheet, the originals of the mill certificates, the data, and the proof that the data is in the signed history. `GET …/runs/{runId}` says how far it is, and its result names the pack. The pack is kept, and its hash is recorded. An order that is not cleared gives a pack whose first page says so. With `asOf` the pack shows the order as it was at that past: the same past gives the same bytes, unless a name, the keys of the company or the rules that judge have changed since.',
} as const satisfies Declaration

const issueRoute: Route = {
  ...beginning,
  method: 'post',
  params: paramsOf(beginning),
  query: z.strictObject({}),
  headers: runHeaders,
  body: newPack,
  isBodyOptional: true,
  bodyType: 'application/json',
  responses: runResponses,
  problems: ['order-not-found', ...runProblems, ...refuseWithoutRoom.refuses],
  async answer(exchange, services) {
    const { companyId, orderId } = exchange.params as { companyId: string; orderId: string }
    const { cutIds, asOf } = (exchange.body ?? {}) as z.output<typeof newPack>
    const wanted = { path: '/asOf', asOf }
    const past = await resolveAsOf(exchange, services, packReads, wanted)
    await refuseUnknown(services, { companyId, orderId }, cutIds ?? [], past)
    await refuseWithoutRoom(services, { companyId })
    await beginRun(exchange, services, {
      kind: 'orderPack',
      input: {
        companyId,
        orderId,
        cutIds: cutIds ? [...new Set(cutIds)].sort() : null,
        asOf: past?.position ?? null,
      },
    })
  },
}

/** @throws Refusal 404 `order-not-found`, 400 for cuts that are not the order's */
async function refuseUnknown(
  { reader }: Services,
  order: { readonly companyId: string; readonly orderId: string },
  cutIds: readonly string[],
  past: Past | undefined,
): Promise<void> {
  const { companyId, orderId } = order
  await reader.read([orders, production], async (snapshot) => {
    const reading = past?.of(snapshot) ?? snapshot
    const [order] = await reading.query(findEntrySubject(reading, 'order', { companyId, subjectId: orderId }))
    if (!order) throw notFound('order-not-found', orderId)
  })
  if (cutIds.length === 0) return
  const cutsOfOrder = new Set((await findCutsOfOrder(reader, order, cutIds)).map(({ cutId }) => cutId))
  const faults = cutIds.flatMap((cutId, index): Fault[] => {
    if (cutsOfOrder.has(cutId)) return []
    const message = `The order has no cut ${cutId}.`
    return [{ path: `/cutIds/${index}`, code: 'unknown-record', message, record: { cutId } }]
  })
  if (faults.length > 0) throw invalid(faults)
}

export const orderPackRoutes: Route[] = [
  listRoute({
    ...reading,
    path: all,
    operationId: 'listOrderPacks',
    summary: 'List the packs of an order, oldest first',
    reads: [documents, orders],
    rows: (snapshot, { params }, page) => listPacks(snapshot, params, page),
    sortKey: z.tuple([sortedAt, uuid]),
    within: {
      find: (snapshot, { params: { companyId, orderId } }) =>
        findEntrySubject(snapshot, 'order', { companyId, subjectId: orderId }),
      missing: { code: 'order-not-found', id: 'orderId' },
    },
    item: pack,
  }),
  issueRoute,
  recordRoute({
    ...reading,
    path: one,
    operationId: 'getOrderPack',
    summary: 'Read the record of one pack',
    find: (snapshot, { params }) => findPack(snapshot, params),
    missing: { code: 'pack-not-found', id: 'packId' },
    record: pack,
  }),
  contentRoute({
    ...reading,
    path: `${one}/content`,
    operationId: 'getOrderPackContent',
    summary: 'Download a pack',
    description: 'The answer is an attachment. `Range` answers one part.',
    mediaTypes: [packType],
    find: (snapshot, params) => findPackFile(snapshot, params),
    missing: { code: 'pack-not-found', id: 'packId' },
    key: (file: FoundFile) => objectKey(file),
  }),
]
