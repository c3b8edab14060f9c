import { profileKeyOf } from '../steel/steelProfile.ts'

/** The certificates that the steel of a bar may have, after its heat number was read off the steel. */

/** A live certificate of the heat. */
export interface CertificateOfHeat {
  readonly millCertificationId: string
  readonly certificateNumber: string
  readonly profile: string | null
}

/** The certificates of the heat, and the profiles of the lines that the bar is cut for. */
export interface HeatFacts {
  readonly certificates: readonly CertificateOfHeat[]
  readonly profiles: readonly string[]
}

/** Return the certificates that suit these profiles. A profile that nobody has stated rules nothing out. */
export function ofProfile({ certificates, profiles }: HeatFacts): readonly CertificateOfHeat[] {
  const wanted = new Set(profiles.map(profileKeyOf))
  if (wanted.size === 0) return certificates
  return certificates.filter(({ profile }) => profile === null || wanted.has(profileKeyOf(profile)))
}

/**
 * Return the certificates to offer for a bar: none when it has a live certificate of the heat already. A person chooses,
 * because a certificate that has arrived later may be of another delivery with the same number.
 */
export function offeredFor(
  facts: HeatFacts,
  millCertificationId: string | null,
): readonly CertificateOfHeat[] {
  const isLinked = facts.certificates.some((one) => one.millCertificationId === millCertificationId)
  return isLinked ? [] : ofProfile(facts)
}
