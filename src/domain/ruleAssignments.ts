import type { DecisionContext } from './aggregate.ts'
import {
  type Assignments,
  type Finding,
  type RuleAssignment,
  type RuleAssignments,
  type SubjectRef,
  type UsageChange,
  usageChange,
} from './assignments.ts'
import { sameValue } from './changes.ts'
import type { DomainEvent, Stored } from './event.ts'
import type { RuleOutcome, RulePackVersion, RuleSubject } from './ruleBook.ts'
import type { Subscription, TagCatalogue } from './tagCatalogue.ts'

/**
 * The rule assignments of a subject, with their evidence. Each pack has its own assignments and its own event, so two
 * packs never touch each other's.
 */

export type RuleAssignmentsReplaced = DomainEvent<
  'RuleAssignmentsReplaced',
  SubjectRef &
    RuleAssignments & {
      readonly added: readonly RuleAssignment[]
      readonly removed: readonly RuleAssignment[]
      /** Ids of the rules that had a finding and have none now. */
      readonly settled: readonly string[]
      readonly usage: UsageChange
    }
>

export function rulesReplaced(before: Assignments, { data }: Stored<RuleAssignmentsReplaced>): Assignments {
  const { rulePackId, name, version, hash, assignments, findings } = data
  const { [rulePackId]: _, ...others } = before.byRules
  if (findings.length === 0) return { ...before, byRules: others }
  const said = { rulePackId, name, version, hash, assignments, findings }
  return { ...before, byRules: { ...others, [rulePackId]: said } }
}

const nothing: Pick<RuleAssignments, 'assignments' | 'findings'> = { assignments: [], findings: [] }

function findingsOf(outcomes: readonly RuleOutcome[], tagIds: Subscription['tagIds']): Finding[] {
  return outcomes.flatMap(({ tag, result, values, reason, missing: _, ...outcome }) => {
    const tagId = tagIds[tag]
    if (result === 'not-matched' || !tagId) return []
    return [{ ...outcome, tagId, result, values: values(), reason: reason ?? null }]
  })
}

/** Replace the assignments of one pack. One that stays keeps its id and its time; no change records nothing. */
function replaceOf(
  before: Assignments,
  subject: SubjectRef,
  pack: RulePackVersion,
  findings: readonly Finding[],
  { occurredAt, newId }: DecisionContext,
): readonly RuleAssignmentsReplaced[] {
  const known = before.byRules[pack.rulePackId]
  const had = known ?? nothing
  const sameVersion = known?.version === pack.version && known.hash === pack.hash
  if (sameValue(had.findings, findings) && (sameVersion || findings.length === 0)) return []

  const kept = new Map(
    had.assignments.map((assignment) => [`${assignment.ruleId} ${assignment.tagId}`, assignment]),
  )
  const assignments = findings
    .filter(({ result }) => result === 'matched')
    .map(
      ({ ruleId, tagId }) =>
        kept.get(`${ruleId} ${tagId}`) ?? { assignmentId: newId(), tagId, ruleId, assignedAt: occurredAt },
    )
  const { rulePackId, name, version, hash } = pack
  const said = { rulePackId, name, version, hash, assignments, findings }
  const found = new Set(findings.map(({ ruleId }) => ruleId))
  return [
    {
      type: 'RuleAssignmentsReplaced',
      data: {
        ...subject,
        ...said,
        added: assignments.filter((assignment) => !had.assignments.includes(assignment)),
        removed: had.assignments.filter((assignment) => !assignments.includes(assignment)),
        settled: had.findings.map(({ ruleId }) => ruleId).filter((ruleId) => !found.has(ruleId)),
        usage: usageChange(before, { ...before, byRules: { ...before.byRules, [rulePackId]: said } }),
      },
      // The pack is the actor, whoever made the request.
      metadata: { actor: { id: rulePackId, name, kind: 'rulePack' } },
    },
  ]
}

function packsInForce({ subscriptions }: TagCatalogue): readonly string[] {
  return [...subscriptions.values()].filter(({ active }) => active).map(({ rulePackId }) => rulePackId)
}

/** Whether this release ships every pack in the version in force. Only then is its evaluation complete. */
export function canEvaluate({ subscriptions }: TagCatalogue, { rules }: DecisionContext): boolean {
  return subscriptions.every(
    ({ active, rulePackId, version, hash }) => !active || rules.find(rulePackId, version)?.hash === hash,
  )
}

/** Return the `rulesAsOf` to record with a registration or correction. */
export function rulesAsOf(catalogue: TagCatalogue, context: DecisionContext): number {
  return canEvaluate(catalogue, context) ? catalogue.subscriptionRevision : -1
}

/**
 * Bring the rule assignments of a subject in line with the packs in force: one event for each pack whose findings
 * changed, and one for each pack that is no longer subscribed to. A pack in a version that this release does not ship
 * is left as it is.
 */
export function replaceRuleAssignments(
  before: Assignments,
  subject: SubjectRef,
  content: RuleSubject,
  catalogue: TagCatalogue,
  context: DecisionContext,
): readonly RuleAssignmentsReplaced[] {
  const events: RuleAssignmentsReplaced[] = []
  let present = before
  const replace = (pack: RulePackVersion, findings: readonly Finding[]) => {
    for (const event of replaceOf(present, subject, pack, findings, context)) {
      events.push(event)
      present = rulesReplaced(present, event as Stored<RuleAssignmentsReplaced>)
    }
  }
  const inForce = packsInForce(catalogue)
  for (const subscription of catalogue.subscriptions.values()) {
    if (!subscription.active) {
      replace(subscription, [])
      continue
    }
    const outcomes = context.rules.evaluate(subscription, content, inForce)
    if (outcomes) replace(subscription, findingsOf(outcomes, subscription.tagIds))
  }
  return events
}
