import type { CertificateStatus } from '../certificates/certificateStatus.ts'
import type { Aggregate } from '../kernel/aggregate.ts'
import type { Bound } from '../kernel/bound.ts'
import type { Change } from '../kernel/changes.ts'
import type { DomainEvent } from '../kernel/event.ts'
import type { EventVersions } from '../kernel/versions.ts'
import type { Sentence } from '../verdict/sentence.ts'

/**
 * The event types of a company, each declared once, beside its aggregate. Its versions, the bound of a day and the
 * history follow from the declaration.
 */
export interface AuditedType<Data = never> extends EventVersions {
  readonly bound: Bound | ((data: Data) => Bound)
  readonly about: (data: Data) => AuditedRecord
  /**
   * Return what happened, in one sentence or two, for the people who read a history. A sentence never names its author:
   * histories show the author beside it, by a name that can be erased.
   */
  readonly tell: (data: Data, before: StateBefore) => Sentence
  /** Return the values that the event changed. Left out if the sentence says everything. */
  readonly listChanges?: (data: Data, before: StateBefore) => readonly Change[]
}

type DataOf<Event extends DomainEvent, Type> = Extract<Event, { readonly type: Type }>['data']

export type AuditedTypes<Event extends DomainEvent> = {
  readonly [Type in Event['type']]: AuditedType<DataOf<Event, Type>>
}

/** An aggregate of a company. */
export type AuditedAggregate<State, Event extends DomainEvent> = Aggregate<State, Event, AuditedTypes<Event>>

/** The kinds of records that events are about. An event that this release does not know is about `other`. */
export const entrySubjects = [
  ...(['certificate', 'order', 'bar', 'plan', 'tag'] as const),
  ...(['delivery', 'document', 'filterProfile', 'rulePack', 'member', 'webhook'] as const),
  ...(['company', 'other'] as const),
] as const
export type EntrySubject = (typeof entrySubjects)[number]

export interface AuditedRecord {
  readonly subjectType: EntrySubject
  readonly subjectId: string
}

/** Facts from before an event that the event does not repeat. */
export interface StateBefore {
  /** The names of tags as they were then, by their ids. */
  readonly tagNames: ReadonlyMap<string, string>
  /** The numbers of certificates, by their ids. */
  readonly certificateNumbers: ReadonlyMap<string, string>
  /** The status of the certificate that the event is about; undefined for any other event. */
  readonly certificateStatus?: CertificateStatus | undefined
}

/** Declare event types about one kind of record, whose id this member has. */
export function eventsAbout<Event extends DomainEvent>(
  subjectType: EntrySubject,
  id: keyof Event['data'] & string,
  types: {
    readonly [Type in Event['type']]: Omit<AuditedType<DataOf<Event, Type>>, 'about'>
  },
): AuditedTypes<Event> {
  const subjectOf = (data: Readonly<Record<string, string>>) => ({ subjectType, subjectId: data[id] })
  return Object.fromEntries(
    Object.entries<object>(types).map(([type, declared]) => [type, { ...declared, about: subjectOf }]),
  ) as never
}
