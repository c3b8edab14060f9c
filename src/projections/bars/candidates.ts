import type { CandidateSearch } from '../../domain/bars/candidates.ts'
import type { NamedCertificate } from '../../domain/verdict/verdictFacts.ts'
import { certificates } from '../certificates/certificates.ts'
import { fieldsSql } from '../engine/reading/listQuery.ts'
import type { Query, Reading } from '../engine/reading/reader.ts'
import { namedCertificateFields, ofCertificate } from './verdicts.ts'

/** The certificates that a bar could be cut with, found by the steels that they name. */

/** A certificate to judge. */
export interface CandidatePlace {
  readonly millCertificationId: string
  /** Whether it is of the demanded steel and profile. */
  readonly isExact: boolean
}

/**
 * Find certificates by their steels: those of the demanded steel and profile first, then those that suit, then others
 * if they may be taken, and among equals the newest.
 */
export function listCandidatePlaces(
  reading: Reading,
  companyId: string,
  { exact, suitable, profiles, others }: CandidateSearch,
  limit: number,
): Query {
  // A certificate that states no profile may be of any.
  const wanted = suitable.flatMap((steelKey) =>
    (profiles.length > 0 ? [...profiles, ''] : [null]).map((profileKey) => ({
      steelKey,
      profileKey,
      isExact: exact.includes(steelKey) && profileKey !== '',
    })),
  )
  const isOfProfile = profiles.length > 0 ? 'AND g.profile_key = wanted.profile_key' : ''
  const selectMatching = (where: string) => `
        SELECT g.mill_certification_id, g.registered_at
        FROM ${reading.table(certificates, 'certificateGrade')} g
        JOIN ${reading.table(certificates, 'certificate')} m
          ON m.company_id = g.company_id AND m.mill_certification_id = g.mill_certification_id
          AND m.status NOT IN ('Rejected', 'Voided')
        WHERE g.company_id = $1 AND ${where}
        ORDER BY g.registered_at DESC, g.mill_certification_id DESC LIMIT $5`
  // Every certificate has a key with ordinal 0.
  const ofOthers = `
      UNION ALL
      SELECT one.*, false AS is_exact, false AS is_suitable FROM (${selectMatching('g.ordinal = 0')}) one`
  return {
    text: `
      SELECT mill_certification_id AS "millCertificationId", bool_or(is_exact) AS "isExact"
      FROM (
      SELECT one.*, wanted.is_exact, true AS is_suitable
      FROM unnest($2::text[], $3::text[], $4::boolean[]) AS wanted(steel_key, profile_key, is_exact)
      CROSS JOIN LATERAL (${selectMatching(`g.steel_key = wanted.steel_key ${isOfProfile}`)}) one
      ${others ? ofOthers : ''}
      ) found
      GROUP BY mill_certification_id, registered_at
      ORDER BY "isExact" DESC, bool_or(is_suitable) DESC, registered_at DESC, mill_certification_id DESC LIMIT $5`,
    values: [
      companyId,
      wanted.map(({ steelKey }) => steelKey),
      wanted.map(({ profileKey }) => profileKey),
      wanted.map(({ isExact }) => isExact),
      limit,
    ],
  }
}

/** A certificate with every fact that it is judged from. */
export interface CandidateFacts extends NamedCertificate {
  readonly registeredAt: string
}

const candidateFields = {
  ...namedCertificateFields,
  registeredAt: 'm.registered_at',
} satisfies Record<keyof CandidateFacts, string>

/** Find the certificates, in the order of their places. Their tests are null if they do not count. */
export function findCandidateFacts(
  reading: Reading,
  companyId: string,
  places: readonly CandidatePlace[],
  testsCount: boolean,
): Query {
  const fields = { ...candidateFields, ...(!testsCount && { tests: 'NULL', mechanical: 'NULL' }) }
  return {
    text: `SELECT ${fieldsSql(fields)}
      FROM unnest($2::uuid[]) WITH ORDINALITY AS place(id, ordinal)
      JOIN ${reading.table(certificates, 'certificate')} m
        ON m.company_id = $1 AND m.mill_certification_id = place.id
      ${ofCertificate(reading)}
      ORDER BY place.ordinal`,
    values: [companyId, places.map(({ millCertificationId }) => millCertificationId)],
  }
}
