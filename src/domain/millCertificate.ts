import type { Aggregate, DecisionContext } from './aggregate.ts'
import {
  type Assignments,
  type ManualAssignmentsReplaced,
  noAssignments,
  replaced,
  replaceManualAssignments,
} from './assignments.ts'
import { type Change, changesOf } from './changes.ts'
import type { DomainEvent, Stored } from './event.ts'
import { conflict } from './refusal.ts'
import {
  type RuleAssignmentsReplaced,
  replaceRuleAssignments,
  rulesAsOf,
  rulesReplaced,
} from './ruleAssignments.ts'
import type { TagCatalogue } from './tagCatalogue.ts'

/** One mill certificate of one heat. Its numbers are its identity and never change. */
export const millCertificateStream = (id: string): string => `millCertificate-${id}`
/** The aggregate's id. */
export const millCertificateKey = (companyId: string, millCertificationId: string): string =>
  `${companyId}_${millCertificationId}`

/** EN 10204: declaration of compliance, test report, inspection certificates. */
export type InspectionDocument = '2.1' | '2.2' | '3.1' | '3.2'
export type ProductForm = 'Plate' | 'Coil' | 'Section' | 'HollowSection' | 'Bar' | 'Tube' | 'Other'

export interface MechanicalValues {
  /** Upper yield strength, MPa. */
  readonly reHMpa: number | null
  /** Tensile strength, MPa. */
  readonly rmMpa: number | null
  /** Elongation at gauge length 5.65√S0, %. */
  readonly a5Percent: number | null
  /** Charpy V energy, J. */
  readonly kvJoule: number | null
  /** Temperature of the Charpy test, °C. */
  readonly kvTemperatureC: number | null
}

/** What a correction may change. */
export interface CertificateContent {
  readonly standard: string | null
  readonly grade: string
  readonly inspectionDocument: InspectionDocument
  readonly manufacturer: string | null
  readonly productForm: ProductForm | null
  readonly thicknessMm: number | null
  /** Mass % by element symbol. */
  readonly chemistry: Readonly<Record<string, number>> | null
  readonly mechanical: MechanicalValues | null
  /** RFC 3339 full-date. */
  readonly issuedOn: string | null
}

export interface CertificateIdentity {
  readonly companyId: string
  readonly millCertificationId: string
  /** As sent first. */
  readonly certificateNumber: string
  readonly heatNumber: string
}

export type MillCertificateRegistered = DomainEvent<
  'MillCertificateRegistered',
  CertificateIdentity & CertificateContent
>
export type MillCertificateCorrected = DomainEvent<
  'MillCertificateCorrected',
  CertificateIdentity & CertificateContent & { readonly changes: readonly Change[] }
>
export type MillCertificateEvent =
  | MillCertificateRegistered
  | MillCertificateCorrected
  | ManualAssignmentsReplaced
  | RuleAssignmentsReplaced

export interface Certificate {
  readonly identity: CertificateIdentity
  readonly content: CertificateContent
  /** What was registered, before any correction. */
  readonly registered: CertificateContent
  readonly registeredAt: string
  /** Of its last registration or correction. */
  readonly revision: number
  readonly assignments: Assignments
}

export type MillCertificate = Certificate | undefined

const identityOf = ({
  companyId,
  millCertificationId,
  certificateNumber,
  heatNumber,
}: CertificateIdentity) => ({
  companyId,
  millCertificationId,
  certificateNumber,
  heatNumber,
})

const contentOf = (content: CertificateContent): CertificateContent => ({
  standard: content.standard,
  grade: content.grade,
  inspectionDocument: content.inspectionDocument,
  manufacturer: content.manufacturer,
  productForm: content.productForm,
  thicknessMm: content.thicknessMm,
  chemistry: content.chemistry,
  mechanical: content.mechanical,
  issuedOn: content.issuedOn,
})

const evolve = (state: MillCertificate, event: Stored<MillCertificateEvent>): MillCertificate => {
  if (event.type === 'MillCertificateRegistered') {
    const content = contentOf(event.data)
    return {
      identity: identityOf(event.data),
      content,
      registered: content,
      registeredAt: event.metadata.occurredAt,
      revision: event.revision,
      assignments: noAssignments,
    }
  }
  if (!state) return state
  switch (event.type) {
    case 'MillCertificateCorrected':
      return { ...state, content: contentOf(event.data), revision: event.revision }
    case 'ManualAssignmentsReplaced':
      return { ...state, assignments: replaced(state.assignments, event) }
    case 'RuleAssignmentsReplaced':
      return { ...state, assignments: rulesReplaced(state.assignments, event) }
    default:
      return state
  }
}

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

/** The same registration again records nothing, whatever was corrected since. */
export const registerCertificate = (
  state: MillCertificate,
  identity: CertificateIdentity,
  content: CertificateContent,
): readonly MillCertificateEvent[] => {
  if (!state) return [{ type: 'MillCertificateRegistered', data: { ...identity, ...content } }]
  if (changesOf(state.registered, content).length === 0) return []
  throw conflict(
    'certificate-already-registered',
    `Certificate ${state.identity.certificateNumber}, heat ${state.identity.heatNumber}, is registered with another content: correct it instead.`,
    { millCertificationId: state.identity.millCertificationId },
  )
}

export const correctCertificate = (
  state: Certificate,
  content: CertificateContent,
): readonly MillCertificateEvent[] => {
  const changes = changesOf<CertificateContent>(state.content, content)
  if (changes.length === 0) return []
  return [{ type: 'MillCertificateCorrected', data: { ...state.identity, ...content, changes } }]
}

export const assignToCertificate = (
  state: Certificate,
  tagIds: readonly string[],
  context: DecisionContext,
): readonly MillCertificateEvent[] => {
  return replaceManualAssignments(state.assignments, subjectOf(state.identity), tagIds, context)
}

/** A registration or correction, with what the rule packs in force say of it. */
export const evaluatedCertificate = (
  decided: readonly MillCertificateEvent[],
  before: Assignments,
  catalogue: TagCatalogue,
  context: DecisionContext,
): readonly MillCertificateEvent[] =>
  decided.flatMap((event): readonly MillCertificateEvent[] => {
    if (event.type !== 'MillCertificateRegistered' && event.type !== 'MillCertificateCorrected')
      return [event]
    const content = { family: 'millCert', content: event.data } as const
    return [
      { ...event, metadata: { rulesAsOf: rulesAsOf(catalogue, context) } },
      ...replaceRuleAssignments(before, subjectOf(event.data), content, catalogue, context),
    ]
  })

/** What the rule packs in force say of it now, where that is something else than before. */
export const evaluateCertificate = (
  { identity, content, assignments }: Certificate,
  catalogue: TagCatalogue,
  context: DecisionContext,
): readonly MillCertificateEvent[] => {
  const subject = { family: 'millCert', content: { ...identity, ...content } } as const
  return replaceRuleAssignments(assignments, subjectOf(identity), subject, catalogue, context)
}

const subjectOf = ({ companyId, millCertificationId, certificateNumber }: CertificateIdentity) =>
  ({
    companyId,
    family: 'millCert',
    subjectId: millCertificationId,
    subjectLabel: certificateNumber,
  }) as const
