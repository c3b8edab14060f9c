import { type AuditedAggregate, eventsAbout } from '../audit/audited.ts'
import { changeOf, fieldsOf, partIf, setFrom } from '../audit/words.ts'
import {
  type AttachmentEvent,
  attachmentEvents,
  attachmentsAfter,
  type CertificateDocuments,
  noDocuments,
} from '../documents/certificateDocuments.ts'
import { type Change, changesOf } from '../kernel/changes.ts'
import { type Edit, editedContent, type Sent, type Upsert } from '../kernel/edit.ts'
import type { DomainEvent, Stored } from '../kernel/event.ts'
import { type ContentOf, pick } from '../kernel/fields.ts'
import { conflict, looksLikeAnother } from '../kernel/refusal.ts'
import { isSpelledAlike } from '../kernel/spellings.ts'
import { assignmentEvents } from '../tags/assignmentEvents.ts'
import {
  type AssignmentEvent,
  assignedSubject,
  type Corrected,
  correctedSubject,
  registeredSubject,
  type Subject,
  type SubjectKind,
} from '../tags/subject.ts'
import { familyNames } from '../tags/tag.ts'
import { sentence } from '../verdict/sentence.ts'
import { type CertificateContent, certificateFields, certificateNumbers } from './certificateContent.ts'
import type { CertificateDecision } from './certificateDecisions.ts'
import { type CertificateStatus, certificateTransitions, statusAfterCorrection } from './certificateStatus.ts'
import { decisionEvents } from './decisionEvents.ts'
import { withMechanical } from './materialTests.ts'

/**
 * One mill certificate of one heat. Its numbers are its identity and never change. This file registers and corrects it.
 * The other parts are:
 * - `certificateContent.ts` and `materialTests.ts`: what it states
 * - `certificateStatus.ts`: the table of its statuses, and the decisions that lead from one to another
 * - `documents/certificateDocuments.ts`: the documents that are attached to it
 * - `tags/subject.ts` and `tags/assignments.ts`: its tags
 */
export function millCertificateStream(id: string): string {
  return `millCertificate-${id}`
}
/** The aggregate's id. */
export function millCertificateKey(companyId: string, millCertificationId: string): string {
  return `${companyId}_${millCertificationId}`
}

type Numbers = ContentOf<typeof certificateNumbers>
/** The item may be left out. */
export type CertificateNumbers = Omit<Numbers, 'item'> & Sent<Pick<Numbers, 'item'>>

/** The numbers are as sent first. */
export interface CertificateIdentity extends Numbers {
  readonly companyId: string
  readonly millCertificationId: string
}

export type CertificateFacts = CertificateIdentity & CertificateContent

export type MillCertificateRegistered = DomainEvent<'MillCertificateRegistered', CertificateFacts>
export type MillCertificateCorrected = DomainEvent<'MillCertificateCorrected', Corrected<CertificateFacts>>
/** A Voided certificate is not corrected. Documents and tags do not change the status. */
export type MillCertificateEvent =
  | MillCertificateRegistered
  | MillCertificateCorrected
  | CertificateDecision
  | AttachmentEvent
  | AssignmentEvent

export interface Certificate extends Subject<CertificateFacts> {
  readonly status: CertificateStatus
  /** The certificate that counts in place of a voided one; null if nobody has named one. */
  readonly replacedBy: string | null
  readonly documents: CertificateDocuments
}
export type MillCertificate = Certificate | undefined

export const millCertificate: AuditedAggregate<MillCertificate, MillCertificateEvent> = {
  name: 'millCertificate',
  streamName: millCertificateStream,
  initial: undefined,
  evolve,
  events: {
    ...eventsAbout<MillCertificateRegistered | MillCertificateCorrected>(
      'certificate',
      'millCertificationId',
      {
        MillCertificateRegistered: {
          bound: 'rules',
          tell: ({ certificateNumber, heatNumber }) =>
            sentence('MillCertificateRegistered', { number: certificateNumber, heat: heatNumber }),
          listChanges: (data) => setFrom(pick(certificateFields, data)),
        },
        MillCertificateCorrected: {
          bound: 'rules',
          tell: ({ certificateNumber, changes }, { certificateStatus = 'Received' }) =>
            sentence('MillCertificateCorrected', {
              number: certificateNumber,
              fields: fieldsOf(changes),
              takenBack: partIf(
                statusAfterCorrection(certificateStatus, changes) !== certificateStatus,
                'release-taken-back',
              ),
            }),
          listChanges: ({ changes }, { certificateStatus = 'Received' }) => [
            ...changes,
            ...changeOf('status', certificateStatus, statusAfterCorrection(certificateStatus, changes)),
          ],
        },
      },
    ),
    ...decisionEvents,
    ...attachmentEvents,
    ...assignmentEvents,
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
  const { companyId, millCertificationId } = data
  return { companyId, millCertificationId, ...pick(certificateNumbers, data), ...contentOf(data) }
}

function evolve(state: MillCertificate, event: Stored<MillCertificateEvent>): MillCertificate {
  if (event.type === 'MillCertificateRegistered')
    return {
      ...registeredSubject(factsOf(event.data), event),
      status: 'Received',
      replacedBy: null,
      documents: noDocuments,
    }
  if (!state) return state
  switch (event.type) {
    case 'MillCertificateCorrected':
      return {
        ...state,
        ...correctedSubject(state, factsOf(event.data), event),
        status: statusAfterCorrection(state.status, event.data.changes),
      }
    case 'CertificateReleased':
    case 'CertificateRejected':
    case 'CertificateReopened':
    case 'CertificateVoided':
    case 'CertificateReinstated':
      return {
        ...state,
        status: certificateTransitions[event.type].to,
        replacedBy: event.type === 'CertificateVoided' ? event.data.replacedBy : null,
        updatedAt: event.metadata.occurredAt,
        revision: event.revision,
      }
    case 'DocumentAttached':
    case 'DocumentDetached':
      return {
        ...state,
        documents: attachmentsAfter(state.documents, event),
        updatedAt: event.metadata.occurredAt,
        revision: event.revision,
      }
    case 'ManualAssignmentsReplaced':
    case 'RuleAssignmentsReplaced':
      return { ...state, ...assignedSubject(state, event) }
    default:
      return state
  }
}

/** Content that is recorded already, as it stands or as it was registered, records nothing. */
export function registerCertificate(
  state: MillCertificate,
  identity: CertificateIdentity,
  sent: CertificateContent,
): readonly MillCertificateEvent[] {
  const content = withMechanical(sent)
  if (!state) return [{ type: 'MillCertificateRegistered', data: { ...identity, ...content } }]
  refuseLookAlike(state, identity)
  const differencesFrom = (facts: CertificateFacts) => changesOf<CertificateContent>(facts, content)
  const differences = differencesFrom(state.facts)
  if (differences.length === 0 || differencesFrom(state.registered).length === 0) return []
  throw alreadyRegistered(
    state.facts,
    isAmendment(state.facts, content)
      ? `is registered in an earlier revision, so nothing was recorded. Look at the differences, and correct it.`
      : `is registered with another content, so nothing was recorded. Correct it instead.`,
    differences,
  )
}

function alreadyRegistered(
  { certificateNumber, heatNumber, millCertificationId }: CertificateFacts,
  message: string,
  differences: readonly Change[],
) {
  return conflict(
    'certificate-already-registered',
    `Certificate ${certificateNumber}, heat ${heatNumber}, ${message}`,
    { millCertificationId, differences },
  )
}

/** Whether the mill has issued the document anew since the first one was recorded. */
function isAmendment(recorded: CertificateContent, sent: CertificateContent): boolean {
  return (sent.documentRevision ?? 0) > (recorded.documentRevision ?? 0)
}

/**
 * Register the certificate, or correct it. A caller who repeats its own last words changes nothing, so that a file that
 * is sent every night does not undo what others have corrected since.
 */
export function upsertCertificate(
  state: MillCertificate,
  identity: CertificateIdentity,
  { whole, edit }: Upsert<CertificateContent>,
  callerId: string,
): readonly MillCertificateEvent[] {
  if (!state) return registerCertificate(state, identity, whole())
  refuseLookAlike(state, identity)
  const lastRecorded = state.recordedBy.get(callerId)
  if (lastRecorded && repeats(edit, lastRecorded)) return []
  const content = editedContent(edit, contentOf(state.facts))
  refuseAnotherManufacturer(state.facts, content.manufacturer)
  if (isAmendment(content, state.facts))
    throw alreadyRegistered(
      state.facts,
      `is registered in revision ${state.facts.documentRevision}, so the older one was not recorded. Correct it if it counts.`,
      changesOf<CertificateContent>(state.facts, content),
    )
  return correctCertificate(state, content)
}

/** Mills number their certificates and heats without knowing of each other. @throws Refusal `another-manufacturer` */
function refuseAnotherManufacturer(
  { manufacturer, millCertificationId, certificateNumber, heatNumber }: CertificateFacts,
  sent: string | null,
): void {
  if (manufacturer === null || sent === null || isSpelledAlike(sent, manufacturer)) return
  const message = `is recorded from ${manufacturer}; this row says ${sent}`
  throw conflict(
    'another-manufacturer',
    `Certificate ${certificateNumber} of heat ${heatNumber} ${message}, so nothing was recorded.`,
    {
      manufacturer,
      millCertificationId,
      errors: [{ path: '/manufacturer', code: 'unconfirmed', message }],
    },
  )
}

/** Numbers that look alike lead to one stream. @throws Refusal `looks-like-another` */
function refuseLookAlike({ facts }: Certificate, identity: CertificateIdentity): void {
  for (const field of ['certificateNumber', 'heatNumber', 'item'] as const) {
    const [sent, registered] = [identity[field] ?? '', facts[field] ?? '']
    if (!isSpelledAlike(sent, registered))
      throw looksLikeAnother(sent, registered, { millCertificationId: facts.millCertificationId })
  }
}

function repeats(edit: Edit<CertificateContent>, facts: CertificateFacts): boolean {
  const { content, faults } = edit(contentOf(facts))
  return faults.length === 0 && changesOf<CertificateContent>(facts, content).length === 0
}

/** The values of a certificate, without its numbers. */
export function contentOf(facts: CertificateFacts): CertificateContent {
  return pick(certificateFields, facts)
}

export function correctCertificate(
  { facts, status }: Certificate,
  sent: CertificateContent,
): readonly MillCertificateEvent[] {
  const content = withMechanical(sent, facts)
  const changes = changesOf<CertificateContent>(facts, content)
  if (changes.length === 0) return []
  if (status === 'Voided')
    throw conflict(
      'certificate-voided',
      `Certificate ${facts.millCertificationId} is voided, so it cannot be corrected. Reinstate it first.`,
    )
  return [{ type: 'MillCertificateCorrected', data: { ...facts, ...content, changes } }]
}
