import type { DecisionContext } from '../domain/aggregate.ts'
import { notFound, Refusal } from '../domain/refusal.ts'
import { canEvaluate } from '../domain/ruleAssignments.ts'
import type { RulePackOffer } from '../domain/ruleBook.ts'
import {
  subscribeRulePack as decideSubscribe,
  unsubscribeRulePack as decideUnsubscribe,
  upgradeRulePack as decideUpgrade,
} from '../domain/rulePackSubscriptions.ts'
import { evaluateByRules as decideByRules } from '../domain/subject.ts'
import { subjects } from '../domain/subjects.ts'
import type { Family } from '../domain/tag.ts'
import { type CatalogueEvent, type TagCatalogue, tagCatalogue } from '../domain/tagCatalogue.ts'
import { catalogueOf } from './catalogue.ts'
import type { AnyCommand, Command } from './command.ts'

/** A pack as its commands answer it: what is shipped, and what is in force. */
export interface DecidedRulePack {
  readonly companyId: string
  readonly id: string
  readonly name: string
  /** The version that this release ships; that in force, where this release does not ship the pack. */
  readonly version: number
  readonly subscribedVersion: number | null
  readonly subscribed: boolean
}

type RulePackCommand = Command<TagCatalogue, CatalogueEvent, DecidedRulePack, RulePackOffer | undefined>

const change = (
  companyId: string,
  rulePackId: string,
  decide: (catalogue: TagCatalogue, shipped: RulePackOffer | undefined) => readonly CatalogueEvent[],
): RulePackCommand => ({
  aggregate: tagCatalogue,
  id: companyId,
  consult: async (_load, _state, rules) => rules.find(rulePackId),
  decide: (catalogue, _context, shipped) => {
    if (!shipped && !catalogue.subscriptions.has(rulePackId)) throw notFound('rule pack', rulePackId)
    return decide(catalogue, shipped)
  },
  answer: ({ subscriptions }, _recorded, shipped) => {
    const subscription = subscriptions.get(rulePackId)
    const { name, version } = shipped ?? subscription!
    const subscribed = subscription?.active ?? false
    const subscribedVersion = subscribed ? subscription!.version : null
    return {
      body: { companyId, id: rulePackId, name, version, subscribedVersion, subscribed },
      ...(subscription && { etag: subscription.revision }),
    }
  },
})

/** A pack that this release does not ship can only be unsubscribed from. */
const ifShipped = (rulePackId: string, shipped: RulePackOffer | undefined): RulePackOffer => {
  if (!shipped) throw notFound('rule pack', rulePackId)
  return shipped
}

export const subscribeRulePack = (companyId: string, rulePackId: string): RulePackCommand =>
  change(companyId, rulePackId, (catalogue, shipped) =>
    decideSubscribe(catalogue, companyId, ifShipped(rulePackId, shipped)),
  )

export const upgradeRulePack = (companyId: string, rulePackId: string): RulePackCommand =>
  change(companyId, rulePackId, (catalogue, shipped) =>
    decideUpgrade(catalogue, companyId, ifShipped(rulePackId, shipped)),
  )

export const unsubscribeRulePack = (companyId: string, rulePackId: string): RulePackCommand =>
  change(companyId, rulePackId, (catalogue) => decideUnsubscribe(catalogue, companyId, rulePackId))

/** Whoever goes on from here would leave something out that a newer release, or an older one, sees to. */
const refuseIncomplete = (catalogue: TagCatalogue, context: DecisionContext): void => {
  if (!canEvaluate(catalogue, context))
    throw new Refusal(
      'unavailable',
      'rule-pack-not-shipped',
      'This release does not ship every rule pack in the version that is in force.',
    )
}

/**
 * Bring what rules say of one subject in line with the packs in force. A repeat records nothing, so this may be
 * repeated at any time, and mends a subject that was evaluated by an older subscription.
 */
export function evaluateByRules(companyId: string, family: Family, subjectId: string): AnyCommand<null> {
  const kind = subjects[family]
  return {
    aggregate: kind.aggregate,
    id: kind.key(companyId, subjectId),
    consult: catalogueOf(companyId),
    decide: (state, context, catalogue) => {
      refuseIncomplete(catalogue, context)
      return state ? decideByRules(kind, state, catalogue, context) : []
    },
    answer: () => ({ body: null }),
  }
}
