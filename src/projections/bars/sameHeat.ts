import { certificates } from '../certificates/certificates.ts'
import type { Reading } from '../engine/reading/reader.ts'
import { tags } from '../tags/tags.ts'

/** The other certificates of the heat and manufacturer of a certificate. */

/** The largest number of certificates of one heat to name. The others are counted. */
const mostOfOneHeat = 20

/**
 * Heat numbers of different manufacturers may be equal by chance. A heat may have thousands of certificates, so only those
 * that are Rejected or have a Block are looked up.
 */
export function blockedOfSameHeat(reading: Reading, row: string): string {
  const ofHeat = (other: string) =>
    `${other}.company_id = ${row}.company_id AND ${other}.heat_key = ${row}.heat_key`
  return `SELECT json_build_object('count', count(*), 'first', coalesce(
      json_agg(x.mill_certification_id ORDER BY x.place) FILTER (WHERE x.place <= ${mostOfOneHeat}), '[]')) AS blocked
    FROM (
      SELECT s.mill_certification_id, row_number() OVER (ORDER BY s.mill_certification_id) AS place
      FROM (
        SELECT r.mill_certification_id FROM ${reading.table(certificates, 'certificate')} r
        WHERE ${ofHeat('r')} AND r.status = 'Rejected'
        UNION
        SELECT h.mill_certification_id FROM ${reading.table(certificates, 'certificateTag')} h
        WHERE ${ofHeat('h')} AND h.tag_id = ANY(ARRAY(
          SELECT t.tag_id FROM ${reading.table(tags, 'tag')} t
          WHERE t.company_id = ${row}.company_id AND t.family = 'millCert' AND t.active AND t.severity = 'Block'))
      ) bad
      CROSS JOIN LATERAL (
        SELECT * FROM ${reading.table(certificates, 'certificate')} s
        WHERE s.company_id = ${row}.company_id AND s.mill_certification_id = bad.mill_certification_id OFFSET 0
      ) s
      WHERE s.manufacturer_key IS NOT DISTINCT FROM ${row}.manufacturer_key
        AND s.mill_certification_id <> ${row}.mill_certification_id AND s.status <> 'Voided'
    ) x`
}
