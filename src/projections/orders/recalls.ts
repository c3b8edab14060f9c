import type { Steel } from '../../domain/bars/heatOfSteel.ts'
import type { HeatValues } from '../../domain/bars/heatRead.ts'
import { production } from '../bars/production.ts'
import {
  inPlanOrder,
  isLive,
  isPiece,
  isPlanned,
  pieceState,
  pieceStates,
} from '../bars/productionQueries.ts'
import { certificates } from '../certificates/certificates.ts'
import { deliveries } from '../deliveries/deliveries.ts'
import type { Projection } from '../engine/projection.ts'
import { fieldsSql, jsonObject } from '../engine/reading/listQuery.ts'
import type { Query, Reading, StreamReading } from '../engine/reading/reader.ts'
import { lineItemFields, lineItemsOf } from './orderQueries.ts'
import { orders } from './orders.ts'

/** A recall: every piece of a certificate or of a heat, with its state. */

export const recalledFrom: readonly Projection[] = [certificates, production, deliveries, orders]

/** The steel that is recalled: certificates, and every certificate and bar of some heats. */
export interface Recalled {
  readonly companyId: string
  readonly millCertificationIds: readonly string[]
  /** The heat numbers in the form in which heat numbers are compared. */
  readonly heatKeys: readonly string[]
  /** The number as `nearKey` writes it: look-alike numbers have the same text. */
  readonly heatNearKeys: readonly string[]
  /** Leave out the steel of other manufacturers; null for none. */
  readonly manufacturer: string | null
}

/** The steel of a piece or of a delivery, as its bar or its item names it. */
export interface NamedSteel extends Steel {
  readonly millCertificationId: string | null
}

/** Find the steel of the pieces with a mark. A cut without a mark has that of its line. */
export function listSteelOfPieces(
  reading: Reading,
  { companyId, pieceMarkKey }: { readonly companyId: string; readonly pieceMarkKey: string },
): Query {
  return {
    text: `SELECT DISTINCT b.mill_certification_id AS "millCertificationId",
        ${heatKey("b.heat_read->>'heatNumber'")} AS "heatRead", ${heatKey('m.heat_number')} AS certificate
      FROM (
        SELECT c.* FROM ${reading.table(production, 'cut')} c WHERE c.company_id = $1 AND c.piece_mark_key = $2
        UNION ALL
        SELECT c.* FROM ${reading.table(orders, 'lineItem')} l JOIN ${reading.table(production, 'cut')} c
          ON c.company_id = l.company_id AND c.order_id = l.order_id AND c.line_item_id = l.line_item_id
        WHERE l.company_id = $1 AND l.piece_mark_key = $2 AND c.piece_mark_key IS NULL
      ) c
      JOIN ${reading.table(production, 'bar')} b ON b.company_id = c.company_id AND b.bar_id = c.bar_id
      LEFT JOIN ${reading.table(certificates, 'certificate')} m
        ON m.company_id = b.company_id AND m.mill_certification_id = b.mill_certification_id
      WHERE ${isPiece} AND ${isPlanned} AND ${isLive}`,
    values: [companyId, pieceMarkKey],
  }
}

export interface RecalledCertificate {
  readonly millCertificationId: string
  readonly certificateNumber: string
  readonly heatNumber: string
  readonly manufacturer: string | null
  readonly status: string
}

/** A heat whose number people may take for the recalled one. Its steel is not recalled. */
export interface SimilarHeat extends HeatValues {
  readonly heatNumber: string
}

/** A bar whose stock is a remnant of the steel. */
export interface RecalledRemnant {
  readonly barId: string
}

/** SQL of a heat with this number; null without one. */
function heatKey(heatNumber: string): string {
  return `CASE WHEN ${heatNumber} IS NOT NULL THEN jsonb_build_object('heatNumber', ${heatNumber}) END`
}

/** Find the steel that came with delivery notes of a number: their suppliers may number alike. */
export function listSteelOfDeliveries(
  reading: Reading,
  { companyId, noteKey }: { readonly companyId: string; readonly noteKey: string },
): Query {
  return {
    text: `SELECT DISTINCT i.mill_certification_id AS "millCertificationId", ${heatKey('i.heat_key')} AS "heatRead"
      FROM ${reading.table(deliveries, 'delivery')} d
      JOIN ${reading.table(deliveries, 'item')} i ON i.company_id = d.company_id AND i.delivery_id = d.delivery_id
      WHERE d.company_id = $1 AND d.note_key = $2 AND NOT d.voided`,
    values: [companyId, noteKey],
  }
}

/** The certificates that are recalled. There are few, even of one heat. */
export function listRecalledCertificates(
  reading: Reading,
  { companyId, millCertificationIds, heatKeys, manufacturer }: Recalled,
): Query {
  const fields = {
    millCertificationId: 'm.mill_certification_id',
    certificateNumber: 'm.certificate_number',
    heatNumber: 'm.heat_number',
    manufacturer: 'm.manufacturer',
    status: 'm.status',
  } satisfies Record<keyof RecalledCertificate, string>
  return {
    text: `SELECT ${fieldsSql(fields)} FROM ${reading.table(certificates, 'certificate')} m
      WHERE m.company_id = $1 AND (m.mill_certification_id = ANY($2::uuid[]) OR m.heat_key = ANY($3))
        AND ${mayBeOf('$4')}
      ORDER BY m.certificate_key, m.heat_key, m.mill_certification_id`,
    values: [companyId, millCertificationIds, heatKeys, manufacturer],
  }
}

/** SQL: the certificate `m` may be of this manufacturer: a certificate without one may be of any. */
function mayBeOf(manufacturer: string): string {
  return `(${manufacturer}::text IS NULL OR m.manufacturer IS NULL OR upper(m.manufacturer) = upper(${manufacturer}))`
}

/** The most similar heats to name: a person could not choose among more. */
const mostSimilar = 100

/** Find heats of certificates, and heats that were read off bars, whose numbers are only similar to the recalled one. */
export function listSimilarHeats(reading: Reading, { companyId, heatKeys, heatNearKeys }: Recalled): Query {
  const isSimilar = (row: string) =>
    `${row}.company_id = $1 AND ${row}.heat_near_key = ANY($3) AND ${row}.heat_key <> ALL($2)`
  return {
    text: `SELECT m.heat_number AS "heatNumber", m.manufacturer, m.grade, m.profile, m.thickness_mm AS "thicknessMm"
      FROM ${reading.table(certificates, 'certificate')} m WHERE ${isSimilar('m')}
      UNION
      SELECT b.heat_read->>'heatNumber', NULL, b.grade, NULL, NULL
      FROM ${reading.table(production, 'bar')} b WHERE ${isSimilar('b')} AND ${isPlanned} AND ${isLive}
      ORDER BY 1, 2, 3, 4, 5 LIMIT ${mostSimilar}`,
    values: [companyId, heatKeys, heatNearKeys],
  }
}

/**
 * Find the bars that were cut from remnants of the steel, and from remnants of these. They are the same steel, even if
 * the heat was read, or the certificate corrected, only after the remnant was used.
 */
export function listRecalledRemnants(
  reading: Reading,
  { companyId, heatKeys, manufacturer }: Recalled,
  certificates: readonly RecalledCertificate[],
): Query {
  const bar = reading.table(production, 'bar')
  return {
    text: `WITH RECURSIVE remnant AS (
        SELECT b.bar_id FROM ${bar} s
        JOIN ${bar} b ON b.company_id = s.company_id AND b.from_bar_id = s.bar_id
        WHERE s.company_id = $1 AND ${isOfSteel(reading, 's', '$4')}
        UNION
        SELECT b.bar_id FROM remnant r JOIN ${bar} b ON b.company_id = $1 AND b.from_bar_id = r.bar_id
      )
      SELECT bar_id AS "barId" FROM remnant`,
    values: [companyId, idsOf(certificates), heatKeys, manufacturer],
  }
}

/** SQL: the bar has a certificate of $2, or was read as a heat of $3 and may be of the manufacturer. */
function isOfSteel(reading: Reading, bar: string, manufacturer: string): string {
  return `(${bar}.mill_certification_id = ANY($2::uuid[]) OR (${bar}.heat_key = ANY($3) AND (
    ${manufacturer}::text IS NULL OR ${bar}.mill_certification_id IS NULL OR EXISTS (
      SELECT 1 FROM ${reading.table(certificates, 'certificate')} m
      WHERE m.company_id = ${bar}.company_id AND m.mill_certification_id = ${bar}.mill_certification_id
        AND ${mayBeOf(manufacturer)}))))`
}

/**
 * Return the recall as the text of one JSON object, in parts: a heat may be in many thousands of pieces. A bar whose
 * steel was read as the heat is recalled with it, whatever its certificate.
 */
export async function* recallParts(
  reading: StreamReading,
  { companyId, heatKeys, manufacturer }: Recalled,
  certificates: readonly RecalledCertificate[],
  remnants: readonly RecalledRemnant[],
  similarHeats: readonly SimilarHeat[],
): AsyncIterable<string> {
  const values = [companyId, idsOf(certificates), heatKeys, remnants.map(({ barId }) => barId), manufacturer]
  const listOf = (text: string) => readMembers(reading, { text, values })
  yield `{"certificates":${JSON.stringify(certificates)},"bars":[`
  yield* listOf(barsOf(reading))
  yield '],"lineItems":['
  yield* listOf(lineItemsOfBars(reading))
  yield '],"orders":['
  yield* listOf(ordersOfBars(reading))
  yield '],"deliveries":['
  yield* readMembers(reading, { text: deliveriesOf(reading), values: values.slice(0, 3) })
  yield `],"similarHeats":${JSON.stringify(similarHeats)}}`
}

/** SQL of the deliveries that brought the steel: to certificates of $2, or without one in heats of $3. */
function deliveriesOf(reading: Reading): string {
  const delivery = {
    deliveryId: 'd.delivery_id',
    deliveryNote: 'd.delivery_note',
    supplier: 'd.supplier',
    date: 'd.date',
    pieces: 'sum(i.pieces)::int',
  }
  return `SELECT ${jsonObject(delivery)}::text AS json FROM ${reading.table(deliveries, 'item')} i
    JOIN ${reading.table(deliveries, 'delivery')} d ON d.company_id = i.company_id AND d.delivery_id = i.delivery_id
    WHERE i.company_id = $1 AND NOT i.voided AND (i.mill_certification_id = ANY($2::uuid[])
      OR (i.mill_certification_id IS NULL AND i.heat_key = ANY($3)))
    GROUP BY d.company_id, d.delivery_id, d.delivery_note, d.supplier, d.date
    ORDER BY d.date, d.delivery_id`
}

function idsOf(certificates: readonly RecalledCertificate[]): readonly string[] {
  return certificates.map((one) => one.millCertificationId)
}

/** The rows of a query, each the text of a JSON object, as the members of an array. */
async function* readMembers(reading: StreamReading, query: Query): AsyncIterable<string> {
  let before = ''
  for await (const rows of reading.portions<{ json: string }>(query)) {
    yield before + rows.map(({ json }) => json).join(',')
    before = ','
  }
}

/** SQL of the recalled bars `b`: $2 are certificates, $3 are heats, $4 are remnants, $5 is the manufacturer. */
function fromBars(reading: Reading): string {
  return `FROM (
    SELECT * FROM ${reading.table(production, 'bar')} b
    WHERE b.company_id = $1
      AND (${isOfSteel(reading, 'b', '$5')} OR b.bar_id = ANY($4::uuid[]))
      AND ${isPlanned} AND ${isLive}
  ) b`
}

/** The states of a cut in a recall. Somebody may accept a proposed cut until its bar is Completed. */
export const recalledStates = ['proposed', ...pieceStates] as const

/** SQL: the cut `c` is a piece of the bar `b`, or may become one. */
const isCutOfBar = `c.company_id = b.company_id AND c.bar_id = b.bar_id
  AND (${isPiece} OR (c.status = 'Proposed' AND b.status <> 'Completed'))`

function barsOf(reading: Reading): string {
  const piece = {
    cutId: 'c.cut_id',
    orderId: 'c.order_id',
    lineItemId: 'c.line_item_id',
    pieceMark: 'c.piece_mark',
    lengthMm: 'c.length_mm',
    state: `CASE WHEN c.status = 'Proposed' THEN 'proposed' ELSE ${pieceState} END`,
  }
  const bar = {
    barId: 'b.bar_id',
    planId: 'b.plan_id',
    planName: 'p.name',
    ordinal: 'b.ordinal',
    status: 'b.status',
    cuts: 'own.pieces',
  }
  return `SELECT ${jsonObject(bar)}::text AS json ${fromBars(reading)}
    JOIN ${reading.table(production, 'plan')} p ON p.company_id = b.company_id AND p.plan_id = b.plan_id
    LEFT JOIN LATERAL (
      SELECT coalesce(json_agg(piece), '[]') AS pieces FROM (
        SELECT ${fieldsSql(piece)} FROM ${reading.table(production, 'cut')} c
        WHERE ${isCutOfBar} ORDER BY c.ordinal
      ) piece
    ) own ON true
    ORDER BY ${inPlanOrder.join(', ')}`
}

function lineItemsOfBars(reading: Reading): string {
  const { lineItemId, lineNumber, status } = lineItemFields
  const item = { lineItemId, orderId: 'l.order_id', lineNumber, status }
  return `SELECT ${jsonObject(item)}::text AS json FROM ${lineItemsOf(reading)}
    JOIN ${reading.table(orders, 'order')} o ON o.company_id = l.company_id AND o.order_id = l.order_id
    WHERE l.company_id = $1 AND (l.order_id, l.line_item_id) IN (
      SELECT c.order_id, c.line_item_id ${fromBars(reading)}
      JOIN ${reading.table(production, 'cut')} c ON ${isCutOfBar})
    ORDER BY o.order_key, l.order_id, l.line_number`
}

function ordersOfBars(reading: Reading): string {
  const order = { orderId: 'o.order_id', orderNumber: 'o.order_number' }
  return `SELECT ${jsonObject(order)}::text AS json FROM ${reading.table(orders, 'order')} o
    WHERE o.company_id = $1 AND o.order_id IN (
      SELECT c.order_id ${fromBars(reading)}
      JOIN ${reading.table(production, 'cut')} c ON ${isCutOfBar})
    ORDER BY o.order_key, o.order_id`
}
