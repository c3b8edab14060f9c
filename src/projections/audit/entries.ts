import type { BarCertificateSet, ProductionPlanBarEvent } from '../../domain/bars/barEvents.ts'
import type { ProductionPlanEvent } from '../../domain/bars/plan.ts'
import type { CertificateDecision } from '../../domain/certificates/certificateStatus.ts'
import { certificateTransitions, statusAfterCorrection } from '../../domain/certificates/certificateStatus.ts'
import type {
  CompanyEvent,
  MemberKeysNarrowed,
  MemberRemoved,
  MemberRolesSet,
  PersonErased,
} from '../../domain/company/company.ts'
import type { FilterProfileEvent } from '../../domain/company/filterProfiles.ts'
import type { AttachmentEvent } from '../../domain/documents/certificateDocuments.ts'
import type { DocumentEvent } from '../../domain/documents/document.ts'
import type { OrderEvent } from '../../domain/orders/order.ts'
import type { OrderDispatched } from '../../domain/orders/orderDispatches.ts'
import type { PackIssued } from '../../domain/orders/orderPacks.ts'
import type { RulePackDefined } from '../../domain/rulePacks/ownRulePack.ts'
import { addedBy } from '../../domain/rulePacks/ruleAssignments.ts'
import type { AssignmentEvent } from '../../domain/tags/subject.ts'
import type {
  OwnRulePackAdded,
  OwnRulePackWithdrawn,
  RulePackEvent,
  TagCreated,
  TagEvent,
  TagUpdated,
} from '../../domain/tags/tagCatalogue.ts'
import { defineProjection, type Handler, type Key, type Rows, type Touched } from '../engine/projection.ts'
import {
  type EntryEvent,
  type EntrySubject,
  type Tables,
  tables,
  tell,
  tellOfCertificate,
  tellOfUnknown,
} from './entryRows.ts'

/** Every event of each company, in plain words. */

type MemberEvent = MemberRolesSet | MemberRemoved | MemberKeysNarrowed | PersonErased

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
    rows.toldCertificate.update([companyId, millCertificationId], {
      status: certificateTransitions[event.type].to,
    })
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
          status: statusAfterCorrection(status, changes),
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
    MemberKeysNarrowed: ofMember,
    PersonErased: ofMember,
  },
  anyEvent: { touches: nothing, apply: tellOfUnknown },
})

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
