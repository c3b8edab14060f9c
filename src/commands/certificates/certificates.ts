import {
  type Certificate,
  type CertificateFacts,
  type CertificateIdentity,
  type CertificateNumbers,
  certificateSubject,
  contentOf,
  correctCertificate as decideToCorrectCertificate,
  registerCertificate as decideToRegisterCertificate,
  upsertCertificate as decideToUpsertCertificate,
  type MillCertificate,
  type MillCertificateEvent,
  millCertificate,
  millCertificateKey,
} from '../../domain/certificates/certificate.ts'
import type { CertificateContent } from '../../domain/certificates/certificateContent.ts'
import type { CertificateStatus } from '../../domain/certificates/certificateStatus.ts'
import { type AttachedDocument, listedDocuments } from '../../domain/documents/certificateDocuments.ts'
import type { DecisionContext } from '../../domain/kernel/aggregate.ts'
import { type Edit, editedContent, type Upsert } from '../../domain/kernel/edit.ts'
import { millCertificationIdOf } from '../../domain/kernel/identifiers.ts'
import type { Fault } from '../../domain/kernel/refusal.ts'
import { isSpelledAlike } from '../../domain/kernel/spellings.ts'
import { withRuleAssignments } from '../../domain/tags/subject.ts'
import type { ShownTag } from '../../domain/tags/tag.ts'
import type { TagCatalogue } from '../../domain/tags/tagCatalogue.ts'
import { refusals } from '../../problems/catalogue.ts'
import { type Answered, type Command, onRecord, onStream } from '../executor/command.ts'
import { activeTags, catalogueOf, latestUpdate } from '../tags/catalogue.ts'

/** A certificate as it is answered. */
export interface CertificateRecord extends CertificateFacts {
  readonly registeredAt: string
  readonly updatedAt: string
  readonly updatedBy: string
  readonly status: CertificateStatus
  readonly replacedBy: string | null
  readonly revision: number
  readonly documents: readonly AttachedDocument[]
  readonly tags: readonly ShownTag[]
  readonly blocked: boolean
}

/** Numbers that a correction may repeat. */
type RepeatedNumbers = {
  readonly [Name in keyof CertificateNumbers]?: CertificateNumbers[Name] | undefined
}

/** Register a certificate. Its id follows from its numbers. */
export function registerCertificate(
  companyId: string,
  numbers: CertificateNumbers,
  content: CertificateContent,
): Command<CertificateRecord> {
  const decide: DecideByNumbers = (state, identity) => decideToRegisterCertificate(state, identity, content)
  return { ...byNumbers(companyId, numbers, decide), opensStream: true }
}

/** Register a certificate, or correct the registered certificate with these numbers. */
export function upsertCertificate(
  companyId: string,
  numbers: CertificateNumbers,
  upsert: Upsert<CertificateContent>,
): Command<CertificateRecord> {
  return byNumbers(companyId, numbers, (state, identity, { actor }) =>
    decideToUpsertCertificate(state, identity, upsert, actor.id),
  )
}
registerCertificate.refuses = refusals('certificate-already-registered', 'looks-like-another')

export function correctCertificate(
  companyId: string,
  millCertificationId: string,
  numbers: RepeatedNumbers,
  edit: Edit<CertificateContent>,
): Command<CertificateRecord> {
  return onRecord({
    aggregate: millCertificate,
    id: millCertificateKey(companyId, millCertificationId),
    record: { missing: 'certificate-not-found', id: millCertificationId, find: (state) => state },
    dependencies: catalogueOf(companyId),
    decide: (certificate, context, catalogue) => {
      const present = contentOf(certificate.facts)
      const content = editedContent(edit, present, faultsOfNumbers(certificate, numbers))
      const decided = decideToCorrectCertificate(certificate, content)
      return withRuleAssignments(certificateSubject, decided, certificate, catalogue, context)
    },
    answer: (certificate, _recorded, catalogue) => presentCertificate(certificate, catalogue),
  })
}
correctCertificate.refuses = refusals('certificate-not-found', 'certificate-voided')

type DecideByNumbers = (
  state: MillCertificate,
  identity: CertificateIdentity,
  context: DecisionContext,
) => readonly MillCertificateEvent[]

/** Build a command on the certificate that has these numbers, or will have them. */
function byNumbers(
  companyId: string,
  numbers: CertificateNumbers,
  decide: DecideByNumbers,
): Command<CertificateRecord> {
  const { certificateNumber, heatNumber, item = null } = numbers
  const millCertificationId = millCertificationIdOf(companyId, certificateNumber, heatNumber, item)
  const identity = { companyId, millCertificationId, certificateNumber, heatNumber, item }
  return onStream({
    aggregate: millCertificate,
    id: millCertificateKey(companyId, millCertificationId),
    dependencies: catalogueOf(companyId),
    decide: (state, context, catalogue) => {
      const decided = decide(state, identity, context)
      return withRuleAssignments(certificateSubject, decided, state, catalogue, context)
    },
    answer: (state, _recorded, catalogue) => presentCertificate(state, catalogue),
  })
}

export function presentCertificate(
  certificate: Certificate,
  catalogue: TagCatalogue,
): Answered<CertificateRecord> {
  const { facts, registeredAt, updatedBy, status, replacedBy, documents, revision, assignments } = certificate
  const updatedAt = latestUpdate(catalogue, certificate)
  const dated = { registeredAt, updatedAt, updatedBy, status, replacedBy, revision }
  const shown = { ...activeTags(catalogue, assignments), documents: listedDocuments(documents) }
  return { body: { ...facts, ...dated, ...shown }, etag: revision }
}

/** The numbers never change. */
function faultsOfNumbers({ facts }: Certificate, numbers: RepeatedNumbers): Fault[] {
  return (['certificateNumber', 'heatNumber', 'item'] as const)
    .filter((field) => numbers[field] !== undefined && !isSameNumber(numbers[field], facts[field] ?? null))
    .map((field) => ({
      path: `/${field}`,
      code: 'unchangeable',
      message: `It never changes: it is ${facts[field] ?? 'absent'}.`,
    }))
}

function isSameNumber(sent: string | null, registered: string | null): boolean {
  return sent === null || registered === null ? sent === registered : isSpelledAlike(sent, registered)
}
