import { z } from 'zod'
import { type CloudEvent, mostDataCharacters } from '../../changes/cloudEvents.ts'
import { timestamp } from '../kit/schemas/fields.ts'

/** The schema of a change as the feed answers it. */

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
  .meta({ id: 'ChangeEvent', description: 'A CloudEvent 1.0.' }) satisfies z.ZodType<CloudEvent>
