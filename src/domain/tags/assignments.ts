import type { DecisionContext } from '../kernel/aggregate.ts'
import type { DomainEvent, Stored } from '../kernel/event.ts'
import type { Evidence, RulePackVersion } from '../rulePacks/ruleBook.ts'
import type { Family } from './tag.ts'

/**
 * The tags of a subject (a mill certificate or an order). Assignments live in the subject's stream; manual ones and
 * those of rules stand side by side and never touch each other.
 */

export interface ManualAssignment {
  readonly assignmentId: string
  readonly tagId: string
  readonly assignedAt: string
}

/** One tag, assigned by one rule. */
export interface RuleAssignment {
  readonly assignmentId: string
  readonly tagId: string
  readonly ruleId: string
  readonly assignedAt: string
}

/** A rule that assigns its tag, with the values that it saw. The document of the pack has the rest of the rule. */
export interface MatchedRule extends RuleAssignment {
  readonly clause: string
  readonly values: Evidence
}

/** Rules that could not be evaluated on a subject for one reason. What they saw follows from the subject. */
export interface NotEvaluated {
  readonly tagId: string
  readonly reason: string
  readonly ruleIds: readonly string[]
}

/** The findings of one pack for a subject, with the version that made them. */
export interface RuleAssignments extends RulePackVersion {
  readonly matched: readonly MatchedRule[]
  readonly notEvaluated: readonly NotEvaluated[]
}

/** The tags that a subject has gained or lost, whichever way they were assigned. */
export interface UsageChange {
  readonly gained: readonly string[]
  readonly lost: readonly string[]
}

/** A subject as the history of a tag names it. The label is the certificate number or the order number. */
export interface SubjectRef {
  readonly companyId: string
  readonly family: Family
  readonly subjectId: string
  readonly subjectLabel: string
}

export type ManualAssignmentsReplaced = DomainEvent<
  'ManualAssignmentsReplaced',
  SubjectRef & {
    /** The full set, in the order in which it is answered. */
    readonly assignments: readonly ManualAssignment[]
    readonly added: readonly ManualAssignment[]
    readonly removed: readonly ManualAssignment[]
    readonly usage: UsageChange
  }
>

/** A manual assignment with the revision of the event that made it. */
interface CurrentAssignment extends ManualAssignment {
  readonly revision: number
}

/** The most manual assignments of one subject. */
export const maxManualAssignments = 100

export interface Assignments {
  readonly manual: readonly CurrentAssignment[]
  /** Revision of the event that set the manual assignments last; before the first, that of the registration. */
  readonly manualRevision: number
  /** By rulePackId. */
  readonly byRules: Readonly<Record<string, RuleAssignments>>
}

export const noAssignments: Assignments = { manual: [], manualRevision: 0, byRules: {} }

/** The part of the assignments from which the tags of a subject follow. */
interface AssignedTags extends Pick<Assignments, 'byRules'> {
  readonly manual: readonly ManualAssignment[]
}

/** Return each tag of the subject once, whichever way it is assigned. */
export function assignedTags({ manual, byRules }: AssignedTags): ReadonlySet<string> {
  return new Set([
    ...manual.map(({ tagId }) => tagId),
    ...Object.values(byRules).flatMap(({ matched }) => matched.map(({ tagId }) => tagId)),
  ])
}

/** Return the tags gained and lost. A tag assigned by hand and by rules is lost with the last of these. */
export function usageChange(before: AssignedTags, after: AssignedTags): UsageChange {
  const [had, has] = [assignedTags(before), assignedTags(after)]
  return {
    gained: [...has].filter((tagId) => !had.has(tagId)),
    lost: [...had].filter((tagId) => !has.has(tagId)),
  }
}

/** Whether the subject has other tags than before. */
export function tagsChanged({
  data: { usage },
}: {
  readonly data: { readonly usage: UsageChange }
}): boolean {
  return usage.gained.length + usage.lost.length > 0
}

export function findManual({ manual }: Assignments, tagId: string): CurrentAssignment | undefined {
  return manual.find((assignment) => assignment.tagId === tagId)
}

export function replaceAssignments(
  before: Assignments,
  { data, revision }: Stored<ManualAssignmentsReplaced>,
): Assignments {
  const assignmentOf = new Map(before.manual.map((assignment) => [assignment.tagId, assignment]))
  return {
    ...before,
    manual: data.assignments.map((one) => assignmentOf.get(one.tagId) ?? { ...one, revision }),
    manualRevision: revision,
  }
}

/**
 * Replace the manual assignments by these tags, given in the order in which to answer them. An assignment that
 * stays keeps its id and its time.
 */
export function replaceManualAssignments(
  before: Assignments,
  subject: SubjectRef,
  tagIds: readonly string[],
  { occurredAt, newId }: DecisionContext,
): readonly ManualAssignmentsReplaced[] {
  const present = before.manual.map(withoutRevision)
  const assignmentOf = new Map(present.map((assignment) => [assignment.tagId, assignment]))
  const wanted = new Set(tagIds)
  const assignments = [...wanted].map(
    (tagId) => assignmentOf.get(tagId) ?? { assignmentId: newId(), tagId, assignedAt: occurredAt },
  )
  const added = assignments.filter(({ tagId }) => !assignmentOf.has(tagId))
  const removed = present.filter(({ tagId }) => !wanted.has(tagId))
  if (added.length === 0 && removed.length === 0) return []
  const usage = usageChange(before, { ...before, manual: assignments })
  return [{ type: 'ManualAssignmentsReplaced', data: { ...subject, assignments, added, removed, usage } }]
}

function withoutRevision({ assignmentId, tagId, assignedAt }: CurrentAssignment): ManualAssignment {
  return { assignmentId, tagId, assignedAt }
}
