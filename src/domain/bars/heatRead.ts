import { certificateFields } from '../certificates/certificateContent.ts'
import type { ContentOf } from '../kernel/fields.ts'
import { isSameNumber } from '../kernel/spellings.ts'
import { isSameSection } from '../steel/steelProfile.ts'

/** The certificates that the steel of a bar may have, after its heat number was read off the steel. */

const { manufacturer, grade, profile, thicknessMm } = certificateFields
/** The values by which a person chooses among heats. */
export const heatFields = { manufacturer, grade, profile, thicknessMm }

export type HeatValues = ContentOf<typeof heatFields>

/** A live certificate of the heat, or of a heat whose number people take for it. */
export interface CertificateOfHeat extends HeatValues {
  readonly millCertificationId: string
  readonly certificateNumber: string
  readonly heatNumber: string
}

/** The certificates, and the profiles of the lines that the bar is cut for. */
export interface HeatFacts {
  readonly certificates: readonly CertificateOfHeat[]
  readonly profiles: readonly string[]
}

/** Return the certificates of exactly this heat that suit the profiles. */
export function ofHeat(facts: HeatFacts, heatNumber: string): readonly CertificateOfHeat[] {
  return ofProfile(facts).filter((one) => isSameNumber(one.heatNumber, heatNumber))
}

/**
 * Return the certificates to offer for a bar: none when it has one of them already. A person chooses, because a
 * certificate that has arrived later may be of another delivery with the same number. Certificates of a heat that is
 * spelled in another way are offered only if no certificate has the number as it was read.
 */
export function findOffers(
  facts: HeatFacts,
  heatNumber: string,
  millCertificationId: string | null,
): readonly CertificateOfHeat[] {
  const { certificates } = facts
  if (certificates.some((one) => one.millCertificationId === millCertificationId)) return []
  const isKnown = certificates.some((one) => isSameNumber(one.heatNumber, heatNumber))
  return isKnown ? ofHeat(facts, heatNumber) : ofProfile(facts)
}

/** Return the certificates that suit these profiles. A profile that nobody has stated rules nothing out. */
function ofProfile({ certificates, profiles }: HeatFacts): readonly CertificateOfHeat[] {
  if (profiles.length === 0) return certificates
  const isWanted = (profile: string) => profiles.some((wanted) => isSameSection(wanted, profile))
  return certificates.filter(({ profile }) => profile === null || isWanted(profile))
}
