import { certificates } from '../certificates/certificates.ts'
import { deliveries } from '../deliveries/deliveries.ts'
import type { Query, Reading } from '../engine/reading/reader.ts'
import { joinTags } from '../tags/tagAssignments.ts'
import { tags } from '../tags/tags.ts'
import { production } from './production.ts'
import { inPlanOrder } from './productionQueries.ts'
import { isItemOf } from './stock.ts'

/** The Approved bars that a changed fact concerns. */

/** The facts that an Approved bar may be found by. */
export type ConcernedBy =
  /** Bars of the certificate, and of the other certificates of its heat if this one is Rejected or has a Block. */
  | 'certificate'
  /** Bars of the certificate, if a delivery of its steel is recorded. */
  | 'stock'
  /** Bars of the steel that the delivery brought. */
  | 'delivery'
  /** Bars with an Accepted cut for the order. */
  | 'order'
  /** Bars of a heat that has a certificate with the tag. */
  | 'millCertTag'
  /** Bars with an Accepted cut for an order with the tag. */
  | 'orderTag'
  /** All bars of the company. */
  | 'company'

/** A fact, and the bar after which its next portion begins. */
interface BarPlace {
  readonly scope: string
  /** The certificate, order, tag or company. */
  readonly id: string
  /** The `place` of the last bar of the portion before; null for the first portion. */
  readonly after: string | null
}

export interface FoundBar {
  readonly scope: string
  readonly barId: string
  readonly place: string
}

/** Whether the company has an Approved bar at all. This costs a tenth of a search for the bars that a fact concerns. */
export function hasApprovedBars(reading: Reading, companyId: string): Query {
  return {
    text: `SELECT EXISTS (
      SELECT FROM ${reading.table(production, 'bar')} WHERE company_id = $1 AND status = 'Approved') AS "hasSome"`,
    values: [companyId],
  }
}

/**
 * Find up to `limit` bars for each place, in the order of their plans. A bar that several places lead to may be found
 * for only one of them.
 */
export function listApprovedBars(
  reading: Reading,
  companyId: string,
  by: ConcernedBy,
  places: readonly BarPlace[],
  limit: number,
): Query {
  const begins = places.map(({ after }) => (after === null ? beginning : (JSON.parse(after) as unknown[])))
  const { before = '', bars } = queries[by](reading)
  return {
    text: `
      WITH asked AS (
        SELECT * FROM unnest($2::text[], $3::uuid[], $4::timestamptz[], $5::uuid[], $6::integer[])
          AS asked(scope, id, plan_created_at, plan_id, ordinal))${before}
      SELECT asked.scope, found.bar_id AS "barId", json_build_array(${placeOf('found')})::text AS place
      FROM asked CROSS JOIN LATERAL (${bars}) found
      ORDER BY asked.scope, ${placeOf('found')}`,
    values: [
      companyId,
      places.map(({ scope }) => scope),
      places.map(({ id }) => id),
      ...[0, 1, 2].map((column) => begins.map((begin) => begin[column])),
      limit,
    ],
  }
}

/** Before every bar. */
const beginning = ['-infinity', '00000000-0000-0000-0000-000000000000', 0]

interface BarsConcerned {
  /** SQL of further tables beside `asked`. */
  readonly before?: string
  /** SQL of the next bars of a row of `asked`, in their order. */
  readonly bars: string
}

const queries: Readonly<Record<ConcernedBy, (reading: Reading) => BarsConcerned>> = {
  certificate: (reading) => ({
    before: certificatesConcerned(reading),
    bars: `
      SELECT one.* FROM concerned
      CROSS JOIN LATERAL (
        ${nextBars(reading, { where: 'b.mill_certification_id = concerned.mill_certification_id' })}
      ) one
      WHERE concerned.scope = asked.scope
      ORDER BY ${placeOf('one')} LIMIT $7`,
  }),
  stock: (reading) => ({
    bars: nextBars(reading, {
      join: joinCertificate(reading),
      where: `m.mill_certification_id = asked.id AND EXISTS (
        SELECT FROM ${reading.table(deliveries, 'item')} i WHERE i.company_id = $1 AND ${isItemOf('i', 'm')})`,
    }),
  }),
  delivery: (reading) => ({
    bars: nextBars(reading, {
      join: joinCertificate(reading),
      where: `EXISTS (
        SELECT FROM ${reading.table(deliveries, 'item')} i
        WHERE i.company_id = $1 AND i.delivery_id = asked.id AND ${isItemOf('i', 'm')})`,
    }),
  }),
  order: (reading) => ({
    bars: nextBars(reading, {
      where: `b.bar_id IN (
        SELECT c.bar_id FROM ${reading.table(production, 'cut')} c
        WHERE c.company_id = $1 AND c.order_id = asked.id AND c.status = 'Accepted')`,
    }),
  }),
  millCertTag: (reading) => ({
    bars: nextBars(reading, {
      join: joinCertificate(reading),
      where: `m.heat_key IN (
        SELECT t.heat_key FROM ${reading.table(certificates, 'certificateTag')} t
        WHERE t.company_id = $1 AND t.tag_id = asked.id)`,
    }),
  }),
  orderTag: (reading) => ({
    bars: nextBars(reading, {
      where: `EXISTS (
        SELECT FROM ${reading.table(production, 'cut')} c
        JOIN ${reading.table(tags, 'assignment')} a
          ON a.company_id = $1 AND a.family = 'order' AND a.subject_id = c.order_id AND a.tag_id = asked.id
        WHERE c.company_id = $1 AND c.bar_id = b.bar_id AND c.status = 'Accepted')`,
    }),
  }),
  company: (reading) => ({ bars: nextBars(reading, {}) }),
}

function joinCertificate(reading: Reading): string {
  return `JOIN ${reading.table(certificates, 'certificate')} m
    ON m.company_id = b.company_id AND m.mill_certification_id = b.mill_certification_id`
}

function nextBars(
  reading: Reading,
  { join = '', where = 'true' }: { join?: string; where?: string },
): string {
  return `
    SELECT b.bar_id, ${placeOf('b')} FROM ${reading.table(production, 'bar')} b ${join}
    WHERE b.company_id = $1 AND b.status = 'Approved' AND ${where}
      AND (${placeOf('b')}) > (${placeOf('asked')})
    ORDER BY ${placeOf('b')} LIMIT $7`
}

/**
 * SQL of the certificates that are asked about, and of the others of their heats if those get `same-heat-blocked`. If
 * several certificates of one heat are at the same place, only one of them leads to the others.
 */
function certificatesConcerned(reading: Reading): string {
  const certificate = reading.table(certificates, 'certificate')
  return `,
    heat AS (
      SELECT DISTINCT ON (m.heat_key, m.manufacturer_key, ${placeOf('asked')}) asked.scope, m.heat_key, m.manufacturer_key
      FROM asked
      JOIN ${certificate} m ON m.company_id = $1 AND m.mill_certification_id = asked.id
      ${joinTags(reading, 'millCert', 'm', 'mill_certification_id')}
      WHERE m.status <> 'Voided' AND (m.status = 'Rejected' OR shown.blocked)
      ORDER BY m.heat_key, m.manufacturer_key, ${placeOf('asked')}, asked.scope),
    concerned AS (
      SELECT scope, id AS mill_certification_id FROM asked
      UNION
      SELECT heat.scope, s.mill_certification_id FROM heat
      JOIN ${certificate} s ON s.company_id = $1 AND s.heat_key = heat.heat_key
        AND s.manufacturer_key IS NOT DISTINCT FROM heat.manufacturer_key)`
}

function placeOf(row: string): string {
  return inPlanOrder.map((column) => column.replace(/^b\./, `${row}.`)).join(', ')
}
