import {
  type Certificate,
  type MillCertificate,
  type MillCertificateEvent,
  millCertificate,
  millCertificateKey,
} from '../../domain/certificates/certificate.ts'
import {
  reinstateCertificate as decideToReinstateCertificate,
  rejectCertificate as decideToRejectCertificate,
  releaseCertificate as decideToReleaseCertificate,
  reopenCertificate as decideToReopenCertificate,
  voidCertificate as decideToVoidCertificate,
} from '../../domain/certificates/certificateStatus.ts'
import { company, releasePolicyOf } from '../../domain/company/company.ts'
import type { DecisionContext } from '../../domain/kernel/aggregate.ts'
import { invalid } from '../../domain/kernel/refusal.ts'
import type { TagCatalogue } from '../../domain/tags/tagCatalogue.ts'
import type { ReleasePolicy } from '../../domain/verdict/releasePolicy.ts'
import type { ProblemCode } from '../../problems/catalogue.ts'
import { type Command, type Load, onRecord, type Workflow } from '../executor/command.ts'
import { contextsOnSeen, type DecisionOnOne, decideOnMany, type Seen } from '../executor/decideOnMany.ts'
import { catalogueOf } from '../tags/catalogue.ts'
import { answered, type CertificateRecord } from './certificates.ts'

/**
 * The decisions of a quality engineer on a certificate. The same decision again records nothing, with one exception: to
 * reinstate a certificate again is refused, because only a Voided one can be reinstated.
 */

export interface CertificateAddress {
  readonly companyId: string
  readonly millCertificationId: string
}

export function releaseCertificate(
  address: CertificateAddress,
  note: string | null,
): Command<CertificateRecord> {
  return decideOn(address, (certificate, { actor }, { policy: { fourEyes } }) =>
    decideToReleaseCertificate(certificate, note, { callerId: actor.id, fourEyes }),
  )
}
releaseCertificate.refuses = [
  'certificate-not-found',
  'certificate-not-allowed',
  'four-eyes',
] as const satisfies readonly ProblemCode[]

/** Release each of these certificates. One that cannot be released does not hold up the others. */
export function releaseCertificates(
  companyId: string,
  { ids, revisions, note }: { readonly ids: readonly string[]; readonly note: string | null } & Seen,
): Workflow<readonly DecisionOnOne[]> {
  return {
    aggregate: millCertificate,
    run: ({ execute }, context) =>
      decideOnMany(
        ids,
        (millCertificationId) => releaseCertificate({ companyId, millCertificationId }, note),
        execute,
        contextsOnSeen(context, revisions),
      ),
  }
}

export function rejectCertificate(address: CertificateAddress, reason: string): Command<CertificateRecord> {
  return decideOn(address, (certificate) => decideToRejectCertificate(certificate, reason))
}

export function reopenCertificate(address: CertificateAddress, reason: string): Command<CertificateRecord> {
  return decideOn(address, (certificate) => decideToReopenCertificate(certificate, reason))
}

export function reinstateCertificate(
  address: CertificateAddress,
  reason: string,
): Command<CertificateRecord> {
  return decideOn(address, (certificate) => decideToReinstateCertificate(certificate, reason))
}
rejectCertificate.refuses = [
  'certificate-not-found',
  'certificate-not-allowed',
] as const satisfies readonly ProblemCode[]

/** Void a certificate. Its replacement must be another certificate of the company that is not voided. */
export function voidCertificate(
  address: CertificateAddress,
  reason: string,
  replacedBy: string | null,
): Command<CertificateRecord> {
  return decideOn(
    address,
    (certificate, _context, { replacement }) => {
      const voided = decideToVoidCertificate(certificate, reason, replacedBy)
      if (voided.length > 0 && replacedBy !== null) refuseReplacement(address, replacedBy, replacement)
      return voided
    },
    replacedBy,
  )
}

/** @throws Refusal 400 */
export function refuseReplacement(
  { millCertificationId }: CertificateAddress,
  replacedBy: string,
  replacement: MillCertificate,
): void {
  const fault = { path: '/replacedBy', record: { millCertificationId: replacedBy } }
  if (!replacement || replacedBy === millCertificationId)
    throw invalid([
      { ...fault, code: 'unknown-record', message: `There is no other mill certificate ${replacedBy}.` },
    ])
  if (replacement.status === 'Voided')
    throw invalid([
      {
        ...fault,
        code: 'voided-record',
        message: `Mill certificate ${replacedBy} is voided, so it cannot replace another.`,
      },
    ])
}

interface Dependencies {
  readonly catalogue: TagCatalogue
  readonly policy: ReleasePolicy
  readonly replacement: MillCertificate
}

function decideOn(
  { companyId, millCertificationId }: CertificateAddress,
  decide: (
    certificate: Certificate,
    context: DecisionContext,
    dependencies: Dependencies,
  ) => readonly MillCertificateEvent[],
  replacedBy: string | null = null,
): Command<CertificateRecord> {
  return onRecord({
    aggregate: millCertificate,
    id: millCertificateKey(companyId, millCertificationId),
    record: { missing: 'certificate-not-found', id: millCertificationId, find: (state) => state },
    dependencies: async (load) => ({
      catalogue: await catalogueOf(companyId)(load),
      policy: releasePolicyOf((await load(company, companyId)).state),
      replacement: await replacementOf(load, companyId, replacedBy),
    }),
    decide,
    answer: (certificate, _recorded, { catalogue }) => answered(certificate, catalogue),
  })
}

/** Load the certificate that is to replace another. */
export async function replacementOf(
  load: Load,
  companyId: string,
  replacedBy: string | null,
): Promise<MillCertificate> {
  if (replacedBy === null) return undefined
  return (await load(millCertificate, millCertificateKey(companyId, replacedBy))).state
}
