import type { AuditedEvent } from '../../domain/aggregates.ts'
import type { AuditedRecord, StateBefore } from '../../domain/audit/audited.ts'
import { furtherRecordsOf } from '../../domain/audit/changedRecords.ts'
import { changesIn, subjectOf, toldOf, toldOfUnknown } from '../../domain/audit/sentences.ts'
import type { CertificateStatus } from '../../domain/certificates/certificateStatus.ts'
import type { Change } from '../../domain/kernel/changes.ts'
import { isPerson, type Recorded } from '../../domain/kernel/event.ts'
import { companyOfStream } from '../../domain/kernel/streams.ts'
import type { Sentence } from '../../domain/verdict/sentence.ts'
import {
  bigint,
  boolean,
  json,
  nullable,
  type Rows,
  table,
  text,
  textOf,
  timestamptz,
  uuid,
} from '../engine/projection.ts'

/** One row for each event, with its sentence. */

export const tables = {
  entry: table({
    columns: {
      companyId: uuid,
      subjectType: text,
      subjectId: text,
      position: bigint,
      eventId: uuid,
      occurredAt: timestamptz,
      /** The time of the work in the workshop, if the request stated it. */
      performedAt: nullable(timestamptz),
      actorId: text,
      actorKind: text,
      /** Empty for a person. */
      actorName: text,
      actorIsPerson: boolean,
      actorNameHash: nullable(text),
      kind: text,
      /** It never names the author, and has a place for the name of a member. */
      message: text,
      sentence: json<Sentence>(),
      changes: json<readonly Change[]>(),
      /** Further records that look different after the event; null if there are none. */
      further: nullable(json<readonly AuditedRecord[]>()),
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
    columns: {
      companyId: uuid,
      millCertificationId: uuid,
      certificateNumber: text,
      status: textOf<CertificateStatus>(),
    },
    key: ['companyId', 'millCertificationId'],
  }),
}

export type Tables = typeof tables

export function tell(rows: Rows<Tables>, event: Recorded<AuditedEvent>, before: StateBefore): void {
  const { id: eventId, position, metadata, data, type: kind } = event
  const { actor, occurredAt, performedAt = null, correlationId } = metadata
  const actorIsPerson = isPerson(actor)
  const further = furtherRecordsOf(event)
  rows.entry.put({
    ...subjectOf(event),
    companyId: data.companyId,
    position,
    eventId,
    occurredAt,
    performedAt,
    kind,
    correlationId,
    actorId: actor.id,
    actorKind: actor.kind,
    actorName: actorIsPerson ? '' : actor.name,
    actorIsPerson,
    actorNameHash: actor.nameHash ?? null,
    ...toldOf(event, before),
    changes: changesIn(event, before),
    further: further.length > 0 ? further : null,
  })
}

export function tellOfUnknown(rows: Rows<Tables>, event: Recorded): void {
  const { id: eventId, position, streamName, type } = event
  const companyId = companyOfStream(streamName)
  if (companyId === undefined) return
  const { actor, occurredAt, correlationId } = event.metadata
  rows.entry.put({
    companyId,
    subjectType: 'other',
    subjectId: toPlain(streamName),
    position,
    eventId,
    occurredAt,
    performedAt: null,
    actorId: actor.id,
    actorKind: actor.kind,
    actorName: actor.name,
    actorIsPerson: isPerson(actor),
    actorNameHash: actor.nameHash ?? null,
    kind: toPlain(type),
    ...toldOfUnknown(toPlain(type)),
    changes: [],
    further: null,
    correlationId,
  })
}

const mostCharacters = 200

/** Return a text that PostgreSQL can store and index. */
function toPlain(value: string): string {
  return value.slice(0, mostCharacters).toWellFormed().replaceAll('\0', '\ufffd')
}
