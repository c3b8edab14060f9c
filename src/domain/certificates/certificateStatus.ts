import type { Change } from '../kernel/changes.ts'
import type { CertificateContent } from './certificateContent.ts'

/** The status of a mill certificate: whether its steel may be used. */

export const certificateStatuses = ['Received', 'Released', 'Rejected', 'Voided'] as const
export type CertificateStatus = (typeof certificateStatuses)[number]

export interface CertificateRef {
  readonly companyId: string
  readonly millCertificationId: string
}

/**
 * The statuses that each decision may find, and the status that it gives. A certificate is Received when it is
 * registered; a correction of a judged value makes a Released one Received again.
 */
export const certificateTransitions = {
  CertificateReleased: { from: ['Received'], to: 'Released' },
  CertificateRejected: { from: ['Received', 'Released'], to: 'Rejected' },
  CertificateReopened: { from: ['Released', 'Rejected'], to: 'Received' },
  /** On a Voided one it only names the replacement. */
  CertificateVoided: { from: certificateStatuses, to: 'Voided' },
  CertificateReinstated: { from: ['Voided'], to: 'Received' },
} as const satisfies Readonly<
  Record<string, { readonly from: readonly CertificateStatus[]; readonly to: CertificateStatus }>
>

/** The values that a release vouches for. */
const judgedFields: readonly (keyof CertificateContent)[] = [
  ...(['grade', 'standard', 'profile', 'deliveryCondition', 'zQuality'] as const),
  ...(['inspectionDocument', 'thicknessMm', 'nominalDiameterMm', 'chemistry', 'analysis'] as const),
  ...(['mechanical', 'tests', 'bend', 'rebend', 'documentRevision'] as const),
  ...(['ultrasonicClass', 'surfaceClass', 'statedCev'] as const),
]

/** A correction of a judged value takes a release back, because it vouched for another value. */
export function statusAfterCorrection(
  status: CertificateStatus,
  changes: readonly Change[],
): CertificateStatus {
  return status === 'Released' && changes.some(isJudgedField) ? 'Received' : status
}

export function isJudgedField({ field }: Change): boolean {
  return (judgedFields as readonly string[]).includes(field)
}
