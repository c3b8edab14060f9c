import { z } from 'zod'
import type { AuditedRecord } from '../../domain/audit/audited.ts'
import { changeTypeOf, furtherTypeOf } from '../../domain/audit/changedRecords.ts'
import type { FoundChange } from '../../projections/audit/changes.ts'
import { timestamp } from '../kit/schemas/fields.ts'
import type { PresentRecord } from './records.ts'

/** A change as a CloudEvent 1.0. https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/formats/json-format.md */

/** A larger record is left out; its reader gets it from `dataref`. */
const mostDataCharacters = 20_000

export const cloudEvent = z
  .object({
    specversion: z.literal('1.0'),
    id: z.string().meta({ description: 'Another change has another id, also after a rebuild.' }),
    source: z.string().meta({ description: 'The path of the company.' }),
    type: z.string().meta({
      description:
        'Such as `heatmark.bar.approval-withdrawn.v1`; `heatmark.order.changed.v1` for a record that changes with an event about another one. More types may be added.',
    }),
    subject: z.string().meta({ description: 'The kind and the id of the record: `bar/8f14…`.' }),
    time: timestamp,
    position: z
      .string()
      .regex(/^\d+$/)
      .meta({ description: 'The position of the event, to follow on from.' }),
    datacontenttype: z.literal('application/json').optional(),
    dataref: z.string().optional().meta({
      description:
        'Where the record is read alone. Left out when it is not there now, or has no address of its own.',
    }),
    data: z
      .record(z.string(), z.unknown())
      .optional()
      .meta({
        description: `The record as its list answers it now. Left out when it is not there any more, is not listed, or has more than ${mostDataCharacters} characters.`,
      }),
  })
  .meta({ id: 'ChangeEvent', description: 'A CloudEvent 1.0.' })

export type CloudEvent = z.output<typeof cloudEvent>

/** A change of one record, still without its content. */
export interface Change extends AuditedRecord {
  readonly id: string
  readonly type: string
  readonly time: string
  readonly position: number
}

/** Return the changes of one event: of the record that it is about, then of the others. */
export function changesOf(found: FoundChange): Change[] {
  const { position, eventId, occurredAt: time, kind, subjectType, subjectId, further } = found
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
