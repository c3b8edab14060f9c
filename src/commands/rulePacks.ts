import type { DecisionContext } from '../domain/aggregate.ts'
import type { OwnRulePack } from '../domain/ownRulePack.ts'
import { notFound, Refusal } from '../domain/refusal.ts'
import { canEvaluate } from '../domain/ruleAssignments.ts'
import type { Parameters, RuleBook, RulePackOffer } from '../domain/ruleBook.ts'
import { defaultsOf, type ParameterSchema, parameterSchemaOf } from '../domain/rulePackParameters.ts'
import * as subscriptions from '../domain/rulePackSubscriptions.ts'
import type { AssignmentEvent, Subject } from '../domain/subject.ts'
import * as subject from '../domain/subject.ts'
import { subjects } from '../domain/subjects.ts'
import type { Family } from '../domain/tag.ts'
import { type CatalogueEvent, type TagCatalogue, tagCatalogue } from '../domain/tagCatalogue.ts'
import type { ProblemCode } from '../problems/catalogue.ts'
import { catalogueOf } from './catalogue.ts'
import { type Answered, type Command, onStream } from './command.ts'

/** A pack as its commands answer it: what is shipped, and what is in force. */
export interface DecidedRulePack {
  readonly companyId: string
  readonly rulePackId: string
  readonly name: string
  /** The version that this release ships; that in force, where this release does not ship the pack. */
  readonly version: number
  readonly subscribedVersion: number | null
  readonly subscribed: boolean
  /** The company's choices; without a subscription the defaults. */
  readonly parameters: Parameters
  readonly parameterSchema: ParameterSchema
  /** Whether the company has written it itself. */
  readonly own: boolean
}

/** A pack as it is answered with its document. */
export interface WrittenRulePack extends DecidedRulePack {
  readonly hash: string
  readonly document: object
}

/** Subscribe to a pack that this release ships. */
export function subscribeRulePack(
  companyId: string,
  rulePackId: string,
  parameters: Parameters = {},
): Command<DecidedRulePack> {
  return changeSubscription(companyId, rulePackId, (catalogue, shipped, rules) =>
    subscriptions.subscribeRulePack(
      catalogue,
      companyId,
      ifShipped(rulePackId, shipped),
      parameters,
      (version) => rules.find(rulePackId, version),
    ),
  )
}
subscribeRulePack.refuses = [
  'rule-pack-not-found',
  'tag-name-taken',
  'too-many-tags',
] as const satisfies readonly ProblemCode[]

/** Upgrade to the version that this release ships. */
export function upgradeRulePack(companyId: string, rulePackId: string): Command<DecidedRulePack> {
  return changeSubscription(companyId, rulePackId, (catalogue, shipped) =>
    subscriptions.upgradeRulePack(catalogue, companyId, ifShipped(rulePackId, shipped)),
  )
}
upgradeRulePack.refuses = [
  'rule-pack-not-found',
  'tag-name-taken',
  'too-many-tags',
  'rule-pack-not-subscribed',
  'rule-pack-newer',
] as const satisfies readonly ProblemCode[]

/** Unsubscribe, also from a pack that this release does not ship. */
export function unsubscribeRulePack(companyId: string, rulePackId: string): Command<DecidedRulePack> {
  return changeSubscription(companyId, rulePackId, (catalogue) =>
    subscriptions.unsubscribeRulePack(catalogue, companyId, rulePackId),
  )
}
unsubscribeRulePack.refuses = ['rule-pack-not-found'] as const satisfies readonly ProblemCode[]

/**
 * Bring the rule assignments of one subject in line with the packs in force. Evaluating again records nothing new, so
 * this may be repeated at any time, and mends a subject that an older subscription was evaluated for.
 */
export function evaluateByRules(companyId: string, family: Family, subjectId: string): Command<undefined> {
  const kind = subjects[family]
  return onStream<Subject<unknown> | undefined, AssignmentEvent, TagCatalogue>({
    aggregate: kind.aggregate,
    id: kind.key(companyId, subjectId),
    dependencies: catalogueOf(companyId),
    decide: (state, context, catalogue) => {
      refuseIncomplete(catalogue, context)
      return state ? subject.evaluateByRules(kind, state, catalogue, context) : []
    },
  })
}

function changeSubscription(
  companyId: string,
  rulePackId: string,
  decide: (
    catalogue: TagCatalogue,
    shipped: RulePackOffer | undefined,
    rules: RuleBook,
  ) => readonly CatalogueEvent[],
): Command<DecidedRulePack> {
  return onStream({
    aggregate: tagCatalogue,
    id: companyId,
    dependencies: async (_load, _state, rules) => rules.find(rulePackId),
    decide: (catalogue, { rules }, shipped) => {
      if (!shipped && !catalogue.subscriptions.has(rulePackId))
        throw notFound('rule-pack-not-found', rulePackId)
      return decide(catalogue, shipped, rules)
    },
    answer: (catalogue, _recorded, shipped) => answered(catalogue, companyId, rulePackId, shipped),
  })
}

function answered(
  catalogue: TagCatalogue,
  companyId: string,
  rulePackId: string,
  shipped: RulePackOffer | undefined,
): Answered<DecidedRulePack> {
  const subscription = catalogue.subscriptions.get(rulePackId)
  return {
    body: decidedOn(catalogue, companyId, shipped ?? { ...subscription!, tags: [] }),
    ...(subscription && { etag: subscription.revision }),
  }
}

/** Answer a pack that the company has written itself, with its newest document. */
export function answeredOwn(
  catalogue: TagCatalogue,
  { companyId, offer, document, revision }: OwnRulePack,
): Answered<WrittenRulePack> {
  const decided = { ...decidedOn(catalogue, companyId, offer), own: true }
  return { body: { ...decided, hash: offer.hash, document }, etag: revision }
}

function decidedOn(
  { subscriptions, ownRulePacks }: TagCatalogue,
  companyId: string,
  offer: RulePackOffer,
): DecidedRulePack {
  const { rulePackId, name, version } = offer
  const inForce = subscriptions.get(rulePackId)
  const subscribed = inForce?.active ?? false
  return {
    ...{ companyId, rulePackId, name, version, subscribed },
    subscribedVersion: subscribed ? inForce!.version : null,
    parameters: (subscribed ? inForce!.parameters : undefined) ?? defaultsOf(offer),
    parameterSchema: parameterSchemaOf(offer),
    own: ownRulePacks.has(rulePackId),
  }
}

/** @throws Refusal `rule-pack-not-found` when this release does not ship the pack */
function ifShipped(rulePackId: string, shipped: RulePackOffer | undefined): RulePackOffer {
  if (!shipped) throw notFound('rule-pack-not-found', rulePackId)
  return shipped
}

/** An evaluation without one of the packs in force would leave out findings. @throws Refusal `rule-pack-not-shipped` */
function refuseIncomplete(catalogue: TagCatalogue, context: DecisionContext): void {
  if (!canEvaluate(catalogue, context))
    throw new Refusal(
      'rule-pack-not-shipped',
      'This release does not ship every rule pack in the version that is in force, so it cannot evaluate this. A node of the release that ships them can.',
    )
}
