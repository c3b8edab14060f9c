import type { Aggregate } from './aggregate.ts'
import { type CertificateContent, certificateFields } from './certificateContent.ts'
import { changesOf } from './changes.ts'
import type { DomainEvent, Stored } from './event.ts'
import { pick } from './fields.ts'
import { conflict } from './refusal.ts'
import {
  type AssignmentEvent,
  assignedSubject,
  type Corrected,
  registeredSubject,
  type Subject,
  type SubjectKind,
} from './subject.ts'
import { familyNames } from './tag.ts'

/** One mill certificate of one heat. Its numbers are its identity and never change. */
export function millCertificateStream(id: string): string {
  return `millCertificate-${id}`
}
/** The aggregate's id. */
export function millCertificateKey(companyId: string, millCertificationId: string): string {
  return `${companyId}_${millCertificationId}`
}

export interface CertificateIdentity {
  readonly companyId: string
  readonly millCertificationId: string
  /** As sent first. */
  readonly certificateNumber: string
  readonly heatNumber: string
}

export type CertificateFacts = CertificateIdentity & CertificateContent

export type MillCertificateRegistered = DomainEvent<'MillCertificateRegistered', CertificateFacts>
export type MillCertificateCorrected = DomainEvent<'MillCertificateCorrected', Corrected<CertificateFacts>>
export type MillCertificateEvent = MillCertificateRegistered | MillCertificateCorrected | AssignmentEvent

export type Certificate = Subject<CertificateFacts>
export type MillCertificate = Certificate | undefined

export const millCertificate: Aggregate<MillCertificate, MillCertificateEvent> = {
  name: 'millCertificate',
  streamName: millCertificateStream,
  initial: undefined,
  evolve,
  eventVersions: {
    MillCertificateRegistered: 1,
    MillCertificateCorrected: 1,
    ManualAssignmentsReplaced: 1,
    RuleAssignmentsReplaced: 1,
  },
}

export const certificateSubject: SubjectKind<CertificateFacts, MillCertificateEvent> = {
  ...familyNames.millCert,
  aggregate: millCertificate,
  key: millCertificateKey,
  carriesFacts: (event) =>
    event.type === 'MillCertificateRegistered' || event.type === 'MillCertificateCorrected',
  refOf: ({ companyId, millCertificationId, certificateNumber }) => ({
    companyId,
    family: 'millCert',
    subjectId: millCertificationId,
    subjectLabel: certificateNumber,
  }),
  forRules: (content) => ({ family: 'millCert', content }),
}

function factsOf(data: CertificateFacts): CertificateFacts {
  const { companyId, millCertificationId, certificateNumber, heatNumber } = data
  return {
    companyId,
    millCertificationId,
    certificateNumber,
    heatNumber,
    ...pick<CertificateContent>(certificateFields, data),
  }
}

function evolve(state: MillCertificate, event: Stored<MillCertificateEvent>): MillCertificate {
  if (event.type === 'MillCertificateRegistered') return registeredSubject(factsOf(event.data), event)
  if (!state) return state
  switch (event.type) {
    case 'MillCertificateCorrected':
      return { ...state, facts: factsOf(event.data), revision: event.revision }
    case 'ManualAssignmentsReplaced':
    case 'RuleAssignmentsReplaced':
      return assignedSubject(state, event)
    default:
      return state
  }
}

/** The same registration again records nothing, whatever was corrected since. */
export function registerCertificate(
  state: MillCertificate,
  identity: CertificateIdentity,
  content: CertificateContent,
): readonly MillCertificateEvent[] {
  if (!state) return [{ type: 'MillCertificateRegistered', data: { ...identity, ...content } }]
  if (changesOf<CertificateContent>(state.registered, content).length === 0) return []
  const { certificateNumber, heatNumber, millCertificationId } = state.facts
  throw conflict(
    'certificate-already-registered',
    `Certificate ${certificateNumber}, heat ${heatNumber}, is registered with another content: correct it instead.`,
    { millCertificationId },
  )
}

export function correctCertificate(
  { facts }: Certificate,
  content: CertificateContent,
): readonly MillCertificateEvent[] {
  const changes = changesOf<CertificateContent>(facts, content)
  if (changes.length === 0) return []
  return [{ type: 'MillCertificateCorrected', data: { ...facts, ...content, changes } }]
}
