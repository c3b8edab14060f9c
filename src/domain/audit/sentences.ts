import { type AuditedEvent, auditedEvents } from '../aggregates.ts'
import type { Change } from '../kernel/changes.ts'
import { inEnglishToo, type Told, tell } from '../verdict/sentence.ts'
import type { AuditedRecord, AuditedType, StateBefore } from './audited.ts'

/** Every event in plain words, for the people who read a history. */

const types: Readonly<Record<AuditedEvent['type'], AuditedType>> = auditedEvents

/** Return what happened, in one sentence or two. */
export function toldOf({ type, data }: AuditedEvent, before: StateBefore): Told {
  return inEnglishToo(types[type].tell(data as never, before))
}

/** Return the sentence of an event that this release cannot read. */
export function toldOfUnknown(type: string): Told {
  return tell('UnknownEvent', { type })
}

/** Return the values that the event changed; none for an event whose sentence says everything. */
export function changesIn({ type, data }: AuditedEvent, before: StateBefore): readonly Change[] {
  return types[type].listChanges?.(data as never, before) ?? []
}

/** Return the record that the event is about. */
export function subjectOf({ type, data }: AuditedEvent): AuditedRecord {
  return types[type].about(data as never)
}
