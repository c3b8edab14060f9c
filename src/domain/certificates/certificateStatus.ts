import type { Change } from '../kernel/changes.ts'
import type { DomainEvent } from '../kernel/event.ts'
import { conflict } from '../kernel/refusal.ts'
import type { CertificateContent } from './certificateContent.ts'

/** The decisions on a mill certificate: whether its steel may be used. */

export const certificateStatuses = ['Received', 'Released', 'Rejected', 'Voided'] as const
export type CertificateStatus = (typeof certificateStatuses)[number]

export interface CertificateRef {
  readonly companyId: string
  readonly millCertificationId: string
}

export type CertificateReleased = DomainEvent<
  'CertificateReleased',
  CertificateRef & { readonly note: string | null }
>
export type CertificateRejected = DomainEvent<
  'CertificateRejected',
  CertificateRef & { readonly reason: string }
>
export type CertificateReopened = DomainEvent<
  'CertificateReopened',
  CertificateRef & { readonly reason: string }
>
export type CertificateVoided = DomainEvent<
  'CertificateVoided',
  CertificateRef & { readonly reason: string; readonly replacedBy: string | null }
>
export type CertificateReinstated = DomainEvent<
  'CertificateReinstated',
  CertificateRef & { readonly reason: string }
>
export type CertificateDecision =
  | CertificateReleased
  | CertificateRejected
  | CertificateReopened
  | CertificateVoided
  | CertificateReinstated

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
  Record<
    CertificateDecision['type'],
    { readonly from: readonly CertificateStatus[]; readonly to: CertificateStatus }
  >
>

/** The values that a release vouches for. */
const judgedFields: readonly (keyof CertificateContent)[] = [
  ...(['grade', 'standard', 'profile', 'deliveryCondition', 'zQuality'] as const),
  ...(['inspectionDocument', 'thicknessMm', 'nominalDiameterMm', 'chemistry', 'analysis'] as const),
  ...(['mechanical', 'tests', 'bend', 'rebend'] as const),
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

/** A certificate as decisions see it. */
export interface DecidedCertificate {
  readonly facts: CertificateRef
  readonly status: CertificateStatus
  /** The user who registered it. */
  readonly registeredBy: string
  /** The user who last registered or corrected it. */
  readonly updatedBy: string
}

export function releaseCertificate(
  certificate: DecidedCertificate,
  note: string | null,
  { callerId, fourEyes }: { readonly callerId: string; readonly fourEyes: boolean },
): readonly CertificateReleased[] {
  if (isDecided(certificate, 'CertificateReleased')) return []
  refuseOutOfTurn(certificate, 'CertificateReleased')
  if (fourEyes && (certificate.registeredBy === callerId || certificate.updatedBy === callerId))
    throw conflict(
      'four-eyes',
      'You have registered or last corrected this certificate, so somebody else has to release it.',
    )
  return [{ type: 'CertificateReleased', data: { ...refOf(certificate), note } }]
}

export function rejectCertificate(
  certificate: DecidedCertificate,
  reason: string,
): readonly CertificateRejected[] {
  if (isDecided(certificate, 'CertificateRejected')) return []
  refuseOutOfTurn(certificate, 'CertificateRejected')
  return [{ type: 'CertificateRejected', data: { ...refOf(certificate), reason } }]
}

export function reopenCertificate(
  certificate: DecidedCertificate,
  reason: string,
): readonly CertificateReopened[] {
  if (isDecided(certificate, 'CertificateReopened')) return []
  refuseOutOfTurn(certificate, 'CertificateReopened')
  return [{ type: 'CertificateReopened', data: { ...refOf(certificate), reason } }]
}

/**
 * Void a certificate. On a Voided certificate, a request records only a replacement, and only if none is known yet. It
 * records nothing if it names no replacement, or the known one.
 */
export function voidCertificate(
  certificate: DecidedCertificate & { readonly replacedBy: string | null },
  reason: string,
  replacedBy: string | null,
): readonly CertificateVoided[] {
  const { status, replacedBy: known } = certificate
  if (status === 'Voided' && (replacedBy === null || replacedBy === known)) return []
  if (status === 'Voided' && known !== null)
    throw conflict(
      'certificate-not-allowed',
      `Certificate ${certificate.facts.millCertificationId} is voided and replaced by ${known}. Reinstate it before you void it with another replacement.`,
      { state: status },
    )
  return [{ type: 'CertificateVoided', data: { ...refOf(certificate), reason, replacedBy } }]
}

export function reinstateCertificate(
  certificate: DecidedCertificate,
  reason: string,
): readonly CertificateReinstated[] {
  refuseOutOfTurn(certificate, 'CertificateReinstated')
  return [{ type: 'CertificateReinstated', data: { ...refOf(certificate), reason } }]
}

function isDecided({ status }: DecidedCertificate, type: CertificateDecision['type']): boolean {
  return status === certificateTransitions[type].to
}

/** @throws Refusal `certificate-not-allowed` */
function refuseOutOfTurn({ facts, status }: DecidedCertificate, type: CertificateDecision['type']): void {
  const from: readonly CertificateStatus[] = certificateTransitions[type].from
  if (!from.includes(status))
    throw conflict(
      'certificate-not-allowed',
      `Certificate ${facts.millCertificationId} is ${status}, and must be ${from.join(' or ')} for this.`,
      { state: status },
    )
}

function refOf({ facts: { companyId, millCertificationId } }: DecidedCertificate): CertificateRef {
  return { companyId, millCertificationId }
}
