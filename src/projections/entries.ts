import type { CertificateDecision, CertificateStatus } from '../domain/certificateStatus.ts'
import { decidedStatus, statusAfterCorrection } from '../domain/certificateStatus.ts'
import type { Change } from '../domain/changes.ts'
import { isPerson, type Recorded } from '../domain/event.ts'
import type { MillCertificateEvent } from '../domain/millCertificate.ts'
import type { OrderEvent } from '../domain/order.ts'
import type { OrderDispatched } from '../domain/orderDispatches.ts'
import type { BarCertificateSet, ProductionPlanBarEvent } from '../domain/productionPlanBar.ts'
import { changesIn, sentenceOf, type Told, type ToldBefore } from '../domain/sentences.ts'
import type { AssignmentEvent } from '../domain/subject.ts'
import type { TagCreated, TagUpdated } from '../domain/tagCatalogue.ts'
import { certificates } from './certificates.ts'
import { orders } from './orders.ts'
import { authorName } from './persons.ts'
import { production } from './production.ts'
import { isPlanned } from './productionQueries.ts'
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
} from './projection.ts'
import { jsonObject, type ListQuery, listQuery, type Page, singleQuery } from './reading/listQuery.ts'
import type { Reading } from './reading/reader.ts'

/** Every event of each certificate, order and bar, in plain words. */

export const entrySubjects = ['certificate', 'order', 'bar'] as const
export type EntrySubject = (typeof entrySubjects)[number]

const tables = {
  entry: table({
    columns: {
      companyId: uuid,
      subjectType: text,
      subjectId: uuid,
      position: bigint,
      eventId: uuid,
      occurredAt: timestamptz,
      /** When it was done on the floor, if the request said so. */
      performedAt: nullable(timestamptz),
      actorId: text,
      actorKind: text,
      /** Empty for a person, unless one of the first releases has recorded the event. */
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
type EntryEvent =
  | TagCreated
  | TagUpdated
  | MillCertificateEvent
  | OrderEvent
  | OrderDispatched
  | ProductionPlanBarEvent

const tagNamed: Handler<Tables, TagCreated | TagUpdated> = {
  touches: ({ data: { companyId, tagId } }) => ({ toldTag: [[companyId, tagId]] }),
  apply: (rows, { data: { companyId, tagId, name } }) => rows.toldTag.put({ companyId, tagId, name }),
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

const ofOrder: Handler<Tables, Extract<OrderEvent | OrderDispatched, { type: `Order${string}` }>> = {
  touches: nothing,
  apply: (rows, event) => tell(rows, event, { subjectType: 'order', subjectId: event.data.orderId }),
}

const ofBar: Handler<Tables, Exclude<ProductionPlanBarEvent, BarCertificateSet>> = {
  touches: nothing,
  apply: (rows, event) => tell(rows, event, { subjectType: 'bar', subjectId: event.data.barId }),
}

export const entries = defineProjection<EntryEvent>()({
  name: 'entries',
  version: 2,
  tables,
  handlers: {
    TagCreated: tagNamed,
    TagUpdated: tagNamed,
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
    ManualAssignmentsReplaced: tagged,
    RuleAssignmentsReplaced: tagged,
    OrderRegistered: ofOrder,
    OrderCorrected: ofOrder,
    OrderDispatched: ofOrder,
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
  },
})

/** The record whose history is read. */
export interface EntriesOf {
  readonly companyId: string
  readonly subjectId: string
}

/** The history of a record, most recent first. */
export function listEntries(
  reading: Reading,
  subjectType: EntrySubject,
  { companyId, subjectId }: EntriesOf,
  page?: Page,
): ListQuery {
  const { from, where, label } = subjects[subjectType](reading)
  const name = authorName(reading, {
    companyId: 'e.company_id',
    userId: 'e.actor_id',
    isPerson: 'e.actor_is_person',
    name: 'e.actor_name',
    nameHash: 'e.actor_name_hash',
    position: 'e.position',
  })
  return listQuery(
    {
      select: {
        position: 'e.position',
        eventId: 'e.event_id',
        occurredAt: 'e.occurred_at',
        performedAt: 'e.performed_at',
        actor: jsonObject({ id: 'e.actor_id', kind: 'e.actor_kind', name }),
        kind: 'e.kind',
        subject: jsonObject({ type: 'e.subject_type', id: 'e.subject_id', label }),
        sentence: 'e.sentence',
        changes: 'e.changes',
        correlationId: 'e.correlation_id',
      },
      from: `${from}, ${reading.table(entries, 'entry')} e`,
      where: `${where} AND e.company_id = $1 AND e.subject_type = '${subjectType}' AND e.subject_id = $2`,
      values: [companyId, subjectId],
      // Negated, so that one ascending order serves every list.
      order: ['-e.position'],
    },
    page,
  )
}

/** Find the record itself, to tell whether there is one. */
export function findEntrySubject(
  reading: Reading,
  subjectType: EntrySubject,
  { companyId, subjectId }: EntriesOf,
): ListQuery {
  const { from, where, label } = subjects[subjectType](reading)
  return singleQuery({ select: { label }, from, where, values: [companyId, subjectId] })
}

/** SQL of the record of each kind, and of the name by which people know it. */
const subjects: Readonly<
  Record<EntrySubject, (reading: Reading) => { from: string; where: string; label: string }>
> = {
  certificate: (reading) => ({
    from: `${reading.table(certificates, 'certificate')} m`,
    where: 'm.company_id = $1 AND m.mill_certification_id = $2',
    label: 'm.certificate_number',
  }),
  order: (reading) => ({
    from: `${reading.table(orders, 'order')} o`,
    where: 'o.company_id = $1 AND o.order_id = $2',
    label: 'o.order_number',
  }),
  bar: (reading) => ({
    from: `${reading.table(production, 'bar')} b
      JOIN ${reading.table(production, 'plan')} p ON p.company_id = b.company_id AND p.plan_id = b.plan_id`,
    where: `b.company_id = $1 AND b.bar_id = $2 AND ${isPlanned}`,
    label: `p.name || ', bar ' || b.ordinal`,
  }),
}

interface EntrySubjectRef {
  readonly subjectType: EntrySubject
  readonly subjectId: string
}

function tell(
  rows: Rows<Tables>,
  event: Recorded<Exclude<EntryEvent, TagCreated | TagUpdated>>,
  subject: EntrySubjectRef,
  known: Partial<ToldBefore> = {},
): void {
  const { id: eventId, position, metadata, data, type: kind } = event
  const { actor, occurredAt, performedAt = null, correlationId } = metadata
  const before: ToldBefore = { tagNames: new Map(), certificateNumbers: new Map(), ...known }
  rows.entry.put({
    ...subject,
    companyId: data.companyId,
    ...{ position, eventId, occurredAt, performedAt, kind, correlationId },
    actorId: actor.id,
    actorKind: actor.kind,
    actorName: actor.name,
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

function tagIdsIn({ added, removed }: AssignmentEvent['data']): string[] {
  return [...new Set([...added, ...removed].map(({ tagId }) => tagId))]
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
