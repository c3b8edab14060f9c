import { noAssignments } from '../domain/assignments.ts'
import { millCertificationIdOf, normalise } from '../domain/identifiers.ts'
import {
  type Certificate,
  type CertificateContent,
  correctCertificate as decideCorrect,
  registerCertificate as decideRegister,
  evaluatedCertificate,
  type MillCertificate,
  type MillCertificateEvent,
  millCertificate,
  millCertificateKey,
} from '../domain/millCertificate.ts'
import { type Fault, invalid } from '../domain/refusal.ts'
import type { TagCatalogue } from '../domain/tagCatalogue.ts'
import { catalogueOf, type ShownTag, shownTags } from './catalogue.ts'
import type { Command } from './command.ts'

/** A certificate as it is answered. */
export interface CertificateRecord extends CertificateContent {
  readonly millCertificationId: string
  readonly companyId: string
  readonly certificateNumber: string
  readonly heatNumber: string
  readonly registeredAt: string
  readonly tags: readonly ShownTag[]
  readonly blocked: boolean
}

type CertificateCommand = Command<MillCertificate, MillCertificateEvent, CertificateRecord, TagCatalogue>

const answered = (state: MillCertificate, catalogue: TagCatalogue) => {
  const { identity, content, registeredAt, revision, assignments } = state!
  return {
    body: { ...identity, ...content, registeredAt, ...shownTags(catalogue, assignments) },
    etag: revision,
  }
}

/** Its id follows from its numbers. */
export const registerCertificate = (
  companyId: string,
  { certificateNumber, heatNumber }: { certificateNumber: string; heatNumber: string },
  content: CertificateContent,
): CertificateCommand => {
  const millCertificationId = millCertificationIdOf(companyId, certificateNumber, heatNumber)
  const identity = { companyId, millCertificationId, certificateNumber, heatNumber }
  return {
    aggregate: millCertificate,
    id: millCertificateKey(companyId, millCertificationId),
    opensStream: true,
    consult: catalogueOf(companyId),
    decide: (state, context, catalogue) =>
      evaluatedCertificate(decideRegister(state, identity, content), noAssignments, catalogue, context),
    answer: (state, _recorded, catalogue) => answered(state, catalogue),
  }
}

const refuseOtherNumbers = (
  { identity }: Certificate,
  numbers: { certificateNumber?: string | undefined; heatNumber?: string | undefined },
): void => {
  const faults: Fault[] = (['certificateNumber', 'heatNumber'] as const)
    .filter(
      (field) => numbers[field] !== undefined && normalise(numbers[field]) !== normalise(identity[field]),
    )
    .map((field) => ({ path: `/${field}`, message: `It never changes: it is ${identity[field]}.` }))
  if (faults.length > 0) throw invalid(faults, 'The numbers of a certificate never change.')
}

export const correctCertificate = (
  companyId: string,
  millCertificationId: string,
  numbers: { certificateNumber?: string | undefined; heatNumber?: string | undefined },
  content: CertificateContent,
): CertificateCommand => ({
  aggregate: millCertificate,
  id: millCertificateKey(companyId, millCertificationId),
  target: (state) => state,
  addressed: { what: 'mill certificate', id: millCertificationId },
  consult: catalogueOf(companyId),
  decide: (state, context, catalogue) => {
    refuseOtherNumbers(state!, numbers)
    return evaluatedCertificate(decideCorrect(state!, content), state!.assignments, catalogue, context)
  },
  answer: (state, _recorded, catalogue) => answered(state, catalogue),
})
