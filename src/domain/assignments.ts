import type { DecisionContext } from './aggregate.ts'
import type { DomainEvent, Stored } from './event.ts'
import type { Evidence, RulePackVersion } from './ruleBook.ts'
import type { Family } from './tag.ts'

/**
 * Which tags a subject (a mill certificate or an order) has: one module for both. Assignments live in the
 * subject's stream; manual ones and those of rules stand side by side and never touch each other.
 */

export interface ManualAssignment {
  readonly assignmentId: string
  readonly tagId: string
  readonly assignedAt: string
}

/** One rule that assigns one tag. */
export interface RuleAssignment {
  readonly assignmentId: string
  readonly tagId: string
  readonly ruleId: string
  readonly assignedAt: string
}

/** Why a rule assigns its tag, or why nobody knows whether it should. */
export interface Finding {
  readonly ruleId: string
  readonly tagId: string
  readonly result: 'matched' | 'not-evaluated'
  readonly clause: string
  readonly expression: string
  readonly explanation: string
  readonly values: Evidence
  /** Why it could not be evaluated; null for a match. */
  readonly reason: string | null
}

/** What one pack says of a subject, by the version that said it. */
export interface RuleAssignments extends RulePackVersion {
  readonly assignments: readonly RuleAssignment[]
  readonly findings: readonly Finding[]
}

/** Tags that the subject has now and had not, or had and has no more, however they are assigned. */
export interface UsageChange {
  readonly gained: readonly string[]
  readonly lost: readonly string[]
}

/** What the subject is called in the tag's history: its certificate or order number. */
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

export interface Assignments {
  readonly manual: readonly ManualAssignment[]
  /** Of the event that set them last; that of the registration before. */
  readonly manualRevision: number
  /** What rules say, by the rulePackId. */
  readonly byRules: Readonly<Record<string, RuleAssignments>>
}

export const noAssignments: Assignments = { manual: [], manualRevision: 0, byRules: {} }

/** The tags of the subject, however they are assigned: each once. */
export const assignedTags = ({ manual, byRules }: Assignments): ReadonlySet<string> =>
  new Set([
    ...manual.map(({ tagId }) => tagId),
    ...Object.values(byRules).flatMap(({ assignments }) => assignments.map(({ tagId }) => tagId)),
  ])

/** A tag that is assigned by hand and by rules counts once: it is lost with the last of these. */
export const usageChange = (before: Assignments, after: Assignments): UsageChange => {
  const [had, has] = [assignedTags(before), assignedTags(after)]
  return {
    gained: [...has].filter((tagId) => !had.has(tagId)),
    lost: [...had].filter((tagId) => !has.has(tagId)),
  }
}

export const replaced = (before: Assignments, event: Stored<ManualAssignmentsReplaced>): Assignments => ({
  ...before,
  manual: event.data.assignments,
  manualRevision: event.revision,
})

/**
 * Replaces the manual assignments by these tags, given in the order in which to answer them. One that stays
 * keeps its id and its time.
 */
export const replaceManualAssignments = (
  before: Assignments,
  subject: SubjectRef,
  tagIds: readonly string[],
  { now, newId }: DecisionContext,
): readonly ManualAssignmentsReplaced[] => {
  const known = new Map(before.manual.map((assignment) => [assignment.tagId, assignment]))
  const wanted = new Set(tagIds)
  const assignments = [...wanted].map(
    (tagId) => known.get(tagId) ?? { assignmentId: newId(), tagId, assignedAt: now },
  )
  const added = assignments.filter(({ tagId }) => !known.has(tagId))
  const removed = before.manual.filter(({ tagId }) => !wanted.has(tagId))
  if (added.length === 0 && removed.length === 0) return []
  const usage = usageChange(before, { ...before, manual: assignments })
  return [{ type: 'ManualAssignmentsReplaced', data: { ...subject, assignments, added, removed, usage } }]
}
