import type { AuditedRecord } from '../domain/audit/audited.ts'
import { changeTypeOf, furtherTypeOf } from '../domain/audit/changedRecords.ts'
import type { FoundChange } from '../projections/audit/changes.ts'
import type { PresentRecord } from './records.ts'

/** A change as a CloudEvent 1.0. https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/formats/json-format.md */

/** A larger record is left out; its reader gets it from `dataref`. */
export const mostDataCharacters = 20_000

export interface CloudEvent {
  readonly specversion: '1.0'
  readonly id: string
  readonly source: string
  readonly type: string
  readonly subject: string
  readonly time: string
  readonly position: string
  readonly datacontenttype?: 'application/json' | undefined
  readonly dataref?: string | undefined
  readonly data?: Readonly<Record<string, unknown>> | undefined
}

/** The media type of several of them. */
export const cloudEventsBatch = 'application/cloudevents-batch+json'

/** A change of one record, still without its content. */
export interface Change extends AuditedRecord {
  readonly id: string
  readonly type: string
  readonly time: string
  readonly position: number
}

/** Return the changes of one event: of the record that it is about, then of the others. */
export function changesOf(event: FoundChange): Change[] {
  const { position, eventId, occurredAt: time, kind, subjectType, subjectId, further } = event
  const about = { subjectType, subjectId, id: eventId, type: changeTypeOf(subjectType, kind), time, position }
  const others = (further ?? []).map((record) => ({
    ...record,
    id: `${eventId}/${record.subjectType}/${record.subjectId}`,
    type: furtherTypeOf(record.subjectType),
    time,
    position,
  }))
  return [about, ...others]
}

export function toCloudEvent(
  companyId: string,
  { id, type, subjectType, subjectId, time, position }: Change,
  present: PresentRecord | undefined,
): CloudEvent {
  const isSmall = present !== undefined && JSON.stringify(present.content).length <= mostDataCharacters
  return {
    specversion: '1.0',
    id,
    source: `/api/company/${companyId}`,
    type,
    subject: `${subjectType}/${subjectId}`,
    time,
    position: String(position),
    ...(present?.path !== undefined && { dataref: present.path }),
    ...(isSmall && { datacontenttype: 'application/json', data: { ...present.content } }),
  }
}
