import type { DecisionContext } from '../kernel/aggregate.ts'
import { sameValue } from '../kernel/changes.ts'
import type { DomainEvent, Stored } from '../kernel/event.ts'
import {
  type Assignments,
  type MatchedRule,
  type RuleAssignment,
  type RuleAssignments,
  type SubjectRef,
  type UsageChange,
  usageChange,
} from '../tags/assignments.ts'
import type { Subscription, TagCatalogue } from '../tags/tagCatalogue.ts'
import { notJudgedRuleId } from './notJudged.ts'
import { ownPacksInForce } from './ownRulePack.ts'
import type { Evidence, RuleOutcome, RulePackVersion, RuleSubject } from './ruleBook.ts'

/**
 * The rule assignments of a subject, with their evidence. Each pack has its own assignments and its own event, so two
 * packs never touch each other's. An event holds the values that a matched rule saw. It does not repeat what follows from
 * the pack's version: `explain.ts` looks that up.
 */

export type RuleAssignmentsReplaced = DomainEvent<
  'RuleAssignmentsReplaced',
  SubjectRef &
    RuleAssignments & {
      /** Ids of the matched rules that did not assign their tag before. */
      readonly added: readonly string[]
      readonly removed: readonly RuleAssignment[]
      /** Ids of the rules that had a finding and have none now. */
      readonly settled: readonly string[]
      readonly usage: UsageChange
    }
>

type Findings = Pick<RuleAssignments, 'matched' | 'notEvaluated'>

export function rulesReplaced(before: Assignments, { data }: Stored<RuleAssignmentsReplaced>): Assignments {
  const { rulePackId, name, version, hash, matched, notEvaluated } = data
  const { [rulePackId]: _, ...others } = before.byRules
  if (ruleIdsOf(data).length === 0) return { ...before, byRules: others }
  const result = { rulePackId, name, version, hash, matched, notEvaluated }
  return { ...before, byRules: { ...others, [rulePackId]: result } }
}

/** The assignments that an event adds. */
export function addedBy({
  matched,
  added,
}: Pick<RuleAssignmentsReplaced['data'], 'matched' | 'added'>): readonly MatchedRule[] {
  return matched.filter(({ ruleId }) => added.includes(ruleId))
}

/** The values of a matched rule. The rules that were not judged are in the event once. */
export function valuesOf(
  { ruleId, values }: Pick<MatchedRule, 'ruleId' | 'values'>,
  findings: Pick<Findings, 'notEvaluated'>,
): Evidence {
  return ruleId === notJudgedRuleId ? { rules: notEvaluatedIds(findings), ...values } : values
}

/** Ids of the rules that could not be evaluated. */
export function notEvaluatedIds({ notEvaluated }: Pick<Findings, 'notEvaluated'>): readonly string[] {
  return notEvaluated.flatMap(({ ruleIds }) => ruleIds)
}

function ruleIdsOf(findings: Findings): readonly string[] {
  return [...findings.matched.map(({ ruleId }) => ruleId), ...notEvaluatedIds(findings)]
}

/** Findings whose matches have no assignments yet. */
interface Outcomes extends Pick<Findings, 'notEvaluated'> {
  readonly matches: readonly Omit<MatchedRule, 'assignmentId' | 'assignedAt'>[]
}

const nothing: Findings = { matched: [], notEvaluated: [] }

function findingsOf(outcomes: readonly RuleOutcome[], tagIds: Subscription['tagIds']): Outcomes {
  const withTags = outcomes.flatMap(({ tag, ...outcome }) => {
    const tagId = tagIds[tag]
    return tagId ? [{ ...outcome, tagId }] : []
  })
  const open = withTags.filter(({ result }) => result === 'not-evaluated')
  const groups = Map.groupBy(open, ({ tagId, reason }) => `${tagId} ${reason}`)
  return {
    matches: withTags
      .filter(({ result }) => result === 'matched')
      .map(({ ruleId, tagId, clause, values }) => ({ ruleId, tagId, clause, values: values() })),
    notEvaluated: [...groups.values()].map((group) => ({
      tagId: group[0]!.tagId,
      reason: group[0]!.reason ?? '',
      ruleIds: group.map(({ ruleId }) => ruleId),
    })),
  }
}

/** Replace the assignments of one pack. One that stays keeps its id and its time; no change records nothing. */
function replaceOf(
  before: Assignments,
  subject: SubjectRef,
  pack: RulePackVersion,
  { matches, notEvaluated }: Outcomes,
  { occurredAt, newId }: DecisionContext,
): readonly RuleAssignmentsReplaced[] {
  // A company may give its pack the id "constructor".
  const { byRules } = before
  const evaluated = Object.hasOwn(byRules, pack.rulePackId) ? byRules[pack.rulePackId] : undefined
  const had = evaluated ?? nothing
  const sameVersion = evaluated?.version === pack.version && evaluated.hash === pack.hash
  const isEmpty = matches.length + notEvaluated.length === 0
  const matchesBefore = had.matched.map(({ assignmentId: _, assignedAt: _at, ...match }) => match)
  const sameFindings = sameValue(matchesBefore, matches) && sameValue(had.notEvaluated, notEvaluated)
  if (sameFindings && (sameVersion || isEmpty)) return []

  const keyOf = ({ ruleId, tagId }: { readonly ruleId: string; readonly tagId: string }) =>
    `${ruleId} ${tagId}`
  const matchByKey = new Map(had.matched.map((match) => [keyOf(match), match]))
  const matched = matches.map((match) => {
    const { assignmentId = newId(), assignedAt = occurredAt } = matchByKey.get(keyOf(match)) ?? {}
    return { assignmentId, assignedAt, ...match }
  })
  const { rulePackId, name, version, hash } = pack
  const result = { rulePackId, name, version, hash, matched, notEvaluated }
  const found = new Set(ruleIdsOf(result))
  const stays = new Set(matched.map(keyOf))
  return [
    {
      type: 'RuleAssignmentsReplaced',
      data: {
        ...subject,
        ...result,
        added: matched.filter((match) => !matchByKey.has(keyOf(match))).map(({ ruleId }) => ruleId),
        removed: had.matched
          .filter((match) => !stays.has(keyOf(match)))
          .map(({ assignmentId, tagId, ruleId, assignedAt }) => ({
            assignmentId,
            tagId,
            ruleId,
            assignedAt,
          })),
        settled: ruleIdsOf(had).filter((ruleId) => !found.has(ruleId)),
        usage: usageChange(before, { ...before, byRules: { ...byRules, [rulePackId]: result } }),
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
  const replace = (pack: RulePackVersion, outcomes: Outcomes) => {
    for (const event of replaceOf(present, subject, pack, outcomes, context)) {
      events.push(event)
      present = rulesReplaced(present, event as Stored<RuleAssignmentsReplaced>)
    }
  }
  const inForce = packsInForce(catalogue)
  for (const subscription of catalogue.subscriptions.values()) {
    if (!subscription.active) {
      replace(subscription, findingsOf([], {}))
      continue
    }
    const outcomes = catalogue.ownRulePacks.has(subscription.rulePackId)
      ? own.get(subscription.rulePackId)
      : context.rules.evaluate(subscription, content, inForce)
    if (outcomes) replace(subscription, findingsOf(outcomes, subscription.tagIds))
  }
  return events
}
