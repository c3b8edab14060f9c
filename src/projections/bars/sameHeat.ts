import type { OtherAnalysis } from '../../domain/verdict/verdictFacts.ts'
import { certificates } from '../certificates/certificates.ts'
import { jsonList } from '../engine/reading/listQuery.ts'
import type { Reading } from '../engine/reading/reader.ts'
import { tags } from '../tags/tags.ts'

/** The other certificates of the heat and manufacturer of a certificate. Voided ones do not count. */

/** The largest number of certificates of one heat to name. */
const mostOfOneHeat = 20

/** SQL that finds `SameHeat` as `heat`. Heat numbers of different manufacturers may be equal by chance. */
export function sameHeat(reading: Reading, row: string): string {
  return `SELECT json_build_object('blocked', b.blocked, 'analyses', a.analyses) AS heat
    FROM (${blockedOfHeat(reading, row)}) b CROSS JOIN (${analysesOfHeat(reading, row)}) a`
}

/** A heat may have thousands of certificates, so only those that are Rejected or have a Block are looked up. */
function blockedOfHeat(reading: Reading, row: string): string {
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

/** Step through the index from one ladle analysis to the next: a heat has one as a rule, on however many certificates. */
function analysesOfHeat(reading: Reading, row: string): string {
  const next = (after: string) => `
    SELECT n.ladle_analysis_key, n.mill_certification_id, n.certificate_number, n.chemistry
    FROM ${reading.table(certificates, 'certificate')} n
    WHERE n.company_id = ${row}.company_id AND n.heat_key = ${row}.heat_key
      AND coalesce(n.manufacturer_key, '') = coalesce(${row}.manufacturer_key, '')
      AND n.ladle_analysis_key > ${after} AND n.ladle_analysis_key IS NOT NULL AND n.status <> 'Voided'
    ORDER BY n.ladle_analysis_key LIMIT 1`
  const other = {
    millCertificationId: 'o.mill_certification_id',
    certificateNumber: 'o.certificate_number',
    chemistry: 'o.chemistry',
  } satisfies Record<keyof OtherAnalysis, string>
  return `WITH RECURSIVE stated AS (
      (${next("''")})
      UNION ALL
      SELECT n.* FROM stated CROSS JOIN LATERAL (${next('stated.ladle_analysis_key')}) n
    )
    SELECT ${jsonList(other, 'o.ladle_analysis_key')} AS analyses FROM (
      SELECT * FROM stated WHERE ladle_analysis_key <> ${row}.ladle_analysis_key LIMIT ${mostOfOneHeat}
    ) o`
}
