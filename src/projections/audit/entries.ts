import {
  changesIn,
  sentenceOf,
  sentenceOfUnknown,
  type Told,
  type ToldBefore,
} from '../../domain/audit/sentences.ts'
import type { BarCertificateSet, ProductionPlanBarEvent } from '../../domain/bars/barEvents.ts'
import type { ProductionPlanEvent } from '../../domain/bars/plan.ts'
import type { MillCertificateEvent } from '../../domain/certificates/certificate.ts'
import type { CertificateDecision, CertificateStatus } from '../../domain/certificates/certificateStatus.ts'
import { decidedStatus, statusAfterCorrection } from '../../domain/certificates/certificateStatus.ts'
import type {
  CompanyEvent,
  MemberKeysRevoked,
  MemberRemoved,
  MemberRolesSet,
  PersonErased,
} from '../../domain/company/company.ts'
import type { FilterProfileEvent } from '../../domain/company/filterProfiles.ts'
import type { AttachmentEvent } from '../../domain/documents/certificateDocuments.ts'
import type { DocumentEvent } from '../../domain/documents/document.ts'
import type { Change } from '../../domain/kernel/changes.ts'
import { isPerson, type Recorded } from '../../domain/kernel/event.ts'
import { metadataOf } from '../../domain/kernel/metadata.ts'
import { companyOfStream } from '../../domain/kernel/streams.ts'
import type { OrderEvent } from '../../domain/orders/order.ts'
import type { OrderDispatched } from '../../domain/orders/orderDispatches.ts'
import type { PackIssued } from '../../domain/orders/orderPacks.ts'
import type { RulePackDefined } from '../../domain/rulePacks/ownRulePack.ts'
import { addedBy } from '../../domain/rulePacks/ruleAssignments.ts'
import type { AssignmentEvent } from '../../domain/tags/subject.ts'
import type {
  CatalogueEvent,
  OwnRulePackAdded,
  OwnRulePackWithdrawn,
  RulePackEvent,
  TagCreated,
  TagEvent,
  TagUpdated,
} from '../../domain/tags/tagCatalogue.ts'
import {
  bigint,
  boolean,
  defineProjection,
  type Handler,
  json,
  type Key,
  nullable,
  type Rows,
  type Touched,
  table,
  text,
  timestamptz,
  uuid,
} from '../engine/projection.ts'

/** Every event of each company, in plain words. */

/** The kinds of records that events are about. An event that this release does not know is about `other`. */
export const entrySubjects = [
  ...(['certificate', 'order', 'bar', 'plan', 'tag'] as const),
  ...(['document', 'filterProfile', 'rulePack', 'member', 'company', 'other'] as const),
] as const
export type EntrySubject = (typeof entrySubjects)[number]

const tables = {
  entry: table({
    columns: {
      companyId: uuid,
      subjectType: text,
      subjectId: text,
      position: bigint,
      eventId: uuid,
      occurredAt: timestamptz,
      /** When it was done on the floor, if the request said so. */
      performedAt: nullable(timestamptz),
      actorId: text,
      actorKind: text,
      /** Empty for a person. */
      actorName: text,
      actorIsPerson: boolean,
      actorNameHash: nullable(text),
      kind: text,
      /** It never names the author. */
      sentence: text,
      changes: json<readonly Change[]>(),
      correlationId: text,
    },
    key: ['companyId', 'subjectType', 'subjectId', 'position'],
    // Newest first. The time is in the index so that a search of a time looks at no rows of other times.
    indexes: [
      '(company_id, (-position), occurred_at)',
      '(company_id, actor_id, (-position), occurred_at)',
      '(company_id, kind, (-position), occurred_at)',
    ],
    appendOnly: true,
  }),
  /** The name of each tag up to now, so that an entry shows the name that the tag had then. */
  toldTag: table({
    columns: { companyId: uuid, tagId: uuid, name: text },
    key: ['companyId', 'tagId'],
  }),
  toldCertificate: table({
    columns: { companyId: uuid, millCertificationId: uuid, certificateNumber: text, status: text },
    key: ['companyId', 'millCertificationId'],
  }),
}

type Tables = typeof tables
/** Every event of a company that this release knows. */
type EntryEvent =
  | CatalogueEvent
  | MillCertificateEvent
  | DocumentEvent
  | OrderEvent
  | OrderDispatched
  | PackIssued
  | ProductionPlanEvent
  | ProductionPlanBarEvent
  | RulePackDefined
  | FilterProfileEvent
  | CompanyEvent

type MemberEvent = MemberRolesSet | MemberRemoved | MemberKeysRevoked | PersonErased

const tagNamed: Handler<Tables, TagCreated | TagUpdated> = {
  touches: ({ data: { companyId, tagId } }) => ({ toldTag: [[companyId, tagId]] }),
  apply: (rows, event) => {
    const { companyId, tagId, name } = event.data
    tell(rows, event, { subjectType: 'tag', subjectId: tagId })
    rows.toldTag.put({ companyId, tagId, name })
  },
}

const tagged: Handler<Tables, AssignmentEvent> = {
  touches: ({ data }) => ({
    toldTag: tagIdsIn(data).map((tagId) => [data.companyId, tagId]),
  }),
  apply: (rows, event) => {
    const { companyId, family, subjectId } = event.data
    const names = tagIdsIn(event.data).flatMap((tagId) => {
      const known = rows.toldTag.get([companyId, tagId])
      return known ? [[tagId, known.name] as const] : []
    })
    const subjectType = family === 'millCert' ? 'certificate' : 'order'
    tell(rows, event, { subjectType, subjectId }, { tagNames: new Map(names) })
  },
}

const decided: Handler<Tables, CertificateDecision> = {
  touches: ({ type, data }) => {
    const { companyId, millCertificationId } = data
    const replacedBy = type === 'CertificateVoided' ? data.replacedBy : null
    return certificatesTouched(companyId, [millCertificationId, replacedBy])
  },
  apply: (rows, event) => {
    const { companyId, millCertificationId } = event.data
    const replacedBy = event.type === 'CertificateVoided' ? event.data.replacedBy : null
    const certificateNumbers = numbersOf(rows, companyId, [replacedBy])
    tellOfCertificate(rows, event, { certificateNumbers })
    rows.toldCertificate.update([companyId, millCertificationId], { status: decidedStatus[event.type] })
  },
}

const attached: Handler<Tables, AttachmentEvent> = {
  touches: ({ data }) => certificatesTouched(data.companyId, [data.millCertificationId]),
  apply: (rows, event) => tellOfCertificate(rows, event),
}

/** A handler for events whose sentences need no facts from elsewhere. */
function about<Event extends EntryEvent>(
  subjectType: EntrySubject,
  idIn: (data: Event['data']) => string,
): Handler<Tables, Event> {
  return {
    touches: nothing,
    apply: (rows, event) => tell(rows, event, { subjectType, subjectId: idIn(event.data) }),
  }
}

const ofTag = about<Exclude<TagEvent, TagCreated | TagUpdated>>('tag', ({ tagId }) => tagId)
const ofRulePack = about<RulePackEvent | OwnRulePackAdded | OwnRulePackWithdrawn | RulePackDefined>(
  'rulePack',
  ({ rulePackId }) => rulePackId,
)
const ofOrder = about<Extract<OrderEvent | OrderDispatched, { type: `Order${string}` }> | PackIssued>(
  'order',
  ({ orderId }) => orderId,
)
const ofDocument = about<DocumentEvent>('document', ({ documentId }) => documentId)
const ofPlan = about<ProductionPlanEvent>('plan', ({ planId }) => planId)
const ofBar = about<Exclude<ProductionPlanBarEvent, BarCertificateSet>>('bar', ({ barId }) => barId)
const ofProfile = about<FilterProfileEvent>('filterProfile', ({ profileId }) => profileId)
const ofCompany = about<Exclude<CompanyEvent, MemberEvent>>('company', ({ companyId }) => companyId)
const ofMember = about<MemberEvent>('member', ({ userId }) => userId)

export const entries = defineProjection<EntryEvent>()({
  name: 'entries',
  version: 1,
  tables,
  handlers: {
    TagCreated: tagNamed,
    TagUpdated: tagNamed,
    TagSoftDeleted: ofTag,
    TagRestored: ofTag,
    RulePackSubscribed: ofRulePack,
    RulePackUpgraded: ofRulePack,
    RulePackUnsubscribed: ofRulePack,
    OwnRulePackAdded: ofRulePack,
    OwnRulePackWithdrawn: ofRulePack,
    RulePackDefined: ofRulePack,
    MillCertificateRegistered: {
      touches: ({ data }) => certificatesTouched(data.companyId, [data.millCertificationId]),
      apply: (rows, event) => {
        const { companyId, millCertificationId, certificateNumber } = event.data
        tellOfCertificate(rows, event)
        rows.toldCertificate.put({ companyId, millCertificationId, certificateNumber, status: 'Received' })
      },
    },
    MillCertificateCorrected: {
      touches: ({ data }) => certificatesTouched(data.companyId, [data.millCertificationId]),
      apply: (rows, event) => {
        const { companyId, millCertificationId, changes } = event.data
        tellOfCertificate(rows, event)
        rows.toldCertificate.update([companyId, millCertificationId], ({ status }) => ({
          status: statusAfterCorrection(status as CertificateStatus, changes),
        }))
      },
    },
    CertificateReleased: decided,
    CertificateRejected: decided,
    CertificateReopened: decided,
    CertificateVoided: decided,
    CertificateReinstated: decided,
    DocumentAttached: attached,
    DocumentDetached: attached,
    DocumentStored: ofDocument,
    DocumentDeleted: ofDocument,
    ManualAssignmentsReplaced: tagged,
    RuleAssignmentsReplaced: tagged,
    OrderRegistered: ofOrder,
    OrderCorrected: ofOrder,
    OrderDispatched: ofOrder,
    PackIssued: ofOrder,
    ProductionPlanCreated: ofPlan,
    BarsPlanned: ofPlan,
    BarOpened: ofBar,
    BarApproved: ofBar,
    BarApprovalWithdrawn: ofBar,
    FindingsOverridden: ofBar,
    BarCertificateSet: {
      touches: ({ data }) => certificatesTouched(data.companyId, certificatesOf(data)),
      apply: (rows, event) => {
        const { companyId, barId: subjectId } = event.data
        const certificateNumbers = numbersOf(rows, companyId, certificatesOf(event.data))
        tell(rows, event, { subjectType: 'bar', subjectId }, { certificateNumbers })
      },
    },
    BarHeatRead: ofBar,
    BarStarted: ofBar,
    BarCompleted: ofBar,
    BarReverted: ofBar,
    BarCancelled: ofBar,
    CutScrapped: ofBar,
    RemnantTaken: ofBar,
    CutStatusChanged: ofBar,
    FilterProfileSaved: ofProfile,
    FilterProfileUpdated: ofProfile,
    FilterProfileSoftDeleted: ofProfile,
    CompanyRegistered: ofCompany,
    ReleasePolicySet: ofCompany,
    CompanySettingsSet: ofCompany,
    MemberRolesSet: ofMember,
    MemberRemoved: ofMember,
    MemberKeysRevoked: ofMember,
    PersonErased: ofMember,
  },
  anyEvent: { touches: nothing, apply: tellOfUnknown },
})

interface EntrySubjectRef {
  readonly subjectType: EntrySubject
  readonly subjectId: string
}

function tell(
  rows: Rows<Tables>,
  event: Recorded<EntryEvent>,
  subject: EntrySubjectRef,
  known: Partial<ToldBefore> = {},
): void {
  const { id: eventId, position, metadata, data, type: kind } = event
  const { actor, occurredAt, performedAt = null, correlationId } = metadata
  const before: ToldBefore = { tagNames: new Map(), certificateNumbers: new Map(), ...known }
  rows.entry.put({
    ...subject,
    companyId: data.companyId,
    position,
    eventId,
    occurredAt,
    performedAt,
    kind,
    correlationId,
    actorId: actor.id,
    actorKind: actor.kind,
    actorName: isPerson(actor) ? '' : actor.name,
    actorIsPerson: isPerson(actor),
    actorNameHash: actor.nameHash ?? null,
    sentence: sentenceOf(event as Told, before),
    changes: changesIn(event as Told, before),
  })
}

function tellOfCertificate(
  rows: Rows<Tables>,
  event: Recorded<Exclude<MillCertificateEvent, AssignmentEvent>>,
  known: Partial<ToldBefore> = {},
): void {
  const { companyId, millCertificationId: subjectId } = event.data
  const status = rows.toldCertificate.get([companyId, subjectId])?.status
  const certificateStatus = status as CertificateStatus | undefined
  tell(rows, event, { subjectType: 'certificate', subjectId }, { ...known, certificateStatus })
}

function tellOfUnknown(rows: Rows<Tables>, event: Recorded): void {
  const { id: eventId, position, streamName, type } = event
  const companyId = companyOfStream(streamName)
  if (companyId === undefined) return
  const { actor, occurredAt, correlationId } = metadataOf(event)
  rows.entry.put({
    companyId,
    subjectType: 'other',
    subjectId: plain(streamName),
    position,
    eventId,
    occurredAt,
    performedAt: null,
    actorId: actor.id,
    actorKind: actor.kind,
    actorName: actor.name,
    actorIsPerson: isPerson(actor),
    actorNameHash: actor.nameHash ?? null,
    kind: plain(type),
    sentence: sentenceOfUnknown(plain(type)),
    changes: [],
    correlationId,
  })
}

const mostCharacters = 200

/** Return a text that PostgreSQL can store and index. */
function plain(value: string): string {
  return value.slice(0, mostCharacters).toWellFormed().replaceAll('\0', '\ufffd')
}

function tagIdsIn(data: AssignmentEvent['data']): string[] {
  const added = 'matched' in data ? addedBy(data) : data.added
  return [...new Set([...added, ...data.removed].map(({ tagId }) => tagId))]
}

function certificatesOf({
  millCertificationId,
  formerMillCertificationId,
}: BarCertificateSet['data']): readonly (string | null)[] {
  return [millCertificationId, formerMillCertificationId]
}

function certificatesTouched(companyId: string, ids: readonly (string | null)[]): Touched<Tables> {
  return { toldCertificate: ids.flatMap((id): Key[] => (id === null ? [] : [[companyId, id]])) }
}

function numbersOf(
  rows: Rows<Tables>,
  companyId: string,
  ids: readonly (string | null)[],
): ReadonlyMap<string, string> {
  return new Map(
    ids.flatMap((id) => {
      const known = id === null ? undefined : rows.toldCertificate.get([companyId, id])
      return known ? [[known.millCertificationId, known.certificateNumber] as const] : []
    }),
  )
}

function nothing() {
  return {}
}
