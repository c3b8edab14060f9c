import { z } from 'zod'
import type { EntrySubject } from '../../domain/audit/audited.ts'
import { actorKinds } from '../../domain/kernel/event.ts'
import { told } from '../../problems/finding.ts'
import { change } from '../../problems/requests.ts'
import { timestamp, uuid } from '../kit/schemas/fields.ts'

const actor = z
  .object({
    id: z.string(),
    kind: z.enum(actorKinds),
    name: z.string().meta({ description: 'The name as it was then, unless the company has erased it.' }),
  })
  .meta({ id: 'Actor' })

/** Return the schema of an event in plain words. `type` is the kind of record that it may be about. */
export function auditEntry<Type extends z.ZodType<EntrySubject>>(type: Type, id: z.ZodType<string>) {
  return z.object({
    position: z.int(),
    eventId: uuid,
    occurredAt: timestamp.meta({ description: 'When it was recorded.' }),
    performedAt: timestamp.nullable().meta({
      description: 'When it was done on the floor, if the request said so; null otherwise.',
    }),
    actor,
    kind: z.string().meta({ description: 'The type of the event. More types may be added.' }),
    subject: z.object({
      type,
      id,
      label: z.string().meta({ description: 'The present number or name of the record.' }),
    }),
    ...told.shape,
    changes: z.array(change),
    correlationId: z.string().meta({ description: 'The traceId of the request that caused it.' }),
  })
}
