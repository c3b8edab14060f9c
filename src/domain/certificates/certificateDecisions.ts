import { inWords, judgementFields, type KeptJudgement } from '../bars/keptJudgement.ts'
import type { DomainEvent } from '../kernel/event.ts'
import { conflict, type Refusal } from '../kernel/refusal.ts'
import { type Finding, stands } from '../verdict/verdict.ts'
import { type CertificateRef, type CertificateStatus, certificateTransitions } from './certificateStatus.ts'

/** The decisions on a mill certificate. */

export type CertificateReleased = DomainEvent<
  'CertificateReleased',
  CertificateRef &
    // The Block findings that the reason covers.
    Partial<KeptJudgement> & { readonly note: string | null; readonly reason?: string }
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

/** A certificate as decisions see it. */
interface DecidedCertificate {
  readonly facts: CertificateRef
  readonly status: CertificateStatus
  /** The user who registered it. */
  readonly registeredBy: string
  /** The user who last registered or corrected it. */
  readonly updatedBy: string
}

/** A release as a request gives it. */
export interface ReleaseRequest {
  readonly note?: string | null | undefined
  /** Why the certificate is released in spite of Block findings. */
  readonly reason?: string | null | undefined
}

interface Releasing {
  readonly callerId: string
  readonly fourEyes: boolean
  /** The findings of the certificate by itself, once it is Released. */
  readonly findings: readonly Finding[]
}

/** Release a certificate. One with Block findings needs a reason, and the event keeps what the reason covers. @throws Refusal */
export function releaseCertificate(
  certificate: DecidedCertificate,
  { note = null, reason = null }: ReleaseRequest,
  { callerId, fourEyes, findings }: Releasing,
): readonly CertificateReleased[] {
  if (isDecided(certificate, 'CertificateReleased')) return []
  refuseOutOfTurn(certificate, 'CertificateReleased')
  if (fourEyes && (certificate.registeredBy === callerId || certificate.updatedBy === callerId))
    throw conflict(
      'four-eyes',
      'You have registered or last corrected this certificate, so somebody else has to release it.',
    )
  const blocks = findings.filter(stands)
  if (blocks.length > 0 && reason === null) throw blockedRefusal(certificate, blocks)
  return [
    {
      type: 'CertificateReleased',
      data: {
        ...refOf(certificate),
        note,
        ...(reason !== null && { reason }),
        ...(blocks.length > 0 && judgementFields(blocks)),
      },
    },
  ]
}

function blockedRefusal({ facts }: DecidedCertificate, blocks: readonly Finding[]): Refusal {
  return conflict(
    'certificate-blocked',
    `Certificate ${facts.millCertificationId} has Block findings, so it is not released: ${inWords(blocks)} Release it with a reason only if you answer for them.`,
    { findings: blocks },
  )
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
