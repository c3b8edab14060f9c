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
  type ReleaseRequest,
} from '../../domain/certificates/certificateDecisions.ts'
import { company, releasePolicyOf } from '../../domain/company/company.ts'
import type { DecisionContext } from '../../domain/kernel/aggregate.ts'
import { invalid } from '../../domain/kernel/refusal.ts'
import type { TagCatalogue } from '../../domain/tags/tagCatalogue.ts'
import { judgeCertificate } from '../../domain/verdict/verdict.ts'
import { refusals } from '../../problems/catalogue.ts'
import { judgedCertificate, type LookUps } from '../bars/judging.ts'
import { type Command, type Load, onRecord, type Workflow } from '../executor/command.ts'
import { contextsOnSeen, type DecisionOnOne, decideOnMany, type Seen } from '../executor/decideOnMany.ts'
import { catalogueOf } from '../tags/catalogue.ts'
import { type CertificateRecord, presentCertificate } from './certificates.ts'

/**
 * The decisions of a quality engineer on a certificate. The same decision again records nothing, with one exception: to
 * reinstate a certificate again is refused, because only a Voided one can be reinstated.
 */

export interface CertificateAddress {
  readonly companyId: string
  readonly millCertificationId: string
}

/** Release a certificate. If a Block stands against it, a reason is required. */
export function releaseCertificate(
  address: CertificateAddress,
  request: ReleaseRequest,
  lookUps: Pick<LookUps, 'sameHeat' | 'stock'>,
): Command<CertificateRecord> {
  return onCertificate(address, {
    load: async (load, certificate) => ({
      policy: releasePolicyOf((await load(company, address.companyId)).state),
      sameHeat: await lookUps.sameHeat(certificate.facts),
      stock: await lookUps.stock(certificate.facts),
    }),
    decide: (certificate, { actor }, { catalogue, policy, sameHeat, stock }) =>
      decideToReleaseCertificate(certificate, request, {
        callerId: actor.id,
        fourEyes: policy.fourEyes,
        findings: judgeCertificate(
          { ...judgedCertificate(certificate, catalogue, stock), status: 'Released' },
          { sameHeat, policy },
        ),
      }),
  })
}
releaseCertificate.refuses = refusals(
  'certificate-not-found',
  'certificate-not-allowed',
  'certificate-blocked',
  'four-eyes',
)

/** Release each of these certificates without a Block. One that cannot be released does not hold up the others. */
export function releaseCertificates(
  companyId: string,
  { ids, revisions, note }: { readonly ids: readonly string[]; readonly note: string | null } & Seen,
  lookUps: Pick<LookUps, 'sameHeat' | 'stock'>,
): Workflow<readonly DecisionOnOne[]> {
  return {
    aggregate: millCertificate,
    run: ({ execute }, context) =>
      decideOnMany(
        ids,
        (millCertificationId) => releaseCertificate({ companyId, millCertificationId }, { note }, lookUps),
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
rejectCertificate.refuses = refusals('certificate-not-found', 'certificate-not-allowed')

/** Void a certificate. Its replacement must be another certificate of the company that is not voided. */
export function voidCertificate(
  address: CertificateAddress,
  reason: string,
  replacedBy: string | null,
): Command<CertificateRecord> {
  return onCertificate(address, {
    load: async (load) => ({ replacement: await replacementOf(load, address.companyId, replacedBy) }),
    decide: (certificate, _context, { replacement }) => {
      const voided = decideToVoidCertificate(certificate, reason, replacedBy)
      if (voided.length > 0 && replacedBy !== null) refuseReplacement(address, replacedBy, replacement)
      return voided
    },
  })
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

function decideOn(
  address: CertificateAddress,
  decide: (certificate: Certificate) => readonly MillCertificateEvent[],
): Command<CertificateRecord> {
  return onCertificate(address, { load: async () => ({}), decide })
}

/** Build a command on a certificate, which decides by the facts that it loads and by the catalogue of tags. */
function onCertificate<Facts extends object>(
  { companyId, millCertificationId }: CertificateAddress,
  {
    load: loadFacts,
    decide,
  }: {
    readonly load: (load: Load, certificate: Certificate) => Promise<Facts>
    readonly decide: (
      certificate: Certificate,
      context: DecisionContext,
      facts: Facts & { readonly catalogue: TagCatalogue },
    ) => readonly MillCertificateEvent[]
  },
): Command<CertificateRecord> {
  return onRecord({
    aggregate: millCertificate,
    id: millCertificateKey(companyId, millCertificationId),
    record: { missing: 'certificate-not-found', id: millCertificationId, find: (state) => state },
    dependencies: async (load, certificate) => ({
      catalogue: await catalogueOf(companyId)(load),
      ...(await loadFacts(load, certificate)),
    }),
    decide,
    answer: (certificate, _recorded, { catalogue }) => presentCertificate(certificate, catalogue),
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
