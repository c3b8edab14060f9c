import type { CertificateRecord } from '../../../commands/certificates.ts'
import { defaultReleasePolicy } from '../../../domain/releasePolicy.ts'
import { judgeCertificate } from '../../../domain/verdict.ts'
import type { Reader } from '../../../projections/reading/reader.ts'
import {
  certificateJudgedFrom,
  type FoundCertificate,
  findCertificate,
} from '../../../projections/verdicts.ts'
import { certificate } from './certificate.ts'
import { ownFindings } from './finding.ts'

/** A single mill certificate is answered with its findings, by GET and by every command on it. */

export const singleCertificate = certificate
  .extend({ findings: ownFindings })
  .meta({ id: 'CertificateWithFindings' })

/** Answer a row of `findCertificate`. */
export function presentFound({ notJudgedBy, blockedOfSameHeat, policy, ...shown }: FoundCertificate): object {
  const facts = { blockedOfSameHeat, policy: policy ?? defaultReleasePolicy }
  return { ...shown, findings: judgeCertificate({ ...shown, notJudgedBy }, facts) }
}

/** Answer a certificate as a command decided it. Without a reader, only its own values are judged. */
export async function presentDecided(decided: CertificateRecord, reader?: Reader): Promise<object> {
  const { companyId, millCertificationId } = decided
  const read = await reader?.read(certificateJudgedFrom, (moment) =>
    moment.query<FoundCertificate>(findCertificate(moment, companyId, millCertificationId)),
  )
  const { notJudgedBy = [], blockedOfSameHeat = [], policy = null } = read?.value[0] ?? {}
  return presentFound({ ...decided, notJudgedBy, blockedOfSameHeat, policy })
}
