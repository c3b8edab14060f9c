import { noAssignments } from '../domain/assignments.ts'
import type { CertificateContent } from '../domain/certificateContent.ts'
import { millCertificationIdOf, normalise } from '../domain/identifiers.ts'
import * as certificate from '../domain/millCertificate.ts'
import { type Fault, invalid } from '../domain/refusal.ts'
import { withRuleAssignments } from '../domain/subject.ts'
import type { ShownTag } from '../domain/tag.ts'
import type { TagCatalogue } from '../domain/tagCatalogue.ts'
import { catalogueOf, shownTags } from './catalogue.ts'
import { type Command, onRecord, onStream } from './command.ts'

/** A certificate as it is answered. */
export interface CertificateRecord extends certificate.CertificateFacts {
  readonly registeredAt: string
  readonly tags: readonly ShownTag[]
  readonly blocked: boolean
}

interface Numbers {
  readonly certificateNumber?: string | undefined
  readonly heatNumber?: string | undefined
}

/** Register a certificate. Its id follows from its numbers. */
export function registerCertificate(
  companyId: string,
  { certificateNumber, heatNumber }: { certificateNumber: string; heatNumber: string },
  content: CertificateContent,
): Command<CertificateRecord> {
  const millCertificationId = millCertificationIdOf(companyId, certificateNumber, heatNumber)
  const identity = { companyId, millCertificationId, certificateNumber, heatNumber }
  return onStream({
    aggregate: certificate.millCertificate,
    id: certificate.millCertificateKey(companyId, millCertificationId),
    opensStream: true,
    dependencies: catalogueOf(companyId),
    decide: (state, context, catalogue) => {
      const decided = certificate.registerCertificate(state, identity, content)
      return withRuleAssignments(certificate.certificateSubject, decided, noAssignments, catalogue, context)
    },
    answer: (state, _recorded, catalogue) => answered(state, catalogue),
  })
}

export function correctCertificate(
  companyId: string,
  millCertificationId: string,
  numbers: Numbers,
  content: CertificateContent,
): Command<CertificateRecord> {
  return onRecord({
    aggregate: certificate.millCertificate,
    id: certificate.millCertificateKey(companyId, millCertificationId),
    record: { noun: certificate.certificateSubject.noun, id: millCertificationId, find: (state) => state },
    dependencies: catalogueOf(companyId),
    decide: (known, context, catalogue) => {
      refuseOtherNumbers(known, numbers)
      const decided = certificate.correctCertificate(known, content)
      return withRuleAssignments(
        certificate.certificateSubject,
        decided,
        known.assignments,
        catalogue,
        context,
      )
    },
    answer: (known, _recorded, catalogue) => answered(known, catalogue),
  })
}

function answered(known: certificate.Certificate, catalogue: TagCatalogue) {
  const { facts, registeredAt, revision, assignments } = known
  return { body: { ...facts, registeredAt, ...shownTags(catalogue, assignments) }, etag: revision }
}

function refuseOtherNumbers({ facts }: certificate.Certificate, numbers: Numbers): void {
  const faults: Fault[] = (['certificateNumber', 'heatNumber'] as const)
    .filter((field) => numbers[field] !== undefined && normalise(numbers[field]) !== normalise(facts[field]))
    .map((field) => ({ path: `/${field}`, message: `It never changes: it is ${facts[field]}.` }))
  if (faults.length > 0) throw invalid(faults, 'The numbers of a certificate never change.')
}
