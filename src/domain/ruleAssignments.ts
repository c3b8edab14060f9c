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
import { ownPacksInForce } from './ownRulePack.ts'
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
  // A company may give its pack the id "constructor".
  const { byRules } = before
  const known = Object.hasOwn(byRules, pack.rulePackId) ? byRules[pack.rulePackId] : undefined
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

/** The ids of the packs in force. */
export function packsInForce({ subscriptions }: TagCatalogue): readonly string[] {
  return [...subscriptions.values()].filter(({ active }) => active).map(({ rulePackId }) => rulePackId)
}

/** The outcomes of the packs that the company has written itself, by rulePackId. */
export type OwnOutcomes = ReadonlyMap<string, readonly RuleOutcome[]>

const noOutcomes: OwnOutcomes = new Map()

/** Whether this release ships every shipped pack in the version in force. Only then is its evaluation complete. */
export function canEvaluate(catalogue: TagCatalogue, { rules }: DecisionContext): boolean {
  return catalogue.subscriptions.every(
    ({ active, rulePackId, version, hash }) =>
      !active || catalogue.ownRulePacks.has(rulePackId) || rules.find(rulePackId, version)?.hash === hash,
  )
}

/**
 * Return the `rulesAsOf` to record with a registration or correction: -1 while a pack is still to be evaluated, because
 * this release does not ship it, or because the company has written it itself.
 */
export function rulesAsOf(catalogue: TagCatalogue, context: DecisionContext): number {
  const isComplete = canEvaluate(catalogue, context) && ownPacksInForce(catalogue).length === 0
  return isComplete ? catalogue.subscriptionRevision : -1
}

/**
 * Bring the rule assignments of a subject in line with the packs in force: one event for each pack whose findings
 * changed, and one for each pack that is no longer subscribed to. A pack in a version that this release does not ship
 * is left as it is; so is a pack of the company without `own` outcomes.
 */
export function replaceRuleAssignments(
  before: Assignments,
  subject: SubjectRef,
  content: RuleSubject,
  catalogue: TagCatalogue,
  context: DecisionContext,
  own: OwnOutcomes = noOutcomes,
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
    const outcomes = catalogue.ownRulePacks.has(subscription.rulePackId)
      ? own.get(subscription.rulePackId)
      : context.rules.evaluate(subscription, content, inForce)
    if (outcomes) replace(subscription, findingsOf(outcomes, subscription.tagIds))
  }
  return events
}
