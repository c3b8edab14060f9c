import { Map as ImmutableMap } from 'immutable'
import type { Aggregate, DecisionContext } from '../kernel/aggregate.ts'
import type { Change } from '../kernel/changes.ts'
import type { DomainEvent, Stored } from '../kernel/event.ts'
import { conflict } from '../kernel/refusal.ts'
import {
  type OwnOutcomes,
  type RuleAssignmentsReplaced,
  replaceRuleAssignments,
  rulesAsOf,
  rulesReplaced,
} from '../rulePacks/ruleAssignments.ts'
import type { RuleSubject } from '../rulePacks/ruleBook.ts'
import {
  type Assignments,
  type ManualAssignmentsReplaced,
  maxManualAssignments,
  noAssignments,
  replaceAssignments,
  replaceManualAssignments,
  type SubjectRef,
  tagsChanged,
} from './assignments.ts'
import type { FamilyNames } from './tag.ts'
import type { TagCatalogue } from './tagCatalogue.ts'

/**
 * A subject is what tags are assigned to: a mill certificate or an order. It is registered, corrected and tagged
 * in one way, whichever of the two it is.
 */
export interface Subject<Facts> {
  readonly facts: Facts
  /** The facts as they were registered, before any correction. */
  readonly registered: Facts
  readonly registeredAt: string
  /** The user who registered it. */
  readonly registeredBy: string
  /** When it was last registered or corrected, or got other tags. */
  readonly updatedAt: string
  /** The user who last registered or corrected it. */
  readonly updatedBy: string
  /** The facts as each caller recorded them last, by the caller's id. */
  readonly recordedBy: ImmutableMap<string, Facts>
  /** Revision of the last registration or correction. */
  readonly revision: number
  readonly assignments: Assignments
}

export type AssignmentEvent = ManualAssignmentsReplaced | RuleAssignmentsReplaced

/** One of the two kinds of subject: its words, its aggregate and how to read its facts. */
export interface SubjectKind<Facts, Event extends DomainEvent> extends FamilyNames {
  readonly aggregate: Aggregate<Subject<Facts> | undefined, Event | AssignmentEvent>
  /** The aggregate's id. */
  key(companyId: string, subjectId: string): string
  /** Whether the event registers or corrects a subject. Such an event carries all of its facts. */
  carriesFacts(event: Event | AssignmentEvent): event is Event & { readonly data: Facts }
  refOf(facts: Facts): SubjectRef
  /** The subject as rules see it. */
  forRules(facts: Facts): RuleSubject
}

// biome-ignore lint/suspicious/noExplicitAny: facts and events are the kind's own; callers pass them through.
export type AnySubjectKind = SubjectKind<any, any>

export type Corrected<Facts> = Facts & { readonly changes: readonly Change[] }

export function registeredSubject<Facts>(
  facts: Facts,
  { metadata, revision }: Pick<Stored<DomainEvent>, 'metadata' | 'revision'>,
): Subject<Facts> {
  return {
    facts,
    registered: facts,
    registeredAt: metadata.occurredAt,
    registeredBy: metadata.actor.id,
    recordedBy: ImmutableMap([[metadata.actor.id, facts]]),
    ...updateOf({ metadata, revision }),
    assignments: noAssignments,
  }
}

export function correctedSubject<Facts>(
  subject: Subject<Facts>,
  facts: Facts,
  event: Pick<Stored<DomainEvent>, 'metadata' | 'revision'>,
): Subject<Facts> {
  const recordedBy = subject.recordedBy.set(event.metadata.actor.id, facts)
  return { ...subject, facts, recordedBy, ...updateOf(event) }
}

export function assignedSubject<Facts>(
  subject: Subject<Facts>,
  event: Stored<AssignmentEvent>,
): Subject<Facts> {
  const { assignments } = subject
  return {
    ...subject,
    updatedAt: tagsChanged(event) ? event.metadata.occurredAt : subject.updatedAt,
    assignments:
      event.type === 'ManualAssignmentsReplaced'
        ? replaceAssignments(assignments, event)
        : rulesReplaced(assignments, event),
  }
}

/** Replace the manual assignments of a subject by these tags, given in the order in which to answer them. */
export function assignTags<Facts, Event extends DomainEvent>(
  kind: SubjectKind<Facts, Event>,
  { assignments, facts }: Subject<Facts>,
  tagIds: readonly string[],
  context: DecisionContext,
): readonly AssignmentEvent[] {
  return replaceManualAssignments(assignments, kind.refOf(facts), tagIds, context)
}

/** Assign one more tag by hand. `tagIds` has it among those that are assigned already, in the order in which to answer them. */
export function assignOneTag<Facts, Event extends DomainEvent>(
  kind: SubjectKind<Facts, Event>,
  subject: Subject<Facts>,
  tagIds: readonly string[],
  context: DecisionContext,
): readonly AssignmentEvent[] {
  if (tagIds.length > maxManualAssignments)
    throw conflict(
      'too-many-manual-tags',
      `A ${kind.noun} has at most ${maxManualAssignments} tags that are assigned by hand, so nothing was recorded. Take one away first.`,
    )
  return assignTags(kind, subject, tagIds, context)
}

/** Add to a registration or correction what the rule packs in force say of it. */
export function withRuleAssignments<Facts, Event extends DomainEvent>(
  kind: SubjectKind<Facts, Event>,
  decided: readonly (Event | AssignmentEvent)[],
  before: Subject<Facts> | undefined,
  catalogue: TagCatalogue,
  context: DecisionContext,
): readonly (Event | AssignmentEvent)[] {
  const assignments = before?.assignments ?? noAssignments
  return decided.flatMap((event): readonly (Event | AssignmentEvent)[] => {
    if (!kind.carriesFacts(event)) return [event]
    const { data } = event
    return [
      { ...event, metadata: { rulesAsOf: rulesAsOf(catalogue, context) } },
      ...replaceRuleAssignments(assignments, kind.refOf(data), kind.forRules(data), catalogue, context),
    ]
  })
}

/** Return what the rule packs in force say of a subject now, where that differs from before. */
export function evaluateByRules<Facts, Event extends DomainEvent>(
  kind: SubjectKind<Facts, Event>,
  { facts, assignments }: Subject<Facts>,
  catalogue: TagCatalogue,
  context: DecisionContext,
  own?: OwnOutcomes,
): readonly AssignmentEvent[] {
  const [subject, content] = [kind.refOf(facts), kind.forRules(facts)]
  const events = replaceRuleAssignments(assignments, subject, content, catalogue, context, own)
  const rulesSeen = { rulesAsOf: catalogue.subscriptionRevision }
  return events.map((event) => ({ ...event, metadata: { ...event.metadata, ...rulesSeen } }))
}

function updateOf({ metadata, revision }: Pick<Stored<DomainEvent>, 'metadata' | 'revision'>) {
  return { updatedAt: metadata.occurredAt, updatedBy: metadata.actor.id, revision }
}
