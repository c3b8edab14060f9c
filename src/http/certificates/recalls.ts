import { z } from 'zod'
import { heatOfSteel } from '../../domain/bars/heatOfSteel.ts'
import { heatFields } from '../../domain/bars/heatRead.ts'
import { certificateStatuses } from '../../domain/certificates/certificateStatus.ts'
import { type Fault, invalid } from '../../domain/kernel/refusal.ts'
import { nearKey, normalise } from '../../domain/kernel/spellings.ts'
import type { Reading } from '../../projections/engine/reading/reader.ts'
import { requireComplete } from '../../projections/engine/reading/toDecide.ts'
import {
  listRecalledCertificates,
  listRecalledRemnants,
  listSimilarHeats,
  listSteelOfDeliveries,
  listSteelOfPieces,
  type NamedSteel,
  type Recalled,
  type RecalledCertificate,
  type RecalledRemnant,
  recalledFrom,
  recalledStates,
  recallParts,
  type SimilarHeat,
} from '../../projections/orders/recalls.ts'
import { barStatus } from '../bars/barSchema.ts'
import { streamText } from '../kit/lists/streamList.ts'
import { waitUntilReached } from '../kit/routing/minPosition.ts'
import { readHeaders } from '../kit/routing/readRoute.ts'
import { id, type PathParams, paramsOf, type Route } from '../kit/routing/route.ts'
import { answerOf } from '../kit/schemas/declared.ts'
import { oneOf, plainText, uuid } from '../kit/schemas/fields.ts'
import { lineItem } from '../orders/lineItem.ts'

/** Recalls: where is every piece of this steel? */

const recall = z
  .object({
    certificates: z.array(
      z.object({
        millCertificationId: uuid,
        certificateNumber: z.string(),
        heatNumber: z.string(),
        manufacturer: z.string().nullable(),
        status: oneOf(certificateStatuses),
      }),
    ),
    bars: z.array(
      z.object({
        barId: uuid,
        planId: uuid,
        planName: z.string(),
        ordinal: z.int().meta({ description: 'The place of the bar in its plan, from 1.' }),
        status: barStatus,
        cuts: z.array(
          z.object({
            cutId: uuid,
            orderId: uuid,
            lineItemId: uuid,
            pieceMark: z.string().nullable(),
            lengthMm: z.number(),
            state: oneOf(recalledStates).meta({
              id: 'PieceState',
              description:
                '`dispatched` when the piece has left, `scrapped` when it was cut wrong, `proposed` before the cut is Accepted; otherwise `planned` until the bar is Completed, and then `cut`.',
            }),
          }),
        ),
      }),
    ),
    lineItems: z.array(
      z.object({ lineItemId: uuid, orderId: uuid, lineNumber: z.int(), status: lineItem.shape.status }),
    ),
    orders: z.array(z.object({ orderId: uuid, orderNumber: z.string() })),
    deliveries: z
      .array(
        z.object({
          deliveryId: uuid,
          deliveryNote: z.string(),
          supplier: z.string().nullable(),
          date: z.string(),
          pieces: z.int(),
        }),
      )
      .meta({ description: 'The deliveries that brought the steel.' }),
    similarHeats: z.array(z.object({ heatNumber: z.string(), ...answerOf(heatFields) })).meta({
      description:
        'Heats of certificates and bars that are only like the recalled one, as `heatLike` finds them. They are not recalled.',
    }),
  })
  .meta({ id: 'Recall' })

const query = z.strictObject({
  millCertificationId: id.optional(),
  heatNumber: plainText(50).optional().meta({
    description:
      'Recall every certificate of this heat, in any spelling, and every bar whose steel was read as this heat.',
  }),
  pieceMark: plainText(50).optional().meta({
    description: 'Recall the heats of the pieces with this mark, in any spelling.',
  }),
  deliveryNote: plainText(50).optional(),
  manufacturer: plainText(200).optional().meta({
    description:
      'Leave out the steel of other manufacturers. Steel whose manufacturer is not recorded stays in.',
  }),
})

/** The answer is streamed, because a heat may be in many thousands of pieces. So it has no ETag. */
function getRecall(): Route {
  const declaration = {
    tag: 'Traceability',
    access: { company: 'view' },
    path: '/api/company/{companyId}/recalls',
    operationId: 'getRecall',
    summary: 'Where is every piece of this certificate or heat?',
    description:
      'Name a mill certificate, a heat number, a piece mark or a delivery note. The answer lists its deliveries, every bar of the steel that is not cancelled, and every bar that was cut from a remnant of it, each cut that is not Rejected with its state, and the line items and orders of these pieces.',
  } as const
  return {
    ...declaration,
    method: 'get',
    params: paramsOf(declaration),
    query,
    headers: readHeaders.pick({ 'min-position': true }),
    body: undefined,
    responses: {
      200: { description: 'The recall.', schema: recall, headers: ['Read-Position'] },
    },
    problems: ['too-many-large-reads', 'facts-incomplete'],
    async answer(exchange, services) {
      const { companyId } = exchange.params as PathParams<typeof declaration.path>
      const recall = exchange.query as z.output<typeof query>
      requireOne(recall)
      await waitUntilReached(services, recalledFrom, exchange.headers['min-position'])
      await services.reader.stream(companyId, recalledFrom, async (reading) => {
        await exchange.requireAccess()
        // Nobody would look for a piece that a recall leaves out.
        await requireComplete(reading, companyId)
        const recalled = await recalledBy(reading, companyId, recall)
        const certificates = await reading.query<RecalledCertificate>(
          listRecalledCertificates(reading, recalled),
        )
        if (recall.millCertificationId !== undefined && certificates.length === 0)
          throw noSuchCertificate(recall.millCertificationId)
        const remnants = await reading.query<RecalledRemnant>(
          listRecalledRemnants(reading, recalled, certificates),
        )
        const similar = await reading.query<SimilarHeat>(listSimilarHeats(reading, recalled))
        await streamText(
          exchange.res,
          reading,
          recallParts(reading, recalled, certificates, remnants, similar),
        )
      })
    },
  }
}

export const recallRoutes: Route[] = [getRecall()]

type Recall = z.output<typeof query>

/** @throws Refusal 400 unless the request names in exactly one way what to recall */
function requireOne({ manufacturer: _, ...recall }: Recall): void {
  const [first, other] = Object.keys(recall)
  if (first === undefined)
    throw invalid([
      faultOf('millCertificationId', 'required', 'is required without heatNumber, pieceMark or deliveryNote'),
    ])
  if (other !== undefined)
    throw invalid([faultOf(other, 'unknown-parameter', `must be left out beside ${first}`)])
}

async function recalledBy(
  reading: Reading,
  companyId: string,
  { millCertificationId, heatNumber, pieceMark, deliveryNote, manufacturer }: Recall,
): Promise<Recalled> {
  const named = [
    pieceMark !== undefined && listSteelOfPieces(reading, { companyId, pieceMarkKey: normalise(pieceMark) }),
    deliveryNote !== undefined &&
      listSteelOfDeliveries(reading, { companyId, noteKey: normalise(deliveryNote) }),
  ].find((query) => query !== false)
  const steel = named ? await reading.query<NamedSteel>(named) : []
  const heats = heatNumber === undefined ? steel.flatMap((one) => heatOfSteel(one) ?? []) : [heatNumber]
  const certificate = millCertificationId === undefined ? [] : [millCertificationId]
  return {
    companyId,
    millCertificationIds: [...certificate, ...steel.flatMap((one) => one.millCertificationId ?? [])],
    heatKeys: heats.map(normalise),
    heatNearKeys: heats.map(nearKey),
    manufacturer: manufacturer ?? null,
  }
}

function noSuchCertificate(millCertificationId: string) {
  const message = `There is no mill certificate ${millCertificationId}.`
  return invalid([
    {
      ...faultOf('millCertificationId', 'unknown-record', message),
      record: { millCertificationId },
    },
  ])
}

function faultOf(parameter: string, code: Fault['code'], message: string): Fault {
  return { path: parameter, parameter, code, message }
}
