import { Map as ImmutableMap } from 'immutable'
import { type AuditedAggregate, eventsAbout } from '../audit/audited.ts'
import { sameValue } from '../kernel/changes.ts'
import type { DomainEvent, Stored } from '../kernel/event.ts'
import { conflict } from '../kernel/refusal.ts'
import type { OwnRulePackAdded, OwnRulePackWithdrawn } from '../tags/catalogueEvents.ts'
import type { Subscription, TagCatalogue } from '../tags/tagCatalogue.ts'
import { sentence } from '../verdict/sentence.ts'
import type { PairRule } from './pairRules.ts'
import type { RuleBook, RulePackOffer } from './ruleBook.ts'
import { type OfferedDocument, offerOf } from './rulePackOffer.ts'

/**
 * One rule pack that a company has written itself, with all of its versions. Each has a stream of its own, because its
 * documents are large: the company's catalogue holds its id and, for a subscription, the version and the hash.
 */

export interface OwnRulePackRef {
  readonly companyId: string
  readonly rulePackId: string
}

export function ownRulePackKey(companyId: string, rulePackId: string): string {
  return `${companyId}_${rulePackId}`
}

export function ownRulePackStream(key: string): string {
  return `rulePack-${key}`
}

/** The revision of the event that defined a version: each event of the stream defines the next one. */
export function revisionOfVersion(version: number): number {
  return version - 1
}

/** A document that has passed every check of the rule language. It has no version. */
export interface CheckedRulePack {
  readonly document: OfferedDocument
  /** SHA-256 of the document's content, in hexadecimal. */
  readonly hash: string
  /** The most steps of an evaluation of one subject. */
  readonly cost: number
  /** Left out if the pack has none. */
  readonly pairRules?: readonly PairRule[]
}

export type RulePackDefined = DomainEvent<
  'RulePackDefined',
  OwnRulePackRef & CheckedRulePack & { readonly name: string; readonly version: number }
>

export interface OwnRulePack extends OwnRulePackRef {
  /** The newest version, and its document. */
  readonly offer: RulePackOffer
  readonly document: OfferedDocument
  /** The choices that each version offers, by version. */
  readonly choices: ImmutableMap<number, NonNullable<RulePackOffer['choices']>>
  readonly definedAt: string
  readonly definedBy: string
  /** Revision of the newest version. */
  readonly revision: number
}

type OwnRulePackState = OwnRulePack | undefined

/** The most packs that a company may write. */
const maxOwnRulePacks = 20
/** The most versions of one pack. */
const maxVersions = 1_000

function evolve(
  before: OwnRulePackState,
  { data, metadata, revision }: Stored<RulePackDefined>,
): OwnRulePack {
  const { companyId, rulePackId, version, hash, cost, pairRules, document } = data
  const choices = before?.choices ?? ImmutableMap<number, NonNullable<RulePackOffer['choices']>>()
  return {
    companyId,
    rulePackId,
    document,
    revision,
    offer: { ...offerOf(document, { version, hash }), cost, pairRules },
    choices: document.parameters ? choices.set(version, document.parameters) : choices,
    definedAt: metadata.occurredAt,
    definedBy: metadata.actor.id,
  }
}

export const ownRulePack: AuditedAggregate<OwnRulePackState, RulePackDefined> = {
  name: 'ownRulePack',
  streamName: ownRulePackStream,
  initial: undefined,
  evolve,
  events: eventsAbout('rulePack', 'rulePackId', {
    RulePackDefined: {
      bound: 'day',
      tell: ({ name, version }) => sentence('RulePackDefined', { name, version }),
    },
  }),
}

/**
 * Define the first or the next version. A repeat of the newest version records nothing.
 * @throws Refusal `too-many-rule-pack-versions`
 */
export function defineRulePack(
  state: OwnRulePackState,
  { companyId, rulePackId }: OwnRulePackRef,
  { document, ...checked }: CheckedRulePack,
): readonly RulePackDefined[] {
  if (state && sameValue(state.document, document)) return []
  const version = (state?.offer.version ?? 0) + 1
  if (version > maxVersions)
    throw conflict(
      'too-many-rule-pack-versions',
      `A rule pack has at most ${maxVersions} versions, so nothing was recorded. Write a rule pack with another id.`,
    )
  const { name } = document
  return [{ type: 'RulePackDefined', data: { companyId, rulePackId, name, version, ...checked, document } }]
}

/**
 * Refuse a new pack whose id or number does not fit the company. The same content again is no new pack.
 * @throws Refusal `rule-pack-already-exists`, `too-many-rule-packs`
 */
export function refuseNewRulePack(
  state: OwnRulePackState,
  { subscriptions, ownRulePacks }: TagCatalogue,
  document: OfferedDocument,
  rules: RuleBook,
): void {
  const { id: rulePackId } = document
  const isOwn = ownRulePacks.has(rulePackId)
  const isForeign = !isOwn && (rules.find(rulePackId) !== undefined || subscriptions.get(rulePackId)?.active)
  if (isForeign || (isOwn && !sameValue(state?.document, document)))
    throw conflict(
      'rule-pack-already-exists',
      `Rule pack ${rulePackId} exists with other content, so nothing was recorded. Choose another id, or use PUT for a pack of the company.`,
      { rulePackId },
    )
  if (!isOwn) refuseTooMany(ownRulePacks.size)
}

/** Name a new pack in the company's catalogue, which makes it visible. Its document is recorded already. */
export function addOwnRulePack(
  { ownRulePacks }: TagCatalogue,
  { companyId, rulePackId }: OwnRulePackRef,
  name: string,
): readonly OwnRulePackAdded[] {
  if (ownRulePacks.has(rulePackId)) return []
  refuseTooMany(ownRulePacks.size)
  return [{ type: 'OwnRulePackAdded', data: { companyId, rulePackId, name } }]
}

/**
 * Withdraw a pack. Its versions stay recorded, and a new pack under its id continues them.
 * @throws Refusal `rule-pack-subscribed`
 */
export function withdrawOwnRulePack(
  { subscriptions }: TagCatalogue,
  { companyId, rulePackId }: OwnRulePackRef,
  name: string,
): readonly OwnRulePackWithdrawn[] {
  if (subscriptions.get(rulePackId)?.active)
    throw conflict(
      'rule-pack-subscribed',
      `The company subscribes to ${rulePackId}, so nothing was recorded. Unsubscribe first.`,
    )
  return [{ type: 'OwnRulePackWithdrawn', data: { companyId, rulePackId, name } }]
}

function refuseTooMany(count: number): void {
  if (count >= maxOwnRulePacks)
    throw conflict(
      'too-many-rule-packs',
      `A company has at most ${maxOwnRulePacks} rule packs of its own, so nothing was recorded. Delete one that is not used any more.`,
    )
}

/** The most steps of an evaluation of one subject by all own packs in force. */
const maxOwnCost = 250_000
/** The most rules on pairs of certificate and line in force: each candidate for a bar is judged by them. */
const maxPairRules = 10

/** @throws Refusal `own-rules-too-costly` when a pack does not fit beside the other own packs in force */
export function refuseTooCostly(
  { subscriptions }: TagCatalogue,
  { rulePackId, cost, pairRules = [] }: Pick<RulePackOffer, 'rulePackId' | 'cost' | 'pairRules'>,
): void {
  if (cost === undefined) return
  const others = subscriptions.filter((other) => other.active && other.rulePackId !== rulePackId)
  const ofPairs = others.reduce((sum, other) => sum + (other.pairRules?.length ?? 0), pairRules.length)
  if (ofPairs > maxPairRules)
    throw conflict(
      'own-rules-too-costly',
      `With this pack, the company has ${ofPairs} rules on pairs of certificate and line in force, which is more than ${maxPairRules}, so nothing was recorded. Simplify the pack.`,
      { cost: ofPairs, limit: maxPairRules },
    )
  const total = others.reduce((sum, other) => sum + (other.cost ?? 0), cost)
  if (total > maxOwnCost)
    throw conflict(
      'own-rules-too-costly',
      `With this pack, the company's own rules may take ${total} steps for one subject, which is more than ${maxOwnCost}, so nothing was recorded. Simplify the pack.`,
      { cost: total, limit: maxOwnCost },
    )
}

/** The rules on pairs of certificate and line in force. */
export function pairRulesOf({ subscriptions }: Pick<TagCatalogue, 'subscriptions'>): readonly PairRule[] {
  return [...subscriptions.values()].flatMap(({ active, pairRules = [] }) => (active ? pairRules : []))
}

/** The company's own packs that are in force. */
export function ownPacksInForce({ subscriptions, ownRulePacks }: TagCatalogue): readonly Subscription[] {
  return [...subscriptions.values()].filter(
    ({ active, rulePackId }) => active && ownRulePacks.has(rulePackId),
  )
}
